"""Search grids packed for the kernels: entry costs by slot, and the arcs of one cell on demand."""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.libc.math import INFINITY, rint
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _DOUBLES, _INTS, _cell_of, _slot
from gridjoust.bots.planners._kernels.memory import Cells, _reserve
from gridjoust.bots.planners._kernels.steps import _open_steps, pack_growths

Board = cython.struct(  # a search grid in slots: the board with a rim of blocked cells
    width=cython.int,
    stride=cython.int,
    slots=cython.int,
    size=cython.int,
    is_eight=cython.bint,
    cuts_corners=cython.bint,
    diagonal=cython.double,
    least=cython.double,
    saving=cython.double,  # what a diagonal saves against two straight steps, at the least cost; <= 0
    entry=cython.p_double,  # entry cost; infinite = blocked
    limits=cython.p_int,  # more than any path of uniform costs; -1 = blocked
)
Fan = cython.struct(size=cython.int, slots=cython.int[8], costs=cython.double[8])  # the arcs of one cell


def pack_board(
    width: cython.int,
    height: cython.int,
    is_eight: cython.bint,
    cuts_corners: cython.bint,
    diagonal: cython.double,
    least: cython.double,
    saving: cython.double,
    costs: list,
) -> tuple:
    """Return a search grid packed for the kernels, as a tuple; `costs` has the cost of entering each cell."""
    slots: cython.int = (width + 2) * (height + 2)
    entry: array.array = array.clone(_DOUBLES, slots, zero=False)
    limits: array.array = array.clone(_INTS, slots, zero=False)
    for slot in range(slots):
        entry.data.as_doubles[slot] = INFINITY
        limits.data.as_ints[slot] = -1
    for cell in range(width * height):
        _price(entry, limits, width, cell, costs[cell], width * height)
    packed = width, height, is_eight, cuts_corners, diagonal, least, saving, entry, limits
    if not is_eight:
        return packed
    steps: bytearray = bytearray(slots)
    bits: cython.p_uchar = steps
    for slot in range(width + 3, slots - width - 3):
        bits[slot] = _open_steps(entry.data.as_doubles, width + 2, cuts_corners, slot)
    return (*packed, steps, *pack_growths(diagonal, least, saving))


@cython.cfunc
def _price(
    entry: array.array, limits: array.array, width: cython.int, cell: cython.int, cost: cython.double, size: cython.int
) -> cython.int:
    slot = _slot(cell, width)
    entry.data.as_doubles[slot] = cost
    limits.data.as_ints[slot] = size if cost < INFINITY else -1
    return 0


@cython.cfunc
def _open_board(packed: tuple) -> Board:
    entry: array.array = packed[7]
    limits: array.array = packed[8]
    height: cython.int = packed[1]
    board: Board
    board.width = packed[0]
    board.stride = board.width + 2
    board.slots = board.stride * (height + 2)
    board.size = board.width * height
    board.is_eight = packed[2]
    board.cuts_corners = packed[3]
    board.diagonal = packed[4]
    board.least = packed[5]
    board.saving = packed[6]
    board.entry = entry.data.as_doubles
    board.limits = limits.data.as_ints
    return board


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _exact(cost: cython.double) -> cython.double:
    return rint(cost * 1073741824.0) / 1073741824.0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _estimate(board: cython.pointer(Board), one: cython.int, other: cython.int) -> cython.double:
    """Return the Manhattan, Chebyshev or octile distance between two slots, times the least cost."""
    across: cython.int = abs(one % board.stride - other % board.stride)
    down: cython.int = abs(one // board.stride - other // board.stride)
    if not board.is_eight:
        return (across + down) * board.least
    return (across + down) * board.least + min(across, down) * board.saving


@cython.cfunc
@cython.exceptval(-1)
def _mark_goals(
    board: cython.pointer(Board), goal_cells: tuple, goals: cython.pointer(Cells), is_goal: cython.p_char
) -> cython.int:
    """List the slots of the goals in `goals`, and mark them in `is_goal`, which has a byte for every slot."""
    memset(is_goal, 0, board.slots)
    _reserve(goals, len(goal_cells))
    for cell in goal_cells:
        slot = _slot(_cell_of(cell, board.size), board.width)
        is_goal[slot] = 1
        goals.items[goals.size] = slot
        goals.size += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _nearest(board: cython.pointer(Board), goals: cython.pointer(Cells), slot: cython.int) -> cython.double:
    """Return the least estimate from a slot to a goal; 0 if there is no goal."""
    least: cython.double = _estimate(board, slot, goals.items[0]) if goals.size else 0
    for at in range(1, goals.size):
        least = min(least, _estimate(board, slot, goals.items[at]))
    return least


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _fan_out(board: cython.pointer(Board), slot: cython.int, fan: cython.pointer(Fan)) -> cython.void:
    """List in `fan` the arcs that leave a slot (head and cost), in tie-break order."""
    straight = _spread_fan(board, slot, fan)
    for at in range(straight):
        fan.costs[at] = board.entry[fan.slots[at]]
    for at in range(straight, fan.size):
        fan.costs[at] = _exact(board.entry[fan.slots[at]] * board.diagonal)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _fan_in(board: cython.pointer(Board), slot: cython.int, fan: cython.pointer(Fan)) -> cython.void:
    """List in `fan` the arcs that enter a slot (tail and cost), in tie-break order."""
    straight = _spread_fan(board, slot, fan)
    cost = board.entry[slot]
    slanted = _exact(cost * board.diagonal) if fan.size > straight else cost
    for at in range(fan.size):
        fan.costs[at] = cost if at < straight else slanted


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _spread_fan(board: cython.pointer(Board), slot: cython.int, fan: cython.pointer(Fan)) -> cython.int:
    """List in `fan` the slots one step away, without costs; return how many of the steps are no diagonals."""
    stride = board.stride
    fan.size = 0
    if not _is_free(board, slot):
        return 0
    north = _offer(board, slot - stride, True, fan)
    east = _offer(board, slot + 1, True, fan)
    south = _offer(board, slot + stride, True, fan)
    west = _offer(board, slot - 1, True, fan)
    straight = fan.size
    if board.is_eight:
        cuts = board.cuts_corners
        _offer(board, slot - stride + 1, cuts or (north and east), fan)
        _offer(board, slot + stride + 1, cuts or (south and east), fan)
        _offer(board, slot + stride - 1, cuts or (south and west), fan)
        _offer(board, slot - stride - 1, cuts or (north and west), fan)
    return straight


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_free(board: cython.pointer(Board), slot: cython.int) -> cython.bint:
    return board.entry[slot] < INFINITY


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _offer(
    board: cython.pointer(Board), slot: cython.int, is_open: cython.bint, fan: cython.pointer(Fan)
) -> cython.bint:
    """Add a slot to `fan` if the step there is open and the slot is free; return True if it was added."""
    if not (is_open and _is_free(board, slot)):
        return False
    fan.slots[fan.size] = slot
    fan.size += 1
    return True
