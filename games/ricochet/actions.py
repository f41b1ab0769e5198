"""The actions of ricochet and their texts; `legal` decides which are allowed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gridjoust.games.grid import Direction
from gridjoust.games.ricochet.board import Colour
from gridjoust.games.ricochet.params import MAX_MOVES
from gridjoust.games.ricochet.proof import Move


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid to solve the position in so many moves, such as `bid 7`."""

    amount: int

    def __str__(self) -> str:
        return f"bid {self.amount}"


@dataclass(frozen=True, slots=True)
class Solve:
    """Give the moves of a solution, such as `solve blue E, red N`."""

    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return "solve " + ", ".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass: make no (further) bid in this round, or give no proof or no solution."""

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Redeal:
    """Ask for new robot positions; granted if all other seats ask too or passed without a bid."""

    def __str__(self) -> str:
        return "redeal"


Action = Bid | Solve | Pass | Redeal

_BID = re.compile(r"bid ([1-9][0-9]?)")

_MOVE = re.compile(r"(red|green|blue|yellow|silver) ([NESW])")


def parse_action(text: str) -> Action:
    """Parse the canonical text of an action; ValueError for any other text."""
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
    """Parse moves such as `"blue E, red N"`; ValueError names the first part that is not a move."""
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
