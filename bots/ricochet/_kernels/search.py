"""A* over joint states of ricochet robots: the kernel of `gridjoust.bots.ricochet.optimum`.

It does what `gridjoust.games.ricochet.optimum` does on boards without curves with four robots by the plain rules, state
for state, whether one of them must finish or any may. That code is the specification; tests compare the two.

Most of the time is spent waiting for entries of the table that no cache holds. So the entries of all successors of a
state are read first, and only then is one after the other looked up.
"""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.cpython.pycapsule import PyCapsule_GetPointer, PyCapsule_New
from cython.cimports.libc.stdlib import calloc, free

from gridjoust.bots.planners._kernels.memory import _ints
from gridjoust.bots.ricochet._kernels.slides import MOST, Board, _draw_lines, _stop
from gridjoust.bots.ricochet._kernels.states import (
    NONE,
    STATE,
    Key,
    Keys,
    Table,
    _append,
    _cell,
    _find,
    _pack,
    _place_of,
    _put,
    _reached,
    _rebuild,
    _with_helper,
    _with_robot,
)

BOUNDS = 160
Search = cython.struct(
    board=Board,
    is_any=cython.bint,  # any robot may finish
    known=Table,
    here=Keys,  # this bucket
    done=Keys,  # the bucket before it, whose helpers have not moved yet
    running=Keys,  # finishers that come nearer
    later=Keys[160],  # by f
    bound=cython.int,
    start=Key,
    goal=Key,
    is_filling=cython.bint,
    most=cython.longlong,  # states that may be generated
    is_cut=cython.bint,  # that many were, before the end
    arrived=cython.Py_ssize_t,
    followed=cython.Py_ssize_t,
    next_pause=cython.Py_ssize_t,
    expanded=cython.long,
    generated=cython.long,
    frontier=cython.long,
    touched=Key,  # result of `_read_ahead`; without it the compiler would drop the reads
)
Pointer = cython.typedef(cython.pointer(Search))


@cython.cfunc
@cython.exceptval(check=False)
def _free(capsule: object) -> cython.void:
    search = cython.cast(Pointer, PyCapsule_GetPointer(capsule, b"search"))
    free(search.board.limits)
    free(search.board.columns)
    free(search.board.lines)
    free(search.known.items)
    free(search.here.items)
    free(search.done.items)
    free(search.running.items)
    for at in range(BOUNDS):
        free(search.later[at].items)
    free(search)


def begin(
    limits: array.array,
    width: cython.int,
    robots: tuple,
    target: cython.int,
    is_any: cython.bint,
    most: cython.longlong,
) -> object:
    """Return a search from these robots' cells, the finisher's first; None if the kernel cannot search this position.

    It cannot if the board is too large, or if from some cell even a robot that may stop anywhere needs too many moves
    to the target. The search gives up when it has generated `most` states.
    """
    size: cython.int = len(limits) // 4
    if size > 1000 or not 0 <= target < size or not all([0 <= cell < size for cell in robots]):
        return None
    search = cython.cast(Pointer, calloc(1, cython.sizeof(Search)))
    if search == cython.NULL:
        raise MemoryError
    capsule = PyCapsule_New(search, b"search", _free)
    _set_up(cython.address(search.board), limits, size, width)
    search.is_any = is_any
    search.most = most
    cells: list = sorted(robots) if is_any else [robots[0], *sorted(robots[1:])]
    search.start = _pack(cells[0], cells[1], cells[2], cells[3])
    search.goal = NONE
    if not _draw_lines(cython.address(search.board), target):
        return None
    search.bound = _bound(search, search.start)
    if search.bound >= MOST:
        return None
    _rebuild(cython.address(search.known), 1024)
    _append(cython.address(search.later[search.bound]), search.start)
    return capsule


