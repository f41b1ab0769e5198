"""What the referee tells the match shell to do. Values only; those of every turn are cheap to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

from gridjoust.games.api import Seat
from gridjoust.runner.config.values import TimeLimits
from gridjoust.runner.results.records.lines import AnswerLine, EndLine, Fault, FaultLine, TurnLine
from gridjoust.runner.wire import protocol


class Send(msgspec.Struct, frozen=True):
    """Publish a message to an entrant."""

    entrant: int
    message: protocol.ToBot


@dataclass(frozen=True, slots=True)
class Drop:
    """The entrant has forfeited: the shell may end its process."""

    entrant: int
    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over."""

    end: EndLine


Line = TurnLine | FaultLine | AnswerLine
"""To be appended to the record."""

Command = Send | Line | Drop | Finish


class SeatHolder(Protocol):
    """What the referee must know of an entrant: its seats and its limits."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Sorted; every seat of the match has one holder."""

    @property
    def time(self) -> TimeLimits:
        """For every one of its seats."""
