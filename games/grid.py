"""Cells, directions and drawn rows, shared by the games."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple


class Cell(NamedTuple):
    """A cell of the board: x to the right, y down, (0, 0) top left."""

    x: int
    y: int

    def step(self, direction: Direction, distance: int = 1) -> Cell:
        """Return the cell `distance` cells away in `direction`; it may lie outside the board."""
        return Cell(self.x + direction.dx * distance, self.y + direction.dy * distance)

    def manhattan(self, other: Cell) -> int:
        """Return the number of steps between two cells on an open four-way board."""
        return abs(self.x - other.x) + abs(self.y - other.y)


class Direction(Enum):
    """The four directions, clockwise from north; the value is (dx, dy) with y down."""

    N = (0, -1)
    E = (1, 0)
    S = (0, 1)
    W = (-1, 0)

    def __init__(self, dx: int, dy: int) -> None:
        self.dx = dx
        self.dy = dy

    @property
    def opposite(self) -> Direction:
        """The opposite direction."""
        return self.turned(2)

    def turned(self, quarters: int) -> Direction:
        """Return this direction after `quarters` clockwise quarter turns; negative turns are anticlockwise."""
        return DIRECTIONS[(DIRECTIONS.index(self) + quarters) % 4]

    def __str__(self) -> str:
        return self.name


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)


def parse_direction(text: str) -> Direction:
    """Parse `"N"`, `"E"`, `"S"` or `"W"`; ValueError for any other text."""
    try:
        return Direction[text]
    except KeyError:
        raise ValueError(f"expected a direction N, E, S or W, got {text!r}") from None


def parse_rows(*rows: str) -> dict[Cell, str]:
    """Parse drawn rows into one character per cell; all rows must have the same length.

    >>> parse_rows("#.", ".0")[Cell(1, 1)]
    '0'
    """
    if not rows or not rows[0]:
        raise ValueError("expected at least one row with at least one cell, got an empty board")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {number}: expected {len(rows[0])} cells, got {len(row)}")
    return {Cell(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def format_cells(width: int, height: int, signs: Mapping[Cell, str], empty: str = ".") -> str:
    """Draw one character per cell; newlines join the rows."""
    return "\n".join("".join(signs.get(Cell(x, y), empty) for x in range(width)) for y in range(height))
