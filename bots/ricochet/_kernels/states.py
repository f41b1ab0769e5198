"""Joint states of four robots as whole numbers, lists of them, and the table of known states.

The finisher's cell is in the lowest ten bits; the helpers' cells follow in rising order, so that helpers that have
changed places make one state. If any robot may finish, all four are in rising order. The bits above say how a known
state was reached: the old cell of the robot that moved (ten bits), and its place among the four now (two bits).
"""

import cython
from cython.cimports.libc.stdlib import free, malloc, realloc

Key = cython.typedef(cython.ulonglong)
Keys = cython.struct(items=cython.pointer(Key), size=cython.Py_ssize_t, room=cython.Py_ssize_t)
Table = cython.struct(items=cython.pointer(Key), size=cython.Py_ssize_t, room=cython.Py_ssize_t)  # open addressing
STATE = cython.declare(Key, 0xFFFFFFFFFF)  # the bits of the cells
NONE = cython.declare(Key, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.exceptval(-1)
def _append(keys: cython.pointer(Keys), key: Key) -> cython.int:
    if keys.size == keys.room:
        room = max(64, 2 * keys.room)
        items = cython.cast(cython.pointer(Key), realloc(keys.items, room * cython.sizeof(Key)))
        if items == cython.NULL:
            raise MemoryError
        keys.items = items
        keys.room = room
    keys.items[keys.size] = key
    keys.size += 1
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _cell(key: Key, place: cython.int) -> cython.int:
    return cython.cast(cython.int, (key >> (10 * place)) & 1023)


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
def _reached(key: Key, came_from: cython.int, place: cython.int) -> Key:
    return key | cython.cast(Key, came_from) << 40 | cython.cast(Key, place) << 50


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _with_helper(
    first: cython.int, moved: cython.int, came_from: cython.int, small: cython.int, large: cython.int
) -> Key:
    """Return the state after a helper's move, as a number that includes how it was reached.

    `first`: the finisher's cell. `moved`, `came_from`: the helper's new and old cell. `small`, `large`: the others'.
    """
    if moved < small:
        return _reached(_pack(first, moved, small, large), came_from, 1)
    if moved < large:
        return _reached(_pack(first, small, moved, large), came_from, 2)
    return _reached(_pack(first, small, large, moved), came_from, 3)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _with_robot(moved: cython.int, came_from: cython.int, low: cython.int, middle: cython.int, high: cython.int) -> Key:
    """Return the state after a robot's move if any robot may finish; the number includes how it was reached.

    `moved`, `came_from`: the robot's new and old cell. `low`, `middle`, `high`: the cells of the others.
    """
    if moved < low:
        return _reached(_pack(moved, low, middle, high), came_from, 0)
    return _with_helper(low, moved, came_from, middle, high)


@cython.cfunc
@cython.exceptval(check=False)
def _before(key: Key, is_any: cython.bint) -> Key:
    """Return the state before this one on its path; the number does not say how that state was reached."""
    place = cython.cast(cython.int, (key >> 50) & 3)
    came_from = _cell(key, 4)
    if is_any:
        low, middle, high = _cell(key, place == 0), _cell(key, 2 if place < 2 else 1), _cell(key, 3 if place < 3 else 2)
        return _with_robot(came_from, 0, low, middle, high) & STATE
    if place == 0:
        return (key & STATE & ~cython.cast(Key, 1023)) | cython.cast(Key, came_from)
    small, large = _cell(key, 1 if place > 1 else 2), _cell(key, 3 if place < 3 else 2)
    return _with_helper(_cell(key, 0), came_from, 0, small, large) & STATE


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _place_of(table: cython.pointer(Table), key: Key) -> cython.Py_ssize_t:
    """Return the index in the hash table at which the look-up of a state begins."""
    spread: Key = (key & STATE) * cython.cast(Key, 0x9E3779B97F4A7C15)
    return cython.cast(cython.Py_ssize_t, (spread >> 20) & (table.room - 1))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _find(table: cython.pointer(Table), key: Key) -> cython.Py_ssize_t:
    """Return the index of a state in the hash table, or the one at which to put it."""
    place = _place_of(table, key)
    while table.items[place] != NONE and (table.items[place] ^ key) & STATE:
        place = (place + 1) & (table.room - 1)
    return place


@cython.cfunc
@cython.exceptval(-1)
def _put(table: cython.pointer(Table), place: cython.Py_ssize_t, key: Key) -> cython.int:
    """Put a new state at its index in the table, which grows before it is more than half full."""
    table.items[place] = key
    table.size += 1
    if 2 * table.size >= table.room:
        _rebuild(table, 4 * table.room)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _rebuild(table: cython.pointer(Table), room: cython.Py_ssize_t) -> cython.int:
    """Move the states to a table with more room, or make the first table."""
    old = table.items
    old_room = table.room
    items = cython.cast(cython.pointer(Key), malloc(room * cython.sizeof(Key)))
    if items == cython.NULL:
        raise MemoryError
    for place in range(room):
        items[place] = NONE
    table.items = items
    table.room = room
    for place in range(old_room):
        if old[place] != NONE:
            items[_find(table, old[place])] = old[place]
    free(old)
    return 0
