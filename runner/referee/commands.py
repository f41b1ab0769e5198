"""Commands of the referee to the match shell, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, TurnLine
from gridjoust.runner.wire import protocol


class Send(msgspec.Struct, frozen=True):
    """Command to publish a message to an entrant."""

    entrant: int
    message: protocol.ToBot


@dataclass(frozen=True, slots=True)
class Drop:
    """Release an entrant that has forfeited: the match shell may end its process."""

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
