"""Cells and their slots: slots belong to a board with a rim, so that a neighbour needs no test for the border."""

import array

import cython
from cython.cimports.cpython import array

_INTS: array.array = array.array("i")
_DOUBLES: array.array = array.array("d")


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _cell_of(number: object, size: cython.Py_ssize_t) -> cython.int:
    """Return a cell's number that comes from outside as a C int; IndexError if it is not on the board."""
    cell: cython.Py_ssize_t = number
    if not 0 <= cell < size:
        raise IndexError(f"cell: expected 0 to {size - 1}, got {number}")
    return cython.cast(cython.int, cell)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _slot(cell: cython.int, width: cython.int) -> cython.int:
    return cell + 2 * (cell // width) + width + 3


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _cell_at(slot: cython.int, stride: cython.int) -> cython.int:
    return slot - 2 * (slot // stride) - stride + 1
