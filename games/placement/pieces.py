"""Polyominoes: all of them up to six cells, turned and mirrored, and the places where one fits on a board.

A shape is its cells in rows, moved to the top left corner: the smallest x and the smallest y are 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gridjoust.games.grid import Cell
from gridjoust.games.placement.board import Board, Mask

Shape = tuple[Cell, ...]
MAX_CELLS = 6
MAX_BOX = 5  # most columns and rows of a piece
QUARTERS = (0, 1, 2, 3)


def make_shape(cells: Iterable[tuple[int, int]]) -> Shape:
    """Return the cells moved to the top left, row by row; ValueError unless they are connected and distinct.

    >>> make_shape([(5, 5), (4, 5), (5, 4)])
    (Cell(x=1, y=0), Cell(x=0, y=1), Cell(x=1, y=1))
    """
    given = [Cell(x, y) for x, y in cells]
    shape = _moved(given)
    if not shape or len(set(shape)) != len(shape) or not _is_connected(shape):
        raise ValueError(f"piece: expected distinct connected cells, got {[list(cell) for cell in given]}")
    return shape


def _moved(cells: Iterable[Cell]) -> Shape:
    cells = list(cells)
    left, top = min((x for x, _ in cells), default=0), min((y for _, y in cells), default=0)
    return tuple(sorted((Cell(x - left, y - top) for x, y in cells), key=lambda cell: (cell.y, cell.x)))


def _is_connected(shape: Shape) -> bool:
    seen, cells = {shape[0]}, set(shape)
    todo = [shape[0]]
    while todo:
        x, y = todo.pop()
        near = {Cell(x, y - 1), Cell(x + 1, y), Cell(x, y + 1), Cell(x - 1, y)} & cells - seen
        seen |= near
        todo += near
    return seen == cells


@lru_cache(maxsize=4096)
def box(shape: Shape) -> tuple[int, int]:
    """Return the number of columns and rows of a shape."""
    return max(x for x, _ in shape) + 1, max(y for _, y in shape) + 1


@lru_cache(maxsize=4096)
def turned(shape: Shape, quarters: int, *, mirrored: bool = False) -> Shape:
    """Return the shape, mirrored left to right if asked, then turned clockwise by quarter turns."""
    if mirrored:
        shape = _moved(Cell(-x, y) for x, y in shape)
    for _ in range(quarters % 4):
        shape = _moved(Cell(-y, x) for x, y in shape)
    return shape


class Orientation(NamedTuple):
    """A piece in one orientation: its cells, clockwise quarter turns, and mirrored or not."""

    shape: Shape
    quarters: int
    mirrored: bool


@lru_cache(maxsize=4096)
def orientations(shape: Shape, *, reflect: bool) -> tuple[Orientation, ...]:
    """Return every different orientation of the piece; equal ones appear once, unmirrored before mirrored."""
    found: dict[Shape, Orientation] = {}
    for mirrored in (False, True)[: 1 + reflect]:
        for quarters in QUARTERS:
            lying = turned(shape, quarters, mirrored=mirrored)
            found.setdefault(lying, Orientation(lying, quarters, mirrored))
    return tuple(found.values())


@lru_cache(maxsize=16)
def fixed_polyominoes(cells: int) -> tuple[Shape, ...]:
    """Return every polyomino of that many cells; turned and mirrored ones count as different; the order is stable."""
    if cells == 1:
        return (make_shape([(0, 0)]),)
    grown = {
        _moved([*shape, new])
        for shape in fixed_polyominoes(cells - 1)
        for x, y in shape
        for new in (Cell(x, y - 1), Cell(x + 1, y), Cell(x, y + 1), Cell(x - 1, y))
        if new not in shape
    }
    return tuple(sorted(grown))


@lru_cache(maxsize=64)
def piece_set(min_cells: int, max_cells: int) -> tuple[Shape, ...]:
    """Return every piece of so many cells in a box of 5 x 5; turned pieces are equal, mirror images are not."""
    pieces = []
    for cells in range(min_cells, max_cells + 1):
        for shape in fixed_polyominoes(cells):
            ways = [lying.shape for lying in orientations(shape, reflect=False)]
            if max(box(shape)) <= MAX_BOX and shape == min(ways):
                pieces.append(shape)
    return tuple(pieces)


def smallest_ways(pieces: Iterable[Shape], *, reflect: bool) -> tuple[Shape, ...]:
    """Return the orientations of all pieces that have the fewest cells."""
    pieces = tuple(pieces)
    fewest = min(map(len, pieces))
    ways = [way.shape for piece in pieces if len(piece) == fewest for way in orientations(piece, reflect=reflect)]
    return tuple(dict.fromkeys(ways))


@lru_cache(maxsize=65536)
def offsets(shape: Shape, stride: int) -> tuple[int, ...]:
    """Return the bit number of each cell of the shape in the top left of a board with `stride` bits per row."""
    return tuple(y * stride + x for x, y in shape)


def fits(shape: Shape, stride: int, void: Mask, beside: Mask) -> Mask:
    """Return, as a bit set, the top left corners at which all cells are in `void` and at least one is in `beside`.

    The test takes one AND and one OR of the whole map per cell of the piece. The corner itself may be a gap of the
    shape. A shape near the right border cannot continue in the next row, because one of its cells would lie in the
    extra column, which is never Void.
    """
    room, touch = -1, 0
    for offset in offsets(shape, stride):
        room &= void >> offset
        touch |= beside >> offset
    return room & touch


@lru_cache(maxsize=65536)
def shape_mask(shape: Shape, stride: int) -> Mask:
    """Return, as a bit set, the shape's cells in the top left of a board with `stride` bits per row."""
    return sum(1 << offset for offset in offsets(shape, stride))


def coverable(board: Board, void: Mask, shapes: Iterable[Shape]) -> Mask:
    """Return, as a bit set, the Void cells that some piece can cover, even if it does not touch Floor."""
    covered = 0
    for shape in shapes:
        room = fits(shape, board.stride, void, void)
        for offset in offsets(shape, board.stride):
            covered |= room << offset
    return covered
