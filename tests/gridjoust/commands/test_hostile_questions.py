"""`rerun` and `ask` on records and questions that no runner wrote: one line each, and no bot is started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gridjoust.runner.results.records.file import list_records, read_record, write_record
from gridjoust.runner.results.records.lines import MatchRecord, TurnLine
from tests.gridjoust.commands.desk import Desk

RESULTS = Path("results/cup")


def seat_in_turns(record: MatchRecord, seat: str) -> MatchRecord:
    lines = [replace(line, actions={seat: "up"}) if isinstance(line, TurnLine) else line for line in record.lines]
    return replace(record, lines=lines)


def limits(record: MatchRecord, **changes: Any) -> dict[str, Any]:
    return {seat: time | changes for seat, time in record.header.time.items()}


HEADERS: dict[str, tuple[Any, str]] = {
    "an unknown game": (lambda record: {"game": "chess"}, "game: expected one of "),
    "a game that is a module": (lambda record: {"game": "os:system"}, "game: expected a game's name, got 'os:system'"),
    "a size beyond all boards": (lambda record: {"params": {"width": 10**9}}, "game: width: expected 3 to 64"),
    "more turns than anybody plays": (lambda record: {"params": {"max_ticks": 10**30}}, "max_ticks: expected 1 to "),
    "a number of another kind": (lambda record: {"params": {"width": 1.5}}, "game: width: expected a whole number"),
    "a seat for everybody": (lambda record: {"seats": record.header.seats * 99}, "expected lists of 198 seats"),
    "a time before the question": (lambda record: {"time": limits(record, turn_ms=-5)}, "of seat 0: expected limits"),
    "a time in words": (lambda record: {"time": limits(record, turn_ms="long")}, "of seat 0: expected limits"),
    "no time at all": (lambda record: {"time": {}}, "time of seat 0: expected limits, got: Expected `object`"),
}  # fmt: skip


def refuse(desk: Desk, forged: MatchRecord, said: str) -> None:
    path = list_records(desk.folder / RESULTS)[0]
    write_record(path, forged)
    record = str(path.relative_to(desk.folder))
    for typed in (["rerun", str(RESULTS), path.stem], ["ask", "--record", record, "--turn", "1", "--seat", "0"]):
        code, line = desk.joust(*typed)
        assert code in (1, 2)
        assert line.count("\n") == 1
        assert said in line
    assert not (desk.folder / RESULTS / "reruns").exists()


@pytest.mark.parametrize(("change", "said"), HEADERS.values(), ids=HEADERS)
def test_a_header_that_nothing_can_be_played_by(played: Desk, change: Any, said: str) -> None:
    record = read_record(list_records(played.folder / RESULTS)[0])
    refuse(played, replace(record, header=replace(record.header, **change(record))), said)


@pytest.mark.parametrize("seat", ["x", "2", "-1", "١"])
def test_a_line_of_a_seat_that_the_match_does_not_have(played: Desk, seat: str) -> None:
    record = read_record(list_records(played.folder / RESULTS)[0])
    refuse(played, seat_in_turns(record, seat), ": expected seats 0 to 1, got others\n")
    first, *others = record.answers
    for number in (2, -1, 10**15):
        refuse(played, replace(record, answers=[replace(first, seat=number), *others]), "line 2: expected seats 0 to 1")


VALUES = {
    "no YAML": ("{a: :", "expected valid YAML, got "),
    "half a list": ("[", "expected a closing bracket, got the end of the file"),
    "a nest": ("[" * 400, "expected a few levels of nesting, got hundreds"),
}


@pytest.mark.parametrize(("value", "said"), VALUES.values(), ids=VALUES)
def test_an_option_whose_value_cannot_be_read(desk: Desk, value: str, said: str) -> None:
    desk.write("q.json", json.dumps({"observation": {}}))
    for option in ("--param", "--option"):
        code, line = desk.joust(
            *["ask", "random", "--game", "bomber", "--observation", "q.json"], option, f"width={value}"
        )
        assert (code, line.count("\n")) == (2, 1)
        assert line.startswith(f"joust: {option}: width: {said}")


QUESTIONS: dict[str, tuple[str, str]] = {
    "a nest of lists": ("[" * 100_000, "q.json: expected a question (JSON), got: maximum recur"),
    "nested questions": ('{"observation":' * 50_000, "q.json: expected a question (JSON), got: maximum recur"),
    "a seat beyond all": ('{"observation": {}, "seat": 100000000000000000000}', "--seat: expected 0 to 1, got 10"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_that_cannot_be_put(desk: Desk, text: str, said: str) -> None:
    desk.write("q.json", text)
    code, line = desk.joust(*["ask", "random", "--game", "bomber", "--observation", "q.json"])
    assert (code, line.count("\n")) == (2, 1)
    assert line.startswith(f"joust: {said}")
