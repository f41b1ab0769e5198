# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A* over joint states of ricochet robots, to be compiled by Cython (setup.py); never imported as Python.

What `games.ricochet.optimum` does on boards without curves in the common case (four robots, one of which must finish,
plain rules), state for state. That code is the specification; tests compare the two. States are whole numbers: the
finisher's cell in the lowest ten bits, then the helpers' cells in rising order.
"""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.cpython.pycapsule import PyCapsule_GetPointer, PyCapsule_New
from cython.cimports.libc.stdlib import calloc, free, malloc, realloc

Key = cython.typedef(cython.ulonglong)
Keys = cython.struct(items=cython.pointer(Key), size=cython.Py_ssize_t, room=cython.Py_ssize_t)
MOST = cython.declare(cython.int, 64)  # lines to the target that are told apart
NONE = cython.declare(Key, 0xFFFFFFFFFFFFFFFF)
Search = cython.struct(
    size=cython.int,
    width=cython.int,
    limits=cython.p_int,  # by direction and cell: where a slide on the empty board ends
    lines=cython.p_int,  # by cell: the fewest straight lines to the target
    known=cython.pointer(Key),  # open addressing: state, then the state before it
    room=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    here=Keys,  # this bucket
    done=Keys,  # the bucket before it, whose helpers have not moved yet
    running=Keys,  # finishers that come nearer
    later=Keys[160],  # by f: state, then the state before it, by turns
    bound=cython.int,
    start=Key,
    goal=Key,
    is_filling=cython.bint,
    most=cython.longlong,  # states that may be expanded
    is_cut=cython.bint,  # more would have been
    arrived=cython.Py_ssize_t,
    followed=cython.Py_ssize_t,
    next_pause=cython.Py_ssize_t,
    expanded=cython.long,
    generated=cython.long,
    frontier=cython.long,
)
_INTS: array.array = array.array("i")


def pack_limits(steps: list, width: cython.int) -> object:
    """Where a slide from every cell ends, by direction N, E, S, W; None on boards with curves."""
    size: cython.int = len(steps[0])
    limits: array.array = array.clone(_INTS, 4 * size, zero=False)
    strides: cython.int[4]
    direction: cython.int
    cell: cython.int
    there: cython.int
    at: cython.int
    strides[0], strides[1], strides[2], strides[3] = -width, 1, width, -1
    for direction in range(4):
        row: list = steps[direction]
        for at in range(size):
            cell = at if strides[direction] < 0 else size - 1 - at
            there = row[cell]
            if there < 0:
                there = cell
            elif there - cell != strides[direction] or there >= size:
                return None
            else:
                there = limits.data.as_ints[direction * size + there]
            limits.data.as_ints[direction * size + cell] = there
    return limits


@cython.cfunc
@cython.exceptval(check=False)
def _draw_lines(search: cython.pointer(Search), target: cython.int) -> cython.bint:
    """The fewest lines from every cell; whether those from cells that one can leave are few enough to be told apart."""
    size: cython.int = search.size
    width: cython.int = search.width
    lines: cython.p_int = search.lines
    level: cython.int = 0
    found: cython.int = 1
    cell: cython.int
    passed: cython.int
    direction: cython.int
    stride: cython.int
    limit: cython.int
    for cell in range(size):
        lines[cell] = -1
    lines[target] = 0
    while found:
        found = 0
        for cell in range(size):
            if lines[cell] >= 0:
                continue
            for direction in range(4):
                stride = -width if direction == 0 else 1 if direction == 1 else width if direction == 2 else -1
                limit = search.limits[direction * size + cell]
                passed = cell
                while passed != limit and lines[cell] < 0:
                    passed += stride
                    if lines[passed] == level:
                        lines[cell] = level + 1
                        found += 1
        level += 1
    for cell in range(size):
        if lines[cell] < 0 or lines[cell] >= MOST:
            for direction in range(4):
                if search.limits[direction * size + cell] != cell:
                    return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def _free(capsule: object) -> cython.void:
    search = cython.cast(cython.pointer(Search), PyCapsule_GetPointer(capsule, b"search"))
    at: cython.int
    free(search.limits)
    free(search.lines)
    free(search.known)
    free(search.here.items)
    free(search.done.items)
    free(search.running.items)
    for at in range(160):
        free(search.later[at].items)
    free(search)


@cython.cfunc
@cython.exceptval(-1)
def _append(keys: cython.pointer(Keys), key: Key) -> cython.int:
    if keys.size == keys.room:
        room: cython.Py_ssize_t = max(64, 2 * keys.room)
        more = cython.cast(cython.pointer(Key), realloc(keys.items, room * cython.sizeof(Key)))
        if more == cython.NULL:
            raise MemoryError
        keys.items = more
        keys.room = room
    keys.items[keys.size] = key
    keys.size += 1
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _place_of(search: cython.pointer(Search), key: Key) -> cython.Py_ssize_t:
    """Where a state is kept, or would be."""
    place: cython.Py_ssize_t = cython.cast(
        cython.Py_ssize_t, ((key * cython.cast(Key, 0x9E3779B97F4A7C15)) >> 20) & (search.room - 1)
    )
    while search.known[2 * place] != NONE and search.known[2 * place] != key:
        place = (place + 1) & (search.room - 1)
    return place


@cython.cfunc
@cython.exceptval(-1)
def _note(search: cython.pointer(Search), place: cython.Py_ssize_t, key: Key, before: Key) -> cython.int:
    """Keep a new state at its place."""
    old: cython.pointer(Key)
    at: cython.Py_ssize_t
    room: cython.Py_ssize_t = search.room
    search.known[2 * place] = key
    search.known[2 * place + 1] = before
    search.count += 1
    if 2 * search.count < room:
        return 0
    old = search.known
    search.known = cython.cast(cython.pointer(Key), malloc(4 * room * cython.sizeof(Key)))
    if search.known == cython.NULL:
        search.known = old
        raise MemoryError
    search.room = 2 * room
    for at in range(2 * room):
        search.known[2 * at] = NONE
    for at in range(room):
        if old[2 * at] != NONE:
            place = _place_of(search, old[2 * at])
            search.known[2 * place] = old[2 * at]
            search.known[2 * place + 1] = old[2 * at + 1]
    free(old)
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stop(
    search: cython.pointer(Search), direction: cython.int, cell: cython.int, a: cython.int, b: cython.int, c: cython.int
) -> cython.int:
    """Where a slide ends with robots on three other cells."""
    end: cython.int = search.limits[direction * search.size + cell]
    width: cython.int = search.width
    if direction == 0:
        if cell > a >= end and (cell - a) % width == 0:
            end = a + width
        if cell > b >= end and (cell - b) % width == 0:
            end = b + width
        if cell > c >= end and (cell - c) % width == 0:
            end = c + width
    elif direction == 2:
        if cell < a <= end and (a - cell) % width == 0:
            end = a - width
        if cell < b <= end and (b - cell) % width == 0:
            end = b - width
        if cell < c <= end and (c - cell) % width == 0:
            end = c - width
    elif direction == 1:
        if cell < a <= end:
            end = a - 1
        if cell < b <= end:
            end = b - 1
        if cell < c <= end:
            end = c - 1
    else:
        if cell > a >= end:
            end = a + 1
        if cell > b >= end:
            end = b + 1
        if cell > c >= end:
            end = c + 1
    return end


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _key(first: cython.int, one: cython.int, small: cython.int, large: cython.int) -> Key:
    """With `small` < `large`."""
    if one < small:
        return _pack(first, one, small, large)
    if one < large:
        return _pack(first, small, one, large)
    return _pack(first, small, large, one)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _pack(first: cython.int, low: cython.int, middle: cython.int, high: cython.int) -> Key:
    return (
        cython.cast(Key, first)
        | cython.cast(Key, low) << 10
        | cython.cast(Key, middle) << 20
        | cython.cast(Key, high) << 30
    )


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _cell(key: Key, slot: cython.int) -> cython.int:
    return cython.cast(cython.int, (key >> (10 * slot)) & 1023)


def begin(limits: array.array, width: cython.int, robots: tuple, target: cython.int, most: cython.longlong) -> object:
    """A search for these cells, the finisher's first; None where the target is out of reach of lines from some cell.

    It gives up when it has expanded `most` states.
    """
    search = cython.cast(cython.pointer(Search), calloc(1, cython.sizeof(Search)))
    at: cython.Py_ssize_t
    first: cython.int
    if search == cython.NULL:
        raise MemoryError
    capsule = PyCapsule_New(search, b"search", _free)
    search.size = len(limits) // 4
    search.width = width
    search.limits = cython.cast(cython.p_int, malloc(4 * search.size * cython.sizeof(cython.int)))
    search.lines = cython.cast(cython.p_int, malloc(search.size * cython.sizeof(cython.int)))
    search.room = 1024
    search.known = cython.cast(cython.pointer(Key), malloc(2 * search.room * cython.sizeof(Key)))
    if search.limits == cython.NULL or search.lines == cython.NULL or search.known == cython.NULL:
        raise MemoryError
    for at in range(4 * search.size):
        search.limits[at] = limits.data.as_ints[at]
    for at in range(2 * search.room):
        search.known[at] = NONE
    if search.size > 1000 or not 0 <= target < search.size or not all([0 <= cell < search.size for cell in robots]):
        return None
    first, *helpers = robots
    if not _draw_lines(search, target) or search.lines[first] < 0:
        return None
    helpers.sort()
    search.start = _pack(first, helpers[0], helpers[1], helpers[2])
    search.goal = NONE
    search.most = most
    search.bound = search.lines[first]
    _append(cython.address(search.later[search.bound]), search.start)
    _append(cython.address(search.later[search.bound]), search.start)
    return capsule


@cython.cfunc
def _opened(capsule: object) -> cython.pointer(Search):
    return cython.cast(cython.pointer(Search), PyCapsule_GetPointer(capsule, b"search"))


@cython.cfunc
@cython.exceptval(check=False)
def _waiting(search: cython.pointer(Search)) -> cython.long:
    """States that wait in later buckets."""
    at: cython.int
    total: cython.long = 0
    for at in range(160):
        total += search.later[at].size // 2
    return total


def fill(capsule: object, bound: cython.int, states_per_step: cython.Py_ssize_t) -> bool:
    """Bring in the states of f = `bound` up to the next pause; False when they are all in or a goal is found."""
    search = _opened(capsule)
    arrivals: cython.pointer(Keys) = cython.address(search.later[bound]) if bound < 160 else cython.NULL
    state: Key
    spare: Keys
    if not search.is_filling:
        search.is_filling = True
        search.bound = bound
        spare = search.done
        search.done = search.here
        search.here = spare
        search.here.size = 0
        search.frontier = max(search.frontier, search.done.size + _waiting(search))
        search.next_pause = search.count + states_per_step
        search.arrived = search.followed = 0
    while True:
        if arrivals != cython.NULL and search.arrived < arrivals.size:
            search.generated += 1
            search.arrived += 2
            _admit(search, arrivals.items[search.arrived - 1], arrivals.items[search.arrived - 2])
        elif search.followed < search.done.size:
            state = search.done.items[search.followed]
            search.followed += 1
            _follow(search, state)
        else:
            break
        if search.goal != NONE or search.is_cut:
            break
        if search.count >= search.next_pause:
            search.next_pause = search.count + states_per_step
            return True
    search.is_filling = False
    if arrivals != cython.NULL:
        arrivals.size = 0
    search.frontier = max(search.frontier, search.here.size + _waiting(search))
    return False


@cython.cfunc
@cython.exceptval(-1)
def _follow(search: cython.pointer(Search), state: Key) -> cython.int:
    """Admit what the helpers' moves lead to."""
    first: cython.int = _cell(state, 0)
    helpers: cython.int[3]
    children: Key[12]
    size: cython.int = 0
    helper: cython.int
    direction: cython.int
    small: cython.int
    large: cython.int
    end: cython.int
    at: cython.int
    helpers[0], helpers[1], helpers[2] = _cell(state, 1), _cell(state, 2), _cell(state, 3)
    for helper in range(3):
        small = helpers[1] if helper == 0 else helpers[0]
        large = helpers[1] if helper == 2 else helpers[2]
        for direction in range(4):
            end = _stop(search, direction, helpers[helper], first, small, large)
            if end != helpers[helper]:
                children[size] = _key(first, end, small, large)
                size += 1
    search.generated += size
    for at in range(size):
        _admit(search, state, children[at])
        if search.goal != NONE or search.is_cut:
            break
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _admit(search: cython.pointer(Search), before: Key, state: Key) -> cython.int:
    """Take in a state if it is new; its finisher moves on while it comes nearer."""
    place: cython.Py_ssize_t = _place_of(search, state)
    running: cython.pointer(Keys) = cython.address(search.running)
    runner: Key
    child: Key
    direction: cython.int
    first: cython.int
    end: cython.int
    own: cython.int
    bound: cython.int
    if search.known[2 * place] != NONE:
        return 0
    _note(search, place, state, before)
    running.size = 0
    _append(running, state)
    while running.size:
        if search.expanded >= search.most:
            search.is_cut = True
            return 0
        running.size -= 1
        runner = running.items[running.size]
        _append(cython.address(search.here), runner)
        search.expanded += 1
        first = _cell(runner, 0)
        own = search.lines[first]
        for direction in range(4):
            end = _stop(search, direction, first, _cell(runner, 1), _cell(runner, 2), _cell(runner, 3))
            if end == first:
                continue
            child = (runner ^ cython.cast(Key, first)) | cython.cast(Key, end)
            place = _place_of(search, child)
            if search.known[2 * place] != NONE:
                continue
            bound = search.lines[end]
            if bound < own:
                _note(search, place, child, runner)
                _append(running, child)
                if bound == 0:
                    search.goal = child
                    return 0
            else:
                bound += search.bound + 1 - own
                if bound >= 160:
                    raise OverflowError
                _append(cython.address(search.later[bound]), child)
                _append(cython.address(search.later[bound]), runner)
    return 0


