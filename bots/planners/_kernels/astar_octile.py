"""A* with 8 neighbours and equal entry costs: f grows by one of few amounts, so a queue for each replaces the heap.

The f of popped cells never falls, so each queue is in order of f by itself (Orlin, Madduri, Subramani, Williamson, "A
Faster Algorithm for the Single Source Shortest Path Problem with Few Distinct Positive Lengths", Journal of Discrete
Algorithms 8(2), 2010). A cell that the parent of a cell has reached at no greater cost is not looked at again.
"""

import cython
from cython.cimports.cpython import array
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.astar import _by_cost
from gridjoust.bots.planners._kernels.cells import _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, _estimate, _open_board
from gridjoust.bots.planners._kernels.heap import Entry, _sort
from gridjoust.bots.planners._kernels.memory import Cells, _allot, _doubles, _reserve
from gridjoust.bots.planners._kernels.steps import COUNTS, KEPT, LOWEST, _across, _down, _zone

START = cython.declare(cython.int, 8)  # the arrival at the start, beside the directions 0 to 7

Queue = cython.struct(entries=cython.pointer(Entry), first=cython.int, end=cython.int, room=cython.int)
Octile = cython.struct(
    board=Board,
    goal=cython.int,
    steps=cython.p_uchar,  # by slot: the bits of the open steps
    offsets=cython.int[9],  # by direction, in slots; 0 for START
    prices=cython.double[8],  # by direction
    growths=cython.p_double,  # amounts by which f can grow; the first is 0
    kinds=cython.p_uchar,  # by zone and direction: the number of the growth
    queues=Queue[
        10
    ],  # by growth: entries by f and, for equal f, in the order in which they were found; the first: none
    queue_count=cython.int,
    bucket=cython.pointer(Entry),
    bucket_room=cython.int,
    stack=Cells,  # the cells of the current f, the best on top
    total=cython.double,  # this f
    costs=cython.p_double,  # by slot; -1 = closed, UNSEEN or more = not reached
    arrivals=cython.p_uchar,  # by slot: the direction of the last step of the best path
    serial=cython.int,
    waiting=cython.int,
    dead=cython.int,  # closed cells of the current f; only counted
    most=cython.longlong,
    is_cut=cython.bint,  # `most` successors were generated before the end
    expanded=cython.long,
    generated=cython.long,
    peak=cython.long,
)


def astar_octile(
    packed: tuple, start_cell: object, goal_cell: object, cost_limit: cython.double, most: cython.longlong
) -> tuple:
    """Return (path, cost, cells expanded, generated, largest frontier) of A* with a queue for every growth of f.

    Without a path they are () and infinite. The search stops when `most` successors are generated.
    """
    memory: Octile
    search = cython.address(memory)
    memset(search, 0, cython.sizeof(Octile))
    search.board = _open_board(packed)
    search.most = most
    start = _slot(_cell_of(start_cell, search.board.size), search.board.width)
    goal = _cell_of(goal_cell, search.board.size)
    search.goal = _slot(goal, search.board.width)
    steps: bytearray = packed[9]
    kinds: bytearray = packed[10]
    growths: array.array = packed[11]
    search.steps = steps
    search.kinds = kinds
    search.growths = growths.data.as_doubles
    search.queue_count = len(growths)
    try:
        _begin_octile(search, start)
        while search.total < INFINITY and search.total <= cost_limit:
            if _empty_octile(search):
                path = _path_to(search.arrivals, search.goal, goal, search.board.width)
                return path, search.total, search.expanded, search.generated, max(search.peak, 1)
            if search.is_cut:
                break
            _next_octile(search)
        return (), INFINITY, search.expanded, search.generated, max(search.peak, 1)
    finally:
        free(search.costs)
        free(search.arrivals)
        free(search.stack.items)
        free(search.bucket)
        for at in range(1, search.queue_count):
            free(search.queues[at].entries)


