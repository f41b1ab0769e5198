"""The web side of a contest, asked without a socket: who sees and changes what, and what hand-ins go through."""

from __future__ import annotations

import errno
import re
import sqlite3
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import msgspec
import pytest
from starlette.applications import Starlette

from gridjoust.runner.results.records.lines import Fault, FaultLine, Termination
from gridjoust.runner.results.records.reasons import WITHHELD
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.access import CHANGES, WRONG, RateLimit
from gridjoust.serve.pages import lines_after, scale_of, verdict_on
from gridjoust.serve.play.unpacking import MOST_PACKED
from gridjoust.serve.site_export import export_site
from gridjoust.serve.values import GradeRow, Kind, Phase, State, Threshold, Version, VersionRow
from gridjoust.serve.web import make_app
from tests.gridjoust.serve.asking import HOST, OWN, Client, joined, show_board
from tests.gridjoust.serve.fake_contest import CODE, FakeContest, renamed, short_match

SCRIPT = "<img src=x onerror=alert(1)>"
INLINE = re.compile(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:", re.IGNORECASE)


@pytest.fixture
def contest(tmp_path: Path) -> FakeContest:
    return FakeContest(tmp_path)


@pytest.fixture
def app(contest: FakeContest) -> Starlette:
    return app_of(contest)


def app_of(contest: FakeContest, *, proxy: str | None = None, has_remote_user: bool = False) -> Starlette:
    return make_app(
        contest,
        hosts=["127.0.0.1"],
        starter=lambda game: f"# a bot for {game}",
        proxy=proxy,
        has_remote_user=has_remote_user,
    )


def admitted(contest: FakeContest, client: Client, *, content: bytes = b"pass") -> Version:
    told = client.put("/hand-in/bot.py", content).data["version"]
    contest.decide(told["label"])
    return contest.version(told["label"])


# accounts


def test_who_joins_gets_a_key_once_and_a_cookie_that_no_script_and_no_other_site_can_use(app: Starlette) -> None:
    ada = Client(app)
    answer = ada.post("/join", code=CODE, name="ada")
    assert answer.data == {"name": "ada", "key": "key-of-ada-1"}
    cookie = answer.headers["set-cookie"]
    assert ("HttpOnly" in cookie, "SameSite=lax" in cookie, "Secure" in cookie) == (True, True, False)
    assert ada.get("/api/me").data["name"] == "ada"
    assert "key-of-ada" not in ada.get("/join").text


def test_a_key_in_the_header_signs_a_program_in(app: Starlette) -> None:
    joined(app, "ada", code=CODE)
    assert Client(app, key="key-of-ada-1").get("/api/me").data["name"] == "ada"
    assert (Client(app, key="key-of-ada-2").get("/api/me").status, Client(app).get("/api/me").status) == (401, 401)


def test_a_stale_cookie_shows_what_everybody_sees(app: Starlette) -> None:
    assert Client(app, cookies={"joust_key": "gone"}).get("/").status == 200


def test_signing_in_with_a_key_and_out_again(app: Starlette) -> None:
    joined(app, "ada", code=CODE)
    other = Client(app)
    assert other.post("/sign-in", key="wrong").status == 401
    assert other.post("/sign-in", key=" key-of-ada-1 ").data["go"] == "/"
    assert other.get("/api/me").status == 200
    other.post("/sign-out")
    assert other.get("/api/me").status == 401


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limit is refilled while a test uses it up."""
    monkeypatch.setattr("gridjoust.serve.access.RateLimit", partial(RateLimit, clock=lambda: 0.0))


@pytest.mark.usefixtures("still_clock")
def test_wrong_join_codes_are_limited_for_each_address(app: Starlette) -> None:
    guesser = Client(app, address="10.0.0.9")
    assert {guesser.post("/join", code="guess", name="eve").status for _ in range(WRONG)} == {403}
    assert guesser.post("/join", code=CODE, name="eve").status == 429
    assert Client(app, address="10.0.0.8").post("/join", code=CODE, name="ada").status == 200


def test_a_limit_is_refilled_within_a_minute() -> None:
    now_s = 0.0
    limit = RateLimit(4, clock=lambda: now_s)
    for _ in range(4):
        assert limit.wait_s("a") == 0
        limit.use("a")
    assert (limit.wait_s("a"), limit.wait_s("b")) == (15, 0)
    now_s = 15.0
    assert limit.wait_s("a") == 0


@pytest.mark.usefixtures("still_clock")
def test_a_flood_of_changes_is_refused(app: Starlette) -> None:
    eve = joined(app, "eve", code=CODE)
    assert [eve.post("/api/retest").status for _ in range(CHANGES)] == [409] * CHANGES
    assert eve.post("/api/retest").status == 429


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({**OWN, "origin": "http://evil.example"}, 403),
        ({**OWN, "origin": "null"}, 403),
        ({**OWN, "origin": "http://127.0.0.1:8714"}, 200),
        (OWN, 200),
    ],
)
def test_a_change_needs_our_header_and_no_other_origin(app: Starlette, headers: dict[str, str], status: int) -> None:
    assert joined(app, "ada", code=CODE).post("/sign-out", headers=headers).status == status


def test_the_name_of_a_proxy_is_believed_from_its_address_alone_and_only_if_it_is_asked_for(
    contest: FakeContest,
) -> None:
    user = {"x-remote-user": "ada"}
    for proxy, has_remote_user, address, status in [
        ("10.0.0.1", True, "10.0.0.1", 200),
        ("10.0.0.1", True, "10.0.0.2", 401),
        ("10.0.0.1", False, "10.0.0.1", 401),
        (None, True, "10.0.0.1", 401),
    ]:
        app = app_of(contest, proxy=proxy, has_remote_user=has_remote_user)
        assert Client(app, address=address).get("/api/me", **user).status == status
    app = app_of(contest, proxy="10.0.0.1", has_remote_user=True)
    staff = Client(app, address="10.0.0.1", cookies={"joust_key": "staff-key"})
    assert staff.get("/api/me", **user).data["name"] == "teacher"


def test_a_proxy_tells_who_is_limited_and_if_the_cookie_is_for_https(contest: FakeContest) -> None:
    app = app_of(contest, proxy="10.0.0.1")
    proxied = Client(app, address="10.0.0.1")
    for _ in range(WRONG):
        proxied.post("/join", headers={**OWN, "x-forwarded-for": "6.6.6.6, 1.1.1.1"}, code="guess", name="eve")
    headers = {**OWN, "x-forwarded-for": "1.1.1.1, 2.2.2.2", "x-forwarded-proto": "https"}
    answer = proxied.post("/join", headers=headers, code=CODE, name="ada")
    assert (answer.status, "Secure" in answer.headers["set-cookie"]) == (200, True)
    assert f"https://{HOST}/guide" in proxied.get("/llms.txt", **{"x-forwarded-proto": "https"}).text
    assert proxied.post("/join", headers={**OWN, "x-forwarded-for": "1.1.1.1"}, code=CODE, name="bob").status == 429


# hand-in


def test_a_hand_in_is_kept_byte_by_byte_and_answered_with_its_version(app: Starlette, contest: FakeContest) -> None:
    answer = joined(app, "ada", code=CODE).put("/hand-in/my%20bot.py", b"one", b"two")
    assert (answer.status, answer.data["version"]["label"], answer.data["page"]) == (201, "ada@1", "/bot/ada/1")
    assert contest.received["ada@1"].read_bytes() == b"onetwo"
    assert contest.received["ada@1"].name == "ada@1-my bot.py"
    assert list(contest.uploads.iterdir()) == []


@pytest.mark.gate
def test_a_body_is_counted_while_it_streams(app: Starlette, contest: FakeContest) -> None:
    ada, part = joined(app, "ada", code=CODE), bytes(MOST_PACKED // 4)
    assert ada.put("/hand-in/most.zip", *[part] * 4).status == 201
    assert ada.put("/hand-in/more.zip", *[part] * 4, b"x").status == 413
    assert list(contest.uploads.iterdir()) == []


def test_a_body_that_is_announced_as_too_large_is_refused_before_it_comes(app: Starlette) -> None:
    headers = {**OWN, "content-length": str(MOST_PACKED + 1)}
    assert joined(app, "ada", code=CODE).put("/hand-in/bot.py", b"x", headers=headers).status == 413


def test_a_body_that_breaks_off_hands_in_nothing(app: Starlette, contest: FakeContest) -> None:
    assert joined(app, "ada", code=CODE).put("/hand-in/bot.py", b"half", is_cut=True).status == 400
    assert (contest.received, list(contest.uploads.iterdir())) == ({}, [])


@pytest.mark.parametrize(
    ("path", "name"),
    [("/hand-in/..%2F..%2Fetc", "etc"), ("/hand-in/C:%5Cbots%5Ca.py", "a.py"), ("/hand-in//a.py", "a.py")],
)
def test_a_name_leads_to_no_other_folder(app: Starlette, contest: FakeContest, path: str, name: str) -> None:
    assert joined(app, "ada", code=CODE).put(path, b"x").status == 201
    assert contest.received["ada@1"] == contest.folder / f"ada@1-{name}"


@pytest.mark.parametrize(
    "path", ["/hand-in/", "/hand-in/..", "/hand-in/a%00b", f"/hand-in/{'a' * 101}", "/hand-in/%E2%80%AE"]
)
def test_a_hand_in_needs_a_name_that_can_be_shown(app: Starlette, path: str) -> None:
    assert joined(app, "ada", code=CODE).put(path, b"x").status == 400


def test_an_empty_file_and_one_of_nobody_are_refused(app: Starlette) -> None:
    assert joined(app, "ada", code=CODE).put("/hand-in/bot.py").status == 400
    assert Client(app).put("/hand-in/bot.py", b"x").status == 401


def test_the_final_and_quotas_refuse_with_their_sentence(app: Starlette, contest: FakeContest) -> None:
    ada = joined(app, "ada", code=CODE)
    contest.uploads_left = 0
    answer = ada.put("/hand-in/bot.py", b"x")
    assert (answer.status, answer.text) == (429, "no uploads left; one more in 6 min\n")
    contest.now = Phase.FINAL
    answer = ada.put("/hand-in/bot.py", b"x")
    assert (answer.status, answer.text) == (409, "the final has begun\n")


def test_a_late_version_is_shown_to_everybody_as_such_below_the_grades_and_not_on_the_ladder(
    app: Starlette, contest: FakeContest
) -> None:
    ada, anybody = joined(app, "ada", code=CODE), Client(app)
    admitted(contest, ada)
    assert "After the deadline" not in anybody.get("/grades").text
    contest.now = Phase.FROZEN
    admitted(contest, ada, content=b"pass  # late")
    in_time, late = anybody.get("/grades").text.split("After the deadline")
    assert (">ada@1<" in in_time, ">ada@2<" in in_time, ">ada@2<" in late) == (True, False, True)
    assert ">ada@2<" not in anybody.get("/").text
    assert anybody.get("/bot/ada").text.count('<span class="tag">after the deadline</span>') == 1
    assert "A version handed in now meets the staff bots alone" in ada.get("/hand-in").text


def test_staff_see_how_many_grades_are_complete_before_they_start_the_final(
    app: Starlette, contest: FakeContest
) -> None:
    admitted(contest, joined(app, "ada", code=CODE))
    staff = Client(app, key="staff-key")
    assert 'action="/staff/final"' not in staff.get("/staff").text
    contest.now = Phase.FROZEN
    shown = staff.get("/staff").text
    assert "1 of 1 grades are complete" in shown
    assert 'action="/staff/final"' in shown


def tracked(contest: FakeContest, app: Starlette) -> None:
    contest.codes = {"students": "for-students", "guests": "for-guests"}
    contest.about = replace(contest.about, tracks=("students", "guests"))
    for name, track in (("ada", "students"), ("bob", "guests")):
        admitted(contest, joined(app, name, code=f"for-{track}"))


def test_pages_show_all_entrants_or_those_of_a_track(app: Starlette, contest: FakeContest) -> None:
    tracked(contest, app)
    anybody = Client(app)
    for page in ("/", "/grades"):
        assert re.findall(r'data-bot="(\w+)"', anybody.get(page).text) == ["ada", "bob"]
        assert re.findall(r'data-bot="(\w+)"', anybody.get(f"{page}?track=guests").text) == ["bob"]
        assert f'href="{page}?track=guests" aria-current="page"' in anybody.get(f"{page}?track=guests").text
        assert anybody.get(f"{page}?track=nosuch").status == 404
    assert [row["name"] for row in anybody.get("/api/ladder?track=students").data] == ["ada"]


def test_only_staff_read_the_codes_of_tracks_and_move_entrants(app: Starlette, contest: FakeContest) -> None:
    tracked(contest, app)
    staff, eve = Client(app, key="staff-key"), joined(app, "eve", code="for-guests")
    assert all(code in staff.get("/staff").text for code in contest.codes.values())
    assert eve.post("/staff/track", name="eve", track="students").status == 403
    assert contest.person("eve").track == "guests"
    assert staff.post("/staff/track", name="eve", track="students").status == 200
    assert contest.person("eve").track == "students"


def test_an_exported_site_has_the_tables_of_each_track(app: Starlette, contest: FakeContest, tmp_path: Path) -> None:
    tracked(contest, app)
    (contest.results / "results.csv").write_text("")
    list(export_site(contest, tmp_path / "site"))
    for name, other in (("ladder-guests.html", "grades-guests.html"), ("grades-guests.html", "grades-students.html")):
        text = (tmp_path / "site" / name).read_text()
        assert re.findall(r'data-bot="(\w+)"', text) == ["bob"]
        assert (tmp_path / "site" / other).is_file()
        assert {one for one in re.findall(r'href="([^"#]+)"', text) if not (tmp_path / "site" / one).is_file()} == set()


def test_staff_of_a_contest_without_a_deadline_may_start_the_final_at_any_time(
    app: Starlette, contest: FakeContest
) -> None:
    contest.about = replace(contest.about, deadline_s=None)
    assert 'action="/staff/final"' in Client(app, key="staff-key").get("/staff").text


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/secret/place"), "No space left on device"),
        (sqlite3.OperationalError("database or disk is full"), "database or disk is full"),
    ],
)
def test_a_full_disk_is_said_in_one_line_and_the_site_stays_readable(
    app: Starlette, contest: FakeContest, error: Exception, words: str
) -> None:
    def fail(version: Version) -> None:
        raise error

    contest.on_receive = fail
    ada = joined(app, "ada", code=CODE)
    answer = ada.put("/hand-in/bot.py", b"x")
    assert (answer.status, answer.text, ada.get("/").status) == (507, f"nothing was changed: {words}\n", 200)
    contest.uploads.rmdir()
    assert ada.put("/hand-in/bot.py", b"x").text == "nothing was changed: No such file or directory\n"


# own, staff's, everybody's


def test_log_and_code_of_a_version_are_its_owners_and_staffs(app: Starlette, contest: FakeContest) -> None:
    ada, eve, staff = joined(app, "ada", code=CODE), joined(app, "eve", code=CODE), Client(app, key="staff-key")
    ada.put("/hand-in/bot.py", b"my secret code")
    contest.decide("ada@1", failed="doctor", log="Traceback\nValueError: my secret")
    for path in ("/bot/ada/1", "/api/versions/ada/1", "/api/versions/ada"):
        assert ["my secret" in one.get(path).text for one in (ada, staff, eve, Client(app))] == [
            True,
            True,
            False,
            False,
        ]
    assert [one.get("/bot/ada/1/code").status for one in (ada, staff, eve, Client(app))] == [200, 200, 403, 403]
    assert "my secret" not in eve.get("/bot/ada").text + eve.get("/queue").text + eve.get("/api/queue").text


def test_a_match_is_everybodys_but_its_logs_and_what_bots_said_of_faults_are_the_owners(
    app: Starlette, contest: FakeContest
) -> None:
    ada, eve, staff = joined(app, "ada", code=CODE), joined(app, "eve", code=CODE), Client(app, key="staff-key")
    record = renamed(short_match(1), "ada@1", "eve@1")
    fault = FaultLine(turn=1, seat=0, fault=Fault.CRASHED, detail="ValueError: my secret")
    reason = "seat 0 forfeits (crashed): ValueError: my secret"
    end = msgspec.structs.replace(record.end, termination=Termination("crashed"), reason=reason, forfeited=[0])
    match_id = contest.keep(msgspec.structs.replace(record, lines=[*record.lines, fault], end=end))
    contest.logs = {(match_id, "ada@1"): "my secret log", (match_id, "eve@1"): "log of eve"}
    seen = [one.get(f"/match/{match_id}.json") for one in (ada, staff, eve, Client(app))]
    assert ["my secret" in one.text for one in seen] == [True, True, False, False]
    assert [sorted(one.data["logs"]) for one in seen] == [["0"], ["0", "1"], ["1"], []]
    assert WITHHELD in seen[2].text


@pytest.mark.parametrize("path", ["/staff", "/staff/key", "/staff/final", "/staff/reveal"])
def test_pages_and_changes_of_staff_are_refused_to_others(app: Starlette, path: str) -> None:
    eve, method = joined(app, "eve", code=CODE), "GET" if path == "/staff" else "POST"
    assert [one.send(method, path, headers=OWN).status for one in (eve, Client(app))] == [403, 401]


def test_staff_renew_a_lost_key_and_the_old_one_is_void(app: Starlette) -> None:
    ada, staff = joined(app, "ada", code=CODE), Client(app, key="staff-key")
    told = staff.post("/staff/key", name="ada").data
    assert Client(app, key=told["key"]).get("/api/me").data["name"] == "ada"
    assert ada.get("/api/me").status == 401


def test_a_hidden_final_shows_no_board_and_no_match_until_staff_reveal_its_last_place(
    app: Starlette, contest: FakeContest
) -> None:
    ada, eve, staff = joined(app, "ada", code=CODE), joined(app, "eve", code=CODE), Client(app, key="staff-key")
    admitted(contest, ada)
    admitted(contest, eve)
    contest.now = Phase.FROZEN
    assert staff.post("/staff/final").status == 200
    match_id = contest.enter_match("ada@1", "eve@1", kind=Kind.FINAL)
    contest.finish_final()
    show_board(contest.live.log, "m")
    shown = [
        (one.get(f"/match/{match_id}.json").status, one.get("/events").body.count(b"begin")) for one in (ada, staff)
    ]
    assert shown == [(404, 0), (200, 1)]
    assert 'id="boards"' not in ada.get("/live").text
    assert 'id="boards"' in staff.get("/live").text
    places = []
    for count in ("1", "2", "1", "2"):
        staff.post("/staff/reveal", places=count)
        places.append(re.findall(r'data-bot="(\w+)"', ada.get("/final").text))
        assert places[-1] == re.findall(r'data-bot="(\w+)"', staff.get("/final").text)
    assert places == [["eve"], ["ada", "eve"], ["eve"], ["ada", "eve"]]
    assert ada.get(f"/match/{match_id}.json").status == 200


# pages


def test_every_page_escapes_what_entrants_wrote_and_has_no_inline_script(app: Starlette, contest: FakeContest) -> None:
    ada = joined(app, "ada", code=CODE)
    contest.about = replace(contest.about, title=SCRIPT)
    admitted(contest, ada)
    ada.put("/hand-in/bot.py", b"two")
    contest.decide("ada@2", failed="doctor", log=f"{SCRIPT}\x1b[31m\u202e</pre><script>alert(2)</script>")
    contest.keep(renamed(short_match(2), SCRIPT, "ada@1"), reason=SCRIPT)
    own = ("/", "/grades", "/queue", "/matches", "/hand-in", "/join", "/live", "/final", "/guide/bomber", "/bot/ada")
    pages = [ada.get(path) for path in (*own, "/bot/ada/2")]
    pages += [Client(app, key="staff-key").get(path) for path in ("/staff", "/bot/ada/2")]
    assert {page.status for page in pages} == {200}
    assert not any(INLINE.search(page.text.replace(escape(SCRIPT), "")) for page in pages)
    assert all("<img" not in page.text and "&lt;img" in page.text for page in pages)
    assert not any(sign in page.text for page in pages for sign in "\x1b\u202e")


def test_answers_allow_scripts_of_this_site_alone_and_no_frames(app: Starlette) -> None:
    policy = Client(app).get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_matches_are_filtered_and_paged(app: Starlette, contest: FakeContest) -> None:
    for name in ("ada", "eve"):
        admitted(contest, joined(app, name, code=CODE))
    record = short_match(3)
    for number in range(60):
        header = msgspec.structs.replace(record.header, match_id=f"match-{number:04}")
        one = msgspec.structs.replace(record, header=header)
        contest.keep(renamed(one, "ada@1", "eve@1" if number % 2 else "random"), points=(0.0, 1.0))
    anybody = Client(app)
    first = anybody.get("/matches?name=ada&lost=1").text
    assert (first.count("data-match="), "before=50" in first) == (50, True)
    assert anybody.get("/matches?name=ada&lost=1&before=50").text.count("data-match=") == 10
    assert anybody.get("/matches?name=eve&opponent=ada&lost=1").text.count("data-match=") == 0
    assert len(anybody.get("/api/matches?name=ada&opponent=random").data["matches"]) == 30
    assert [anybody.get(f"/matches?{bad}").status for bad in ("before=x", "kind=x", "before=-1")] == [400] * 3


def test_a_match_on_demand_is_queued_and_shown_to_its_player(app: Starlette, contest: FakeContest) -> None:
    ada = joined(app, "ada", code=CODE)
    assert ada.post("/api/matches", opponent="random", seed="7").status == 409
    admitted(contest, ada)
    assert [ada.post("/api/matches", opponent="random", seed=seed).status for seed in ("7", "x", "9" * 16)] == [
        200,
        400,
        400,
    ]
    assert "on demand" in ada.get("/queue").text


def test_a_person_sees_if_the_newest_version_is_better(app: Starlette, contest: FakeContest) -> None:
    ada = joined(app, "ada", code=CODE)
    admitted(contest, ada)
    admitted(contest, ada, content=b"better")
    assert "ada@2 is better than the version before it (+90 ± 39 Elo, 40 matches)." in ada.get("/bot/ada").text


@pytest.mark.parametrize(
    ("gain", "word"), [(50.0, "is better"), (-50.0, "is worse"), (30.0, "It is not clear yet"), (None, "")]
)
def test_a_gain_counts_if_it_exceeds_its_interval(gain: float | None, word: str) -> None:
    version = Version("ada@2", "ada", 2, "", 0.0, State.ADMITTED, is_active=True)
    verdict = verdict_on([VersionRow(version, 0.0, 10.0, 30, gain, None if gain is None else 20.0)])
    assert word in verdict
    assert bool(verdict) == bool(word)


def test_a_threshold_is_drawn_below_the_last_one_who_reaches_it() -> None:
    def row(reached: str) -> GradeRow:
        return GradeRow(1, "a", "a@1", None, (), 0, reached, is_complete=True)

    lines = lines_after([row("A"), row("B"), row("B"), row("")], [Threshold("A", 80.0), Threshold("B", 60.0, "s")])
    assert lines == [["A: 80 % against all staff bots"], [], ["B: 60 % against s"], []]


def test_a_scale_holds_all_intervals_and_is_never_empty() -> None:
    assert scale_of([(0.0, 100.0), (300.0, 10.0)]) == pytest.approx((-196.0, 319.6))
    assert scale_of([]) == (-50.0, 50.0)


def test_the_guide_is_made_of_the_rules_and_says_how_to_submit(app: Starlette) -> None:
    anybody = Client(app)
    text = anybody.get("/guide/bomber.md").text
    assert all(part in text for part in ("max_ticks", "# a bot for bomber", "curl -T bot.py", "PUT /hand-in/FILE"))
    assert "http://127.0.0.1:8714/guide/bomber.md" in anybody.get("/llms.txt").text
    assert anybody.get("/guide/nosuch").status == 404


@pytest.mark.parametrize(
    "path", ["/bot/nobody", "/bot/ada/7", "/bot/ada/x", "/match/nosuch.json", "/static/..%2Fweb.py", "/nosuch"]
)
def test_what_does_not_exist_is_said_in_one_line(app: Starlette, path: str) -> None:
    joined(app, "ada", code=CODE)
    answer = Client(app).get(path)
    assert answer.status in (400, 404)
    assert len(answer.text.splitlines()) == 1


def test_a_form_is_a_small_json_object_of_texts(app: Starlette) -> None:
    ada = joined(app, "ada", code=CODE)
    bodies = [b"[1]", b"{", b'{"key": 1}', b'{"a": ' + b"[" * 9000, b'{"key": "' + b"x" * 17000 + b'"}']
    assert [ada.send("POST", "/sign-in", parts=[body], headers=OWN).status for body in bodies] == [400] * 4 + [413]


# export


def test_the_site_of_a_contest_opens_from_disk_and_shows_what_everybody_may_see(
    app: Starlette, contest: FakeContest, tmp_path: Path
) -> None:
    ada = joined(app, "ada", code=CODE)
    admitted(contest, ada)
    (contest.results / "results.csv").write_text("")
    contest.now = Phase.FINAL
    with pytest.raises(ConfigError, match="reveal it first"):
        list(export_site(contest, tmp_path / "site"))
    contest.now = Phase.OPEN
    list(export_site(contest, tmp_path / "site"))
    ladder, person = ((tmp_path / "site" / name).read_text() for name in ("index.html", "bot/ada.html"))
    assert not re.search(r'(href|src)="/', ladder + person)
    targets = set(re.findall(r'href="([^"#]+)"', ladder))
    assert "bot/ada.html" in targets
    assert {target for target in targets if not (tmp_path / "site" / target).is_file()} == set()
    assert not INLINE.search(ladder + person)
    matches = (tmp_path / "site" / "matches" / "index.html").read_text()
    [listed] = re.findall(r'id="match-data"[^>]*>(.*?)</script>', matches)
    assert tuple(msgspec.json.decode(listed)[key] for key in ("tournament", "home")) == (
        contest.about.title,
        "../index.html",
    )
    with pytest.raises(ConfigError, match="does not exist yet"):
        list(export_site(contest, tmp_path / "site"))
