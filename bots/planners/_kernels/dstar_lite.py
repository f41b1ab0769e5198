"""D* Lite on search grids: the kernel of `gridjoust.bots.planners.grid_dstar_lite`."""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.libc.math import INFINITY

from gridjoust.bots.planners._kernels.cells import _DOUBLES, _cell_at, _cell_of, _slot
from gridjoust.bots.planners._kernels.dstar_queue import _LONGS, Repair, Urgent, _drop_first, _queue, _sweep, _unqueue
from gridjoust.bots.planners._kernels.grid import Fan, _estimate, _fan_in, _fan_out, _open_board


def dstar_begin(packed: tuple, start_cell: object, goal_cell: object) -> tuple:
    """Return a planner's state: (board, g, rhs, queued, heap, km, [heap size, queued, next serial number, last]).

    `last` is the robot's slot, that is its cell on the board with a rim, when km was last raised.
    """
    board = _open_board(packed)
    start = _slot(_cell_of(start_cell, board.size), board.width)
    goal = _slot(_cell_of(goal_cell, board.size), board.width)
    g: array.array = array.clone(_DOUBLES, board.slots, zero=False)
    rhs: array.array = array.clone(_DOUBLES, board.slots, zero=False)
    queued: array.array = array.clone(_LONGS, board.slots, zero=False)
    heap: array.array = array.clone(_DOUBLES, 4 * 64, zero=False)
    km: array.array = array.clone(_DOUBLES, 1, zero=True)
    numbers: array.array = array.clone(_LONGS, 4, zero=True)
    for slot in range(board.slots):
        g.data.as_doubles[slot] = rhs.data.as_doubles[slot] = INFINITY
        queued.data.as_longlongs[slot] = -1
    rhs.data.as_doubles[goal] = 0
    numbers.data.as_longlongs[3] = start
    state: tuple = (packed, g, rhs, queued, heap, km, numbers)
    repair = _open_repair(state)
    _refresh(cython.address(repair), heap, goal)
    return state


@cython.cfunc
def _open_repair(state: tuple) -> Repair:
    g: array.array = state[1]
    rhs: array.array = state[2]
    queued: array.array = state[3]
    heap: array.array = state[4]
    km: array.array = state[5]
    numbers: array.array = state[6]
    repair: Repair
    repair.board = _open_board(state[0])
    repair.g = g.data.as_doubles
    repair.rhs = rhs.data.as_doubles
    repair.queued = queued.data.as_longlongs
    repair.heap = cython.cast(cython.pointer(Urgent), heap.data.as_doubles)
    repair.room = len(heap) // 4
    repair.km = km.data.as_doubles
    repair.size = numbers.data.as_longlongs
    repair.count = numbers.data.as_longlongs + 1
    repair.serial = numbers.data.as_longlongs + 2
    repair.last = cython.cast(cython.int, numbers.data.as_longlongs[3])
    repair.expanded = repair.generated = 0
    repair.peak = repair.count[0]
    return repair


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _key(repair: cython.pointer(Repair), slot: cython.int, nearer: cython.double) -> cython.double:
    """Return the first part of a slot's key: `nearer` (the second part, min(g, rhs)) + estimate to the robot + km."""
    return nearer + _estimate(cython.address(repair.board), repair.last, slot) + repair.km[0]


@cython.cfunc
@cython.exceptval(-1)
def _refresh(repair: cython.pointer(Repair), heap: array.array, slot: cython.int) -> cython.int:
    """Queue the slot under a fresh key if g and rhs differ, else remove it from the queue."""
    nearer: cython.double = min(repair.g[slot], repair.rhs[slot])
    if repair.g[slot] == repair.rhs[slot]:
        _unqueue(repair, slot)
        return 0
    return _queue(repair, heap, slot, _key(repair, slot, nearer), nearer)