@cython.cfunc
@cython.exceptval(-1)
def _begin_octile(search: cython.pointer(Octile), start: cython.int) -> cython.int:
    search.costs = _doubles(search.board.slots)
    search.arrivals = cython.cast(cython.p_uchar, _allot(search.board.slots, 1))
    memset(search.costs, 0x7F, search.board.slots * cython.sizeof(cython.double))  # each is more than any path costs
    _reserve(cython.address(search.stack), 8)
    for direction in range(8):
        search.offsets[direction] = _across(direction) + _down(direction) * search.board.stride
        search.prices[direction] = 1 if direction < 4 else search.board.diagonal
    search.costs[start] = 0
    search.arrivals[start] = START
    search.stack.items[0] = start
    search.stack.size = search.waiting = 1
    search.total = _estimate(cython.address(search.board), start, search.goal)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _next_octile(search: cython.pointer(Octile)) -> cython.int:
    """Fill the empty stack with all entries of the least f; if there are none, f becomes infinite.

    They are sorted so that the one with the largest g is popped first; of equal ones, the one that was found first.
    """
    total: cython.double = INFINITY
    found: cython.int = 0
    search.waiting -= search.dead
    search.dead = 0
    for at in range(1, search.queue_count):
        queue = cython.address(search.queues[at])
        if queue.first < queue.end:
            total = min(total, queue.entries[queue.first].key)
        else:
            queue.first = queue.end = 0
    for at in range(1, search.queue_count):
        queue = cython.address(search.queues[at])
        while queue.first < queue.end and queue.entries[queue.first].key == total:
            entry = queue.entries[queue.first]
            queue.first += 1
            entry.key = search.costs[entry.cell]
            if entry.key < 0:
                search.dead += 1
                continue
            if found == search.bucket_room:
                _grow_entries(cython.address(search.bucket), cython.address(search.bucket_room), 2)
            entry.tie = -entry.tie
            search.bucket[found] = entry
            found += 1
    _sort(search.bucket, search.bucket + search.bucket_room, found)
    _reserve(cython.address(search.stack), found)
    for at in range(found):
        search.stack.items[at] = search.bucket[at].cell
    search.stack.size = found
    search.total = total
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _grow_entries(entries: cython.pointer(cython.pointer(Entry)), room: cython.p_int, parts: cython.int) -> cython.int:
    """Double the size of an array of entries, `parts` times `room`, and update `room`."""
    size = max(64, 2 * room[0])
    grown = cython.cast(cython.pointer(Entry), realloc(entries[0], parts * size * cython.sizeof(Entry)))
    if grown == cython.NULL:
        raise MemoryError
    entries[0] = grown
    room[0] = size
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _empty_octile(search: cython.pointer(Octile)) -> cython.int:
    """Expand all cells on the stack and those pushed meanwhile; return 1 as soon as the goal is popped, else 0."""
    stack = cython.address(search.stack)
    steps, costs, arrivals, stride = search.steps, search.costs, search.arrivals, search.board.stride
    goal_x, goal_y = search.goal % stride, search.goal // stride
    while stack.size:
        stack.size -= 1
        slot: cython.int = stack.items[stack.size]
        if slot == search.goal:
            return 1
        if search.generated >= search.most:
            search.is_cut = True
            return 0
        search.expanded += 1
        search.waiting -= 1
        search.generated += COUNTS[steps[slot]]
        so_far = costs[slot]
        costs[slot] = -1
        arrival: cython.int = arrivals[slot]
        directions: cython.int = steps[slot] & KEPT[256 * arrival + steps[slot - search.offsets[arrival]]]
        if directions == 0:
            continue
        kinds = search.kinds + 8 * _zone(slot % stride - goal_x, slot // stride - goal_y)
        _reserve(stack, 8)
        level = stack.size
        while directions:
            direction: cython.int = LOWEST[directions]
            directions &= directions - 1
            head = slot + search.offsets[direction]
            reached = so_far + search.prices[direction]
            if reached < costs[head]:
                costs[head] = reached
                arrivals[head] = direction
                search.waiting += 1
                if kinds[direction] == 0:
                    stack.items[stack.size] = head
                    stack.size += 1
                else:
                    _enqueue(search, kinds[direction], head)
        if stack.size > level + 1:
            _by_cost(stack.items + level, stack.size - level, costs)
        search.peak = max(search.peak, search.waiting)
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _enqueue(search: cython.pointer(Octile), kind: cython.int, head: cython.int) -> cython.int:
    queue = cython.address(search.queues[kind])
    if queue.end == queue.room:
        _grow_entries(cython.address(queue.entries), cython.address(queue.room), 1)
    queue.entries[queue.end] = Entry(key=search.total + search.growths[kind], tie=search.serial, cell=head)
    queue.end += 1
    search.serial += 1
    return 0


@cython.cfunc
def _path_to(arrivals: cython.p_uchar, slot: cython.int, cell: cython.int, width: cython.int) -> tuple:
    """Return the path of cells from the start to a cell, which is at this slot."""
    length: cython.int = 1
    at: cython.int = slot
    direction: cython.int = arrivals[at]
    while direction != START:
        at -= _across(direction) + _down(direction) * (width + 2)
        direction = arrivals[at]
        length += 1
    path: tuple = PyTuple_New(length)
    while length:
        length -= 1
        number: object = cell
        Py_INCREF(number)
        PyTuple_SET_ITEM(path, length, number)
        direction = arrivals[slot]
        slot -= _across(direction) + _down(direction) * (width + 2)
        cell -= _across(direction) + _down(direction) * width
    return path
