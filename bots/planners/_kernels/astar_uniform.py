"""A* with 4 neighbours and steps of cost 1: f stays or grows by 2, so two stacks replace the heap."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memcpy, memset

from gridjoust.bots.planners._kernels.astar import _way_back
from gridjoust.bots.planners._kernels.cells import _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, _open_board
from gridjoust.bots.planners._kernels.heap import Entry, _entries, _sort
from gridjoust.bots.planners._kernels.memory import Cells, _ints, _reserve

Uniform = cython.struct(
    board=Board,
    start=cython.int,
    goal=cython.int,
    costs=cython.p_int,  # by slot; -1 = blocked, as in the limits of a board; -2 = closed
    parents=cython.p_int,
    stack=Cells,  # of the current f, sorted by cost
    later=Cells,  # of the next
    dead=cython.int,  # closed slots at the bottom of the stack: only counted, as they change nothing else
    most=cython.longlong,
    expanded=cython.long,
    generated=cython.long,
    peak=cython.int,
)


def astar_uniform(
    packed: tuple, start_cell: object, goal_cell: object, cost_limit: cython.double, most: cython.longlong
) -> tuple:
    """Return (path, cost, cells expanded, generated, largest frontier) of A* with two stacks.

    Without a path they are () and infinite. The search stops when `most` successors are generated.
    """
    memory: Uniform
    search = cython.address(memory)
    memset(search, 0, cython.sizeof(Uniform))
    search.board = _open_board(packed)
    search.most = most
    stride: cython.int = search.board.stride
    search.start = _slot(_cell_of(start_cell, search.board.size), search.board.width)
    search.goal = _slot(_cell_of(goal_cell, search.board.size), search.board.width)
    total: cython.long = abs(search.start % stride - search.goal % stride)
    total += abs(search.start // stride - search.goal // stride)
    try:
        _begin_uniform(search)
        while (search.stack.size or search.dead) and total <= cost_limit:
            reached = _empty_uniform(search)
            if reached >= 0:
                if reached != search.goal:
                    return (), INFINITY, search.expanded, search.generated, max(search.peak, 1)
                path = _way_back(search.parents, search.goal, stride)
                return path, float(total), search.expanded, search.generated, max(search.peak, 1)
            total += 2
            _turn_over(search)
        return (), INFINITY, search.expanded, search.generated, max(search.peak, 1)
    finally:
        free(search.costs)
        free(search.parents)
        free(search.stack.items)
        free(search.later.items)


@cython.cfunc
@cython.exceptval(-1)
def _begin_uniform(search: cython.pointer(Uniform)) -> cython.int:
    search.costs = _ints(search.board.slots)
    search.parents = _ints(search.board.slots)
    _reserve(cython.address(search.stack), 4)
    memcpy(search.costs, search.board.limits, search.board.slots * cython.sizeof(cython.int))
    search.costs[search.start] = 0
    search.parents[search.start] = search.start
    search.stack.items[0] = search.start
    search.stack.size = 1
    return 0


@cython.cfunc
@cython.exceptval(-2)
def _empty_uniform(search: cython.pointer(Uniform)) -> cython.int:
    """Expand all cells on the stack and those pushed meanwhile; return the goal's slot if it was popped.

    Return the next slot if `most` successors are generated, or -1 if the stack is empty.
    """
    stack = cython.address(search.stack)
    costs = search.costs
    is_walled: cython.bint = search.board.limits[search.start] < 0
    while stack.size:
        stack.size -= 1
        slot = stack.items[stack.size]
        if costs[slot] < 0:
            continue
        reached = costs[slot] + 1
        if slot == search.goal or search.generated >= search.most:
            return slot
        search.expanded += 1
        costs[slot] = -2
        _reserve(stack, 4)
        _reserve(cython.address(search.later), 4)
        if not is_walled:
            _expand_uniform(search, slot, reached)
        search.peak = max(search.peak, stack.size + search.dead + search.later.size)
    return -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _expand_uniform(search: cython.pointer(Uniform), slot: cython.int, reached: cython.int) -> cython.void:
    """Push the successors of a slot; those nearer to the goal, at most two, have equal f and go on the stack.

    Of two the first found goes on top. The others wait for the next f.
    """
    stack = cython.address(search.stack)
    stride = search.board.stride
    x, y = slot % stride, slot // stride
    goal_x, goal_y = search.goal % stride, search.goal // stride
    level = stack.size
    _take(search, slot - stride, slot, reached, y > goal_y)
    _take(search, slot + 1, slot, reached, x < goal_x)
    _take(search, slot + stride, slot, reached, y < goal_y)
    _take(search, slot - 1, slot, reached, x > goal_x)
    if stack.size > level + 1:
        stack.items[level], stack.items[level + 1] = stack.items[level + 1], stack.items[level]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _take(
    search: cython.pointer(Uniform), head: cython.int, slot: cython.int, reached: cython.int, comes_nearer: cython.bint
) -> cython.void:
    known = search.costs[head]
    search.generated += known != -1
    if reached < known:
        search.costs[head] = reached
        search.parents[head] = slot
        if comes_nearer:
            search.stack.items[search.stack.size] = head
            search.stack.size += 1
        else:
            search.later.items[search.later.size] = head
            search.later.size += 1


@cython.cfunc
@cython.exceptval(-1)
def _turn_over(search: cython.pointer(Uniform)) -> cython.int:
    """Fill the empty stack with the slots that wait for the next f.

    They are sorted so that the one with the largest cost is popped first; of equal ones, the one that was found first.
    """
    search.stack, search.later = search.later, search.stack
    stack = cython.address(search.stack)
    found, search.dead, search.later.size = stack.size, 0, 0
    entries = _entries(2 * found)
    stack.size = 0
    for at in range(found - 1, -1, -1):
        slot = stack.items[at]
        if search.costs[slot] < 0:
            search.dead += 1
        else:
            entries[stack.size] = Entry(key=search.costs[slot], tie=stack.size, cell=slot)
            stack.size += 1
    _sort(entries, entries + stack.size, stack.size)
    for at in range(stack.size):
        stack.items[at] = entries[at].cell
    free(entries)
    return 0