@cython.cfunc
@cython.exceptval(-1)
def _set_up(board: cython.pointer(Board), limits: array.array, size: cython.int, width: cython.int) -> cython.int:
    board.size = size
    board.width = width
    board.limits = _ints(4 * size)
    board.columns = _ints(size)
    board.lines = _ints(size)
    for at in range(4 * size):
        board.limits[at] = limits.data.as_ints[at]
    for at in range(size):
        board.columns[at] = at % width
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _bound(search: Pointer, state: Key) -> cython.int:
    """Return the fewest straight lines to the target from the finisher, or from any robot if any may finish.

    The result is `MOST` if no line leads there.
    """
    least = _lines(search, _cell(state, 0))
    if search.is_any:
        least = min(least, _lines(search, _cell(state, 1)))
        least = min(least, _lines(search, _cell(state, 2)))
        least = min(least, _lines(search, _cell(state, 3)))
    return least


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _lines(search: Pointer, cell: cython.int) -> cython.int:
    lines = search.board.lines[cell]
    return lines if lines >= 0 else MOST


@cython.cfunc
def _opened(capsule: object) -> Pointer:
    return cython.cast(Pointer, PyCapsule_GetPointer(capsule, b"search"))


@cython.cfunc
@cython.exceptval(check=False)
def _waiting(search: Pointer) -> cython.long:
    """Return the number of states that wait in later buckets."""
    total: cython.long = 0
    for at in range(BOUNDS):
        total += search.later[at].size
    return total


def fill(capsule: object, bound: cython.int, states_per_step: cython.Py_ssize_t) -> bool:
    """Search the states of f = `bound` until a pause is due; return False if all are searched or a goal is found."""
    search = _opened(capsule)
    if not search.is_filling:
        _open_bucket(search, bound)
        search.next_pause = search.known.size + states_per_step
    arrivals: cython.pointer(Keys) = cython.address(search.later[bound]) if bound < BOUNDS else cython.NULL
    while search.goal == NONE and not search.is_cut:
        if arrivals != cython.NULL and search.arrived < arrivals.size:
            search.arrived += 1
            _admit(search, arrivals.items[search.arrived - 1])
        elif search.followed < search.done.size:
            search.followed += 1
            search.is_cut = search.generated >= search.most
            if not search.is_cut:
                _follow(search, search.done.items[search.followed - 1])
        else:
            break
        if search.goal == NONE and not search.is_cut and search.known.size >= search.next_pause:
            search.next_pause = search.known.size + states_per_step
            return True
    search.is_filling = False
    if arrivals != cython.NULL:
        arrivals.size = 0
    search.frontier = max(search.frontier, search.here.size + _waiting(search))
    return False


@cython.cfunc
@cython.exceptval(check=False)
def _open_bucket(search: Pointer, bound: cython.int) -> cython.void:
    """Begin the bucket of states with f = `bound`; helpers' moves from the bucket before are still to be made."""
    search.is_filling = True
    search.bound = bound
    search.here, search.done = search.done, search.here
    search.here.size = 0
    search.frontier = max(search.frontier, search.done.size + _waiting(search))
    search.arrived = search.followed = 0


@cython.cfunc
@cython.exceptval(-1)
def _follow(search: Pointer, state: Key) -> cython.int:
    """Add the states that helpers' moves lead to, if they are new; if any robot may finish there are no helpers."""
    if search.is_any:
        return 0
    children: Key[12]
    size = _move_helpers(search, state, children)
    search.generated += size
    _read_ahead(search, children, size)
    for at in range(size):
        _admit(search, children[at])
        if search.goal != NONE or search.is_cut:
            break
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _read_ahead(search: Pointer, keys: cython.pointer(Key), size: cython.int) -> cython.void:
    """Read the table entries of these states into the caches, all at once."""
    table = cython.address(search.known)
    seen: Key = 0
    for at in range(size):
        seen |= table.items[_place_of(table, keys[at])]
    search.touched = seen


