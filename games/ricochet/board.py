"""A ricochet board: walls, targets, diagonals, openings, and the slide of one robot on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

from gridjoust.games.grid import Cell, Direction


class Colour(Enum):
    """The robots; `SILVER` is the neutral one. The value is the robot's letter in drawn boards."""

    RED = "r"
    GREEN = "g"
    BLUE = "b"
    YELLOW = "y"
    SILVER = "s"

    def __str__(self) -> str:
        return self.name.lower()


class Symbol(Enum):
    """The symbols on target cells; the value is the letter in drawn boards."""

    TRIANGLE = "t"
    SQUARE = "s"
    CIRCLE = "c"
    HEXAGON = "h"
    VORTEX = "v"

    def __str__(self) -> str:
        return self.name.lower()


COLOURS: tuple[Colour, ...] = tuple(Colour)
ANY = "any"

Edge = tuple[Cell, Direction]  # a side of a cell
Robots = tuple[Cell, ...]  # one cell per robot, in the order of COLOURS; four, or five with silver


@cache
def _words(colour: Colour | None, symbol: Symbol) -> str:
    return f"{colour or ANY} {symbol}"


@dataclass(frozen=True, slots=True)
class Target:
    """A cell to stop on, and the colour of the robot that must stop there; None = any robot (the vortex)."""

    cell: Cell
    colour: Colour | None
    symbol: Symbol

    def __lt__(self, other: Target) -> bool:
        return (self.cell.y, self.cell.x) < (other.cell.y, other.cell.x)

    def __str__(self) -> str:
        return _words(self.colour, self.symbol)

    @property
    def task(self) -> str:
        """The robot and the cell that it must reach, in words."""
        return f"{self.colour or 'any robot'} to {self} at {self.cell.x},{self.cell.y}"


@dataclass(frozen=True, slots=True)
class Diagonal:
    """A coloured diagonal: robots of its colour pass, others turn 90 degrees and slide on."""

    colour: Colour
    rising: bool  # True is drawn `/`, False `\\`

    def turned(self, heading: Direction) -> Direction:
        """Return the heading of a robot after the diagonal, given its heading before."""
        quarters = 1 if (heading.dx == 0) == self.rising else -1
        return heading.turned(quarters)


@dataclass(frozen=True, slots=True)
class Board:
    """The parts of a board that never move.

    `walls` are edges between cells, each listed from both of its cells. `openings` are edges of the border. A robot
    that slides out there comes in at the opposite edge, which is listed too. `halt` is a target that its robot cannot
    slide over; it is None if robots may slide on over their target (`pass_goal`).
    """

    width: int
    height: int
    blocked: frozenset[Cell] = frozenset()  # cells that nothing can enter
    walls: frozenset[Edge] = frozenset()
    targets: tuple[Target, ...] = ()
    diagonals: tuple[tuple[Cell, Diagonal], ...] = ()  # sorted by cell
    openings: frozenset[Edge] = frozenset()
    pass_goal: bool = True
    halt: Target | None = None

    def wanting(self, target: Target) -> Board:
        """Return the board to play for this target: unchanged if `pass_goal`, otherwise with the target as `halt`."""
        return self if self.pass_goal else replace(self, halt=target)

    def is_halt(self, cell: Cell, colour: Colour) -> bool:
        """Return True if the cell is a target that a robot of this colour cannot slide over."""
        return self.halt is not None and self.halt.cell == cell and self.halt.colour in (None, colour)

    def is_inside(self, cell: Cell) -> bool:
        """Return True if the cell lies on the board."""
        return 0 <= cell.x < self.width and 0 <= cell.y < self.height

    def is_free(self, cell: Cell) -> bool:
        """Return True if the cell lies on the board and is not blocked."""
        return self.is_inside(cell) and cell not in self.blocked

    def wrapped(self, cell: Cell, side: Direction) -> Cell:
        """Return the cell one step towards `side`; beyond the border, the cell at the opposite border."""
        outside = cell.step(side)
        return Cell(outside.x % self.width, outside.y % self.height)

    def cells(self) -> Iterator[Cell]:
        """Return every cell of the board, row by row."""
        return (Cell(x, y) for y in range(self.height) for x in range(self.width))

    def start_cells(self) -> list[Cell]:
        """Return the cells on which a robot may start, row by row: not blocked, without symbol or diagonal."""
        taken = {target.cell for target in self.targets} | {cell for cell, _ in self.diagonals} | self.blocked
        return [cell for cell in self.cells() if cell not in taken]

    def has_wall(self, cell: Cell, side: Direction) -> bool:
        """Return True if the edge on that side of the cell is a wall or closed border; `cell` may lie just outside."""
        if not self.is_inside(cell):
            cell, side = cell.step(side), side.opposite
        return (cell, side) in self.walls if self.is_inside(cell.step(side)) else (cell, side) not in self.openings

    def next_cell(self, cell: Cell, heading: Direction) -> Cell | None:
        """Return the cell one step ahead, also through an opening; None at a wall, closed border or blocked cell."""
        if (cell, heading) in self.openings:
            return self.wrapped(cell, heading)
        there = cell.step(heading)
        return there if (cell, heading) not in self.walls and self.is_free(there) else None


