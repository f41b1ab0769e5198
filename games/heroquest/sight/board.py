"""A board of rooms and corridors as a value: walls, open doors and blocked squares.

It is drawn as text, one sign a square: `.` corridor, a letter for each room, `#` solid rock. Walls stand between
different rooms and between room and corridor; an open door removes one wall edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files
from string import ascii_letters

from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell, parse_rows
from gridjoust.games.heroquest.sight.lines import EAST, NORTH, SOUTH, WEST

Square = tuple[int, int]
Edge = tuple[Square, Square]  # two neighbours, the upper or left one first; `make_edge` makes it

CORRIDOR = 0
ROCK = -1
SIGNS = {ROCK: "#", CORRIDOR: ".", **dict(enumerate(ascii_letters[26:] + ascii_letters[:26], start=1))}  # A-Z, then a-z
REGIONS = {sign: region for region, sign in SIGNS.items()}
OPPOSITE = {NORTH: SOUTH, EAST: WEST, SOUTH: NORTH, WEST: EAST}


def make_edge(one: Square, other: Square) -> Edge:
    """Return the edge between two neighbouring squares; ValueError if they are not neighbours."""
    if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
        raise ValueError(f"edge: expected two neighbouring squares, got {tuple(one)} and {tuple(other)}")
    return (Cell(*one), Cell(*other)) if tuple(one) < tuple(other) else (Cell(*other), Cell(*one))


@dataclass(slots=True)
class SightTables:
    """Results of sight on one board: for each square, the bit set of the squares seen from it, once it is computed."""

    sides: tuple[int, ...]  # open sides of every square, as bits
    solid: bytes  # 1 = blocked or rock
    rows: dict[tuple[str, int], list[int | None]] = field(default_factory=dict)  # (algorithm, rays) -> by square


@dataclass(frozen=True, slots=True)
class Board:
    """A board for line of sight: its regions, open doors, blocked squares and figures; walls follow from the regions.

    Regions are listed row by row: 0 corridor, 1, 2 … rooms, -1 rock.
    """

    width: int
    height: int
    regions: tuple[int, ...]
    open_doors: frozenset[Edge] = frozenset()
    blocked: frozenset[Square] = frozenset()  # squares that nothing enters; as a target they can be seen
    figures: frozenset[Square] = frozenset()
    tables: SightTables = field(init=False, repr=False, compare=False)
    index: dict[Square, int] = field(init=False, repr=False, compare=False)  # number of each square, row by row

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or len(self.regions) != self.width * self.height:
            expected = f"{self.width} x {self.height} regions"
            raise ValueError(f"board: expected {expected}, got {len(self.regions)}")
        object.__setattr__(self, "index", _numbers(self.width, self.height))
        for place in (*self.blocked, *self.figures):
            self.number(place)
        blocked = {self.index[place] for place in self.blocked}
        solid = bytes(region == ROCK or number in blocked for number, region in enumerate(self.regions))
        object.__setattr__(self, "tables", SightTables(self._sides(), solid))

    @staticmethod
    @cache
    def standard() -> Board:
        """Return the printed board, 26 x 19, with all doors closed and nothing on it."""
        text = files("gridjoust.games.heroquest").joinpath("boards", "standard.txt").read_text(encoding="utf-8")
        return Board.parse(*text.split())

    @classmethod
    def parse(cls, *rows: str) -> Board:
        """Parse a drawn board; ValueError says which row or sign is wrong."""
        signs = parse_rows(*rows)
        for cell, sign in signs.items():
            if sign not in REGIONS:
                raise ValueError(f"row {cell.y}, column {cell.x}: expected a letter, '.' or '#', got {sign!r}")
        return cls(len(rows[0]), len(rows), tuple(REGIONS[sign] for sign in signs.values()))

    def rows(self) -> list[str]:
        """Return the board as rows of text, without the things on it."""
        signs = "".join([SIGNS[region] for region in self.regions])
        return [signs[row : row + self.width] for row in range(0, len(signs), self.width)]

    def number(self, square: Square) -> int:
        """Return the number of a square, row by row; ValueError off the board."""
        number = self.index.get(square)
        if number is None:
            raise ValueError(f"square: expected one on a {self.width} x {self.height} board, got {tuple(square)}")
        return number

    def square(self, number: int) -> Cell:
        """Return the square with that number."""
        return Cell(number % self.width, number // self.width)

    def region(self, square: Square) -> int:
        """Return 0 in a corridor, the room's number in a room, -1 in rock."""
        return self.regions[self.number(square)]

    def squares(self, mask: int) -> list[Cell]:
        """Return the squares of a bit set, row by row."""
        return [self.square(number) for number in members(mask)]

    def is_wall(self, one: Square, other: Square) -> bool:
        """Return True if a wall or closed door stands between two neighbouring squares, or one is off the board."""
        if one not in self.index or other not in self.index:
            return True
        if self.region(one) == self.region(other):
            return False
        return make_edge(one, other) not in self.open_doors

    def with_figures(self, squares: Iterable[Square]) -> Board:
        """Return this board with figures on exactly these squares."""
        return replace(self, figures=frozenset(Cell(*place) for place in squares))

    def _sides(self) -> tuple[int, ...]:
        closed = _closed_sides(self.width, self.regions)
        if not self.open_doors:
            return closed
        sides = list(closed)
        for one, other in self.open_doors:
            first, side = self.number(one), EAST if one[1] == other[1] else SOUTH
            sides[first] |= side
            sides[self.number(other)] |= OPPOSITE[side]
        return tuple(sides)


@lru_cache(maxsize=64)
def _closed_sides(width: int, regions: tuple[int, ...]) -> tuple[int, ...]:
    """Return for each square, as bits, the sides without a wall; walls and closed doors separate the regions."""
    sides = [0] * len(regions)
    for number, region in enumerate(regions):
        if (number + 1) % width and regions[number + 1] == region:
            sides[number] |= EAST
            sides[number + 1] |= WEST
        if number + width < len(sides) and regions[number + width] == region:
            sides[number] |= SOUTH
            sides[number + width] |= NORTH
    return tuple(sides)


@cache
def edges_of(width: int, height: int) -> tuple[int, ...]:
    """Return for each square, as bits, the sides on which the board goes on, as if it had no walls."""
    return _closed_sides(width, (CORRIDOR,) * (width * height))


@cache
def _numbers(width: int, height: int) -> dict[Square, int]:
    return {Cell(number % width, number // width): number for number in range(width * height)}