@cython.cfunc
@cython.exceptval(-1)
def _admit(search: Pointer, state: Key) -> cython.int:
    """Add a state if it is new, and every state that its finisher can reach by moves that each lower the bound.

    The finisher is a robot that may reach the target.
    """
    running = cython.address(search.running)
    place = _find(cython.address(search.known), state)
    if search.known.items[place] != NONE:
        return 0
    _put(cython.address(search.known), place, state)
    running.size = 0
    _append(running, state)
    while running.size and search.goal == NONE:
        if search.generated >= search.most:
            search.is_cut = True
            break
        running.size -= 1
        _lead(search, running.items[running.size])
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _lead(search: Pointer, state: Key) -> cython.int:
    """Expand a state by moves of robots that may finish: nearer states are added at once, others wait in a bucket."""
    own = _bound(search, state)
    children: Key[16]
    size = _move_any(search, state, children) if search.is_any else _move_first(search, state, children)
    _append(cython.address(search.here), state)
    search.expanded += 1
    search.generated += size
    _read_ahead(search, children, size)
    for at in range(size):
        place = _find(cython.address(search.known), children[at])
        if search.known.items[place] != NONE:
            continue
        bound = _bound(search, children[at])
        if bound < own:
            _put(cython.address(search.known), place, children[at])
            _append(cython.address(search.running), children[at])
            if bound == 0:
                search.goal = children[at]
                return 0
        else:
            bound += search.bound + 1 - own
            if bound >= BOUNDS:
                raise OverflowError
            _append(cython.address(search.later[bound]), children[at])
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _move_first(search: Pointer, state: Key, children: cython.pointer(Key)) -> cython.int:
    """List in `children` the states after each move of the finisher; return their number."""
    size: cython.int = 0
    first = _cell(state, 0)
    for direction in range(4):
        end = _stop(cython.address(search.board), direction, first, _cell(state, 1), _cell(state, 2), _cell(state, 3))
        if end != first:
            children[size] = _reached((state & STATE) ^ cython.cast(Key, first ^ end), first, 0)
            size += 1
    return size


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _move_helpers(search: Pointer, state: Key, children: cython.pointer(Key)) -> cython.int:
    """List in `children` the states after each move of a helper; return their number."""
    size: cython.int = 0
    first = _cell(state, 0)
    for helper in range(1, 4):
        cell = _cell(state, helper)
        small = _cell(state, 2 if helper == 1 else 1)
        large = _cell(state, 2 if helper == 3 else 3)
        for direction in range(4):
            end = _stop(cython.address(search.board), direction, cell, first, small, large)
            if end != cell:
                children[size] = _with_helper(first, end, cell, small, large)
                size += 1
    return size


@cython.cfunc
@cython.exceptval(check=False)
def _move_any(search: Pointer, state: Key, children: cython.pointer(Key)) -> cython.int:
    """List in `children` the states after each move of any robot; return their number."""
    size: cython.int = 0
    for place in range(4):
        cell = _cell(state, place)
        low, middle = _cell(state, place == 0), _cell(state, 2 if place < 2 else 1)
        high = _cell(state, 3 if place < 3 else 2)
        for direction in range(4):
            end = _stop(cython.address(search.board), direction, cell, low, middle, high)
            if end != cell:
                children[size] = _with_robot(end, cell, low, middle, high)
                size += 1
    return size


def report(capsule: object) -> tuple:
    """Return (known states, is found, is open, is cut, expanded, generated, largest frontier, lines from the start).

    `is open`: states are left to search. `is cut`: the search gave up. The lines are the lower bound at the start.
    """
    search = _opened(capsule)
    is_open: cython.bint = search.here.size > 0 or _waiting(search) > 0
    lines = _bound(search, search.start)
    is_found: cython.bint = search.goal != NONE
    is_cut: cython.bint = search.is_cut
    return search.known.size, is_found, is_open, is_cut, search.expanded, search.generated, search.frontier, lines
