"""Breadth-first maps: start values that differ by whole numbers, spread layer by layer."""

import cython
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free

from gridjoust.bots.planners._kernels.heap import Entry
from gridjoust.bots.planners._kernels.maps import Counts
from gridjoust.bots.planners._kernels.memory import _allot
from gridjoust.bots.planners._kernels.terrain import Graph

Number = cython.typedef(cython.pointer(PyObject))
Spread = cython.struct(
    marks=cython.p_int,  # by slot: SHUT, OPEN, CLOSED, or the number of its layer
    queue=cython.p_int,  # slots in the order in which they were reached
    numbers=cython.pointer(Number),  # by mark, from -1: the value as an object, borrowed
)
OPEN = cython.declare(cython.int, 0)
CLOSED = cython.declare(cython.int, 1)  # seeds whose turn comes before a layer reaches them
SHUT = cython.declare(cython.int, -1)  # walls; no other mark is negative

_SPARE = cython.declare(cython.p_char, cython.NULL)
_SPARE_ROOM = cython.declare(cython.Py_ssize_t, 0)
_FLOATS: tuple = tuple([float(number) for number in range(1024)])  # shared by most maps


@cython.cfunc
def _borrow(room: cython.Py_ssize_t) -> cython.p_char:
    """Return memory of `room` bytes, if possible that of the last map: new memory takes longer than a large flood."""
    global _SPARE
    spare, _SPARE = _SPARE, cython.NULL
    if spare != cython.NULL and _SPARE_ROOM >= room:
        return spare
    free(spare)
    return cython.cast(cython.p_char, _allot(room, 1))


@cython.cfunc
@cython.exceptval(check=False)
def _give_back(memory: cython.p_char, room: cython.Py_ssize_t) -> cython.void:
    """Keep this memory for the next map, or free it if other memory is kept already."""
    global _SPARE, _SPARE_ROOM
    if _SPARE != cython.NULL:
        free(memory)
        return
    _SPARE = memory
    _SPARE_ROOM = room


