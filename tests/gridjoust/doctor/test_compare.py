"""Two records of a match: where they differ first."""

from __future__ import annotations

import msgspec
import pytest

from gridjoust.doctor.compare import first_difference
from runner.record.lines import Fault, FaultLine, MatchRecord, TurnLine
from tests.runner.record.records_builder import make_record


def with_fault(turn: int, fault: Fault) -> MatchRecord:
    record = make_record(turns=[{0: "up", 1: "wait"}, {0: "wait", 1: "up"}])
    line = FaultLine(turn=turn, seat=1, fault=fault, detail="detail", hash="")
    return msgspec.structs.replace(record, lines=[*record.lines, line])


def test_equal_records_do_not_part() -> None:
    record = with_fault(2, Fault.LATE)
    assert first_difference(record, record) is None
    assert first_difference(record, with_fault(2, Fault.CRASHED)) is not None


def test_the_first_different_action_is_named_with_its_seat() -> None:
    old = make_record(turns=[{0: "up", 1: "wait"}, {0: "up", 1: "wait"}, {0: "up", 1: "wait"}])
    new = make_record(turns=[{0: "up", 1: "wait"}, {0: "up", 1: "bomb"}, {0: "down", 1: "wait"}])
    difference = first_difference(old, new)
    assert difference is not None
    assert (difference.turn, difference.seats, difference.detail) == (2, (1,), "seat 1: wait, now bomb")


def test_an_action_that_is_missing_is_a_difference() -> None:
    difference = first_difference(make_record(turns=[{0: "up", 1: "wait"}]), make_record(turns=[{0: "up"}]))
    assert difference is not None
    assert difference.detail == "seat 1: wait, now no action"


@pytest.mark.parametrize(("before", "after", "which"), [(2, 1, "recorded"), (1, 2, "new")])
def test_a_match_that_goes_on_longer_parts_where_the_other_ends(before: int, after: int, which: str) -> None:
    difference = first_difference(make_record(turns=[{0: "up"}] * before), make_record(turns=[{0: "up"}] * after))
    assert difference is not None
    assert (difference.turn, difference.detail) == (2, f"the {which} match goes on, the other one has ended")


def test_a_fault_behind_the_same_action_is_a_difference() -> None:
    difference = first_difference(
        with_fault(2, Fault.LATE), make_record(turns=[{0: "up", 1: "wait"}, {0: "wait", 1: "up"}])
    )
    assert difference is not None
    assert (difference.turn, difference.seats) == (2, (1,))
    assert difference.detail == "a late fault of seat 1 in turn 2, now no fault"


def test_another_end_of_the_same_turns_is_a_difference() -> None:
    turns = [{0: "up", 1: "wait"}]
    difference = first_difference(make_record(turns=turns, returns=(1, -1)), make_record(turns=turns, returns=(-1, 1)))
    assert difference is not None
    assert difference.turn is None
    assert difference.detail == "returns [1, -1], now [-1, 1]"


def test_moments_may_be_left_out_of_the_comparison() -> None:
    old = make_record(turns=[{0: "up"}])
    line = old.lines[0]
    assert isinstance(line, TurnLine)
    new = msgspec.structs.replace(old, lines=[msgspec.structs.replace(line, stamp=77)])
    difference = first_difference(old, new)
    assert difference is not None
    assert difference.detail == "at 1 ms of the match, now at 77 ms"
    assert first_difference(old, new, with_stamps=False) is None