@cython.cfunc
@cython.exceptval(check=False)
def _look_ahead(repair: cython.pointer(Repair), slot: cython.int) -> cython.double:
    """Return the least cost of a step + g over all successors of a slot: its rhs."""
    fan: Fan
    least: cython.double = INFINITY
    _fan_out(cython.address(repair.board), slot, cython.address(fan))
    repair.generated += fan.size
    for arc in range(fan.size):
        least = min(least, fan.costs[arc] + repair.g[fan.slots[arc]])
    return least


@cython.cfunc
@cython.exceptval(check=False)
def _rebase(repair: cython.pointer(Repair), numbers: array.array, start: cython.int) -> cython.void:
    """Add the estimated cost of the robot's move since the last call to km; old keys then stay lower bounds.

    If most entries of the heap are outdated, these are dropped.
    """
    if start != repair.last:
        repair.km[0] += _estimate(cython.address(repair.board), repair.last, start)
        repair.last = start
        numbers.data.as_longlongs[3] = start
    _sweep(repair)


@cython.cfunc
@cython.exceptval(-1)
def _take_news(
    repair: cython.pointer(Repair), heap: array.array, changes: list, most: cython.longlong
) -> cython.Py_ssize_t:
    """Take in changed prices, each (tail, head, old, new), until `most` successors are read; return how many.

    The board must have the new prices already.
    """
    width: cython.int = repair.board.width
    taken: cython.Py_ssize_t = 0
    for item in changes:
        if repair.generated >= most:
            break
        taken += 1
        change = cython.cast(tuple, item)
        tail = _slot(_cell_of(change[0], repair.board.size), width)
        head = _slot(_cell_of(change[1], repair.board.size), width)
        old: cython.double = change[2]
        new: cython.double = change[3]
        known = repair.rhs[tail]
        if new < old:
            if new + repair.g[head] < known:
                repair.rhs[tail] = new + repair.g[head]
                _refresh(repair, heap, tail)
        elif known < INFINITY and known == old + repair.g[head]:
            repair.rhs[tail] = _look_ahead(repair, tail)
            _refresh(repair, heap, tail)
    return taken


def dstar_search(state: tuple, start_cell: object, changes: list, most: cython.longlong) -> tuple:
    """Take in changed prices and repair the search (ComputeShortestPath).

    Return (expanded, generated, largest queue, changes taken in, is done). The last is False if `most` successors were
    generated before the robot's cost was known.
    """
    memory = _open_repair(state)
    repair = cython.address(memory)
    heap: array.array = state[4]
    start = _slot(_cell_of(start_cell, repair.board.size), repair.board.width)
    _rebase(repair, state[6], start)
    taken = _take_news(repair, heap, changes, most)
    repair.peak = repair.count[0]
    if taken < len(changes):
        return repair.expanded, repair.generated, repair.peak, taken, False
    while repair.size[0]:
        top = repair.heap[0]
        slot: cython.int = cython.cast(cython.int, top.slot)
        if repair.queued[slot] != top.serial:
            _drop_first(repair)
            continue
        if _is_settled(repair, start, cython.address(top)):
            break
        if repair.generated >= most:
            return repair.expanded, repair.generated, repair.peak, taken, False
        _drop_first(repair)
        nearer: cython.double = min(repair.g[slot], repair.rhs[slot])
        fresh: cython.double = _key(repair, slot, nearer)
        if top.k1 < fresh:
            _queue(repair, heap, slot, fresh, nearer)
            continue
        _unqueue(repair, slot)
        repair.expanded += 1
        if repair.g[slot] < repair.rhs[slot]:
            _raise(repair, heap, slot)
        else:
            _lower_around(repair, heap, slot)
        repair.peak = max(repair.peak, repair.count[0])
    return repair.expanded, repair.generated, repair.peak, taken, True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_settled(repair: cython.pointer(Repair), start: cython.int, top: cython.pointer(Urgent)) -> cython.bint:
    """Return True if the robot's cost is known and no key in the queue could lower it."""
    cost = repair.rhs[start]
    bound = cost + repair.km[0]
    is_known: cython.bint = cost < INFINITY and cost <= repair.g[start]
    return is_known and (top.k1 > bound or (top.k1 == bound and top.k2 >= cost))


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _lower_around(repair: cython.pointer(Repair), heap: array.array, slot: cython.int) -> cython.int:
    """Set g of a slot with g > rhs (overconsistent) to rhs, and lower the rhs of its predecessors."""
    fan: Fan
    ahead: cython.double = repair.rhs[slot]
    repair.g[slot] = ahead
    _fan_in(cython.address(repair.board), slot, cython.address(fan))
    repair.generated += fan.size
    for arc in range(fan.size):
        tail = fan.slots[arc]
        through = fan.costs[arc] + ahead
        if through < repair.rhs[tail]:
            repair.rhs[tail] = through
            if through < repair.g[tail]:
                _queue(repair, heap, tail, _key(repair, tail, through), through)
            elif through == repair.g[tail]:
                _unqueue(repair, tail)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _raise(repair: cython.pointer(Repair), heap: array.array, slot: cython.int) -> cython.int:
    """Set g of a slot with g < rhs (underconsistent) to infinite; recompute rhs of the slots that relied on it."""
    fan: Fan
    known = repair.g[slot]
    repair.g[slot] = INFINITY
    _fan_in(cython.address(repair.board), slot, cython.address(fan))
    repair.generated += fan.size
    for arc in range(fan.size):
        if repair.rhs[fan.slots[arc]] == fan.costs[arc] + known:
            repair.rhs[fan.slots[arc]] = _look_ahead(repair, fan.slots[arc])
            _refresh(repair, heap, fan.slots[arc])
    _refresh(repair, heap, slot)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _best_successor(repair: cython.pointer(Repair), slot: cython.int) -> cython.int:
    """Return the first successor with the least cost + g, or the slot itself if it has none."""
    fan: Fan
    choice: cython.int = slot
    least: cython.double = INFINITY
    _fan_out(cython.address(repair.board), slot, cython.address(fan))
    for arc in range(fan.size):
        through = fan.costs[arc] + repair.g[fan.slots[arc]]
        if through < least:
            choice, least = fan.slots[arc], through
    return choice


