"""Find if a piece fits: steps 2 to 4 of the article's method, with its fit map and two others to compare.

*Rows* (the article's): for every cell the next five cells as bit fields, so that one row of a piece is one operation.
*Windows*: the 5 x 5 cells from every cell on in one 64-bit word, so that a piece is two operations. *Whole board*: the
same test for all cells at once (`gridjoust.games.placement.pieces.fits`), which needs no map. The planner uses this
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from typing import NamedTuple

from gridjoust.games.grid import Cell
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask
from gridjoust.games.placement.pieces import MAX_BOX, Shape, fits

ADJACENT_SHIFT = 32  # of a window's upper half


class CellType(IntFlag):
    """The type of a cell as a single bit, so that one AND tests for several types."""

    FLOOR = 1
    VOID = 2
    WALL = 4


BUILDABLE = CellType.VOID
PASSABLE = CellType.FLOOR


def pathability_map(position: Position) -> list[list[CellType]]:
    """Return the type of every cell, by row and column (step 2)."""
    board = position.board

    def cell_type(x: int, y: int) -> CellType:
        bit = board.bit(Cell(x, y))
        if position.floor >> bit & 1:
            return CellType.FLOOR
        return CellType.WALL if position.walls >> bit & 1 else CellType.VOID

    return [[cell_type(x, y) for x in range(board.width)] for y in range(board.height)]


def adjacency_map(pathability: Sequence[Sequence[CellType]]) -> list[list[bool]]:
    """Return by row and column if a cell is Void beside Floor (step 3)."""
    height, width = len(pathability), len(pathability[0])

    def is_adjacent(x: int, y: int) -> bool:
        if not pathability[y][x] & BUILDABLE:
            return False
        near = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        return any(pathability[b][a] & PASSABLE for a, b in near if 0 <= a < width and 0 <= b < height)

    return [[is_adjacent(x, y) for x in range(width)] for y in range(height)]


class RowFit(NamedTuple):
    """Two bit fields about a cell and the four to its right (bit i is cell i): free, and adjacent to Floor."""

    free: int
    adjacent: int


def row_fit_map(pathability: Sequence[Sequence[CellType]], adjacency: Sequence[Sequence[bool]]) -> list[list[RowFit]]:
    """Return the article's fit map (step 4): a `RowFit` for every cell; cells beyond the board are not free."""
    fit_rows = []
    for types, touches in zip(pathability, adjacency, strict=True):
        free = sum(1 << x for x, kind in enumerate(types) if kind & BUILDABLE)
        adjacent = sum(1 << x for x, touch in enumerate(touches) if touch)
        field = (1 << MAX_BOX) - 1
        fit_rows.append([RowFit(free >> x & field, adjacent >> x & field) for x in range(len(types))])
    return fit_rows


def piece_rows(shape: Shape) -> tuple[int, ...]:
    """Return the cells of the piece row by row as bits: bit x is column x."""
    rows = [0] * (max(y for _, y in shape) + 1)
    for x, y in shape:
        rows[y] |= 1 << x
    return tuple(rows)


def fits_by_rows(fit_rows: Sequence[Sequence[RowFit]], shape: Shape, corner: Cell) -> bool:
    """Return True if the piece is legal with its top left corner there; it takes a few operations a row."""
    rows = piece_rows(shape)
    if corner.y + len(rows) > len(fit_rows):
        return False
    touches = False
    for y, row in enumerate(rows, start=corner.y):
        fit = fit_rows[y][corner.x]
        if row & ~fit.free:
            return False
        touches = touches or bool(row & fit.adjacent)
    return touches


def window_fit_map(fit_rows: Sequence[Sequence[RowFit]]) -> list[list[int]]:
    """Return for every cell the 5 x 5 cells from it on as one number: free ones from bit 0, adjacent from bit 32."""
    height, width = len(fit_rows), len(fit_rows[0])

    def window(x: int, y: int) -> int:
        word = 0
        for down in range(min(MAX_BOX, height - y)):
            free, adjacent = fit_rows[y + down][x]
            word |= (free | adjacent << ADJACENT_SHIFT) << MAX_BOX * down
        return word

    return [[window(x, y) for x in range(width)] for y in range(height)]


def piece_word(shape: Shape) -> int:
    """Return the cells of the piece as one number, in the bits of a window of `window_fit_map`."""
    return sum(1 << MAX_BOX * y + x for x, y in shape)


def fits_by_window(windows: Sequence[Sequence[int]], word: int, corner: Cell) -> bool:
    """Return True if the piece is legal with its top left corner there; it takes two operations."""
    window = windows[corner.y][corner.x]
    return not word & ~window and bool(word << ADJACENT_SHIFT & window)


def fits_by_board(board: Board, shape: Shape, void: Mask, beside: Mask) -> Mask:
    """Return every corner at which the piece is legal, by two operations on the whole board for each cell of it."""
    return fits(shape, board.stride, void, beside)
