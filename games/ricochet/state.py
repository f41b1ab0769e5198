"""The situation and the actions of a match as frozen values, and the actions' one-line texts. Applies no rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from gridjoust.games.api import Seat
from gridjoust.games.ricochet.board import Board, Robots, Target
from gridjoust.games.ricochet.proof import Move, Position


class Phase(Enum):
    """What the seats are asked for."""

    BIDDING = "bidding"
    PROOF = "proof"
    SOLVING = "solving"
    OVER = "over"


class Answer(NamedTuple):
    """One seat's answer to one solo position; `moves` 0 = none or a wrong one."""

    moves: int
    optimum: int


class Player(NamedTuple):
    """What a seat has called and won so far."""

    chips: int = 0
    bid: int | None = None  # the lowest of this round
    call: int = 0  # its number, so that the earlier of equal bids goes first
    has_passed: bool = False  # in this round
    has_asked: bool = False  # in this round, for a new deal
    bids: int = 0  # in all rounds
    proven: int = 0
    failed: int = 0
    answers: tuple[Answer, ...] = ()  # to the solo positions so far


@dataclass(frozen=True, slots=True)
class Proof:
    """The last solution that was shown, for people and viewers."""

    seat: Seat
    moves: tuple[Move, ...]
    fault: str  # "" if it was right


@dataclass(frozen=True, slots=True)
class State:
    """Everything. `seed` is for chance still to come and shown to nobody."""

    seed: int
    board: Board
    phase: Phase
    round: int  # a game round, or the number of the solo position; from 1
    robots: Robots
    dealt: Robots  # where the robots were dealt, for `reset`
    target: Target
    pool: tuple[Target, ...]  # still to be won, the current one included
    players: tuple[Player, ...]  # by seat
    clock_ms: int = 0  # of the last turn
    wake_ms: int | None = None
    calls: int = 0  # bids of this round
    provers: tuple[Seat, ...] = ()  # who may still prove, the first one now
    optimum: int = 0  # of the solo position; 0 in bidding, where the referee does not know it
    proof: Proof | None = None

    @property
    def position(self) -> Position:
        """What is to be solved now."""
        return Position(self.board.wanting(self.target), self.robots, self.target)

    @property
    def chips(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(player.chips for player in self.players)
