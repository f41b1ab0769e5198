"""Cells, directions and walled grids shared by the games. Knows no rules and no search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Cell(NamedTuple):
    """A place on the board: x to the right, y down, (0, 0) top left."""

    x: int
    y: int

    def step(self, direction: Direction, distance: int = 1) -> Cell:
        """The cell `distance` cells away in `direction`; may lie outside any board."""
        return Cell(self.x + direction.dx * distance, self.y + direction.dy * distance)

    def manhattan(self, other: Cell) -> int:
        """Steps between two cells on an open four-way board."""
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
        """The direction straight back."""
        return self.turned(2)

    def turned(self, quarters: int) -> Direction:
        """This direction after `quarters` clockwise quarter turns (negative: the other way)."""
        return DIRECTIONS[(DIRECTIONS.index(self) + quarters) % 4]

    def __str__(self) -> str:
        return self.name


DIRECTIONS: tuple[Direction, ...] = tuple(Direction)


def parse_direction(text: str) -> Direction:
    """`"N"` -> `Direction.N`; ValueError for anything else."""
    try:
        return Direction[text]
    except KeyError:
        raise ValueError(f"expected a direction N, E, S or W, got {text!r}") from None


@dataclass(frozen=True, slots=True)
class Grid:
    """A board of blocked and free cells, with optional thin walls between neighbours.

    `blocked` holds cells nothing can enter; `walls` holds (cell, direction) edges, each stored from both
    sides by `make_grid`.
    """

    width: int
    height: int
    blocked: frozenset[Cell] = frozenset()
    walls: frozenset[tuple[Cell, Direction]] = frozenset()

    def is_inside(self, cell: Cell) -> bool:
        """Whether the cell lies on the board."""
        return 0 <= cell.x < self.width and 0 <= cell.y < self.height

    def is_free(self, cell: Cell) -> bool:
        """Whether the cell lies on the board and is not blocked."""
        return self.is_inside(cell) and cell not in self.blocked

    def can_step(self, cell: Cell, direction: Direction) -> bool:
        """Whether one step from `cell` in `direction` meets no wall, border or blocked cell."""
        return (cell, direction) not in self.walls and self.is_free(cell.step(direction))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Cells one step away, in the order N, E, S, W."""
        return [cell.step(direction) for direction in DIRECTIONS if self.can_step(cell, direction)]

    def slide(self, cell: Cell, direction: Direction, stops: Iterable[Cell] = ()) -> Cell:
        """The last cell reached from `cell` before a wall, the border, a blocked cell or one of `stops`."""
        obstacles = frozenset(stops)
        while self.can_step(cell, direction) and cell.step(direction) not in obstacles:
            cell = cell.step(direction)
        return cell

    def cells(self) -> Iterator[Cell]:
        """Every cell of the board, row by row."""
        return (Cell(x, y) for y in range(self.height) for x in range(self.width))


def make_grid(
    width: int,
    height: int,
    *,
    blocked: Iterable[Cell] = (),
    walls: Iterable[tuple[Cell, Direction]] = (),
) -> Grid:
    """A grid whose thin walls hold from both sides."""
    edges = set(walls)
    edges |= {(cell.step(direction), direction.opposite) for cell, direction in edges}
    return Grid(width, height, frozenset(blocked), frozenset(edges))


def parse_rows(*rows: str) -> dict[Cell, str]:
    """Drawn rows -> one character per cell; all rows must have the same length.

    >>> parse_rows("#.", ".0")[Cell(1, 1)]
    '0'
    """
    if not rows or not rows[0]:
        raise ValueError("expected at least one row with at least one cell, got an empty board")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ValueError(f"row {number}: expected {len(rows[0])} cells, got {len(row)}")
    return {Cell(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def parse_grid(*rows: str, blocked: str = "#") -> Grid:
    """A grid from drawn rows: characters in `blocked` are blocked cells, all others free.

    >>> parse_grid("#..", "...").neighbours(Cell(1, 0))
    [Cell(x=2, y=0), Cell(x=1, y=1)]
    """
    signs = parse_rows(*rows)
    return Grid(len(rows[0]), len(rows), frozenset(cell for cell, sign in signs.items() if sign in blocked))


def format_cells(width: int, height: int, signs: Mapping[Cell, str], empty: str = ".") -> str:
    """Draw one character per cell, rows joined by newlines."""
    return "\n".join("".join(signs.get(Cell(x, y), empty) for x in range(width)) for y in range(height))


def format_grid(grid: Grid, signs: Mapping[Cell, str] | None = None) -> str:
    """Draw a grid: `#` for blocked cells, `.` for free ones, `signs` on top (thin walls are not drawn)."""
    return format_cells(grid.width, grid.height, dict.fromkeys(grid.blocked, "#") | dict(signs or {}))
