"""What a seat of ricochet may submit, and its text. What is legal when is decided elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gridjoust.games.grid import Direction
from gridjoust.games.ricochet.board import Colour
from gridjoust.games.ricochet.params import MAX_MOVES
from gridjoust.games.ricochet.proof import Move


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


@dataclass(frozen=True, slots=True)
class Redeal:
    """`redeal`: may the robots be dealt anew? They are when all seats ask, who passed without a bid left out."""

    def __str__(self) -> str:
        return "redeal"


Action = Bid | Solve | Pass | Redeal

_BID = re.compile(r"bid ([1-9][0-9]?)")

_MOVE = re.compile(r"(red|green|blue|yellow|silver) ([NESW])")


def parse_action(text: str) -> Action:
    """The action of a canonical text; ValueError for any other."""
    if text == "pass":
        return Pass()
    if text == "redeal":
        return Redeal()
    bid = _BID.fullmatch(text)
    if bid is not None:
        return Bid(int(bid[1]))
    if text.startswith("solve "):
        return Solve(parse_moves(text.removeprefix("solve ")))
    raise ValueError(f"expected pass, redeal, bid 1 to {MAX_MOVES} or solve red N, ..., got {text[:60]!r}")


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
