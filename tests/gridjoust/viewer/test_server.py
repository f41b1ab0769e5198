"""The server of `joust view`, asked without a socket: what it serves, to whom, and what it refuses."""

from __future__ import annotations

import asyncio
import csv
import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.applications import Starlette

from gridjoust.leaderboard.decided import bracket
from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Planned, Round, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.simulation import play
from gridjoust.viewer.live_page.events import EventLog
from gridjoust.viewer.matches import list_matches, matches_of, result_text
from gridjoust.viewer.server import OWN, make_app

CODE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, MatchRecord]:
    """A results folder with one match, whose record is there."""
    folder = tmp_path_factory.mktemp("served") / "cup"
    record = play("bomber", ["random", "random"], seed=3, params={"max_ticks": 20}).record
    (folder / "records").mkdir(parents=True)
    (folder / "logs").mkdir()
    (folder / "tournament.yaml").touch()
    seats = [msgspec.structs.replace(seat, bot=f"bot{number}") for number, seat in enumerate(record.header.seats)]
    record = msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, seats=seats))
    write_record(folder / "records" / f"{record.header.match_id}.jsonl", record)
    (folder / "logs" / "bot1.0.log").write_text(f"==== match {record.header.match_id}\n{CODE}\n==== match other\nno\n")
    with TableWriter(folder) as tables:
        tables.add(record)
    return folder, record


@pytest.fixture
def folder(made: tuple[Path, MatchRecord]) -> Path:
    return made[0]


