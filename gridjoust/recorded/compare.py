"""Compares two records of the same match."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from itertools import zip_longest

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, TurnLine


@dataclass(frozen=True, slots=True)
class Change:
    """A difference of two records in words: what one has, and what the other has instead."""

    old: str
    new: str


class Longer(Enum):
    """Which of two records goes on after the end of the other."""

    OLD = auto()
    NEW = auto()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of two records. `turn` None: only the end differs; `seats`: those whose actions differ."""

    turn: int | None
    seats: tuple[Seat, ...]
    found: tuple[Change, ...] | Longer


def first_difference(old: MatchRecord, new: MatchRecord, *, with_stamps: bool = True) -> Difference | None:
    """Return the first difference of two records; None if they describe the same match.

    `with_stamps=False` ignores the times of turns, which differ in every real-time match.
    """
    turns = ([line for line in record.lines if isinstance(line, TurnLine)] for record in (old, new))
    for before, after in zip_longest(*turns):
        if (found := _turn_difference(before, after, with_stamps=with_stamps)) is not None:
            return found
    return _fault_difference(old, new) or _end_difference(old, new)


def _turn_difference(before: TurnLine | None, after: TurnLine | None, *, with_stamps: bool) -> Difference | None:
    if before is None or after is None:
        present = before or after
        assert present is not None
        return Difference(present.turn, (), Longer.OLD if after is None else Longer.NEW)
    old, new = before.actions, after.actions
    if seats := [seat for seat in sorted({*old, *new}, key=int) if old.get(seat) != new.get(seat)]:
        none = "no action"
        changes = (Change(f"seat {seat}: {old.get(seat, none)}", new.get(seat, none)) for seat in seats)
        return Difference(before.turn, tuple(map(int, seats)), tuple(changes))
    if with_stamps and before.stamp != after.stamp:
        return Difference(before.turn, (), (Change(f"at {before.stamp} ms of the match", f"at {after.stamp} ms"),))
    return None


def _fault_difference(old: MatchRecord, new: MatchRecord) -> Difference | None:
    """Return the first difference of the faults, or None.

    Equal actions do not exclude one: an action may be the default after a missing answer.
    """
    for before, after in zip_longest(_faults(old), _faults(new)):
        if before != after:
            turn, seat, _ = min(fault for fault in (before, after) if fault is not None)
            return Difference(turn, (seat,), (Change(_fault_text(before), _fault_text(after)),))
    return None


def _faults(record: MatchRecord) -> list[tuple[int, Seat, str]]:
    return [(line.turn, line.seat, line.fault.words) for line in record.lines if isinstance(line, FaultLine)]


def _fault_text(fault: tuple[int, Seat, str] | None) -> str:
    if fault is None:
        return "no fault"
    turn, seat, kind = fault
    return f"a {kind} fault of seat {seat} in turn {turn}"


def _end_difference(old: MatchRecord, new: MatchRecord) -> Difference | None:
    before, after = (msgspec.to_builtins(record.end) for record in (old, new))
    for name in ("termination", "returns", "ranks"):
        if before[name] != after[name]:
            return Difference(None, (), (Change(f"{name} {before[name]}", str(after[name])),))
    return None
