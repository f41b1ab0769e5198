"""Jump point search: the kernel of `gridjoust.bots.planners.jps`, which describes the algorithm."""

import cython
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _cell_at, _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, _estimate, _open_board
from gridjoust.bots.planners._kernels.heap import Entry, Heap, _pop, _push
from gridjoust.bots.planners._kernels.memory import _allot, _doubles, _ints
from gridjoust.bots.planners._kernels.steps import _across, _down

ONWARD = cython.declare(cython.uchar[9])  # by arrival: steps that are never left out; at the start, 8, all
TURNS = cython.declare(cython.uchar[9 * 256])  # by arrival * 256 + open steps of the cell before: steps that walls keep

Jumps = cython.struct(
    board=Board,
    goal=cython.int,
    steps=cython.p_uchar,  # by slot: the bits of the open steps
    offsets=cython.int[9],  # by direction, in slots; 0 at the start
    costs=cython.p_double,  # by slot
    begins=cython.p_int,  # by slot: where the last jump began
    arrivals=cython.p_uchar,  # by slot: the direction of the last jump, 8 at the start
    is_closed=cython.p_char,
    heap=Heap,
    serial=cython.int,
    expanded=cython.long,
    generated=cython.long,
    peak=cython.int,
)


@cython.cfunc
@cython.exceptval(check=False)
def _fill_turns() -> cython.void:
    """Fill the tables from the rules that `ONWARD` and `TURNS` in `gridjoust.bots.planners.jps` state."""
    memset(TURNS, 0, 9 * 256)
    ONWARD[8] = 255
    for straight in range(4):  # the diagonal to its right, looking ahead, has the number 4 + straight
        left, right = (straight + 3) & 3, (straight + 1) & 3
        ONWARD[straight] = 1 << straight
        ONWARD[4 + straight] = 1 << straight | 1 << right | 16 << straight
        _keep_without(straight, 16 << left, 1 << left | 16 << left)
        _keep_without(straight, 16 << straight, 1 << right | 16 << straight)
        _keep_without(4 + straight, 1 << straight, 16 << left)
        _keep_without(4 + straight, 1 << right, 16 << right)


@cython.cfunc
@cython.exceptval(check=False)
def _keep_without(arrival: cython.int, lacking: cython.int, kept: cython.int) -> cython.void:
    """Note in `TURNS` that steps (`kept`) are not left out if a step (`lacking`) of the cell before is blocked.

    `arrival` is the direction of the step from that cell; steps are bits.
    """
    for before in range(256):
        if not before & lacking:
            TURNS[arrival * 256 + before] |= kept


_fill_turns()


def jps(packed: tuple, start_cell: object, goal_cell: object, most: cython.longlong) -> tuple:
    """Return (path, cost, nodes expanded, cells entered by jumps, largest frontier).

    Without a path they are () and infinite. The search stops when `most` successors are generated.
    """
    memory: Jumps
    search = cython.address(memory)
    memset(search, 0, cython.sizeof(Jumps))
    search.board = _open_board(packed)
    steps: bytearray = packed[9]
    search.steps = steps
    start = _slot(_cell_of(start_cell, search.board.size), search.board.width)
    search.goal = _slot(_cell_of(goal_cell, search.board.size), search.board.width)
    try:
        _begin_jumps(search, start)
        while search.heap.size:
            entry = _pop(cython.address(search.heap))
            slot: cython.int = entry.cell
            if search.is_closed[slot]:
                continue
            if slot == search.goal:
                path = _path_of_jumps(search)
                return path, entry.key, search.expanded, search.generated, search.peak
            if search.generated >= most:
                break
            search.expanded += 1
            search.is_closed[slot] = 1
            _expand_jumps(search, slot)
            search.peak = max(search.peak, search.heap.size)
        return (), INFINITY, search.expanded, search.generated, search.peak
    finally:
        free(search.costs)
        free(search.begins)
        free(search.arrivals)
        free(search.is_closed)
        free(search.heap.entries)


@cython.cfunc
@cython.exceptval(-1)
def _begin_jumps(search: cython.pointer(Jumps), start: cython.int) -> cython.int:
    slots = search.board.slots
    search.costs = _doubles(slots)
    search.begins = _ints(slots)
    search.arrivals = cython.cast(cython.p_uchar, _allot(slots, 1))
    search.is_closed = cython.cast(cython.p_char, _allot(slots, 1))
    memset(search.costs, 0x7F, slots * cython.sizeof(cython.double))  # each is more than any path costs
    memset(search.is_closed, 0, slots)
    for direction in range(8):
        search.offsets[direction] = _across(direction) + _down(direction) * search.board.stride
    search.costs[start] = 0
    search.begins[start] = start
    search.arrivals[start] = 8
    search.peak = 1
    key = _estimate(cython.address(search.board), start, search.goal)
    return _push(cython.address(search.heap), Entry(key=key, tie=0, cell=start))


@cython.cfunc
@cython.exceptval(-1)
def _expand_jumps(search: cython.pointer(Jumps), slot: cython.int) -> cython.int:
    """Push the ends of all jumps from a slot."""
    arrival: cython.int = search.arrivals[slot]
    turns = TURNS[arrival * 256 + search.steps[slot - search.offsets[arrival]]]
    kept: cython.int = search.steps[slot] & (ONWARD[arrival] | turns)
    for direction in range(8):
        if not kept >> direction & 1:
            continue
        end = _jump(search, slot, direction)
        if end < 0:
            continue
        step: cython.double = 1 if direction < 4 else search.board.diagonal
        reached = search.costs[slot] + (end - slot) // search.offsets[direction] * step
        if reached < search.costs[end]:
            search.serial -= 1
            search.costs[end] = reached
            search.begins[end] = slot
            search.arrivals[end] = direction
            key = reached + _estimate(cython.address(search.board), end, search.goal)
            _push(cython.address(search.heap), Entry(key=key, tie=search.serial, cell=end))
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _jump(search: cython.pointer(Jumps), slot: cython.int, direction: cython.int) -> cython.int:
    """Return the slot where a jump ends, or -1 if it meets a wall first."""
    steps, goal, offset, count = search.steps, search.goal, search.offsets[direction], 0
    turns = TURNS + 256 * direction
    here: cython.int = steps[slot]
    end: cython.int = -1
    while end < 0 and here >> direction & 1:
        slot += offset
        count += 1
        there: cython.int = steps[slot]
        if (
            slot == goal
            or there & turns[here]
            or (direction >= 4 and _jump(search, slot, direction - 4) >= 0)
            or (direction >= 4 and _jump(search, slot, (direction - 3) & 3) >= 0)
        ):
            end = slot
        here = there
    search.generated += count
    return end


@cython.cfunc
def _path_of_jumps(search: cython.pointer(Jumps)) -> tuple:
    """Return all cells from the start to the goal."""
    length: cython.int = 1
    slot: cython.int = search.goal
    while search.begins[slot] != slot:
        length += (slot - search.begins[slot]) // search.offsets[search.arrivals[slot]]
        slot = search.begins[slot]
    path: tuple = PyTuple_New(length)
    end: cython.int = search.goal
    slot = end
    while length:
        length -= 1
        number: object = _cell_at(slot, search.board.stride)
        Py_INCREF(number)
        PyTuple_SET_ITEM(path, length, number)
        slot -= search.offsets[search.arrivals[end]]
        if slot == search.begins[end]:
            end = slot
    return path
