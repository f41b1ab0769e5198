"""Two records of the same match side by side: where they part. Judges no bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from games.api import Seat
from runner.record.lines import FaultLine, MatchRecord, TurnLine


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference. `turn` None: only the end differs; `seats`: whose actions differ, if it is actions."""

    turn: int | None
    seats: tuple[Seat, ...]
    detail: str


def first_difference(old: MatchRecord, new: MatchRecord, *, with_stamps: bool = True) -> Difference | None:
    """Where the second record leaves the first; None if both tell the same match.

    `with_stamps: False` leaves out the moments of the turns: in real time they are never the same twice.
    """
    for before, after in zip_longest(_turns(old), _turns(new)):
        if (found := _turn_difference(before, after, with_stamps=with_stamps)) is not None:
            return found
    return _fault_difference(old, new) or _end_difference(old, new)


def _turns(record: MatchRecord) -> list[TurnLine]:
    return [line for line in record.lines if isinstance(line, TurnLine)]


def _turn_difference(before: TurnLine | None, after: TurnLine | None, *, with_stamps: bool) -> Difference | None:
    if before is None or after is None:
        present = before or after
        assert present is not None
        which = "recorded" if after is None else "new"
        return Difference(present.turn, (), f"the {which} match goes on, the other one has ended")
    differing = _differing(before.actions, after.actions)
    if differing:
        details = (f"seat {seat}: {_action(before, seat)}, now {_action(after, seat)}" for seat in differing)
        return Difference(before.turn, differing, "; ".join(details))
    if with_stamps and before.stamp != after.stamp:
        return Difference(before.turn, (), f"at {before.stamp} ms of the match, now at {after.stamp} ms")
    return None


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Seat, ...]:
    keys = sorted({*before, *after}, key=int)
    return tuple(int(seat) for seat in keys if before.get(seat) != after.get(seat))


def _action(line: TurnLine, seat: Seat) -> str:
    return line.actions.get(str(seat), "no action")


def _fault_difference(old: MatchRecord, new: MatchRecord) -> Difference | None:
    """The actions are equal, but a default action may have stood in for a missing answer."""
    for before, after in zip_longest(_faults(old), _faults(new)):
        if before != after:
            known = [fault for fault in (before, after) if fault is not None]
            turn, seat = min((fault[0], fault[1]) for fault in known)
            return Difference(turn, (seat,), f"{_fault_text(before)}, now {_fault_text(after)}")
    return None


def _faults(record: MatchRecord) -> list[tuple[int, Seat, str]]:
    return [(line.turn, line.seat, line.fault.value) for line in record.lines if isinstance(line, FaultLine)]


def _fault_text(fault: tuple[int, Seat, str] | None) -> str:
    return (
        "no fault" if fault is None else f"a {fault[2].replace('_', ' ')} fault of seat {fault[1]} in turn {fault[0]}"
    )


def _end_difference(old: MatchRecord, new: MatchRecord) -> Difference | None:
    for name in ("termination", "returns", "ranks"):
        before, after = getattr(old.end, name), getattr(new.end, name)
        if before != after:
            return Difference(None, (), f"{name} {_plain(before)}, now {_plain(after)}")
    return None


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))
