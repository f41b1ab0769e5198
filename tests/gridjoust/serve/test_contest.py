"""What people may ask of a contest, and what it refuses."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.contest import Contest
from gridjoust.serve.store import Store, enter
from gridjoust.serve.values import ContestError, Kind, MatchFilter, Outcome, Phase, State
from tests.gridjoust.serve.classroom import (
    BOT,
    CLASS,
    CODE,
    DEADLINE_S,
    Clock,
    add_match,
    hand_in,
    joined,
    let_play,
    open_class,
    record_of,
    staff_of,
)

pytestmark = pytest.mark.gate  # each opens a contest


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def contest(tmp_path: Path, clock: Clock) -> Iterator[Contest]:
    with open_class(tmp_path, now_s=clock) as opened:
        yield opened


def status(caught: pytest.ExceptionInfo[ContestError]) -> int:
    return caught.value.status


def play(contest: Contest, first: str, second: str, points: float, *, match_id: str, **values: object) -> None:
    """Enter a match that was never played, with this result."""
    store = Store(contest.folder)
    number = add_match(store, first, second, match_id, **values)
    record = record_of(first, second, points, match_id=match_id)
    store.write(lambda one: enter(one, number, record, suspend_after=3))
    store.close()


def test_a_key_signs_in_the_person_who_got_it(contest: Contest) -> None:
    person, key = contest.join(CODE, "ada")
    assert contest.sign_in(key) == person
    assert contest.sign_in(key[:-1]) is None


def test_keys_are_not_in_the_folder(contest: Contest) -> None:
    _, key = contest.join(CODE, "ada")
    held = [path.read_bytes() for path in contest.folder.rglob("*") if path.is_file()]
    assert any(b"ada" in content for content in held)
    assert not any(key.encode() in content for content in held)


def test_a_wrong_join_code_and_a_taken_name_are_refused(contest: Contest) -> None:
    with pytest.raises(ContestError) as caught:
        contest.join("come-all-out", "ada")
    assert status(caught) == 403
    contest.join(CODE, "ada")
    for name in ("ada", "ADA", "weak", "staff"):
        with pytest.raises(ContestError) as caught:
            contest.join(CODE, name)
        assert status(caught) == 409


@pytest.mark.parametrize("name", ["", "a b", "../x", "-a", "a" * 33, "ä", "a\n"])
def test_a_name_that_cannot_stand_in_files_is_refused(contest: Contest, name: str) -> None:
    with pytest.raises(ContestError, match="expected a name"):
        contest.join(CODE, name)


def test_staff_renew_a_key_and_the_old_one_is_void(contest: Contest) -> None:
    _, old = contest.join(CODE, "ada")
    new = contest.renew_key(staff_of(contest), "ada")
    assert contest.sign_in(old) is None
    assert contest.sign_in(new) == contest.person("ada")


def test_only_staff_renew_keys_start_the_final_and_reveal(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    for ask in (
        lambda: contest.renew_key(ada, "ada"),
        lambda: contest.start_final(ada),
        lambda: contest.reveal(ada, 1),
    ):
        with pytest.raises(ContestError) as caught:
            ask()
        assert status(caught) == 403


TRACKED = CLASS.replace(
    f"code: {CODE}", "tracks: [{name: students, code: for-students}, {name: guests, code: for-guests}]"
)


def test_a_join_code_chooses_the_track_and_each_track_is_also_ranked_apart(tmp_path: Path) -> None:
    with open_class(tmp_path, TRACKED, now_s=Clock()) as contest:
        codes = {"ada": "for-students", "bob": "for-guests", "cid": "for-students"}
        people = [contest.join(code, name)[0] for name, code in codes.items()]
        assert [person.track for person in people] == ["students", "guests", "students"]
        for person in people:
            let_play(contest, person)
        assert [row.name for row in contest.ladder()] == ["ada", "bob", "cid"]
        assert [(row.rank, row.name) for row in contest.ladder("students")] == [(1, "ada"), (2, "cid")]
        assert [row.name for row in contest.grades("guests").rows] == ["bob"]
        for text in (contest.ladder_csv(), contest.grades_csv()):
            assert [line.rpartition(",")[2] for line in text.splitlines()] == ["track", *(p.track for p in people)]
        with pytest.raises(ContestError) as caught:
            contest.join(CODE, "eve")
        assert status(caught) == 403


def test_staff_alone_move_an_entrant_into_another_track_of_the_file(tmp_path: Path) -> None:
    with open_class(tmp_path, TRACKED, now_s=Clock()) as contest:
        ada, _ = contest.join("for-students", "ada")
        assert contest.move(staff_of(contest), "ada", "guests").track == "guests"
        for who, track, expected in ((ada, "students", 403), (staff_of(contest), "others", 404)):
            with pytest.raises(ContestError) as caught:
                contest.move(who, "ada", track)
            assert status(caught) == expected
        assert contest.person("ada").track == "guests"


def test_who_is_signed_in_by_a_proxy_begins_in_the_first_track(tmp_path: Path) -> None:
    with open_class(tmp_path, TRACKED, now_s=Clock()) as contest:
        assert contest.sign_in_as("ada").track == "students"


def test_a_second_start_keeps_people_and_code_and_does_not_show_the_key_of_staff_again(tmp_path: Path) -> None:
    with open_class(tmp_path) as first:
        _, key = first.join(CODE, "ada")
        assert first.staff_key
    with open_class(tmp_path) as second:
        assert (second.staff_key, second.codes) == ("", {"": CODE})
        assert second.sign_in(key) == second.person("ada")


def test_two_servers_cannot_hold_one_contest(contest: Contest, tmp_path: Path) -> None:
    assert contest.folder.is_dir()
    with pytest.raises(ConfigError, match="another run is using"):
        open_class(tmp_path)


def test_a_hand_in_is_queued_with_its_place(contest: Contest) -> None:
    ada, bob = joined(contest, "ada", "bob")
    assert (hand_in(contest, ada).position, hand_in(contest, bob).position) == (1, 2)
    assert [version.label for version in contest.waiting()] == ["ada@1", "bob@1"]


def test_the_same_upload_again_is_the_same_version(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    assert hand_in(contest, ada) == hand_in(contest, ada)
    assert hand_in(contest, ada, BOT + "# new\n").label == "ada@2"


def test_an_upload_is_kept_as_it_came_for_its_owner_and_staff(contest: Contest) -> None:
    ada, bob = joined(contest, "ada", "bob")
    label = hand_in(contest, ada).label
    for viewer in (ada, staff_of(contest)):
        assert contest.code_of(label, viewer=viewer).read_text() == BOT
    for stranger in (bob, None):
        with pytest.raises(ContestError) as caught:
            contest.code_of(label, viewer=stranger)
        assert status(caught) == 403


def test_a_fourth_upload_within_an_hour_waits(contest: Contest, clock: Clock) -> None:
    [ada] = joined(contest, "ada")
    for number in range(3):
        hand_in(contest, ada, f"{BOT}# {number}\n")
    with pytest.raises(ContestError, match="3 uploads in an hour at most; the next one in 60 min") as caught:
        hand_in(contest, ada, f"{BOT}# 3\n")
    assert status(caught) == 429
    clock.now_s += 3601
    assert hand_in(contest, ada, f"{BOT}# 3\n").number == 4


def test_quotas_say_what_is_left(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    hand_in(contest, ada)
    assert [(quota.name, quota.left, quota.limit) for quota in contest.quotas(ada)] == [
        ("uploads", 2, 3),
        ("versions", 29, 30),
        ("matches", 1, 1),
    ]


@pytest.mark.parametrize(("after_s", "counts"), [(-1, True), (59, True), (61, False)])
def test_an_upload_counts_until_a_minute_after_the_deadline(
    contest: Contest, clock: Clock, after_s: float, *, counts: bool
) -> None:
    [ada] = joined(contest, "ada")
    clock.now_s = DEADLINE_S + after_s
    version = hand_in(contest, ada)
    assert (version.state, version.is_late) == (State.WAITING, not counts)
    assert (contest.phase() is Phase.OPEN) == counts


def test_a_late_version_is_graded_apart_and_stays_out_of_ladder_and_final(contest: Contest, clock: Clock) -> None:
    ada, bob, cid = joined(contest, "ada", "bob", "cid")
    for person in (ada, bob):
        let_play(contest, person)
    clock.now_s = DEADLINE_S + 61
    late = [let_play(contest, person, f"{BOT}# late\n").label for person in (ada, cid)]
    assert late == ["ada@2", "cid@1"]
    for at, (first, second) in enumerate([("ada@2", "weak"), ("weak", "ada@2"), ("ada@1", "weak"), ("weak", "ada@1")]):
        points = float(first == "ada@2" or second == "ada@1")
        play(contest, first, second, points, match_id=f"s{at}", kind="staff", pair_id=f"s{first}{second}")
    assert [row.label for row in contest.ladder()] == ["ada@1", "bob@1"]
    grades = contest.grades()
    assert {row.label: None if row.score is None else row.score.percent for row in (*grades.rows, *grades.late)} == {
        "ada@1": 0.0,
        "bob@1": None,
        "ada@2": 100.0,
        "cid@1": None,
    }
    assert [row.label for row in grades.late] == late
    flags = [row["late"] for row in csv.DictReader(io.StringIO(contest.grades_csv()))]
    assert flags == ["False", "False", "True", "True"]
    staff = staff_of(contest)
    contest.start_final(staff)
    assert {row.label for row in contest.final(viewer=staff).rows} == {"ada@1", "bob@1"}


def test_a_late_hand_in_does_not_hold_up_the_final_and_none_is_received_once_it_has_begun(
    contest: Contest, clock: Clock
) -> None:
    people = joined(contest, "ada", "bob", "cid")
    for person in people[:2]:
        let_play(contest, person)
    hand_in(contest, people[2])
    clock.now_s = DEADLINE_S + 61
    with pytest.raises(ContestError, match="still in admission"):
        contest.start_final(staff_of(contest))
    let_play(contest, people[2])
    assert hand_in(contest, people[0], f"{BOT}# late\n").is_late
    contest.start_final(staff_of(contest))
    with pytest.raises(ContestError, match="the final has begun") as caught:
        hand_in(contest, people[1], f"{BOT}# late\n")
    assert status(caught) == 409


def test_a_late_version_counts_if_it_is_handed_in_again_before_a_later_deadline(contest: Contest, clock: Clock) -> None:
    [ada] = joined(contest, "ada")
    clock.now_s = DEADLINE_S + 61
    assert hand_in(contest, ada).is_late
    clock.now_s = DEADLINE_S - 61  # as if staff had set the deadline to a later time
    again = hand_in(contest, ada)
    assert (again.label, again.is_late) == ("ada@2", False)
    clock.now_s = DEADLINE_S + 61
    assert hand_in(contest, ada) == again


def test_a_clock_that_is_set_back_loses_nothing(contest: Contest, clock: Clock) -> None:
    [ada] = joined(contest, "ada")
    hand_in(contest, ada)
    clock.now_s -= 3600
    assert [version.label for version in contest.versions("ada")] == ["ada@1"]
    assert hand_in(contest, ada, BOT + "#\n").label == "ada@2"
    assert all(quota.again_in_s >= 0 for quota in contest.quotas(ada))


def test_an_admission_shows_its_steps_before_it_begins(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    steps = contest.admission(hand_in(contest, ada).label, viewer=ada).steps
    assert [step.name for step in steps][:2] == ["unpack", "build"]
    assert {step.outcome for step in steps} == {Outcome.WAITING}


def test_the_ladder_is_sorted_by_rating_and_says_who_is_provisional(contest: Contest) -> None:
    ada, bob = joined(contest, "ada", "bob")
    for person in (ada, bob):
        let_play(contest, person)
    play(contest, "ada@1", "bob@1", 0.0, match_id="m1")
    rows = contest.ladder()
    assert [(row.rank, row.games, row.is_provisional) for row in rows] == [(1, 1, True), (2, 1, True)]
    assert contest.ladder_csv().splitlines()[0].startswith("rank,name,label,elo")


def test_a_grade_needs_both_matches_of_a_pair(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    let_play(contest, ada)
    play(contest, "ada@1", "weak", 1.0, match_id="m1", kind="staff")
    assert contest.grades().rows[0].score is None
    play(contest, "weak", "ada@1", 0.0, match_id="m2", kind="staff")
    [row] = contest.grades().rows
    assert row.score is not None
    assert (row.score.percent, row.reached, row.is_complete) == (100.0, "first", False)
    assert contest.grades_csv().splitlines()[1].startswith("ada,ada@1,1,100.0,")


def test_matches_are_listed_newest_first_with_filters_and_pages(contest: Contest) -> None:
    for person in joined(contest, "ada", "bob", "cid"):
        let_play(contest, person)
    for at, (second, points) in enumerate([("bob@1", 0.0), ("bob@1", 1.0), ("cid@1", 0.0)]):
        play(contest, "ada@1", second, points, match_id=f"m{at}-", pair_id=f"p{at}")
    every = contest.matches(MatchFilter(), viewer=None, limit=2)
    assert [row.match_id for row in every.matches] == ["m2-", "m1-"]
    assert [row.match_id for row in contest.matches(MatchFilter(), viewer=None, before=every.older).matches] == ["m0-"]
    lost = MatchFilter(name="ada", opponent="bob", lost=True)
    assert [row.match_id for row in contest.matches(lost, viewer=None).matches] == ["m0-"]
    assert contest.matches(MatchFilter(name="bob", kind=Kind.FINAL), viewer=None).matches == ()


def test_a_match_is_not_shown_while_the_other_on_its_seed_waits(contest: Contest) -> None:
    for person in joined(contest, "ada", "bob"):
        let_play(contest, person)
    play(contest, "ada@1", "bob@1", 1.0, match_id="m1", pair_id="p")
    assert contest.match("m1", viewer=None).may_watch
    store = Store(contest.folder)
    add_match(store, "bob@1", "ada@1", "m2", pair_id="p")
    store.close()
    with pytest.raises(ContestError) as caught:
        contest.record_of("m1", viewer=None)
    assert status(caught) == 403
    assert [row.match_id for row in contest.queue(viewer=None)] == ["m2"]


def test_logs_are_for_the_owner_and_staff(contest: Contest) -> None:
    ada, bob = joined(contest, "ada", "bob")
    for person in (ada, bob):
        let_play(contest, person)
    play(contest, "ada@1", "bob@1", 1.0, match_id="m1")
    (contest.results / "logs").mkdir(exist_ok=True)
    assert contest.log_of("m1", "ada@1", viewer=ada) == ""
    for viewer in (bob, None):
        with pytest.raises(ContestError) as caught:
            contest.log_of("m1", "ada@1", viewer=viewer)
        assert status(caught) == 403


def test_a_match_on_demand_is_queued_once_and_has_a_quota(contest: Contest) -> None:
    ada, bob = joined(contest, "ada", "bob")
    for person in (ada, bob):
        let_play(contest, person)
    row = contest.request_match(ada, "bob", seed=5)
    assert ([side.label for side in row.sides], row.kind, row.state) == (["ada@1", "bob@1"], Kind.DEMAND, "queued")
    assert contest.request_match(ada, "bob", seed=5) == row
    with pytest.raises(ContestError, match="1 matches an hour at most") as caught:
        contest.request_match(ada, "weak")
    assert status(caught) == 429


def test_a_match_on_demand_needs_two_that_play(contest: Contest) -> None:
    ada, _bob = joined(contest, "ada", "bob")
    with pytest.raises(ContestError, match="no version of ada plays now"):
        contest.request_match(ada, "weak")
    let_play(contest, ada)
    with pytest.raises(ContestError, match="no version of bob plays now"):
        contest.request_match(ada, "bob")
    with pytest.raises(ContestError, match="got your own"):
        contest.request_match(ada, "ada")


def test_the_final_begins_after_the_deadline_and_hides_its_matches_until_the_reveal(
    contest: Contest, clock: Clock
) -> None:
    for person in joined(contest, "ada", "bob"):
        let_play(contest, person)
    staff = staff_of(contest)
    with pytest.raises(ContestError, match="after the deadline"):
        contest.start_final(staff)
    clock.now_s = DEADLINE_S + 61
    contest.start_final(staff)
    assert contest.phase() is Phase.FINAL
    with pytest.raises(ContestError, match="begun already"):
        contest.start_final(staff)
    with pytest.raises(ContestError, match="not played yet"):
        contest.reveal(staff, 1)
    pairs = [("ada@1", "bob@1", 1.0), ("bob@1", "ada@1", 0.0)] * 2
    for at, (first, second, points) in enumerate(pairs):
        play(contest, first, second, points, match_id=f"f{at}", kind="final", pair_id=f"q{at}")
    assert contest.matches(MatchFilter(), viewer=None).matches == ()
    assert len(contest.matches(MatchFilter(), viewer=staff).matches) == 4
    with pytest.raises(ContestError) as caught:
        contest.record_of("f0", viewer=contest.person("ada"))
    assert status(caught) == 404
    assert contest.final(viewer=None).rows == ()
    assert [row.name for row in contest.final(viewer=staff).rows] == ["ada", "bob"]
    assert [row.name for row in contest.reveal(staff, 1).rows] == ["ada", "bob"]
    assert [(row.rank, row.name) for row in contest.final(viewer=None).rows] == [(2, "bob")]
    contest.reveal(staff, 2)
    assert contest.phase() is Phase.REVEALED
    assert len(contest.matches(MatchFilter(), viewer=None).matches) == 4


def test_matches_of_the_final_do_not_move_the_ladder(contest: Contest) -> None:
    for person in joined(contest, "ada", "bob"):
        let_play(contest, person)
    play(contest, "ada@1", "bob@1", 1.0, match_id="f0", kind="final")
    assert [row.games for row in contest.ladder()] == [0, 0]


def test_a_suspended_version_returns_by_a_new_test(contest: Contest) -> None:
    [ada] = joined(contest, "ada")
    let_play(contest, ada)
    with pytest.raises(ContestError, match="no version of ada is suspended"):
        contest.retest(ada, "ada")
    store = Store(contest.folder)
    store.write(lambda one: one.execute("UPDATE versions SET state = 'suspended', record = 'm9'"))
    store.close()
    assert [version.record for version in contest.suspended()] == ["m9"]
    assert contest.retest(ada, "ada").state is State.WAITING


def test_a_full_disk_refuses_a_hand_in_in_one_line_and_loses_nothing(contest: Contest) -> None:
    resource = pytest.importorskip("resource")
    [ada] = joined(contest, "ada")
    hand_in(contest, ada)
    upload = contest.uploads / "next.part"
    upload.write_text(f"{BOT}# next\n")
    log = contest.folder / "contest.sqlite-wal"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.stat().st_size, before[1]))  # no file may grow beyond the log
    try:
        with pytest.raises(ContestError, match="nothing was changed: the disk of the contest says") as caught:
            contest.receive(ada, upload, filename="bot.py")
        assert status(caught) == 507
        assert [version.label for version in contest.versions("ada")] == ["ada@1"]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert hand_in(contest, ada, f"{BOT}# next\n").label == "ada@2"
