"""Two records of a match: where they differ first."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from gridjoust.recorded.compare import Change, Difference, Longer, first_difference
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, TurnLine
from tests.runner.results.records.records_builder import make_record

UP = {0: "up", 1: "wait"}
PLAYED = make_record(turns=[UP, UP])
LATER = replace(PLAYED, lines=[line if line.turn == 1 else replace(line, stamp=77) for line in PLAYED.lines])


def with_fault(fault: Fault) -> MatchRecord:
    return replace(PLAYED, lines=[*PLAYED.lines, FaultLine(turn=2, seat=1, fault=fault, detail="detail")])


CASES = {
    "equal records do not part": (with_fault(Fault.LATE), with_fault(Fault.LATE), None),
    "the first different action is named with its seat": (make_record(turns=[UP, UP, UP]),
        make_record(turns=[UP, {0: "up", 1: "bomb"}, {0: "down", 1: "wait"}]),
        Difference(2, (1,), (Change("seat 1: wait", "bomb"),))),
    "an action that is missing": (PLAYED, make_record(turns=[UP, {0: "up"}]),
        Difference(2, (1,), (Change("seat 1: wait", "no action"),))),
    "the recorded match is longer": (PLAYED, make_record(turns=[UP]),
        Difference(2, (), Longer.OLD)),
    "the new match is longer": (make_record(turns=[UP]), PLAYED,
        Difference(2, (), Longer.NEW)),
    "a fault behind the same action": (with_fault(Fault.LATE), PLAYED,
        Difference(2, (1,), (Change("a late fault of seat 1 in turn 2", "no fault"),))),
    "another fault": (with_fault(Fault.LATE), with_fault(Fault.FAILED_TO_START),
        Difference(2, (1,),
            (Change("a late fault of seat 1 in turn 2", "a failed to start fault of seat 1 in turn 2"),))),
    "another end of the same turns": (make_record(turns=[UP], returns=(1, -1)),
        make_record(turns=[UP], returns=(-1, 1)), Difference(None, (), (Change("returns [1, -1]", "[-1, 1]"),))),
    "another moment": (PLAYED, LATER, Difference(2, (), (Change("at 2 ms of the match", "at 77 ms"),))),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=CASES)
def test_records_part_at_their_first_difference(
    old: MatchRecord, new: MatchRecord, expected: Difference | None
) -> None:
    assert first_difference(old, new) == expected


def test_moments_may_be_left_out_of_the_comparison() -> None:
    assert isinstance(PLAYED.lines[1], TurnLine)
    assert first_difference(PLAYED, LATER, with_stamps=False) is None