def both_sides(edges: Iterable[Edge]) -> frozenset[Edge]:
    """Return each edge (cell, side) twice: as given, and as seen from the neighbouring cell."""
    own = frozenset(edges)
    return own | {(cell.step(side), side.opposite) for cell, side in own}


def sorted_edges(edges: Iterable[Edge]) -> list[Edge]:
    """Sort edges by cell, then by the name of the side."""
    return sorted(edges, key=lambda edge: (edge[0], edge[1].name))


@dataclass(frozen=True, slots=True)
class Slide:
    """One move of one robot: the cells it enters, ending with its stop, and its heading in each."""

    cells: tuple[Cell, ...]
    headings: tuple[Direction, ...]  # heading on entering each cell

    @property
    def stop(self) -> Cell:
        """The cell where the robot stops."""
        return self.cells[-1]

    @property
    def arrival(self) -> Direction:
        """The heading with which the robot stopped."""
        return self.headings[-1]


def slide(board: Board, colour: Colour, cell: Cell, direction: Direction, others: Collection[Cell]) -> Slide | None:
    """Return the slide of a robot from the cell, or None if it cannot move, ends where it began or never stops.

    A robot can slide for ever through openings. `others` are the cells of the other robots.
    """
    diagonals = dict(board.diagonals)
    cells: list[Cell] = []
    headings: list[Direction] = []
    here, heading = cell, direction
    while (there := board.next_cell(here, heading)) is not None and there not in others:
        cells.append(there)
        headings.append(heading)
        if board.is_halt(there, colour):
            break
        mirror = diagonals.get(there)
        if mirror is not None and mirror.colour is not colour:
            heading = mirror.turned(heading)
        if (there, heading) == (cell, direction):
            return None  # the robot would go round and round through openings
        here = there
    if not cells or cells[-1] == cell:
        return None
    return Slide(tuple(cells), tuple(headings))


def with_openings(board: Board, edges: Iterable[Edge]) -> Board:
    """Return the board with these border edges and the ones opposite open; ValueError if one cannot be opened."""
    opened = set(board.openings)
    for cell, direction in edges:
        if board.is_inside(cell.step(direction)):
            raise ValueError(f"expected an edge of the border, got {cell.x},{cell.y} {direction}")
        twin = board.wrapped(cell, direction)
        if not (board.is_free(cell) and board.is_free(twin)):
            raise ValueError(f"expected free cells behind an opening, got {cell.x},{cell.y} {direction}")
        opened |= {(cell, direction), (twin, direction.opposite)}
    return replace(board, openings=frozenset(opened))
