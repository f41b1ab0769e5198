"""Values of the referee: its commands to the match shell, and what it knows of each seat: question, clock, faults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.processes.history import Spent
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, TurnLine
from gridjoust.runner.wire import protocol


class Send(msgspec.Struct, frozen=True):
    """Command to publish a message to an entrant."""

    entrant: int
    message: protocol.ToBot


@dataclass(frozen=True, slots=True)
class Drop:
    """Command to release an entrant that has forfeited: the match shell may end its process."""

    entrant: int
    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Command to end the match, with the last line of its record."""

    end: EndLine


Line = TurnLine | FaultLine | AnswerLine
"""A line to append to the record."""

Command = Send | Line | Drop | Finish


class SeatHolder(Protocol):
    """An entrant as the referee knows it: its seats and its limits."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The entrant's seats, sorted; each seat of a match belongs to one entrant."""

    @property
    def time(self) -> TimeLimits:
        """The time limits of each of its seats."""


Choice = tuple[Any, str]
"""A legal action and its text."""


@dataclass(slots=True)
class Question:
    """An open question: its number, its limits, and the best answer so far."""

    number: int
    key: object  # a timed game asks again when it changes; None in turn-based games
    asked_ms: float
    began: Spent | None = None  # what the bot had used when it was asked
    limit_ms: float | None = None
    limit_work: int | None = None  # the most successors if work is the clock; `limit_ms` is generous then
    deadline_ms: float | None = None  # the instant at which it closes, or its CPU time is read again
    backstop_ms: float | None = None  # the instant at which it closes in any case if CPU time is the clock
    spent: Spent | None = None  # used since it was asked, up to the newest measured message
    work: int = 0  # successors generated, as the newest answer declares
    complaint: str = ""  # why a bot's message to an earlier question was no answer
    answer: Choice | None = None  # the best so far
    measured: AnswerLine | None = None  # what that answer cost


@dataclass(slots=True)
class SeatState:
    """What the referee knows of one seat: open question, clock, faults."""

    entrant: int
    time: TimeLimits
    bank_ms: float
    bank_work: int
    question: Question | None = None
    asked: dict[int, int] = field(default_factory=dict)  # number of a question -> its index among the seat's
    newest: tuple[int, int] = (-1, -1)  # (index of its question, seq) of the newest answer
    faults: int = 0
    forfeited: bool = False


def make_seat_states(seats: int, entrants: Sequence[SeatHolder]) -> list[SeatState]:
    """Return the first state of each seat; ValueError unless each seat belongs to exactly one entrant."""
    holders = {seat: number for number, entrant in enumerate(entrants) for seat in entrant.seats}
    if sorted(holders) != list(range(seats)) or sum(len(entrant.seats) for entrant in entrants) != seats:
        raise ValueError(
            f"expected every seat of {seats} to be held once, got {[entrant.seats for entrant in entrants]}"
        )
    times = [entrants[holders[seat]].time for seat in range(seats)]
    return [
        SeatState(holders[seat], times[seat], float(times[seat].bank_ms), times[seat].bank_work)
        for seat in range(seats)
    ]
