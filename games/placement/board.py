"""Boards as integers: one bit per cell, so that a whole map is one value and a test on it is one operation.

Cell (x, y) is bit `y * stride + x`, with `stride = width + 1`. The extra column is never inside the board. A step or a
shape that passes the right end of a row falls into it and not into the next row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

Mask = int  # a set of cells
Path = tuple[Direction, ...]  # the steps of a walk
Rings = tuple[Mask, ...]  # [distance] -> the cells at that distance from the nearest goal


@dataclass(frozen=True, slots=True)
class Board:
    """The size of a board, the bits between two rows (`stride`) and the bit set of its cells; see `make_board`."""

    width: int
    height: int
    stride: int
    inside: Mask

    def bit(self, cell: Cell) -> int:
        """Return the number of the cell's bit in bit sets; the cell must lie on the board."""
        return cell.y * self.stride + cell.x

    def cell(self, bit: int) -> Cell:
        """Return the cell whose bit has that number."""
        return Cell(bit % self.stride, bit // self.stride)

    def is_inside(self, cell: Cell) -> bool:
        """Return True if the cell lies on the board."""
        return 0 <= cell.x < self.width and 0 <= cell.y < self.height

    def mask(self, cells: Iterable[Cell]) -> Mask:
        """Return these cells as a bit set; all must lie on the board."""
        return mask_of(y * self.stride + x for x, y in cells)

    def drawn(self, rows: Sequence[str], sign: str) -> Mask:
        """Return, as a bit set, the cells that have this sign in drawn rows."""
        return self.mask(Cell(x, y) for y, row in enumerate(rows) for x, drawn in enumerate(row) if drawn == sign)

    def cells(self, mask: Mask) -> list[Cell]:
        """Return the cells of a bit set, row by row."""
        return [self.cell(bit) for bit in members(mask)]

    def spread(self, mask: Mask) -> Mask:
        """Return, as a bit set, all cells one step from a cell of this set; its own cells may be among them."""
        stride = self.stride
        return (mask << 1 | mask >> 1 | mask << stride | mask >> stride) & self.inside


@lru_cache(maxsize=256)
def make_board(width: int, height: int) -> Board:
    """Return the board of this size."""
    row = (1 << width) - 1
    stride = width + 1
    return Board(width, height, stride, sum(row << y * stride for y in range(height)))


def walk_layers(board: Board, floor: Mask, start: Mask, moves: int) -> list[Mask]:
    """Return bit sets of the cells first reached with 0, 1, 2 … steps over Floor, up to `moves`; none is empty."""
    inside, stride = floor & board.inside, board.stride
    layers = [start]
    fresh, left = start, inside & ~start
    for _ in range(moves):
        fresh = (fresh << 1 | fresh >> 1 | fresh << stride | fresh >> stride) & left
        if not fresh:
            break
        left ^= fresh
        layers.append(fresh)
    return layers


def flood(board: Board, open_cells: Mask, start: Mask) -> Mask:
    """Return, as a bit set, the start cells and all cells that steps over the open cells lead to from them."""
    seen = fresh = start
    while fresh := board.spread(fresh) & open_cells & ~seen:
        seen |= fresh
    return seen


def steps_between(board: Board, floor: Mask, start: int, goals: Mask) -> int | None:
    """Return the fewest steps over Floor from a cell to any of `goals`, or None if there is no path."""
    layers = walk_layers(board, floor, 1 << start, board.inside.bit_count())
    return next((steps for steps, layer in enumerate(layers) if layer & goals), None)


def path_back(board: Board, layers: list[Mask], bit: int) -> Path:
    """Return a shortest walk to the cell through layers of `walk_layers`; ties prefer N, E, S, W in this order."""
    step = next(number for number, layer in enumerate(layers) if layer >> bit & 1)
    way: list[Direction] = []
    while step:
        step -= 1
        for direction in DIRECTIONS:
            before = bit - direction.dx - direction.dy * board.stride
            if before >= 0 and layers[step] >> before & 1:
                way.append(direction)
                bit = before
                break
    return tuple(reversed(way))


def paths_through(board: Board, layers: list[Mask]) -> list[Path]:
    """Return the walk of `path_back` to each cell of the layers, nearest cells first, each layer in row order."""
    steps = [(direction, direction.dx + direction.dy * board.stride) for direction in DIRECTIONS]
    before: dict[int, Path] = dict.fromkeys(members(layers[0]), ())
    paths = list(before.values())
    for layer in layers[1:]:
        fresh = {}
        for cell in members(layer):
            for direction, step in steps:
                if cell - step in before:
                    fresh[cell] = (*before[cell - step], direction)
                    break
        paths += fresh.values()
        before = fresh
    return paths


@lru_cache(maxsize=256)
def manhattan_rings(board: Board, goals: Mask) -> Rings:
    """Return bit sets of cells by Manhattan distance to the nearest goal, from 0; Void and Wall count like Floor."""
    rings, seen = [goals], goals
    while fresh := board.spread(rings[-1]) & ~seen:
        seen |= fresh
        rings.append(fresh)
    return tuple(rings)


def closest(rings: Rings, layers: Sequence[Mask]) -> tuple[int, int, Mask]:
    """Return the least distance to a goal after a walk, the fewest steps that lead so near, and the cells to end on.

    `rings` are cells by their distance to the nearest goal, `layers` cells by the steps from the start, both from 0. If
    no ring is reached, the walk ends at its start, and the distance is the number of rings.
    """
    reached = sum(layers)  # no two layers share a cell
    for distance, ring in enumerate(rings):
        if ring & reached:
            for steps, layer in enumerate(layers):
                if layer & ring:
                    return distance, steps, layer & ring
    return len(rings), 0, layers[0]
