"""State of the referee per seat and per entrant: open question, clock, faults, message budget."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.processes.history import Spent
from gridjoust.runner.referee.commands import SeatHolder
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.wire import protocol

BURST_MESSAGES = 200  # a bot may send this many messages at once ...
MESSAGES_PER_S = 400  # ... and this many a second on average; more is flooding, and is refused unread
MESSAGES_A_FAULT = 500  # of a flood: the first refused message is a fault, and each 500th after it
NUMBERS_AT_ONCE = 32  # numbers of questions per system call

Choice = tuple[Any, str]
"""A legal action and its text."""


def draw_numbers() -> Iterator[int]:
    """Yield numbers of questions below 2^53 that a bot cannot guess, so that it answers only what it was sent.

    They come from the system's random source. They enter no record, and earlier numbers do not reveal later ones.
    """
    while True:
        for (bits,) in struct.iter_unpack("Q", os.urandom(8 * NUMBERS_AT_ONCE)):
            yield bits >> 11


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


def measured_line(
    answer: protocol.Action, text: str, *, turn: int, latency_ms: float | None, is_final: bool, spent: Spent | None
) -> AnswerLine:
    """Return the record's line of an answer: the action's text, the bot's own measures and those of the referee."""
    cpu_ms, waited_ms, forced = (None, None, None) if spent is None else spent
    line = AnswerLine(
        turn=turn,
        seat=answer.seat,
        action=text,
        planning_ms=answer.planning_ms,
        latency_ms=latency_ms,
        cpu_ms=cpu_ms,
        waited_ms=waited_ms,
        forced=forced,
        final=is_final,
    )
    return line if answer.stats is None else msgspec.structs.replace(line, **msgspec.structs.asdict(answer.stats))


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


@dataclass(slots=True)
class Budget:
    """Rate limit on one entrant's messages, a token bucket."""

    tokens: float = BURST_MESSAGES
    filled_ms: float = 0.0
    excess: int = 0  # messages refused in this flood
    refused_ms: float = -math.inf  # when a message was last refused

    def take(self, now_ms: float) -> bool:
        """Count one message; return whether it is within the limit."""
        self._fill(now_ms)
        if self.tokens < 1:
            self.excess += 1
            self.refused_ms = now_ms
            return False
        self.tokens -= 1
        if self.tokens > BURST_MESSAGES / 2:
            self.excess = 0  # the flood is over
        return True

    def grant(self) -> None:
        """Grant one more message, for the answer to a new question: fast questions cause no flood."""
        if self.tokens < BURST_MESSAGES:
            self.tokens = min(BURST_MESSAGES, self.tokens + 1)

    def is_flooding(self, now_ms: float) -> bool:
        """Return whether a flood is going on: messages were refused, and the bucket has not refilled to half since."""
        self._fill(now_ms)
        return self.excess > 0 and self.tokens <= BURST_MESSAGES / 2

    def has_flooded(self, since_ms: float, now_ms: float) -> bool:
        """Return whether a message was refused since `since_ms`, or a flood is going on."""
        return self.refused_ms >= since_ms or self.is_flooding(now_ms)

    def _fill(self, now_ms: float) -> None:
        """Add the tokens of the time since the last call."""
        tokens = self.tokens + (now_ms - self.filled_ms) * MESSAGES_PER_S / 1000
        self.tokens = tokens if tokens < BURST_MESSAGES else BURST_MESSAGES  # twice as fast as min()
        self.filled_ms = now_ms

    @property
    def is_fault(self) -> bool:
        """True if the message just refused is a fault: the first of a flood and each `MESSAGES_A_FAULT`th after it."""
        return self.excess % MESSAGES_A_FAULT == 1


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
