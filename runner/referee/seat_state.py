"""What the referee keeps per seat and per entrant: open question, clock, faults, message budget. Decides nothing."""

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
MESSAGES_PER_S = 400  # ... and this many a second on average; anything above is flooding:
MESSAGES_A_FAULT = 500  # refused unread, and a fault for the first and for every so many
NUMBERS_AT_ONCE = 32  # of questions: each by itself would be a call of the system

Choice = tuple[Any, str]
"""A legal action and its text."""


def draw_numbers() -> Iterator[int]:
    """Numbers below 2^53 that nobody can guess: no bot answers a question that it has not been sent.

    From the machine's own chance: they enter no record, and who has seen many of them knows none to come.
    """
    while True:
        for (bits,) in struct.iter_unpack("Q", os.urandom(8 * NUMBERS_AT_ONCE)):
            yield bits >> 11


@dataclass(slots=True)
class Question:
    """A question that is open: what was asked, until when, and the best answer so far."""

    number: int
    key: object
    asked_ms: float
    began: Spent | None = None  # what the bot had used then
    limit_ms: float | None = None
    limit_work: int | None = None  # nodes that may be expanded, where work is the limit; `limit_ms` is far then
    deadline_ms: float | None = None  # the instant at which it closes, or its CPU clock is looked at
    backstop_ms: float | None = None  # the instant at which it closes for good where CPU time is the limit
    spent: Spent | None = None  # from question to the newest message that was measured
    work: int = 0  # nodes expanded, as the newest answer says
    complaint: str = ""  # what was wrong with what came in place of an answer while it was open
    answer: Choice | None = None  # the best so far
    measured: AnswerLine | None = None

    def measure(
        self, answer: protocol.Action, text: str, *, turn: int, now_ms: float, is_timed: bool, spent: Spent | None
    ) -> AnswerLine:
        """What an answer cost; the latency of an answer to an older question is not known."""
        line = AnswerLine(
            turn=turn,
            seat=answer.seat,
            action=text,
            planning_ms=answer.planning_ms,
            latency_ms=round(now_ms - self.asked_ms, 3) if answer.ask == self.number else None,
            cpu_ms=None if spent is None else spent.cpu_ms,
            waited_ms=None if spent is None else spent.waited_ms,
            forced=None if spent is None else spent.forced,
            final=answer.final or is_timed,  # no answer closes a question of a timed game
        )
        return line if answer.stats is None else msgspec.structs.replace(line, **msgspec.structs.asdict(answer.stats))


@dataclass(slots=True)
class SeatState:
    """What the referee knows of one seat."""

    entrant: int
    time: TimeLimits
    bank_ms: float
    bank_work: int
    question: Question | None = None
    asked: dict[int, int] = field(default_factory=dict)  # number of a question -> which one of the seat's it is
    newest: tuple[int, int] = (-1, -1)  # (which question, seq) of the newest answer
    faults: int = 0
    forfeited: bool = False


@dataclass(slots=True)
class Budget:
    """Token bucket of one entrant's messages."""

    tokens: float = BURST_MESSAGES
    filled_ms: float = 0.0
    excess: int = 0  # messages refused in this flood
    refused_ms: float = -math.inf  # when a message was last refused

    def take(self, now_ms: float) -> bool:
        """Whether one more message is within the limit."""
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
        """A question has been asked: its answer is free, however fast questions follow each other."""
        if self.tokens < BURST_MESSAGES:
            self.tokens = min(BURST_MESSAGES, self.tokens + 1)

    def is_flooding(self, now_ms: float) -> bool:
        """Whether messages had to be refused and the bot has not been calm since."""
        self._fill(now_ms)
        return self.excess > 0 and self.tokens <= BURST_MESSAGES / 2

    def has_flooded(self, since_ms: float, now_ms: float) -> bool:
        """Whether messages had to be refused since then, or a flood was going on at that time."""
        return self.refused_ms >= since_ms or self.is_flooding(now_ms)

    def _fill(self, now_ms: float) -> None:
        tokens = self.tokens + (now_ms - self.filled_ms) * MESSAGES_PER_S / 1000
        self.tokens = tokens if tokens < BURST_MESSAGES else BURST_MESSAGES  # twice as fast as min()
        self.filled_ms = now_ms

    @property
    def is_fault(self) -> bool:
        """Whether the message just refused is to be counted: the first of a flood and every so many after it."""
        return self.excess % MESSAGES_A_FAULT == 1


def make_seat_states(seats: int, entrants: Sequence[SeatHolder]) -> list[SeatState]:
    """The state of every seat; ValueError unless every seat is held by exactly one entrant."""
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
