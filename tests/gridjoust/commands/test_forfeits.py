"""What a run says of forfeits, and how commands name bots."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from gridjoust.commands.bot_argument import ask_command, format_program, parse_program
from gridjoust.commands.progress import SHOWN, Forfeit, JsonReporter, RichReporter, forfeit_lines, forfeits_of
from runner.config.values import RoleProgram
from runner.record.lines import Fault, FaultLine, MatchRecord
from runner.tables.writer import result_rows
from tests.runner.record.records_builder import make_record

OUT = Path("results/my cup")
COMMAND = "joust ask --record 'results/my cup/records/m1.jsonl' --turn 5 --seat 1"
DETAIL = "action 'fly' is not legal now"


def forfeited(match_id: str = "m1", *, detail: str = DETAIL) -> MatchRecord:
    """Seat 1 (faithful) is at fault in turns 4 and 5 and out then."""
    record = make_record(match_id, forfeited=(1,))
    faults = [FaultLine(turn=turn, seat=1, fault=Fault.ILLEGAL, detail=detail) for turn in (4, 5)]
    return replace(record, lines=[*record.lines, *faults])


def test_the_fault_that_cost_the_match_is_named_with_its_command_and_no_other() -> None:
    record = forfeited()
    assert forfeits_of(record, OUT) == [Forfeit("faithful", 1, 5, Fault.ILLEGAL, DETAIL, COMMAND)]
    assert forfeits_of(replace(record, end=replace(record.end, forfeited=[])), OUT) == []


def test_people_read_two_lines_a_forfeit_and_of_many_how_many_there_are() -> None:
    noted = [*forfeits_of(make_record("m0"), OUT), *forfeits_of(forfeited(), OUT)]
    assert forfeit_lines(noted) == [f"faithful forfeited in turn 5 (illegal): {DETAIL}", f"    {COMMAND}"]
    lines = forfeit_lines(noted * (SHOWN + 3))
    assert len(lines) == 2 * SHOWN + 1
    assert lines[-1] == f"3 more forfeits; in all: faithful {SHOWN + 3}"


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
    (tmp_path / "my_bot.py").touch()
    program = parse_program("my_bot.py:Mine", command=None)
    assert program.path == str(tmp_path / "my_bot.py:Mine")
    assert format_program(program) == "my_bot.py:Mine"
    assert ask_command(Path("r/m.jsonl"), turn=1, seat=0, program=program).startswith("joust ask my_bot.py:Mine --rec")
