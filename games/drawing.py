"""Drawings of boards as values: shapes in units of cells, and the texts beside the board.

A game that can be drawn has a module `drawing` with `draw(game, state, past, *, seat)`. `past` holds the earlier
states. `seat` None shows everything, a number only what that seat may know, `PUBLIC` what everyone may know now. Cell
(x, y) covers x to x + 1 to the right and y to y + 1 downwards. Colours are names; the writer of a drawing chooses the
shades for light and dark backgrounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from gridjoust.games.grid import Cell

Point = tuple[float, float]
PUBLIC = -1  # not a seat number: draw only what everyone may know


class Ink(Enum):
    """Colours, named by their purpose."""

    FLOOR = "floor"
    FOG = "fog"
    GRID = "grid"
    WALL = "wall"
    TEXT = "text"
    SOFT = "soft"
    WOOD = "wood"
    ROCK = "rock"
    GOLD = "gold"
    FIRE = "fire"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    YELLOW = "yellow"
    SILVER = "silver"
    VIOLET = "violet"
    SEAT_0 = "seat-0"
    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    SEAT_5 = "seat-5"


_PIECE = 16  # steps in one line of a trail; when the trail grows, only its last line changes
SEATS = (Ink.SEAT_0, Ink.SEAT_1, Ink.SEAT_2, Ink.SEAT_3, Ink.SEAT_4, Ink.SEAT_5)


class Sign(Enum):
    """The icons that games share; each fits into one cell."""

    AMMO = "ammo"
    BOMB = "bomb"
    CHEST = "chest"
    DIAMOND = "diamond"
    FLAG = "flag"
    FLAME = "flame"
    HEXAGON = "hexagon"
    SKULL = "skull"
    SQUARE = "square"
    STAIRS = "stairs"
    STAR = "star"
    TRAP = "trap"
    TRIANGLE = "triangle"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; `rounded` is the radius of its corners."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink
    rounded: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line through several points."""

    points: tuple[Point, ...]
    ink: Ink
    width: float = 0.1
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc, or a ring if `is_hollow`."""

    x: float
    y: float
    radius: float
    ink: Ink
    is_hollow: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A text centred on a point."""

    x: float
    y: float
    text: str
    ink: Ink
    size: float = 0.6


@dataclass(frozen=True, slots=True)
class Icon:
    """A sign centred on a point; `size` is its width in cells."""

    x: float
    y: float
    sign: Sign
    ink: Ink
    size: float = 0.8


Shape = Rect | Line | Circle | Text | Icon


@dataclass(frozen=True, slots=True)
class Layer:
    """Shapes that belong together, such as the ground; the first shape lies lowest."""

    name: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """One line of the legend beside a board: a shape, drawn in one cell, and its meaning."""

    shape: Shape
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The line of one seat in the panel beside the board; unknown or missing values are empty.

    `score` is what the seat wants more of: a number, then its unit ("26 points").
    """

    seat: int
    shape: Shape
    role: str = ""
    score: str = ""
    lives: str = ""
    resources: tuple[str, ...] = ()
    note: str = ""  # such as whose turn it is
    is_out: bool = False  # dead or lost

    @property
    def text(self) -> str:
        """The seat and all its values as one line of text."""
        name = f"seat {self.seat}{f', {self.role}' if self.role else ''}"
        told = ", ".join(filter(None, (self.score, self.lives, *self.resources, self.note)))
        return f"{name}: {told}" if told else name


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn board of `width` by `height` cells, with its seats and legend; the first layer lies lowest."""

    title: str
    width: float
    height: float
    layers: tuple[Layer, ...]
    seats: tuple[Standing, ...] = ()
    legend: tuple[Beside, ...] = ()


def fill(cells: Iterable[tuple[int, int]], ink: Ink, *, inset: float = 0.0, rounded: float = 0.0) -> tuple[Rect, ...]:
    """Return a filled square for each cell; `inset` is the free margin on each side, in cells."""
    return tuple(_square(x, y, ink, inset, rounded) for x, y in cells)


@lru_cache(maxsize=1 << 12)
def _square(x: int, y: int, ink: Ink, inset: float, rounded: float) -> Rect:
    side = 1 - 2 * inset
    return Rect(x + inset, y + inset, side, side, ink, rounded)


def signs(cells: Iterable[tuple[int, int]], sign: Sign, ink: Ink, *, size: float = 0.8) -> tuple[Icon, ...]:
    """Return the same sign in the middle of each cell."""
    return tuple(_sign(x, y, sign, ink, size) for x, y in cells)


@lru_cache(maxsize=1 << 12)
def _sign(x: int, y: int, sign: Sign, ink: Ink, size: float) -> Icon:
    return Icon(x + 0.5, y + 0.5, sign, ink, size)


def figure(cell: tuple[int, int], label: str, ink: Ink, *, radius: float = 0.38) -> tuple[Shape, ...]:
    """Return a disc in the middle of a cell, with a letter or number on it."""
    return _figure(cell[0] + 0.5, cell[1] + 0.5, label, ink, radius)


@lru_cache(maxsize=1 << 12)
def _figure(x: float, y: float, label: str, ink: Ink, radius: float) -> tuple[Shape, ...]:
    return (Circle(x, y, radius, ink), Text(x, y, label, Ink.FLOOR, radius * 1.4))


def key(shapes: Iterable[Shape], text: str) -> Beside:
    """Return a line of the legend with the first of these shapes, which must lie in cell (0, 0)."""
    return Beside(next(iter(shapes)), text)


def ground(width: int, height: int, ink: Ink = Ink.FLOOR) -> Layer:
    """Return the lowest layer: the whole board in one colour."""
    return Layer("ground", (Rect(0, 0, width, height, ink),))


@lru_cache(maxsize=64)
def grid(width: int, height: int) -> Layer:
    """Return a layer with the lines between the cells."""
    upright = (Line(((x, 0), (x, height)), Ink.GRID, 0.03) for x in range(width + 1))
    across = (Line(((0, y), (width, y)), Ink.GRID, 0.03) for y in range(height + 1))
    return Layer("grid", (*upright, *across))


def trail(places: Iterable[tuple[int, int]], ink: Ink, *, width: float = 0.22) -> tuple[Line, ...]:
    """Draw the path through the middles of these cells as short lines; empty if it never leaves its first cell."""
    points: list[Point] = []
    for x, y in places:
        if not points or points[-1] != (x + 0.5, y + 0.5):
            points.append((x + 0.5, y + 0.5))
    pieces = (tuple(points[at : at + _PIECE + 1]) for at in range(0, len(points) - 1, _PIECE))
    return tuple(Line(piece, ink, width) for piece in pieces)


def side_of(cell: Cell, side: tuple[int, int]) -> tuple[Point, Point]:
    """Return both end points of the edge of a cell on the side (dx, dy)."""
    dx, dy = side
    x, y = cell.x + 0.5 + dx / 2, cell.y + 0.5 + dy / 2
    return (x - dy / 2, y - dx / 2), (x + dy / 2, y + dx / 2)
