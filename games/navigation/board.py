"""A grid map as the rules see it: blocked and free cells, the moves of a robot, the range of its sensor.

Cells are numbers, row by row: `cell = y * width + x`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

SQRT2 = 2**0.5


class Heading(Enum):
    """The eight headings in the order in which planners break ties; the value is (dx, dy) with y down."""

    N = (0, -1)
    E = (1, 0)
    S = (0, 1)
    W = (-1, 0)
    NE = (1, -1)
    SE = (1, 1)
    SW = (-1, 1)
    NW = (-1, -1)

    def __init__(self, dx: int, dy: int) -> None:
        self.dx = dx
        self.dy = dy
        self.is_diagonal = dx != 0 and dy != 0


HEADINGS: tuple[Heading, ...] = tuple(Heading)


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of a robot; without `cut_corners`, a diagonal step needs both cells beside it free."""

    headings: tuple[Heading, ...]
    diagonal_cost: float
    cut_corners: bool

    @property
    def connectivity(self) -> int:
        """Number of neighbours of a cell, 4 or 8."""
        return len(self.headings)

    def cost(self, straight: int, diagonal: int) -> float:
        """Return the cost of that many straight and diagonal steps."""
        return straight + diagonal * self.diagonal_cost


MOVES: Mapping[str, Moves] = {
    "4": Moves(HEADINGS[:4], 1.0, cut_corners=False),
    "8": Moves(HEADINGS, SQRT2, cut_corners=False),
    "8-unit": Moves(HEADINGS, 1.0, cut_corners=True),
}
"""By connectivity: four neighbours; the benchmark's octile rule; all moves cost 1 and may cut corners."""


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of blocked and free cells: one byte a cell, 1 = blocked."""

    width: int
    height: int
    blocked: bytes

    @property
    def size(self) -> int:
        """Number of cells on the board."""
        return self.width * self.height

    def place(self, cell: int) -> tuple[int, int]:
        """Return (x, y) of a cell."""
        return cell % self.width, cell // self.width

    def number(self, x: int, y: int) -> int:
        """Return the number of the cell at (x, y)."""
        return y * self.width + x

    def step(self, moves: Moves, cell: int, heading: Heading) -> int | None:
        """Return the cell after one step, or None if the map forbids it; `cell` itself may be blocked."""
        x, y = cell % self.width + heading.dx, cell // self.width + heading.dy
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        target = y * self.width + x
        if self.blocked[target]:
            return None
        if heading.is_diagonal and not moves.cut_corners:
            beside, across = cell + heading.dx, cell + heading.dy * self.width
            if self.blocked[beside] or self.blocked[across]:
                return None
        return target

    def with_flipped(self, cells: tuple[int, ...]) -> Board:
        """Return the board with these cells changed from free to blocked or back."""
        blocked = bytearray(self.blocked)
        for cell in cells:
            blocked[cell] ^= 1
        return Board(self.width, self.height, bytes(blocked))


def step_cells(width: int, cell: int, heading: Heading) -> tuple[int, int, int]:
    """Return the cell one step away, which must be on the board, and the two cells that a diagonal step passes."""
    beside, across = cell + heading.dx, cell + heading.dy * width
    return across + heading.dx, beside, across


@lru_cache(maxsize=1 << 14)
def cells_in_range(width: int, height: int, cell: int, radius: int, connectivity: int) -> tuple[int, ...]:
    """Return the cells that a sensor covers, row by row.

    These are the cells at most `radius` moves away on an empty board, including the cell itself.
    """
    x, y = cell % width, cell // width
    return tuple(
        row * width + column
        for row in range(max(0, y - radius), min(height, y + radius + 1))
        for column in range(max(0, x - radius), min(width, x + radius + 1))
        if connectivity == 8 or abs(row - y) + abs(column - x) <= radius
    )
