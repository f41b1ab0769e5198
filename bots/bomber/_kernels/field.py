"""A board of bomber, and the cells that a bomb sets on fire."""

import cython
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _cell_of
from gridjoust.bots.planners._kernels.memory import Cells, _reserve

FREE = cython.declare(cython.int, 0)
METAL = cython.declare(cython.int, 1)
HP_MASK = cython.declare(cython.int, 63)
Field = cython.struct(
    width=cython.int,
    size=cython.int,
    radius=cython.int,  # of a blast
    blocks=cython.p_uchar,  # by cell
    stops=cython.p_char,  # by cell: 1 = a bomb is there, which stops fire
    marks=cython.p_char,  # by cell, working space: 1 = not to be entered any more, 2 = burns, 4 = a wall
    cells=Cells,  # the last blast, or the last flood
)


@cython.cfunc
@cython.exceptval(check=False)
def _new_field() -> Field:
    field: Field
    memset(cython.address(field), 0, cython.sizeof(Field))
    return field


@cython.cfunc
@cython.exceptval(-1)
def _open(field: cython.pointer(Field), shape: tuple, blocks: cython.p_uchar, size: cython.Py_ssize_t) -> cython.int:
    """Set up the field for a board: `shape` is (width, height, blast radius), `blocks` has a byte per cell.

    `size` is the length of `blocks`; IndexError if it does not fit the shape. Call `_close` afterwards, error or not.
    """
    field.width = shape[0]
    field.size = field.width * cython.cast(cython.int, shape[1])
    field.radius = shape[2]
    field.blocks = blocks
    if size != field.size:
        raise IndexError(f"blocks: expected {field.size}, got {size}")
    field.stops = cython.cast(cython.p_char, calloc(2 * field.size + 1, 1))
    if field.stops == cython.NULL:
        raise MemoryError
    field.marks = field.stops + field.size
    _reserve(cython.address(field.cells), field.size + 4 * field.radius + 1)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _close(field: cython.pointer(Field)) -> cython.void:
    free(field.stops)
    free(field.cells.items)


@cython.cfunc
@cython.exceptval(-1)
def _stop_at(field: cython.pointer(Field), cells: object) -> cython.int:
    """Mark these cells as stopping fire, as bombs do."""
    for cell in cells:
        field.stops[_cell_of(cell, field.size)] = 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _blast(field: cython.pointer(Field), cell: cython.int) -> cython.void:
    """List in `field.cells` the cells that a bomb here burns: its own, then the rays N, S, W, E.

    A ray ends with the first block or bomb, whose cell burns too.
    """
    width: cython.int = field.width
    column: cython.int = cell % width
    row: cython.int = cell // width
    height: cython.int = field.size // width
    field.cells.items[0] = cell
    field.cells.size = 1
    _shine(field, cell, -width, row)
    _shine(field, cell, width, height - 1 - row)
    _shine(field, cell, -1, column)
    _shine(field, cell, 1, width - 1 - column)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _shine(field: cython.pointer(Field), cell: cython.int, stride: cython.int, most: cython.int) -> cython.void:
    """Append one ray of fire to `field.cells`: at most `most` cells, `stride` apart, up to a block or bomb."""
    for _ in range(min(most, field.radius)):
        cell += stride
        field.cells.items[field.cells.size] = cell
        field.cells.size += 1
        if field.blocks[cell] != FREE or field.stops[cell]:
            break


def blast_counts(shape: tuple, blocks: bytes, bombs: list, cells: list) -> dict:
    """Return cell -> number of fires there if bombs in `cells` went off; these and `bombs` stop fire."""
    field = _new_field()
    counts: dict = {}
    try:
        _open(cython.address(field), shape, blocks, len(blocks))
        _stop_at(cython.address(field), bombs)
        _stop_at(cython.address(field), cells)
        for cell in cells:
            _blast(cython.address(field), cell)
            for at in range(field.cells.size):
                reached: object = field.cells.items[at]
                counts[reached] = counts.get(reached, 0) + 1
        return counts
    finally:
        _close(cython.address(field))