def get(
    folder: Path, path: str, *, host: str = "127.0.0.1:8710", method: str = "GET", embed: str = OWN
) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of an answer."""
    app = make_app(folder, hosts=["127.0.0.1", "localhost"], log=EventLog(), embed=embed)
    return ask(app, path, host=host, method=method)


def ask(
    app: Starlette, path: str, *, host: str = "127.0.0.1:8710", method: str = "GET"
) -> tuple[int, dict[str, str], str]:
    """The same of a server that is there already."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
    }
    scope |= {"path": path, "raw_path": path.encode(), "query_string": b"", "root_path": ""}
    scope |= {"headers": [(b"host", host.encode())], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8710)}
    asyncio.run(app(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(one.get("body", b"") for one in sent[1:]).decode()


@pytest.mark.parametrize("path", ["/", "/watch", "/live"])
def test_pages_carry_no_script_or_style_of_their_own_and_fetch_from_here_alone(folder: Path, path: str) -> None:
    status, headers, text = get(folder, path)
    assert status == 200
    assert headers["content-security-policy"].startswith("default-src 'self';")
    assert text.count("<script") == 1
    assert "style=" not in text
    named = [part.split('"')[0] for part in text.split('src="')[1:]] + [
        part.split('"')[0] for part in text.split('<link rel="stylesheet" href="')[1:]
    ]
    assert len(named) == 3
    assert {get(folder, f"/{name}")[0] for name in named} == {200}


def test_the_list_has_every_match_with_its_seats_and_the_installed_rules(
    folder: Path, made: tuple[Path, MatchRecord]
) -> None:
    listed = json.loads(get(folder, "/matches.json")[2])
    [match] = listed["matches"]
    assert (match["id"], match["game"], match["turns"]) == (made[1].header.match_id, "bomber", 20)
    assert [seat[0] for seat in match["seats"]] == ["bot0", "bot1"]
    assert listed["installed"] == {"bomber": made[1].header.game_version}
    assert not listed["report"]
    assert listed["standings"] == []
    assert match["is_shown"] is True


RESULTS: dict[str, tuple[list[tuple[str, int, int, str]], str]] = {  # bot, team, rank and points of each seat
    "two bots": ([("a", 0, 2, "0.0"), ("b", 1, 1, "1.0")], "a 0 : 1 b"),
    "a draw": ([("a", 0, 1, "0.5"), ("b", 1, 1, "0.5")], "a ½ : ½ b"),
    "three bots": ([("a", 0, 3, "0.0"), ("b", 1, 1, "1.0"), ("c", 2, 2, "0.5")], "1. b · 2. c · 3. a"),
    "a bot with several seats": ([("a", 0, 2, "0.0"), ("a", 0, 2, "0.0"), ("b", 1, 1, "1.0")], "a 0 : 1 b"),
    "a bot alone": ([("a", 0, 1, "")], "a"),
    "two bots together": ([("a", 0, 1, ""), ("b", 0, 1, "")], "1. a · 1. b"),
}


@pytest.mark.parametrize(("seats", "told"), RESULTS.values(), ids=RESULTS)
def test_the_result_of_a_match_is_told_in_names(
    seats: list[tuple[str, int, int, str]], told: str, folder: Path
) -> None:
    with (folder / "results.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    own = [dict(zip(("bot", "team", "rank", "points"), map(str, seat), strict=True)) for seat in seats]
    [match] = matches_of([row | {"seats": str(len(seats))} | seat for seat in own])
    assert result_text(match) == told


def test_a_new_match_without_a_record_is_listed_and_not_shown(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "cup")
    shutil.rmtree(tmp_path / "cup" / "records")
    [match] = json.loads(get(tmp_path / "cup", "/matches.json")[2])["matches"]
    assert match["is_shown"] is False


def test_the_list_has_the_standings_once_they_are_written(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "cup"
    shutil.copytree(folder, results)
    columns = "rank,bot,title,matches,score_pct,wins,draws,losses,faults"
    (results / "standings.csv").write_text(f"{columns}\n1,ann,the first,3,83.33,2,1,0,0\n2,solo,,3,,,,,1\n")
    assert json.loads(get(results, "/matches.json")[2])["standings"] == [
        {
            "decided": [],
            "place": "1",
            "bot": "ann",
            "title": "the first",
            "score": "83.3 %",
            "met": "2–1–0",
            "matches": "3",
            "faults": "0",
        },
        {
            "decided": [],
            "place": "2",
            "bot": "solo",
            "title": "",
            "score": "",
            "met": "",
            "matches": "3",
            "faults": "1",
        },
    ]
    (results / "standings.csv").write_text("rank,bot\n1,ann\n")
    status, _, text = get(results, "/matches.json")
    assert (status, len(text.splitlines())) == (409, 1)


def test_the_list_says_what_decided_the_places_and_who_does_not_play(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "cup"
    shutil.copytree(folder, results)
    (results / "standings.csv").write_text(
        "rank,bot,title,matches,score_pct,wins,draws,losses,faults\n1,ann,,2,25.0,0,1,1,0\n"
    )
    decision = Decision(
        "swiss", "score", (Place(1, "ann", "1.25", "1.75"),), (Round("round 1", (), ("ann",)),), "Buchholz"
    )
    write_planned(results, Planned(matches=2, is_exact=True, decision=decision, excluded={"ben": "copied"}))
    listed = json.loads(get(results, "/matches.json")[2])
    assert (listed["decided"], listed["standings"][0]["decided"]) == (["score", "Buchholz"], ["1.25", "1.75"])
    assert listed["notes"] == [
        "places are those of the Swiss system, where a bye counts as a point, equal scores ordered by Buchholz",
        "ben does not play: copied",
    ]


def test_a_match_has_a_picture_of_its_last_board(folder: Path, made: tuple[Path, MatchRecord]) -> None:
    status, headers, text = get(folder, f"/thumb/{made[1].header.match_id}.svg")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert "<title>bomber, tick 20</title>" in text
    assert get(folder, "/thumb/other.svg")[0] == 404


def test_a_match_comes_with_what_its_bots_wrote_in_it(folder: Path, made: tuple[Path, MatchRecord]) -> None:
    status, headers, text = get(folder, f"/match/{made[1].header.match_id}.json")
    assert (status, headers["content-type"], headers["x-content-type-options"]) == (200, "application/json", "nosniff")
    assert json.loads(text)["logs"] == {"1": CODE}
    assert json.loads(text)["turns"] == 20


HIDDEN = ("/match/none.json", "/match/..%2Frecords.json", "/match/../x.json", "/static/../page.py", "/static/page.py")


@pytest.mark.parametrize("path", [*HIDDEN, "/static/none.js", "/records", "/report", "/tournament.yaml"])
def test_what_is_not_there_or_not_to_be_served_is_not_found(folder: Path, path: str) -> None:
    assert get(folder, path)[0] == 404


def test_another_host_and_other_methods_are_refused(folder: Path) -> None:
    assert get(folder, "/matches.json", host="evil.example")[0] == 400
    assert get(folder, "/matches.json", host="localhost:8710")[0] == 200
    assert get(folder, "/matches.json", method="POST")[0] == 405


def test_a_match_by_other_rules_is_shown_as_far_as_they_agree_and_a_damaged_one_is_refused_in_a_line(
    folder: Path, made: tuple[Path, MatchRecord], tmp_path: Path
) -> None:
    copy = tmp_path / "cup"
    shutil.copytree(folder, copy)
    header = msgspec.structs.replace(made[1].header, game_version="0", match_id="old")
    write_record(copy / "records" / "old.jsonl", msgspec.structs.replace(made[1], header=header))
    (copy / "records" / "bad.jsonl").write_text("{}\n")
    status, _, text = get(copy, "/match/old.json")
    assert (status, "they differ in the start position or in one of the turns to" in text) == (200, True)
    status, _, text = get(copy, "/match/bad.json")
    assert (status, text.count("\n")) == (409, 0)


def test_a_report_has_links_from_its_commands_to_matches(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "cup"
    shutil.copytree(folder, copy)
    (copy / "report.html").write_text(
        "<code class='copy'>joust replay 'a b' 0123456789abcdef</code><code>joust replay x</code>"
    )
    text = get(copy, "/report")[2]
    assert text.count("<a ") == 1
    assert 'abcdef</code> <a href="watch#match=0123456789abcdef">watch</a>' in text


def test_rows_that_are_still_being_written_are_left_out_and_a_table_of_something_else_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("match_id,seats\na,2\n")
    assert list_matches(tmp_path, report=False)["matches"] == []
    path.write_text("match_id,seats,game\na,1")
    assert list_matches(tmp_path, report=False)["matches"] == []
    path.write_text("match_id\na\n")
    with pytest.raises(ConfigError, match=r"results.csv: expected the rows of a run, got: 'seats'"):
        list_matches(tmp_path, report=False)


def test_the_bracket_of_the_page_has_the_order_and_the_scores_of_the_terminal(tmp_path: Path) -> None:
    rounds = (
        Round("semi-final", (Encounter(("a", "d"), (0.25, 0.75), "d"), Encounter(("b", "c"), (0, 1), "c"))),
        Round("final", (Encounter(("c", "d"), (0.5, 0.5), "c", "drawn: the better seed goes on"),)),
    )
    decision = Decision("knockout", "reached", (Place(1, "c", "winner"),), rounds)
    with TableWriter(tmp_path):
        pass
    assert list_matches(tmp_path, report=False)["bracket"] == []
    write_planned(tmp_path, Planned(matches=6, is_exact=True, decision=decision, titles={"a": "Ada"}))
    stages = list_matches(tmp_path, report=False)["bracket"]
    assert [(one["stage"], [tie["bots"] for tie in one["ties"]]) for one in stages] == [
        ("semi-final", [("b", "c"), ("a", "d")]),
        ("final", [("c", "d")]),
    ]
    shown = [
        f"{bot} {score}" for tie in stages[0]["ties"] for bot, score in zip(tie["bots"], tie["scores"], strict=True)
    ]
    assert (
        [line[:6] for line in bracket(rounds) if line and line[0] != " "][:4]
        == shown
        == ["b 0.00", "c 1.00", "a 0.25", "d 0.75"]
    )
    assert stages[0]["ties"][1]["called"] == ["a (Ada)", "d"]
    assert (stages[1]["ties"][0]["winner"], stages[1]["ties"][0]["note"]) == ("c", "drawn: the better seed goes on")
