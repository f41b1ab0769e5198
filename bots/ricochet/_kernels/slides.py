"""Computes slides on boards without diagonals and border openings.

A slide ends in a cell, with or without other robots in its path. From every cell, the fewest straight lines to the
target are counted.
"""

import array

import cython
from cython.cimports.cpython import array

from gridjoust.bots.planners._kernels.cells import _INTS

MOST = cython.declare(cython.int, 64)  # limit of lines to the target that are distinguished
Board = cython.struct(
    size=cython.int,
    width=cython.int,
    limits=cython.p_int,  # by direction and cell: the end of a slide on the empty board
    columns=cython.p_int,  # by cell
    lines=cython.p_int,  # by cell: the fewest straight lines to the target; -1 = none lead there
)


def pack_limits(steps: list, width: cython.int) -> object:
    """Return the cell in which a slide ends, for each direction N, E, S, W and each cell, as one array.

    None on boards with curves.
    """
    size: cython.int = len(steps[0])
    limits: array.array = array.clone(_INTS, 4 * size, zero=False)
    for direction in range(4):
        row: list = steps[direction]
        for at in range(size):
            cell = at if direction in (0, 3) else size - 1 - at  # the cell before it on a slide comes first
            there: cython.int = row[cell]
            if there < 0:
                there = cell
            elif there >= size or there - cell != _stride(direction, width):
                return None
            else:
                there = limits.data.as_ints[direction * size + there]
            limits.data.as_ints[direction * size + cell] = there
    return limits


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stride(direction: cython.int, width: cython.int) -> cython.int:
    return -width if direction == 0 else 1 if direction == 1 else width if direction == 2 else -1


@cython.cfunc
@cython.exceptval(check=False)
def _draw_lines(board: cython.pointer(Board), target: cython.int) -> cython.bint:
    """Compute the fewest straight lines from every cell to the target.

    Return False if a cell from which a robot can move has none or too many.
    """
    level: cython.int = 0
    found: cython.int = 1
    for cell in range(board.size):
        board.lines[cell] = -1
    board.lines[target] = 0
    while found:
        found = 0
        for cell in range(board.size):
            if board.lines[cell] < 0 and _passes(board, cell, level):
                board.lines[cell] = level + 1
                found += 1
        level += 1
    for cell in range(board.size):
        if board.lines[cell] < 0 or board.lines[cell] >= MOST:
            for direction in range(4):
                if board.limits[direction * board.size + cell] != cell:
                    return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _passes(board: cython.pointer(Board), cell: cython.int, level: cython.int) -> cython.bint:
    """Return True if some slide from the cell passes a cell that is `level` lines away from the target."""
    for direction in range(4):
        limit = board.limits[direction * board.size + cell]
        passed: cython.int = cell
        while passed != limit:
            passed += _stride(direction, board.width)
            if board.lines[passed] == level:
                return True
    return False


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stop(
    board: cython.pointer(Board), direction: cython.int, cell: cython.int, a: cython.int, b: cython.int, c: cython.int
) -> cython.int:
    """Return the cell in which a slide ends if other robots are in the cells a, b and c."""
    end: cython.int = board.limits[direction * board.size + cell]
    end = _stop_before(board, direction, cell, end, a)
    end = _stop_before(board, direction, cell, end, b)
    return _stop_before(board, direction, cell, end, c)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stop_before(
    board: cython.pointer(Board), direction: cython.int, cell: cython.int, end: cython.int, other: cython.int
) -> cython.int:
    """Return the end of a slide, or the cell before the robot in `other` if that is in its path."""
    if direction == 0:
        is_on_way = cell > other >= end and board.columns[other] == board.columns[cell]
        return other + board.width if is_on_way else end
    if direction == 1:
        return other - 1 if cell < other <= end else end
    if direction == 2:
        is_on_way = cell < other <= end and board.columns[other] == board.columns[cell]
        return other - board.width if is_on_way else end
    return other + 1 if cell > other >= end else end