@cython.cfunc
def _spread_layers(
    graph: cython.pointer(Graph),
    starts: tuple,
    seeds: cython.pointer(Entry),
    count: cython.int,
    maximum: object,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> tuple:
    """Return the value of each cell, from seeds whose values differ by whole numbers, by flooding layer by layer.

    Cells out of reach have `maximum`.
    """
    spread: Spread
    kept: list = []  # keeps value objects alive that have no other reference
    most_marks: cython.Py_ssize_t = graph.size + count + 4  # one for each layer and for each seed's value
    queue_at: cython.Py_ssize_t = most_marks * cython.sizeof(Number)
    marks_at: cython.Py_ssize_t = queue_at + (graph.size + 4) * cython.sizeof(cython.int)
    room: cython.Py_ssize_t = marks_at + graph.slots * cython.sizeof(cython.int)
    memory = _borrow(room)
    try:
        spread.numbers = cython.cast(cython.pointer(Number), memory) + 1
        spread.queue = cython.cast(cython.p_int, memory + queue_at)
        spread.marks = cython.cast(cython.p_int, memory + marks_at)
        spread.numbers[SHUT] = spread.numbers[OPEN] = spread.numbers[CLOSED] = cython.cast(Number, maximum)
        for slot in range(graph.slots):
            spread.marks[slot] = -graph.walls[slot]
        _flood(graph, cython.address(spread), kept, seeds, count, maximum, most, counts)
        made = _as_tuple(graph, cython.address(spread))
        for at in range(count):
            if seeds[at].tie >= 0:
                _put(made, seeds[at].tie, starts[seeds[at].tie])
        return made
    finally:
        _give_back(memory, room)


@cython.cfunc
def _flood(
    graph: cython.pointer(Graph),
    spread: cython.pointer(Spread),
    kept: list,
    seeds: cython.pointer(Entry),
    count: cython.int,
    maximum: cython.double,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> cython.int:
    """Flood from the seeds layer by layer in one queue: `start` to `end` is the layer, `end` to `tail` the next.

    The layer in which `most` successors are reached is expanded up to `cut`.
    """
    taken: cython.int = 0
    start: cython.int = 0
    end: cython.int = 0
    mark: cython.int = CLOSED
    value: cython.double = 0
    while taken < count and counts.generated < most:
        if start == end:
            value = seeds[taken].key
            mark += 1
            spread.numbers[mark] = _number(value, kept)
        while taken < count and seeds[taken].key == value:
            end = _join(spread, seeds + taken, mark, end)
            taken += 1
        upcoming: cython.double = seeds[taken].key if taken < count else INFINITY
        widest: cython.int = end - start
        while start < end and value < upcoming and counts.generated < most:
            value += 1
            mark += 1
            spread.numbers[mark] = _number(value, kept)
            for at in range(taken, count if value == upcoming else taken):
                if seeds[at].key != value:
                    break
                if spread.marks[seeds[at].cell] == OPEN:
                    spread.marks[seeds[at].cell] = CLOSED
            cut: cython.int = end
            if most - counts.generated <= (4 * (end - start) if graph.width else graph.firsts[graph.size]):
                cut = _cut(graph, spread, start, end, most - counts.generated)
            if value < maximum:
                tail = _widen(graph, spread, start, cut, end, mark, counts)
            else:
                tail = end
                counts.generated += _steps_around(graph, spread, start, cut)
            counts.expanded += cut - start
            start, end = end, tail
            widest = max(widest, end - start)
        counts.peak = max(counts.peak, widest + count - taken)
    for at in range(taken, count):  # seeds whose turn did not come
        if spread.marks[seeds[at].cell] > CLOSED:
            seeds[at].tie = -1
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _join(spread: cython.pointer(Spread), seed: cython.pointer(Entry), mark: cython.int, end: cython.int) -> cython.int:
    """Add a seed to its layer and return the queue's new end; a seed reached before loses its own start value."""
    if spread.marks[seed.cell] > CLOSED:
        seed.tie = -1
        return end
    spread.marks[seed.cell] = mark
    spread.queue[end] = seed.cell
    return end + 1


@cython.cfunc
@cython.exceptval(check=False)
def _widen(
    graph: cython.pointer(Graph),
    spread: cython.pointer(Spread),
    start: cython.int,
    cut: cython.int,
    end: cython.int,
    mark: cython.int,
    counts: cython.pointer(Counts),
) -> cython.int:
    """Append the open slots beside a layer, or beside its part up to `cut`, to the queue; return its new end."""
    marks = spread.marks
    queue = spread.queue
    tail: cython.int = end
    shut: cython.int = 0
    ends = graph.ends
    if graph.width:
        for at in range(start, cut):
            slot = queue[at]
            for arc in range(4):
                near = slot + ends[arc]
                known = marks[near]
                tail = _reach(marks, queue, tail, near, known, mark)
                shut += known < 0
        counts.generated += 4 * (cut - start) - shut
        return tail
    for at in range(start, cut):
        counts.generated += graph.firsts[queue[at] + 1] - graph.firsts[queue[at]]
        for arc in range(graph.firsts[queue[at]], graph.firsts[queue[at] + 1]):
            known = marks[ends[arc]]
            tail = _reach(marks, queue, tail, ends[arc], known, mark)
            shut += known < 0
    counts.generated -= shut
    return tail


@cython.cfunc
@cython.exceptval(check=False)
def _cut(
    graph: cython.pointer(Graph),
    spread: cython.pointer(Spread),
    start: cython.int,
    end: cython.int,
    left: cython.longlong,
) -> cython.int:
    """Return the end of the part of a layer that is expanded before `left` successors are generated."""
    at: cython.int = start
    while at < end and left > 0:
        left -= _steps_around(graph, spread, at, at + 1)
        at += 1
    return at


@cython.cfunc
@cython.exceptval(check=False)
def _steps_around(
    graph: cython.pointer(Graph), spread: cython.pointer(Spread), start: cython.int, cut: cython.int
) -> cython.long:
    """Return the number of steps that lead to a part of the queue from slots that are no walls."""
    marks = spread.marks
    steps: cython.long = 0
    for at in range(start, cut):
        slot = spread.queue[at]
        base = slot if graph.width else 0
        for arc in range(0 if graph.width else graph.firsts[slot], 4 if graph.width else graph.firsts[slot + 1]):
            steps += marks[base + graph.ends[arc]] >= 0
    return steps


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _reach(
    marks: cython.p_int,
    queue: cython.p_int,
    tail: cython.int,
    slot: cython.int,
    known: cython.int,
    mark: cython.int,
) -> cython.int:
    """Append a slot to the queue if it is open, and mark it; return the queue's new end.

    It has no branch, as one would often be mispredicted among walls. `known` is the slot's mark so far, 0 if open.
    """
    queue[tail] = slot
    marks[slot] = known if known else mark
    return tail + (known == 0)


@cython.cfunc
def _number(value: cython.double, kept: list) -> Number:
    """Return the value as an object: a shared one for small whole numbers."""
    whole: cython.int = cython.cast(cython.int, value) if 0 <= value < 1024 else -1
    if whole >= 0 and whole == value:
        return cython.cast(Number, _FLOATS[whole])
    number: object = value
    kept.append(number)
    return cython.cast(Number, number)


@cython.cfunc
def _as_tuple(graph: cython.pointer(Graph), spread: cython.pointer(Spread)) -> tuple:
    made: tuple = PyTuple_New(graph.size)
    cell: cython.int = 0
    width: cython.int = graph.width if graph.width else graph.size
    row: cython.p_int = spread.marks + (width + 3 if graph.width else 0)
    while cell < graph.size:
        for across in range(width):
            number = spread.numbers[row[across]]
            Py_INCREF(cython.cast(object, number))
            PyTuple_SET_ITEM(made, cell, cython.cast(object, number))
            cell += 1
        row += width + 2
    return made


@cython.cfunc
@cython.inline
def _put(items: tuple, at: cython.Py_ssize_t, item: object) -> cython.int:
    """Replace an item of a tuple that no other code has seen yet."""
    old: object = items[at]
    Py_DECREF(old)
    Py_INCREF(item)
    PyTuple_SET_ITEM(items, at, item)
    return 0
