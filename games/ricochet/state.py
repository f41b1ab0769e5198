"""The situation and the actions of a match as frozen values, and the actions' one-line texts. Applies no rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from games.api import Seat
from games.grid import Direction
from games.ricochet.board import Board, Colour, Robots, Target
from games.ricochet.params import MAX_MOVES
from games.ricochet.proof import Move, Position


class Phase(Enum):
    """What the seats are asked for."""

    BIDDING = "bidding"
    PROOF = "proof"
    SOLVING = "solving"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Bid:
    """`bid 7`: I can solve this in 7 moves."""

    amount: int

    def __str__(self) -> str:
        return f"bid {self.amount}"


@dataclass(frozen=True, slots=True)
class Solve:
    """`solve blue E, red N`: the moves themselves."""

    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return "solve " + ", ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Pass:
    """`pass`: no (further) bid in this round; no proof; no solution."""

    def __str__(self) -> str:
        return "pass"


Action = Bid | Solve | Pass

_BID = re.compile(r"bid ([1-9][0-9]?)")
_MOVE = re.compile(r"(red|green|blue|yellow|silver) ([NESW])")


def parse_action(text: str) -> Action:
    """The action of a canonical text; ValueError for any other."""
    if text == "pass":
        return Pass()
    bid = _BID.fullmatch(text)
    if bid is not None:
        return Bid(int(bid[1]))
    if text.startswith("solve "):
        return Solve(parse_moves(text.removeprefix("solve ")))
    raise ValueError(f"expected pass, bid 1 to {MAX_MOVES} or solve red N, ..., got {text[:60]!r}")


def parse_moves(text: str) -> tuple[Move, ...]:
    """`"blue E, red N"` -> moves; ValueError names the first part that is none."""
    parts = text.split(", ")
    if len(parts) > MAX_MOVES:
        raise ValueError(f"expected at most {MAX_MOVES} moves, got {len(parts)}")
    moves: list[Move] = []
    for part in parts:
        found = _MOVE.fullmatch(part)
        if found is None:
            raise ValueError(f"expected a robot and a direction such as red N, got {part[:60]!r}")
        moves.append(Move(Colour[found[1].upper()], Direction[found[2]]))
    return tuple(moves)


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's valid bid in this round; `call` counts bids, so that the earlier of equal bids goes first."""

    amount: int
    call: int


@dataclass(frozen=True, slots=True)
class Tally:
    """What a seat has done so far."""

    bids: int = 0
    proven: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """One seat's answer to one solo position; `moves` 0 = none or a wrong one."""

    moves: int
    optimum: int


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
    clock_ms: int  # of the last turn
    wake_ms: int | None
    chips: tuple[int, ...]
    bids: tuple[Standing | None, ...]
    passed: tuple[bool, ...]
    calls: int
    provers: tuple[Seat, ...]  # who may still prove, the first one now
    tallies: tuple[Tally, ...]
    optimum: int  # of the solo position; 0 in bidding, where the referee does not know it
    answers: tuple[tuple[Answer, ...], ...]  # by seat, then position
    proof: Proof | None

    @property
    def position(self) -> Position:
        """What is to be solved now."""
        return Position(self.board, self.robots, self.target)