def report(capsule: object) -> tuple:
    """(states known, a goal found, anything open, cut short, expanded, generated, frontier, lines from the start)."""
    search = _opened(capsule)
    is_open: cython.bint = search.here.size > 0 or _waiting(search) > 0
    lines: cython.int = search.lines[_cell(search.start, 0)]
    is_found: cython.bint = search.goal != NONE
    is_cut: cython.bint = search.is_cut
    return search.count, is_found, is_open, is_cut, search.expanded, search.generated, search.frontier, lines


def moves(capsule: object, robots: tuple, finisher: cython.int) -> list:
    """(robot, direction) of every move to the goal, of several that fit a step the first, by robot and N, E, S, W."""
    search = _opened(capsule)
    key: Key = search.goal
    way: list = [key]
    cells: list = list(robots)
    found: list = []
    robot: cython.int
    direction: cython.int
    end: cython.int
    while key != search.start:
        key = search.known[2 * _place_of(search, key) + 1]
        way.append(key)
    for wanted in way[-2::-1]:
        is_done: cython.bint = False
        for robot in range(4):
            others: list = [cell for other, cell in enumerate(cells) if other != robot]
            for direction in range(4):
                end = _stop(search, direction, cells[robot], others[0], others[1], others[2])
                if is_done or end == cells[robot]:
                    continue
                after: list = cells[:robot] + [end] + cells[robot + 1 :]
                helpers: list = sorted([cell for other, cell in enumerate(after) if other != finisher])
                if _pack(after[finisher], helpers[0], helpers[1], helpers[2]) == wanted:
                    cells = after
                    found.append((robot, direction))
                    is_done = True
                    break
            if is_done:
                break
    return found
