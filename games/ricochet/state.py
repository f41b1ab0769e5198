"""The values of a match: state, players, answers and the last proof."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from gridjoust.games.api import Seat
from gridjoust.games.ricochet.board import Board, Robots, Target
from gridjoust.games.ricochet.proof import Move, Position


class Phase(Enum):
    """The phase of a match, which decides what the seats are asked."""

    BIDDING = "bidding"
    PROOF = "proof"
    SOLVING = "solving"
    OVER = "over"


class Answer(NamedTuple):
    """One seat's answer to one solo position: its number of moves (0 = none or wrong), and the fewest possible."""

    moves: int
    optimum: int


class Player(NamedTuple):
    """The bids and results of a seat so far."""

    chips: int = 0
    bid: int | None = None  # the lowest of this round
    call: int = 0  # number of its bid, so that the earlier of equal bids goes first
    has_passed: bool = False  # in this round
    has_asked: bool = False  # asked in this round for new robot positions
    bids: int = 0  # in all rounds
    proven: int = 0
    failed: int = 0
    answers: tuple[Answer, ...] = ()  # to the solo positions so far


@dataclass(frozen=True, slots=True)
class Proof:
    """The last solution that a seat has shown, right or wrong; it is kept only for spectators."""

    seat: Seat
    moves: tuple[Move, ...]
    fault: str  # "" if it was right


@dataclass(frozen=True, slots=True)
class State:
    """The complete state of a match; `seed` decides future chance, and no view shows it."""

    seed: int
    board: Board
    phase: Phase
    round: int  # a game round, or the number of the solo position; from 1
    robots: Robots
    dealt: Robots  # start cells of the robots, for `reset`
    target: Target
    pool: tuple[Target, ...]  # targets still to be won, with the present one
    players: tuple[Player, ...]  # by seat
    clock_ms: int = 0  # time of the last turn
    wake_ms: int | None = None
    calls: int = 0  # number of bids in this round
    provers: tuple[Seat, ...] = ()  # seats that may still prove; the first one is to prove now
    optimum: int = 0  # optimum of the solo position; 0 in bidding, where the referee does not know it
    proof: Proof | None = None

    @property
    def position(self) -> Position:
        """The position to solve now."""
        return Position(self.board.wanting(self.target), self.robots, self.target)

    @property
    def chips(self) -> tuple[int, ...]:
        """Chips of each seat."""
        return tuple(player.chips for player in self.players)
