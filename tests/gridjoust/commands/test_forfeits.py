"""What a run says of forfeits, void matches and work that is not counted, and how commands name bots."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest
from msgspec import structs
from msgspec.structs import replace
from rich.console import Console

from gridjoust.commands.shared.bot_argument import format_program, parse_program
from gridjoust.commands.shared.forfeits import (
    SHOWN,
    Failure,
    FailureTally,
    Forfeit,
    UncountedTally,
    VoidTally,
    ask_command,
    forfeit_lines,
    forfeits_of,
    start_line,
)
from gridjoust.commands.shared.progress import JsonReporter, PlainReporter, RichReporter
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord
from gridjoust.runner.results.tables.writer import result_rows
from tests.runner.results.records.records_builder import make_record

OUT = Path("results/my cup")
COMMAND = "joust ask --record 'results/my cup/records/m1.jsonl' --turn 5 --seat 1"
DETAIL = "action 'fly' is not legal now"


def forfeited(match_id: str = "m1", *, detail: str = DETAIL, fault: Fault = Fault.ILLEGAL) -> MatchRecord:
    """Seat 1 (faithful) is at fault in turns 4 and 5 and out then."""
    record = make_record(match_id, forfeited=(1,))
    faults = [FaultLine(turn=turn, seat=1, fault=fault, detail=detail) for turn in (4, 5)]
    return replace(record, lines=[*record.lines, *faults])


def test_the_fault_that_cost_the_match_is_named_with_its_command_and_no_other() -> None:
    record = forfeited()
    assert forfeits_of(record, OUT) == [Forfeit("faithful", 1, 5, Fault.ILLEGAL, DETAIL, COMMAND)]
    assert forfeits_of(replace(record, end=replace(record.end, forfeited=[])), OUT) == []


def test_of_several_kinds_the_most_frequent_is_named_with_its_last_turn() -> None:
    late = [FaultLine(turn=turn, seat=1, fault=Fault.LATE, detail="no answer") for turn in (6, 7, 9)]
    last = FaultLine(turn=10, seat=1, fault=Fault.MALFORMED, detail="got 'up'")
    [forfeit] = forfeits_of(replace(forfeited(), lines=[*forfeited().lines, *late, last]), OUT)
    assert (forfeit.turn, forfeit.fault, forfeit.detail) == (10, Fault.LATE, "no answer")
    assert "--turn 9 " in forfeit.command


def test_matches_with_a_forfeit_a_fault_or_without_a_result_are_counted() -> None:
    tally = FailureTally()
    whole, void = make_record("m0"), make_record("m2")
    late = replace(whole, end=replace(whole.end, faults=[0, 1]))
    for record in (whole, forfeited(), late, replace(void, end=replace(void.end, counted=False))):
        tally.add(record)
    assert tally.lines([Failure.VOID, Failure.FORFEIT, Failure.VOID]) == [
        "--fail-on void: 1 of 4 matches",
        "--fail-on forfeit: 1 of 4 matches",
    ]
    assert tally.lines([Failure.FAULT]) == [f"--fail-on fault: {1 + any(forfeited().end.faults)} of 4 matches"]
    assert tally.lines([]) == FailureTally().lines([Failure.FAULT]) == []


def test_people_read_two_lines_for_a_forfeit() -> None:
    noted = [*forfeits_of(make_record("m0"), OUT), *forfeits_of(forfeited(), OUT)]
    lines = [f"faithful forfeited in turn 5 (illegal): {DETAIL}", f"    {COMMAND}"]
    assert forfeit_lines(noted, OUT, {}) == lines


def test_equal_forfeits_are_one_line_with_their_number_also_where_numbers_differ() -> None:
    noted = [forfeit for n in range(12) for forfeit in forfeits_of(forfeited(detail=f"used {1030 + n} MB"), OUT)]
    assert forfeit_lines(noted, OUT, {}) == ["faithful forfeited 12 matches (illegal): used 1030 MB", f"    {COMMAND}"]


def test_of_many_kinds_the_first_are_listed_and_the_others_counted() -> None:
    noted = [forfeit for n in range(SHOWN + 3) for forfeit in forfeits_of(forfeited(detail="x" * (n + 1)), OUT)]
    lines = forfeit_lines([*noted, noted[-1]], OUT, {})
    assert len(lines) == 2 * SHOWN + 1
    assert lines[-1] == "4 more forfeits, for other reasons: faithful 4"


def test_a_reason_without_a_file_gets_that_of_the_bot() -> None:
    files = {"faithful": "my_bots/first.py:First"}
    assert forfeit_lines(forfeits_of(forfeited(), OUT), OUT, files)[0].endswith(f"{DETAIL} (my_bots/first.py:First)")
    detail = "act returned None; expected up (first.py line 12, class First)"
    assert forfeit_lines(forfeits_of(forfeited(detail=detail), OUT), OUT, files)[0].endswith(f": {detail}")


def test_logs_are_named_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    for name in ("faithful.0.log", "faithful.1.log", "faithful.x.0.log"):
        (tmp_path / "logs" / name).touch()
    crash = forfeits_of(forfeited(fault=Fault.CRASHED), tmp_path)
    logs = f"    log: {tmp_path}/logs/faithful.0.log, {tmp_path}/logs/faithful.1.log"
    assert forfeit_lines(crash, tmp_path, {})[-1] == logs
    assert "log:" not in "".join(forfeit_lines(forfeits_of(forfeited(), tmp_path), tmp_path, {}))


def test_a_bot_that_does_not_start_is_named_once_and_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter, record = PlainReporter(tmp_path), forfeited(fault=Fault.FAILED_TO_START, detail="no plan")
    reporter.begin("cup", 2, [], is_exact=True)
    for _ in range(2):
        reporter.played(record, result_rows(record), is_new=True)
    reporter.end("")
    assert "cannot start" not in capsys.readouterr().out  # the last lines of the run name it
    named = start_line("faithful", "no plan", {})
    assert named == "faithful cannot start and forfeits its matches: no plan"
    assert reporter.not_started == [named]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "faithful.0.log").touch()
    assert reporter.not_started == [named, f"    log: {tmp_path}/logs/faithful.0.log"]


def test_a_terminal_shows_bots_that_do_not_play_until_the_run_ends() -> None:
    reporter = RichReporter(Console(file=io.StringIO(), width=80, height=24), OUT)
    for bot in "abcde":
        reporter.note_broken(bot, "no plan")
    reporter.begin("cup", 1, [], is_exact=True)
    shown = render(reporter)
    reporter.end("")
    assert [f"{bot} cannot start and forfeits its matches: no plan" in shown for bot in "abcd"] == [True] * 3 + [False]
    assert "and 2 more bots do not play" in shown


def test_a_suspended_bot_is_named_by_its_forfeits_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    detail = "quarantined after 3 crashes in a row, the last: no plan"
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "faithful.0.log").touch()
    reporter, record = PlainReporter(tmp_path), forfeited(fault=Fault.FAILED_TO_START, detail=detail)
    reporter.begin("cup", 1, [], is_exact=True)
    reporter.played(record, result_rows(record), is_new=True)
    reporter.end("")
    shown = capsys.readouterr().out
    assert shown.count("suspended") == 1
    assert "log:" not in shown  # the crashes before name it
    assert reporter.not_started == []


def render(reporter: RichReporter) -> str:
    """What the terminal shows while the run goes on."""
    console = Console(file=io.StringIO(), width=80, height=24)
    with console.capture() as capture:
        console.print(reporter.draw())
    return capture.get()


def test_a_bot_that_runs_but_is_not_ready_is_not_said_to_be_unable_to_start() -> None:
    reason = "no ready within 300 ms of the start: still in act, inf.py line 8"
    assert start_line("a", reason, {"a": "my/inf.py:Inf"}) == (
        f"a started, but was not ready for a match and forfeits it: {reason}"
    )


def test_what_a_quarantine_costs_is_counted_with_its_cause() -> None:
    quarantine = "quarantined after 3 crashes in a row, the last: no plan"
    noted = [
        forfeits_of(forfeited(fault=Fault.FAILED_TO_START, detail=detail), OUT)[0] for detail in ("no plan", quarantine)
    ]
    assert forfeit_lines(noted, OUT, {}) == ["faithful forfeited 2 matches (failed to start): no plan"]
    suspended = "faithful forfeited a match while suspended after 3 crashes in a row, the last: no plan"
    assert forfeit_lines(noted[1:], OUT, {}) == [suspended]
    assert start_line("faithful", quarantine, {}) == (
        "faithful is suspended after 3 crashes in a row, the last: no plan; it forfeits its remaining matches"
    )


def test_a_command_stays_whole_on_a_narrow_terminal() -> None:
    shown = io.StringIO()
    reporter = RichReporter(Console(file=shown, width=40), OUT)
    reporter.begin("cup", 1, [], is_exact=True)
    record = forfeited(detail="[bold]brackets[/bold]")
    reporter.played(record, result_rows(record), is_new=True)
    reporter.end("")
    assert f"    {COMMAND}\n" in shown.getvalue()
    assert "[bold]brackets[/bold]" in shown.getvalue()


def test_machines_read_them_with_their_match(capsys: pytest.CaptureFixture[str]) -> None:
    record = forfeited()
    JsonReporter(OUT).played(record, result_rows(record), is_new=True)
    match = json.loads(capsys.readouterr().out)
    expected = {"bot": "faithful", "seat": 1, "turn": 5, "fault": "illegal", "command": COMMAND, "detail": DETAIL}
    assert (match["event"], match["forfeits"]) == ("match", [expected])


@pytest.mark.parametrize(
    "program",
    [
        RoleProgram(bot="bomber/astar", options={"skill": 3, "name": "two words"}),
        RoleProgram(command=("/bin/sh", "-c", "exec my bot")),
    ],
)
def test_a_program_is_named_so_that_it_is_found_again(program: RoleProgram) -> None:
    words = shlex.split(format_program(program))
    options = [words[at + 1] for at, word in enumerate(words) if word == "--option"]
    command = words[1] if words[0] == "--command" else None
    assert parse_program(None if command else words[0], command=command, options=options) == program


def test_a_bot_file_is_named_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text("class Mine: ...\n")
    program = parse_program("my_bot.py:Mine", command=None)
    assert program.path == str(tmp_path / "my_bot.py:Mine")
    assert format_program(program) == "my_bot.py:Mine"
    assert ask_command(Path("r/m.jsonl"), turn=1, seat=0, bot=format_program(program)).startswith(
        "joust ask my_bot.py:Mine --rec"
    )


def tally(*plays: tuple[str, int, bool]) -> VoidTally:
    """Ten matches of each pair of bots, with so many attempts; whether the last of them counts."""
    made = VoidTally()
    for bots, attempts, counts in plays * 10:
        record = make_record("m", bots=list(bots), returns=[0.0, 0.0])
        usage, end = structs.replace(record.usage, attempts=attempts), structs.replace(record.end, counted=counts)
        made.add(structs.replace(record, usage=usage, end=end))
    return made


def test_who_plays_in_most_of_the_void_matches_is_named_with_its_share_and_that_of_the_others() -> None:
    named = tally(("ab", 2, True), ("ac", 3, False), ("bc", 1, True)).line()
    assert named == "a: 40 of the 50 times it played were void, 0 of the 10 without it: does it overload the machine?"


def test_nobody_is_named_where_all_go_void_alike_where_two_always_meet_or_for_a_single_match() -> None:
    assert tally(("ab", 2, True), ("ac", 2, True), ("bc", 2, True)).line() == ""
    assert tally(("ab", 3, False)).line() == ""
    assert tally(("ab", 1, True), ("ac", 1, True), ("bc", 1, True)).line() == ""
    assert tally().line() == ""


def work_tally(*seats: tuple[str, int | None], clock: str = "work") -> UncountedTally:
    """A match of these bots, each with two answers of which the second declares so many successors."""
    answers = [
        AnswerLine(turn=turn, seat=seat, action="N", tactics=work if turn == 2 else None)
        for turn in (1, 2)
        for seat, (_, work) in enumerate(seats)
    ]
    record = make_record("m", bots=[bot for bot, _ in seats], returns=[0.0] * len(seats), answers=answers)
    time = {str(seat): {"clock": clock} for seat, _ in enumerate(seats)}
    made = UncountedTally()
    made.add(structs.replace(record, header=structs.replace(record.header, time=time)))
    return made


def test_who_never_declares_work_is_named_where_work_is_the_limit() -> None:
    unknown = "work not counted (no answer declares what it generated): only time limits"
    assert work_tally(("a", None), ("b", 0), ("c", 9)).line() == f"a: {unknown} it"
    assert work_tally(("b", None), ("a", None)).line() == f"a and b: {unknown} them"


def test_nobody_is_named_where_all_declare_work_or_time_is_the_limit() -> None:
    assert work_tally(("a", 0), ("b", 3)).line() == ""
    assert work_tally(("a", None), clock="cpu").line() == ""
    assert UncountedTally().line() == ""
