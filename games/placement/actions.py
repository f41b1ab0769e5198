"""The action of a seat: a plan of pieces to lay and steps to walk, and its one-line text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from gridjoust.games.grid import Cell, Direction, parse_direction

PASS_TEXT = "pass"  # noqa: S105 - the word is not a password
_PLACE = re.compile(r"(place|bar) ([0-9])( m)?( r(?:90|180|270))? @([0-9]{1,2}),([0-9]{1,2})")
_WALK = re.compile(r"walk [NESW](?: [NESW])*")


class Place(NamedTuple):
    """Lay piece number `piece` of the hand, turned and perhaps mirrored, with the top left of its box at `corner`.

    Its cells become Floor, or Wall if it is a barrier.
    """

    piece: int
    quarters: int
    mirrored: bool
    corner: Cell
    barrier: bool = False

    def __str__(self) -> str:
        mirror = " m" if self.mirrored else ""
        turn = f" r{90 * self.quarters}" if self.quarters else ""
        return f"{'bar' if self.barrier else 'place'} {self.piece}{mirror}{turn} @{self.corner.x},{self.corner.y}"


class Walk(NamedTuple):
    """Walk: the directions of steps over Floor cells, one after another."""

    steps: tuple[Direction, ...]

    def __str__(self) -> str:
        return " ".join(["walk", *map(str, self.steps)])


Part = Place | Walk


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts of one turn in order; a plan without parts is a pass."""

    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.parts)) or PASS_TEXT

    @property
    def steps(self) -> int:
        """Number of steps in all walks together."""
        return sum(len(part.steps) for part in self.parts if isinstance(part, Walk))

    @property
    def barriers(self) -> int:
        """Number of pieces laid as barriers."""
        return sum(part.barrier for part in self.parts if isinstance(part, Place))

    @property
    def pieces(self) -> tuple[int, ...]:
        """Numbers of the pieces laid, in order."""
        return tuple(part.piece for part in self.parts if isinstance(part, Place))


PASS = Plan()


def parse_plan(text: str) -> Plan:
    """Parse `"place 1 r90 @7,3; walk E E"` in exactly the form that `str` gives; ValueError for any other text."""
    if text == PASS_TEXT:
        return PASS
    plan = Plan(tuple(_parse_part(part) for part in text.split("; ")))
    if str(plan) != text:
        raise ValueError(f"expected {str(plan)[:80]!r}, got {text[:80]!r}")
    return plan


def _parse_part(text: str) -> Part:
    if _WALK.fullmatch(text):
        return Walk(tuple(parse_direction(sign) for sign in text.split(" ")[1:]))
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError(f"expected pass, or parts like 'place 1 m r90 @7,3' and 'walk E N' by '; ', got {text[:80]!r}")
    verb, piece, mirror, turn, x, y = found.groups()
    quarters = int(turn[2:]) // 90 if turn else 0
    return Place(int(piece), quarters, mirror is not None, Cell(int(x), int(y)), verb == "bar")
