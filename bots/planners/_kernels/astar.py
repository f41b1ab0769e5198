"""A* on any search grid: the kernel of `gridjoust.bots.planners.astar`, which describes the algorithm."""

import cython
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _cell_at, _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, Fan, _fan_out, _mark_goals, _nearest, _open_board
from gridjoust.bots.planners._kernels.heap import Entry, Heap, _pop, _push, _sort
from gridjoust.bots.planners._kernels.memory import Cells, _allot, _doubles, _ints, _reserve

Search = cython.struct(
    board=Board,
    goals=Cells,
    is_goal=cython.p_char,
    costs=cython.p_double,  # by slot; -1 = closed
    parents=cython.p_int,
    heap=Heap,  # entries outside the current bucket, by f and then in the order in which they were found
    bucket=cython.pointer(Entry),
    bucket_room=cython.int,
    stack=Cells,  # the current bucket, the best on top
    total=cython.double,  # its f
    serial=cython.int,
    waiting=cython.int,
    most=cython.longlong,
    is_cut=cython.bint,  # `most` successors were generated before the end
    expanded=cython.long,
    generated=cython.long,
    peak=cython.long,
)


def astar(
    packed: tuple, start_cell: object, goal_cells: tuple, cost_limit: cython.double, most: cython.longlong
) -> tuple:
    """Return (path, cost, cells expanded, generated, largest frontier) of A* with buckets of equal f.

    Without a path they are () and infinite. The search stops when `most` successors are generated.
    """
    memory: Search
    search = cython.address(memory)
    memset(search, 0, cython.sizeof(Search))
    search.board = _open_board(packed)
    search.most = most
    start = _slot(_cell_of(start_cell, search.board.size), search.board.width)
    try:
        _begin(search, start, goal_cells)
        while search.heap.size and not search.is_cut and search.heap.entries[0].key <= cost_limit:
            _fill_stack(search)
            goal = _empty_stack(search)
            if goal >= 0:
                path = _way_back(search.parents, goal, search.board.stride)
                return path, search.total, search.expanded, search.generated, max(search.peak, 1)
        return (), INFINITY, search.expanded, search.generated, max(search.peak, 1)
    finally:
        free(search.goals.items)
        free(search.is_goal)
        free(search.costs)
        free(search.parents)
        free(search.heap.entries)
        free(search.bucket)
        free(search.stack.items)


@cython.cfunc
@cython.exceptval(-1)
def _begin(search: cython.pointer(Search), start: cython.int, goal_cells: tuple) -> cython.int:
    search.is_goal = cython.cast(cython.p_char, _allot(search.board.slots, 1))
    _mark_goals(cython.address(search.board), goal_cells, cython.address(search.goals), search.is_goal)
    search.costs = _doubles(search.board.slots)
    search.parents = _ints(search.board.slots)
    for slot in range(search.board.slots):
        search.costs[slot] = INFINITY
    search.costs[start] = 0
    search.parents[start] = start
    search.waiting = search.serial = 1
    _push(cython.address(search.heap), Entry(key=_estimate_from(search, start), tie=0, cell=start))
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _estimate_from(search: cython.pointer(Search), slot: cython.int) -> cython.double:
    return _nearest(cython.address(search.board), cython.address(search.goals), slot)


@cython.cfunc
@cython.exceptval(-1)
def _fill_stack(search: cython.pointer(Search)) -> cython.int:
    """Move all heap entries of the least f to the stack; the one with the largest g, found first, ends on top."""
    heap = cython.address(search.heap)
    found: cython.int = 0
    search.total = heap.entries[0].key
    while heap.size and heap.entries[0].key == search.total:
        if found == search.bucket_room:
            _grow_bucket(search)
        entry = _pop(heap)
        entry.key = search.costs[entry.cell]
        entry.tie = -entry.tie
        search.bucket[found] = entry
        found += 1
    _sort(search.bucket, search.bucket + search.bucket_room, found)
    search.stack.size = 0
    _reserve(cython.address(search.stack), found)
    for at in range(found):
        search.stack.items[at] = search.bucket[at].cell
    search.stack.size = found
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _grow_bucket(search: cython.pointer(Search)) -> cython.int:
    """Double the room of the bucket, and of the space to sort it in."""
    room = max(256, 2 * search.bucket_room)
    bucket = cython.cast(cython.pointer(Entry), realloc(search.bucket, 2 * room * cython.sizeof(Entry)))
    if bucket == cython.NULL:
        raise MemoryError
    search.bucket = bucket
    search.bucket_room = room
    return 0


@cython.cfunc
@cython.exceptval(-2)
def _empty_stack(search: cython.pointer(Search)) -> cython.int:
    """Expand all cells on the stack and those pushed meanwhile; return the first goal popped (a slot), or -1."""
    stack = cython.address(search.stack)
    while stack.size:
        stack.size -= 1
        slot = stack.items[stack.size]
        search.waiting -= 1
        so_far = search.costs[slot]
        if so_far < 0:
            continue
        if search.is_goal[slot]:
            return slot
        if search.generated >= search.most:
            search.is_cut = True
            break
        search.expanded += 1
        search.costs[slot] = -1
        level = stack.size
        _reserve(stack, 8)
        _expand(search, slot, so_far)
        if stack.size > level + 1:
            _by_cost(stack.items + level, stack.size - level, search.costs)
        search.peak = max(search.peak, search.waiting)
    return -1


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _expand(search: cython.pointer(Search), slot: cython.int, so_far: cython.double) -> cython.int:
    """Push the successors of a slot (a cell of a board with a rim): on the stack if of equal f, else on the heap."""
    fan: Fan
    stack = cython.address(search.stack)
    _fan_out(cython.address(search.board), slot, cython.address(fan))
    search.generated += fan.size
    for arc in range(fan.size):
        head = fan.slots[arc]
        reached = so_far + fan.costs[arc]
        if reached < search.costs[head]:
            search.costs[head] = reached
            search.parents[head] = slot
            search.waiting += 1
            bound = reached + _estimate_from(search, head)
            if bound == search.total:
                stack.items[stack.size] = head
                stack.size += 1
            else:
                _push(cython.address(search.heap), Entry(key=bound, tie=search.serial, cell=head))
                search.serial += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _by_cost(slots: cython.p_int, size: cython.int, costs: cython.p_double) -> cython.void:
    """Sort the slots by rising cost, equal ones in reverse: reverse all, then sort by insertion."""
    for at in range(size // 2):
        slots[at], slots[size - 1 - at] = slots[size - 1 - at], slots[at]
    for at in range(1, size):
        slot = slots[at]
        to: cython.int = at
        while to > 0 and costs[slots[to - 1]] > costs[slot]:
            slots[to] = slots[to - 1]
            to -= 1
        slots[to] = slot


@cython.cfunc
def _way_back(parents: cython.p_int, slot: cython.int, stride: cython.int) -> tuple:
    """Return the path of cells from the start, which is its own parent, to this slot; `stride`: slots in a row."""
    length: cython.int = 1
    at: cython.int = slot
    while parents[at] != at:
        at = parents[at]
        length += 1
    path: tuple = PyTuple_New(length)
    while length:
        length -= 1
        number: object = _cell_at(slot, stride)
        Py_INCREF(number)
        PyTuple_SET_ITEM(path, length, number)
        slot = parents[slot]
    return path