def dstar_cost(state: tuple, cell: object) -> float:
    """Return the rhs of a cell: the cost of its path to the goal, once the search has settled it."""
    board = _open_board(state[0])
    rhs: array.array = state[2]
    return rhs.data.as_doubles[_slot(_cell_of(cell, board.size), board.width)]


def dstar_queued(state: tuple) -> int:
    """Return the number of cells in the queue."""
    numbers: array.array = state[6]
    return numbers.data.as_longlongs[1]


def dstar_values(state: tuple, which: cython.int) -> list:
    """Return g (`which` 1) or rhs (`which` 2) of every cell, by number."""
    board = _open_board(state[0])
    values: array.array = state[which]
    return [values.data.as_doubles[_slot(cell, board.width)] for cell in range(board.size)]


def dstar_next(state: tuple, cell: object) -> int:
    """Return the first successor of a cell with the least cost + g, or the cell itself if it has none."""
    repair = _open_repair(state)
    slot = _slot(_cell_of(cell, repair.board.size), repair.board.width)
    return _cell_at(_best_successor(cython.address(repair), slot), repair.board.stride)


def dstar_path(state: tuple, start_cell: object, goal_cell: object) -> tuple:
    """Return the cells from the start to the goal, () if there is no path; ValueError if a cost is not above 0."""
    repair = _open_repair(state)
    slot = _slot(_cell_of(start_cell, repair.board.size), repair.board.width)
    goal = _slot(_cell_of(goal_cell, repair.board.size), repair.board.width)
    left = repair.rhs[slot]
    cells: list = [start_cell]
    if left == INFINITY:
        return ()
    while slot != goal:
        slot = _best_successor(cython.address(repair), slot)
        cells.append(_cell_at(slot, repair.board.stride))
        if not repair.g[slot] < left:
            raise ValueError(
                f"costs: expected all above 0, got an arc to {cells[len(cells) - 1]} that brings the goal no nearer"
            )
        left = repair.g[slot]
    return tuple(cells)
