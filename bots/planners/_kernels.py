# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The searches on flat tables, to be compiled by Cython (setup.py); never imported as Python. Knows no game.

Each function does what the list code of its planner does, step for step: same plans, same counts, same ties. The list
code is the specification; tests compare the two. Cells that come from outside are checked, tables are trusted.
"""

import array

import cython
from cython.cimports.cpython import array
from cython.cimports.cpython.object import PyObject
from cython.cimports.cpython.ref import Py_DECREF, Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY, rint
from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
from cython.cimports.libc.string import memcpy

Entry = cython.struct(key=cython.double, tie=cython.int, cell=cython.int)
Heap = cython.struct(entries=cython.pointer(Entry), size=cython.Py_ssize_t, room=cython.Py_ssize_t)
Counts = cython.struct(expanded=cython.long, generated=cython.long, peak=cython.long)
Graph = cython.struct(  # a slot for every cell: its number, or on lattices its place on a board with a rim
    size=cython.int,  # cells
    slots=cython.int,
    width=cython.int,  # of a lattice; 0 = any other graph
    firsts=cython.p_int,
    ends=cython.p_int,  # of a lattice the four offsets
    costs=cython.p_double,  # NULL = all 1
    walls=cython.p_char,  # by slot
)

_INTS: array.array = array.array("i")
_DOUBLES: array.array = array.array("d")
_FLOATS: tuple = tuple([float(number) for number in range(1024)])  # those that most maps are made of
_FLOAT_AT = cython.declare(cython.pointer(PyObject)[1024])
_number = cython.declare(cython.int)
for _number in range(1024):
    _FLOAT_AT[_number] = cython.cast(cython.pointer(PyObject), _FLOATS[_number])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_before(one: Entry, other: Entry) -> cython.bint:
    return one.key < other.key or (one.key == other.key and one.tie < other.tie)


@cython.cfunc
@cython.exceptval(check=False)
def _sort(entries: cython.pointer(Entry), spare: cython.pointer(Entry), size: cython.Py_ssize_t) -> cython.void:
    """By key, then by tie: short runs by insertion, merged bottom-up; `spare` has room for as many."""
    run: cython.Py_ssize_t = 8
    start: cython.Py_ssize_t
    at: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    end: cython.Py_ssize_t
    entry: Entry
    source: cython.pointer(Entry) = entries
    target: cython.pointer(Entry) = spare
    for start in range(0, size, run):
        for right in range(start + 1, min(start + run, size)):
            entry = entries[right]
            at = right
            while at > start and _is_before(entry, entries[at - 1]):
                entries[at] = entries[at - 1]
                at -= 1
            entries[at] = entry
    while run < size:
        start = 0
        while start < size:
            middle = min(start + run, size)
            end = min(middle + run, size)
            left, right = start, middle
            for at in range(start, end):
                if left < middle and (right >= end or not _is_before(source[right], source[left])):
                    target[at] = source[left]
                    left += 1
                else:
                    target[at] = source[right]
                    right += 1
            start = end
        source, target = target, source
        run *= 2
    if source != entries:
        for at in range(size):
            entries[at] = source[at]


@cython.cfunc
@cython.exceptval(-1)
def _push(heap: cython.pointer(Heap), entry: Entry) -> cython.int:
    at: cython.Py_ssize_t = heap.size
    above: cython.Py_ssize_t
    if at == heap.room:
        grown = cython.cast(cython.pointer(Entry), realloc(heap.entries, 2 * heap.room * cython.sizeof(Entry)))
        if grown == cython.NULL:
            raise MemoryError
        heap.entries = grown
        heap.room *= 2
    heap.size += 1
    while at > 0:
        above = (at - 1) >> 1
        if not _is_before(entry, heap.entries[above]):
            break
        heap.entries[at] = heap.entries[above]
        at = above
    heap.entries[at] = entry
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _pop(heap: cython.pointer(Heap)) -> Entry:
    entries: cython.pointer(Entry) = heap.entries
    first: Entry = entries[0]
    last: Entry
    at: cython.Py_ssize_t = 0
    below: cython.Py_ssize_t = 1
    heap.size -= 1
    last = entries[heap.size]
    while below < heap.size:
        if below + 1 < heap.size and _is_before(entries[below + 1], entries[below]):
            below += 1
        if not _is_before(entries[below], last):
            break
        entries[at] = entries[below]
        at = below
        below = 2 * at + 1
    entries[at] = last
    return first


def pack_links(links: tuple, may_be_lattice: cython.bint) -> tuple:
    """(width of a lattice or 0, where each row begins and the last ends, all rows on end) of a table of links.

    A lattice is a board with the neighbours N, E, S, W of every cell in that order.
    """
    row: tuple
    size: cython.Py_ssize_t = len(links)
    firsts: array.array = array.clone(_INTS, size + 1, zero=False)
    at: cython.int = 0
    cell: cython.Py_ssize_t
    for cell in range(size):
        firsts.data.as_ints[cell] = at
        row = links[cell]
        at += len(row)
    firsts.data.as_ints[size] = at
    ends: array.array = array.clone(_INTS, at, zero=False)
    at = 0
    for row in links:
        for end in row:
            ends.data.as_ints[at] = _cell_of(end, size)
            at += 1
    width: cython.int = 0
    if may_be_lattice and size:
        width = _lattice_width(firsts.data.as_ints, ends.data.as_ints, cython.cast(cython.int, size))
    if width:
        return width, None, array.array("i", [-width - 2, 1, width + 2, -1])
    return 0, firsts, ends


@cython.cfunc
@cython.exceptval(check=False)
def _lattice_width(firsts: cython.p_int, ends: cython.p_int, size: cython.int) -> cython.int:
    width: cython.int = 1
    cell: cython.int
    at: cython.int
    while width < size and firsts[width] > firsts[width - 1] and _has(ends, firsts[width - 1], firsts[width], width):
        width += 1
    for cell in range(size):
        at = firsts[cell]
        if cell >= width:
            if at >= firsts[cell + 1] or ends[at] != cell - width:
                return 0
            at += 1
        if (cell + 1) % width:
            if at >= firsts[cell + 1] or ends[at] != cell + 1:
                return 0
            at += 1
        if cell + width < size:
            if at >= firsts[cell + 1] or ends[at] != cell + width:
                return 0
            at += 1
        if cell % width:
            if at >= firsts[cell + 1] or ends[at] != cell - 1:
                return 0
            at += 1
        if at != firsts[cell + 1]:
            return 0
    return width if size % width == 0 else 0


@cython.cfunc
@cython.exceptval(check=False)
def _has(ends: cython.p_int, first: cython.int, end: cython.int, wanted: cython.int) -> cython.bint:
    at: cython.int
    for at in range(first, end):
        if ends[at] == wanted:
            return True
    return False


def pack_costs(rows: tuple) -> array.array:
    """All rows on end, as they stand beside `pack_links`."""
    return array.array("d", [cost for row in rows for cost in row])


def pack_walls(walls: frozenset, size: cython.Py_ssize_t, width: cython.int) -> bytes:
    """1 for each wall, by slot; the rim of a lattice is a wall."""
    packed: bytearray = bytearray(size) if width == 0 else bytearray(b"\1" * ((width + 2) * (size // width + 2)))
    is_wall: cython.p_char = packed
    row: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    if width:
        for row in range(size // width):
            for cell in range(width):
                is_wall[(row + 1) * (width + 2) + 1 + cell] = 0
    for wall in walls:
        cell = _cell_of(wall, size)
        is_wall[cell if width == 0 else _slot(cell, width)] = 1
    return bytes(packed)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _slot(cell: cython.Py_ssize_t, width: cython.int) -> cython.int:
    return cython.cast(cython.int, cell + 2 * (cell // width) + width + 3)


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _cell_of(number: object, size: cython.Py_ssize_t) -> cython.int:
    cell: cython.Py_ssize_t = number
    if not 0 <= cell < size:
        raise IndexError(f"cell: expected 0 to {size - 1}, got {number}")
    return cython.cast(cython.int, cell)


@cython.cfunc
def _unpack(terrain: tuple) -> Graph:
    """(width, firsts, ends, costs or None, walls by slot, cells), as `Terrain.packed` makes it."""
    firsts: array.array = terrain[1]
    ends: array.array = terrain[2]
    costs: array.array = terrain[3]
    walls: bytes = terrain[4]
    graph: Graph
    graph.width = terrain[0]
    graph.firsts = cython.NULL if firsts is None else firsts.data.as_ints
    graph.ends = ends.data.as_ints
    graph.costs = cython.NULL if costs is None else costs.data.as_doubles
    graph.walls = walls
    graph.slots = cython.cast(cython.int, len(walls))
    graph.size = terrain[5]
    return graph


def scan(terrain: tuple, goals: object, maximum: object, most: cython.longlong) -> tuple:
    """(start values, values, expanded, generated, peak) of the map of these goals; `most` cells are expanded."""
    graph: Graph = _unpack(terrain)
    wanted: dict = goals if isinstance(goals, dict) else dict(goals)
    limit: cython.double = maximum
    start: cython.double
    cell: cython.int
    slot: cython.int
    count: cython.int = 0
    starts: tuple = (maximum,) * graph.size
    seeds = cython.cast(cython.pointer(Entry), malloc((2 * len(wanted) + 1) * cython.sizeof(Entry)))
    try:
        for number, value in wanted.items():
            cell = _cell_of(number, graph.size)
            slot = _slot(cell, graph.width) if graph.width else cell
            start = value
            if start < limit and not graph.walls[slot]:
                _put(starts, cell, value)
                seeds[count] = Entry(key=start, tie=cell, cell=slot)
                count += 1
        if count > 1:
            _sort(seeds, seeds + count, count)
        return _spread(cython.address(graph), starts, seeds, count, maximum, most)
    finally:
        free(seeds)


def scan_values(terrain: tuple, sources: object, factor: object, maximum: object, most: cython.longlong) -> tuple:
    """The same with a start value for every cell; with a factor those below the maximum are multiplied by it first."""
    graph: Graph = _unpack(terrain)
    limit: cython.double = maximum
    times: cython.double = 1 if factor is None else factor
    start: cython.double
    cell: cython.int
    slot: cython.int
    count: cython.int = 0
    value: object
    values: tuple = sources if isinstance(sources, tuple) else tuple(sources)
    if len(values) != graph.size:
        raise IndexError(f"start values: expected {graph.size}, got {len(values)}")
    starts: tuple = (maximum,) * graph.size
    seeds = cython.cast(cython.pointer(Entry), malloc((2 * graph.size + 1) * cython.sizeof(Entry)))
    try:
        for cell in range(graph.size):
            value = values[cell]
            start = value
            slot = _slot(cell, graph.width) if graph.width else cell
            if start < limit and factor is not None:
                start *= times
                value = start
            if start < limit and not graph.walls[slot]:
                seeds[count] = Entry(key=start, tie=cell, cell=slot)
                count += 1
                _put(starts, cell, value)
        _sort(seeds, seeds + count, count)
        return _spread(cython.address(graph), starts, seeds, count, maximum, most)
    finally:
        free(seeds)


@cython.cfunc
@cython.inline
def _put(items: tuple, at: cython.Py_ssize_t, item: object) -> cython.int:
    """Into a tuple that nobody else has seen yet."""
    old: object = items[at]
    Py_DECREF(old)
    Py_INCREF(item)
    PyTuple_SET_ITEM(items, at, item)
    return 0


@cython.cfunc
def _spread(
    graph: cython.pointer(Graph),
    starts: tuple,
    seeds: cython.pointer(Entry),
    count: cython.int,
    maximum: object,
    most: cython.longlong,
) -> tuple:
    """Lower everything from the seeds, sorted, by layers, with a queue or with a heap."""
    limit: cython.double = maximum
    counts: Counts = Counts(expanded=0, generated=count, peak=count)
    are_whole: cython.bint = True
    slot: cython.int
    at: cython.int
    values = cython.cast(cython.p_double, malloc((graph.slots + 1) * cython.sizeof(cython.double)))
    queue = cython.cast(cython.p_int, malloc((graph.size + 1) * cython.sizeof(cython.int)))
    try:
        for slot in range(graph.slots):
            values[slot] = -INFINITY if graph.walls[slot] else limit
        for at in range(count):
            values[seeds[at].cell] = seeds[at].key
            are_whole = are_whole and seeds[at].key == cython.cast(cython.longlong, seeds[at].key)
        if graph.costs != cython.NULL:
            _spread_weighted(graph, values, seeds, count, cython.address(counts), most)
        elif count == 1 or are_whole:
            _spread_layers(graph, values, queue, seeds, count, cython.address(counts), most)
        else:
            _spread_unit(graph, values, queue, seeds, count, cython.address(counts), most)
        made = _as_tuple(graph, values, maximum, limit)
        for at in range(count):
            if values[seeds[at].cell] == seeds[at].key:
                _put(made, seeds[at].tie, starts[seeds[at].tie])
        return starts, made, counts.expanded, counts.generated, counts.peak
    finally:
        free(values)
        free(queue)


@cython.cfunc
def _as_tuple(graph: cython.pointer(Graph), values: cython.p_double, maximum: object, limit: cython.double) -> tuple:
    """The values as objects, one shared object for each small whole number; walls are at the maximum."""
    made: tuple = PyTuple_New(graph.size)
    cell: cython.int = 0
    across: cython.int
    width: cython.int = graph.width if graph.width else graph.size
    row: cython.p_double = values + (width + 3 if graph.width else 0)
    value: cython.double
    whole: cython.int
    number: object
    while cell < graph.size:
        for across in range(width):
            value = row[across]
            if value == limit or value == -INFINITY:
                Py_INCREF(maximum)
                PyTuple_SET_ITEM(made, cell, maximum)
            else:
                whole = cython.cast(cython.int, value) if 0 <= value < 1024 else -1
                if whole >= 0 and whole == value:
                    Py_INCREF(cython.cast(object, _FLOAT_AT[whole]))
                    PyTuple_SET_ITEM(made, cell, cython.cast(object, _FLOAT_AT[whole]))
                else:
                    number = value
                    Py_INCREF(number)
                    PyTuple_SET_ITEM(made, cell, number)
            cell += 1
        row += width + 2
    return made


@cython.cfunc
@cython.exceptval(check=False)
def _spread_layers(
    graph: cython.pointer(Graph),
    values: cython.p_double,
    queue: cython.p_int,
    seeds: cython.pointer(Entry),
    count: cython.int,
    counts: cython.pointer(Counts),
    most: cython.longlong,
) -> cython.void:
    """One layer after the other in one queue: `start` to `end` is the layer, `end` to `tail` the next.

    The layer in which `most` is reached is expanded up to `cut`.
    """
    taken: cython.int = 0
    start: cython.int = 0
    end: cython.int = 0
    tail: cython.int
    cut: cython.int
    widest: cython.int
    at: cython.int
    arc: cython.int
    slot: cython.int
    value: cython.double = 0
    upcoming: cython.double
    ends: cython.p_int = graph.ends
    firsts: cython.p_int = graph.firsts
    north: cython.int = ends[0] if graph.width else 0
    south: cython.int = -north
    while taken < count and counts.expanded < most:
        if start == end:
            value = seeds[taken].key
        while taken < count and seeds[taken].key == value:
            slot = seeds[taken].cell
            taken += 1
            if values[slot] == value:
                queue[end] = slot
                end += 1
        upcoming = seeds[taken].key if taken < count else INFINITY
        widest = end - start
        counts.generated -= widest
        while start < end and value < upcoming and counts.expanded < most:
            value += 1
            tail = end
            cut = end
            if end - start > most - counts.expanded:
                cut = start + cython.cast(cython.int, most - counts.expanded)
            if graph.width:
                for at in range(start, cut):
                    slot = queue[at] + north
                    if values[slot] > value:
                        values[slot] = value
                        queue[tail] = slot
                        tail += 1
                    slot = queue[at] + 1
                    if values[slot] > value:
                        values[slot] = value
                        queue[tail] = slot
                        tail += 1
                    slot = queue[at] + south
                    if values[slot] > value:
                        values[slot] = value
                        queue[tail] = slot
                        tail += 1
                    slot = queue[at] - 1
                    if values[slot] > value:
                        values[slot] = value
                        queue[tail] = slot
                        tail += 1
            else:
                for at in range(start, cut):
                    for arc in range(firsts[queue[at]], firsts[queue[at] + 1]):
                        slot = ends[arc]
                        if values[slot] > value:
                            values[slot] = value
                            queue[tail] = slot
                            tail += 1
            counts.expanded += cut - start
            counts.generated += end - start
            start, end = end, tail
            widest = max(widest, end - start)
        counts.generated += end - start
        counts.peak = max(counts.peak, widest + count - taken)


@cython.cfunc
@cython.exceptval(check=False)
def _spread_unit(
    graph: cython.pointer(Graph),
    values: cython.p_double,
    queue: cython.p_int,
    seeds: cython.pointer(Entry),
    count: cython.int,
    counts: cython.pointer(Counts),
    most: cython.longlong,
) -> cython.void:
    """Seeds merged with a queue that stays sorted by itself."""
    taken: cython.int = 0
    head: cython.int = 0
    tail: cython.int = 0
    peak: cython.int = 0
    arc: cython.int
    base: cython.int
    slot: cython.int
    value: cython.double
    while counts.expanded < most:
        if head < tail and (taken == count or values[queue[head]] <= seeds[taken].key):
            slot = queue[head]
            head += 1
        elif taken < count:
            slot = seeds[taken].cell
            taken += 1
            if seeds[taken - 1].key > values[slot]:
                continue
        else:
            break
        counts.expanded += 1
        value = values[slot] + 1
        base = slot if graph.width else 0
        for arc in range(0 if graph.width else graph.firsts[slot], 4 if graph.width else graph.firsts[slot + 1]):
            slot = base + graph.ends[arc]
            if values[slot] > value:
                values[slot] = value
                queue[tail] = slot
                tail += 1
        peak = max(peak, tail - head - taken)
    counts.generated = tail + taken
    counts.peak = count + peak


@cython.cfunc
@cython.exceptval(-1)
def _spread_weighted(
    graph: cython.pointer(Graph),
    values: cython.p_double,
    seeds: cython.pointer(Entry),
    count: cython.int,
    counts: cython.pointer(Counts),
    most: cython.longlong,
) -> cython.int:
    """Dijkstra's algorithm with a heap; sorted seeds are one. Terrains with costs are packed as general graphs."""
    heap: Heap
    entry: Entry
    at: cython.int
    arc: cython.int
    slot: cython.int
    reached: cython.double
    heap.room = 2 * count + 64
    heap.entries = cython.cast(cython.pointer(Entry), malloc(heap.room * cython.sizeof(Entry)))
    if heap.entries == cython.NULL:
        raise MemoryError
    try:
        for at in range(count):
            heap.entries[at] = seeds[at]
        heap.size = count
        while heap.size and counts.expanded < most:
            entry = _pop(cython.address(heap))
            if entry.key > values[entry.cell]:
                continue
            counts.expanded += 1
            for arc in range(graph.firsts[entry.cell], graph.firsts[entry.cell + 1]):
                reached = entry.key + graph.costs[arc]
                slot = graph.ends[arc]
                if values[slot] > reached:
                    values[slot] = reached
                    _push(cython.address(heap), Entry(key=reached, tie=slot, cell=slot))
                    counts.generated += 1
            counts.peak = max(counts.peak, heap.size)
    finally:
        free(heap.entries)
    return 0


Board = cython.struct(  # of a search grid, in slots: the board with a rim of blocked cells
    width=cython.int,
    stride=cython.int,
    slots=cython.int,
    size=cython.int,
    is_eight=cython.bint,
    cuts_corners=cython.bint,
    diagonal=cython.double,
    least=cython.double,
    saving=cython.double,  # of a diagonal against two straight steps, at the least cost; <= 0
    entry=cython.p_double,  # cost of entering; infinite = blocked
    limits=cython.p_int,  # more than any path of uniform costs, -1 where blocked
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
    """A search grid as the searches read it."""
    slots: cython.int = (width + 2) * (height + 2)
    entry: array.array = array.clone(_DOUBLES, slots, zero=False)
    limits: array.array = array.clone(_INTS, slots, zero=False)
    slot: cython.int
    cell: cython.int
    for slot in range(slots):
        entry.data.as_doubles[slot] = INFINITY
        limits.data.as_ints[slot] = -1
    for cell in range(width * height):
        _price(entry, limits, width, cell, costs[cell], width * height)
    return width, height, is_eight, cuts_corners, diagonal, least, saving, entry, limits


@cython.cfunc
def _price(
    entry: array.array, limits: array.array, width: cython.int, cell: cython.int, cost: cython.double, size: cython.int
) -> cython.int:
    slot: cython.int = _slot(cell, width)
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
def _cell_at(slot: cython.int, stride: cython.int) -> cython.int:
    return slot - 2 * (slot // stride) - stride + 1


@cython.cfunc
def _way_back(parents: cython.p_int, slot: cython.int, stride: cython.int) -> tuple:
    """The path to a slot from the one that is its own parent, in cells."""
    length: cython.int = 1
    at: cython.int = slot
    number: object
    while parents[at] != at:
        at = parents[at]
        length += 1
    path: tuple = PyTuple_New(length)
    while length:
        length -= 1
        number = _cell_at(slot, stride)
        Py_INCREF(number)
        PyTuple_SET_ITEM(path, length, number)
        slot = parents[slot]
    return path


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _exact(cost: cython.double) -> cython.double:
    return rint(cost * 1073741824.0) / 1073741824.0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _estimate(board: cython.pointer(Board), one: cython.int, other: cython.int) -> cython.double:
    """Between two slots: Manhattan, Chebyshev or octile distance at the least cost."""
    across: cython.int = abs(one % board.stride - other % board.stride)
    down: cython.int = abs(one // board.stride - other // board.stride)
    if not board.is_eight:
        return (across + down) * board.least
    return (across + down) * board.least + min(across, down) * board.saving


@cython.cfunc
@cython.exceptval(check=False)
def _spread_fan(
    board: cython.pointer(Board), slot: cython.int, goes_in: cython.bint, fan: cython.pointer(Fan)
) -> cython.void:
    """The arcs that leave a slot, or that enter it, in tie-break order."""
    entry: cython.p_double = board.entry
    own: cython.double = entry[slot]
    stride: cython.int = board.stride
    size: cython.int = 0
    north: cython.bint = entry[slot - stride] < INFINITY
    east: cython.bint = entry[slot + 1] < INFINITY
    south: cython.bint = entry[slot + stride] < INFINITY
    west: cython.bint = entry[slot - 1] < INFINITY
    cuts: cython.bint = board.cuts_corners
    at: cython.int
    straight: cython.int
    fan.size = 0
    if own == INFINITY:
        return
    if north:
        fan.slots[size] = slot - stride
        size += 1
    if east:
        fan.slots[size] = slot + 1
        size += 1
    if south:
        fan.slots[size] = slot + stride
        size += 1
    if west:
        fan.slots[size] = slot - 1
        size += 1
    straight = size
    if board.is_eight:
        if (cuts or (north and east)) and entry[slot - stride + 1] < INFINITY:
            fan.slots[size] = slot - stride + 1
            size += 1
        if (cuts or (south and east)) and entry[slot + stride + 1] < INFINITY:
            fan.slots[size] = slot + stride + 1
            size += 1
        if (cuts or (south and west)) and entry[slot + stride - 1] < INFINITY:
            fan.slots[size] = slot + stride - 1
            size += 1
        if (cuts or (north and west)) and entry[slot - stride - 1] < INFINITY:
            fan.slots[size] = slot - stride - 1
            size += 1
    for at in range(straight):
        fan.costs[at] = own if goes_in else entry[fan.slots[at]]
    for at in range(straight, size):
        fan.costs[at] = _exact((own if goes_in else entry[fan.slots[at]]) * board.diagonal)
    fan.size = size


@cython.cfunc
@cython.exceptval(check=False)
def _grown(items: cython.p_int, room: cython.pointer(cython.Py_ssize_t)) -> cython.p_int:
    """Twice the room; NULL and the old items as they were where there is no memory."""
    more: cython.p_int = cython.cast(cython.p_int, realloc(items, 2 * room[0] * cython.sizeof(cython.int)))
    if more != cython.NULL:
        room[0] *= 2
    return more


@cython.cfunc
@cython.exceptval(-1)
def _by_cost(cells: cython.p_int, size: cython.int, costs: cython.p_int) -> cython.int:
    """Turn round and sort by cost; equal ones keep their order."""
    at: cython.int
    entries = cython.cast(cython.pointer(Entry), malloc((2 * size + 1) * cython.sizeof(Entry)))
    if entries == cython.NULL:
        raise MemoryError
    for at in range(size):
        entries[at] = Entry(key=costs[cells[size - 1 - at]], tie=at, cell=cells[size - 1 - at])
    _sort(entries, entries + size, size)
    for at in range(size):
        cells[at] = entries[at].cell
    free(entries)
    return 0


def astar_uniform(
    packed: tuple, start_cell: object, goal_cell: object, cost_limit: cython.double, most: cython.longlong
) -> tuple:
    """(path, cost, expanded, generated, peak): 4 neighbours, every cost 1; f stays or grows by 2, so two stacks do.

    Closed cells at the bottom of a stack are only counted (`dead`): what is done with them changes nothing else.
    """
    board: Board = _open_board(packed)
    stride: cython.int = board.stride
    start: cython.int = _slot(_cell_of(start_cell, board.size), board.width)
    goal: cython.int = _slot(_cell_of(goal_cell, board.size), board.width)
    goal_x: cython.int = goal % stride
    goal_y: cython.int = goal // stride
    total: cython.long = abs(start % stride - goal_x) + abs(start // stride - goal_y)
    room: cython.Py_ssize_t = 256
    later_room: cython.Py_ssize_t = 256
    size: cython.int = 1
    later_size: cython.int = 0
    dead: cython.int = 0
    expanded: cython.long = 0
    outdated: cython.long = 0
    peak: cython.long = 0
    slot: cython.int
    head: cython.int
    reached: cython.int
    level: cython.int
    at: cython.int
    x: cython.int
    y: cython.int
    way: cython.int
    comes_nearer: cython.bint[4]
    heads: cython.int[4]
    more: cython.p_int
    costs = cython.cast(cython.p_int, malloc(board.slots * cython.sizeof(cython.int)))
    parents = cython.cast(cython.p_int, malloc(board.slots * cython.sizeof(cython.int)))
    stack = cython.cast(cython.p_int, malloc(room * cython.sizeof(cython.int)))
    later = cython.cast(cython.p_int, malloc(later_room * cython.sizeof(cython.int)))
    try:
        if costs == cython.NULL or parents == cython.NULL or stack == cython.NULL or later == cython.NULL:
            raise MemoryError
        memcpy(costs, board.limits, board.slots * cython.sizeof(cython.int))
        is_walled: cython.bint = costs[start] < 0
        costs[start] = 0
        parents[start] = start
        stack[0] = start
        while (size or dead) and total <= cost_limit:
            while size:
                size -= 1
                slot = stack[size]
                reached = costs[slot] + 1
                if reached == 0:
                    outdated += 1
                    continue
                if slot == goal or expanded >= most:
                    generated = expanded + outdated + 1 + size + dead + later_size
                    if slot != goal:
                        return (), INFINITY, expanded, generated, max(peak, 1)
                    path = _way_back(parents, slot, stride)
                    return path, float(total), expanded, generated, max(peak, 1)
                expanded += 1
                costs[slot] = -1
                level = size
                if size + 4 > room:
                    more = _grown(stack, cython.address(room))
                    if more == cython.NULL:
                        raise MemoryError
                    stack = more
                if later_size + 4 > later_room:
                    more = _grown(later, cython.address(later_room))
                    if more == cython.NULL:
                        raise MemoryError
                    later = more
                if not is_walled:
                    x, y = slot % stride, slot // stride
                    heads[0], heads[1], heads[2], heads[3] = slot - stride, slot + 1, slot + stride, slot - 1
                    comes_nearer[0], comes_nearer[1] = y > goal_y, x < goal_x
                    comes_nearer[2], comes_nearer[3] = y < goal_y, x > goal_x
                    for way in range(4):
                        head = heads[way]
                        if reached < costs[head]:
                            costs[head] = reached
                            parents[head] = slot
                            if comes_nearer[way]:
                                stack[size] = head
                                size += 1
                            else:
                                later[later_size] = head
                                later_size += 1
                if size > level + 1:  # two at most; the first found goes on top
                    stack[size - 1], stack[size - 2] = stack[size - 2], stack[size - 1]
                peak = max(peak, size + dead + later_size)
            outdated += dead
            total += 2
            stack, later = later, stack
            room, later_room = later_room, room
            dead = size = 0
            for at in range(later_size):
                if costs[stack[at]] < 0:
                    dead += 1
                else:
                    stack[size] = stack[at]
                    size += 1
            later_size = 0
            _by_cost(stack, size, costs)
        return (), INFINITY, expanded, expanded + outdated + size + dead, max(peak, 1)
    finally:
        free(costs)
        free(parents)
        free(stack)
        free(later)


@cython.cfunc
@cython.exceptval(check=False)
def _nearest(board: cython.pointer(Board), slot: cython.int, goals: cython.p_int, count: cython.int) -> cython.double:
    """The least estimate to a goal; 0 without any."""
    at: cython.int
    other: cython.double
    least: cython.double = _estimate(board, slot, goals[0]) if count else 0
    for at in range(1, count):
        other = _estimate(board, slot, goals[at])
        if other < least:
            least = other
    return least


def astar(
    packed: tuple, start_cell: object, goal_cells: tuple, cost_limit: cython.double, most: cython.longlong
) -> tuple:
    """(path, cost, expanded, generated, peak) on any search grid, bucket by bucket of equal f.

    What is not of the bucket at hand waits in a heap, by f and then in the order in which it was found.
    """
    board: Board = _open_board(packed)
    count: cython.int = len(goal_cells)
    start: cython.int = _slot(_cell_of(start_cell, board.size), board.width)
    heap: Heap
    fan: Fan
    entry: Entry
    room: cython.Py_ssize_t = 256
    bucket_room: cython.Py_ssize_t = 256
    size: cython.int
    found: cython.int
    level: cython.int
    at: cython.int
    arc: cython.int
    slot: cython.int
    head: cython.int
    serial: cython.int = 1
    expanded: cython.long = 0
    peak: cython.long = 0
    generated: cython.long = 1
    waiting: cython.long = 1
    total: cython.double
    so_far: cython.double
    reached: cython.double
    bound: cython.double
    more: cython.p_int
    heap.room = 256
    heap.size = 0
    heap.entries = cython.cast(cython.pointer(Entry), malloc(heap.room * cython.sizeof(Entry)))
    bucket = cython.cast(cython.pointer(Entry), malloc(2 * bucket_room * cython.sizeof(Entry)))
    costs = cython.cast(cython.p_double, malloc(board.slots * cython.sizeof(cython.double)))
    parents = cython.cast(cython.p_int, malloc(board.slots * cython.sizeof(cython.int)))
    stack = cython.cast(cython.p_int, malloc(room * cython.sizeof(cython.int)))
    goals = cython.cast(cython.p_int, malloc((count + 1) * cython.sizeof(cython.int)))
    is_goal = cython.cast(cython.p_char, calloc(board.slots, 1))
    try:
        if (
            heap.entries == cython.NULL
            or bucket == cython.NULL
            or costs == cython.NULL
            or parents == cython.NULL
            or stack == cython.NULL
            or goals == cython.NULL
            or is_goal == cython.NULL
        ):
            raise MemoryError
        for at in range(count):
            goals[at] = _slot(_cell_of(goal_cells[at], board.size), board.width)
            is_goal[goals[at]] = 1
        for slot in range(board.slots):
            costs[slot] = INFINITY
        costs[start] = 0
        parents[start] = start
        _push(
            cython.address(heap),
            Entry(key=_nearest(cython.address(board), start, goals, count), tie=0, cell=start),
        )
        while heap.size and heap.entries[0].key <= cost_limit:
            total = heap.entries[0].key
            found = 0
            while heap.size and heap.entries[0].key == total:
                if found == bucket_room:
                    grown = cython.cast(cython.pointer(Entry), realloc(bucket, 4 * bucket_room * cython.sizeof(Entry)))
                    if grown == cython.NULL:
                        raise MemoryError
                    bucket = grown
                    bucket_room *= 2
                entry = _pop(cython.address(heap))
                entry.key = costs[entry.cell]
                entry.tie = -entry.tie
                bucket[found] = entry
                found += 1
            _sort(bucket, bucket + found, found)
            while found + 8 > room:
                more = _grown(stack, cython.address(room))
                if more == cython.NULL:
                    raise MemoryError
                stack = more
            for at in range(found):
                stack[at] = bucket[at].cell
            size = found
            while size:
                size -= 1
                slot = stack[size]
                waiting -= 1
                so_far = costs[slot]
                if so_far < 0:
                    continue
                if is_goal[slot]:
                    path = _way_back(parents, slot, board.stride)
                    return path, so_far, expanded, generated, max(peak, 1)
                if expanded >= most:
                    return (), INFINITY, expanded, generated, max(peak, 1)
                expanded += 1
                costs[slot] = -1
                level = size
                if size + 8 > room:
                    more = _grown(stack, cython.address(room))
                    if more == cython.NULL:
                        raise MemoryError
                    stack = more
                _spread_fan(cython.address(board), slot, False, cython.address(fan))
                for arc in range(fan.size):
                    head = fan.slots[arc]
                    reached = so_far + fan.costs[arc]
                    if reached < costs[head]:
                        costs[head] = reached
                        parents[head] = slot
                        generated += 1
                        waiting += 1
                        bound = reached + _nearest(cython.address(board), head, goals, count)
                        if bound == total:
                            stack[size] = head
                            size += 1
                        else:
                            _push(cython.address(heap), Entry(key=bound, tie=serial, cell=head))
                            serial += 1
                if size > level + 1:
                    _by_cost_few(stack + level, size - level, costs)
                peak = max(peak, waiting)
        return (), INFINITY, expanded, generated, max(peak, 1)
    finally:
        free(heap.entries)
        free(bucket)
        free(costs)
        free(parents)
        free(stack)
        free(goals)
        free(is_goal)


@cython.cfunc
@cython.exceptval(check=False)
def _by_cost_few(slots: cython.p_int, size: cython.int, costs: cython.p_double) -> cython.void:
    """Turn round and sort by cost, by insertion; equal ones keep their order."""
    at: cython.int
    to: cython.int
    slot: cython.int
    for at in range(size // 2):
        slots[at], slots[size - 1 - at] = slots[size - 1 - at], slots[at]
    for at in range(1, size):
        slot = slots[at]
        to = at
        while to > 0 and costs[slots[to - 1]] > costs[slot]:
            slots[to] = slots[to - 1]
            to -= 1
        slots[to] = slot


Urgent = cython.struct(k1=cython.double, k2=cython.double, serial=cython.longlong, slot=cython.longlong)  # four doubles
Repair = cython.struct(  # D* Lite between two calls; by slot unless said otherwise
    board=Board,
    g=cython.p_double,
    rhs=cython.p_double,
    queued=cython.pointer(cython.longlong),  # serial number of the entry that counts; -1 = none
    heap=cython.pointer(Urgent),
    room=cython.longlong,
    km=cython.p_double,
    size=cython.pointer(cython.longlong),  # of the heap, outdated entries included
    count=cython.pointer(cython.longlong),  # queued
    serial=cython.pointer(cython.longlong),  # the next
    last=cython.int,  # where the robot was when km was last raised
    expanded=cython.long,
    generated=cython.long,
    peak=cython.longlong,
)
_LONGS: array.array = array.array("q")


def dstar_begin(packed: tuple, start_cell: object, goal_cell: object) -> tuple:
    """The state of a planner: (board, g, rhs, queued, heap, km, [heap size, queued, next serial number, last])."""
    board: Board = _open_board(packed)
    start: cython.int = _slot(_cell_of(start_cell, board.size), board.width)
    goal: cython.int = _slot(_cell_of(goal_cell, board.size), board.width)
    slot: cython.int
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
    repair: Repair = _open_repair(state)
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
def _is_more_urgent(one: cython.pointer(Urgent), other: cython.pointer(Urgent)) -> cython.bint:
    if one.k1 != other.k1:
        return one.k1 < other.k1
    if one.k2 != other.k2:
        return one.k2 < other.k2
    return one.serial < other.serial


@cython.cfunc
@cython.exceptval(-1)
def _queue(
    repair: cython.pointer(Repair), heap: array.array, slot: cython.int, k1: cython.double, k2: cython.double
) -> cython.int:
    """Put a slot into the queue under these keys; an older entry of it no longer counts."""
    entry: Urgent
    at: cython.longlong = repair.size[0]
    above: cython.longlong
    if at == repair.room:
        array.resize(heap, 8 * repair.room)
        repair.heap = cython.cast(cython.pointer(Urgent), heap.data.as_doubles)
        repair.room *= 2
    entry.k1, entry.k2, entry.serial, entry.slot = k1, k2, repair.serial[0], slot
    repair.count[0] += repair.queued[slot] < 0
    repair.queued[slot] = entry.serial
    repair.serial[0] += 1
    repair.size[0] += 1
    repair.generated += 1
    while at > 0:
        above = (at - 1) >> 1
        if not _is_more_urgent(cython.address(entry), repair.heap + above):
            break
        repair.heap[at] = repair.heap[above]
        at = above
    repair.heap[at] = entry
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _unqueue(repair: cython.pointer(Repair), slot: cython.int) -> cython.void:
    repair.count[0] -= repair.queued[slot] >= 0
    repair.queued[slot] = -1


@cython.cfunc
@cython.exceptval(check=False)
def _sink(repair: cython.pointer(Repair), at: cython.longlong, entry: Urgent) -> cython.void:
    """Put an entry where there is a gap, or below."""
    size: cython.longlong = repair.size[0]
    below: cython.longlong = 2 * at + 1
    while below < size:
        if below + 1 < size and _is_more_urgent(repair.heap + below + 1, repair.heap + below):
            below += 1
        if not _is_more_urgent(repair.heap + below, cython.address(entry)):
            break
        repair.heap[at] = repair.heap[below]
        at = below
        below = 2 * at + 1
    repair.heap[at] = entry


@cython.cfunc
@cython.exceptval(check=False)
def _drop_first(repair: cython.pointer(Repair)) -> cython.void:
    repair.size[0] -= 1
    if repair.size[0]:
        _sink(repair, 0, repair.heap[repair.size[0]])


@cython.cfunc
@cython.exceptval(-1)
def _refresh(repair: cython.pointer(Repair), heap: array.array, slot: cython.int) -> cython.int:
    """In the queue under a fresh key if and only if g and rhs differ."""
    nearer: cython.double = min(repair.g[slot], repair.rhs[slot])
    if repair.g[slot] == repair.rhs[slot]:
        _unqueue(repair, slot)
        return 0
    key: cython.double = nearer + _estimate(cython.address(repair.board), repair.last, slot) + repair.km[0]
    return _queue(repair, heap, slot, key, nearer)


@cython.cfunc
@cython.exceptval(check=False)
def _look_ahead(repair: cython.pointer(Repair), slot: cython.int) -> cython.double:
    fan: Fan
    arc: cython.int
    least: cython.double = INFINITY
    _spread_fan(cython.address(repair.board), slot, False, cython.address(fan))
    for arc in range(fan.size):
        least = min(least, fan.costs[arc] + repair.g[fan.slots[arc]])
    return least


@cython.cfunc
@cython.exceptval(check=False)
def _rebase(repair: cython.pointer(Repair), start: cython.int) -> cython.void:
    """The robot's move since the last time goes into km; a heap of mostly outdated entries is cleared of them."""
    at: cython.longlong
    kept: cython.longlong = 0
    if start != repair.last:
        repair.km[0] += _estimate(cython.address(repair.board), repair.last, start)
        repair.last = start
    if repair.size[0] > 1000 + 4 * repair.count[0]:
        for at in range(repair.size[0]):
            if repair.queued[repair.heap[at].slot] == repair.heap[at].serial:
                repair.heap[kept] = repair.heap[at]
                kept += 1
        repair.size[0] = kept
        at = kept // 2
        while at > 0:
            at -= 1
            _sink(repair, at, repair.heap[at])


def dstar_update(state: tuple, start_cell: object, changes: list) -> None:
    """One batch of new prices, each (tail, head, old, new); the board has them already."""
    repair: Repair = _open_repair(state)
    heap: array.array = state[4]
    numbers: array.array = state[6]
    width: cython.int = repair.board.width
    tail: cython.int
    head: cython.int
    old: cython.double
    new: cython.double
    known: cython.double
    _rebase(cython.address(repair), _slot(_cell_of(start_cell, repair.board.size), width))
    numbers.data.as_longlongs[3] = repair.last
    for item in changes:
        change = cython.cast(tuple, item)
        tail = _slot(_cell_of(change[0], repair.board.size), width)
        head = _slot(_cell_of(change[1], repair.board.size), width)
        old = change[2]
        new = change[3]
        known = repair.rhs[tail]
        if new < old:
            if new + repair.g[head] < known:
                repair.rhs[tail] = new + repair.g[head]
                _refresh(cython.address(repair), heap, tail)
        elif known < INFINITY and known == old + repair.g[head]:
            repair.rhs[tail] = _look_ahead(cython.address(repair), tail)
            _refresh(cython.address(repair), heap, tail)


def dstar_search(state: tuple, start_cell: object, most: cython.longlong) -> tuple:
    """(expanded, generated, peak, whether it came to its end) of ComputeShortestPath."""
    repair: Repair = _open_repair(state)
    heap: array.array = state[4]
    numbers: array.array = state[6]
    g: cython.p_double = repair.g
    rhs: cython.p_double = repair.rhs
    start: cython.int = _slot(_cell_of(start_cell, repair.board.size), repair.board.width)
    top: Urgent
    fan: Fan
    slot: cython.int
    tail: cython.int
    arc: cython.int
    cost: cython.double
    bound: cython.double
    ahead: cython.double
    nearer: cython.double
    fresh: cython.double
    through: cython.double
    _rebase(cython.address(repair), start)
    numbers.data.as_longlongs[3] = repair.last
    while repair.size[0]:
        top = repair.heap[0]
        slot = cython.cast(cython.int, top.slot)
        if repair.queued[slot] != top.serial:
            _drop_first(cython.address(repair))
            continue
        cost = rhs[start]
        if cost < INFINITY and cost <= g[start]:
            bound = cost + repair.km[0]
            if top.k1 > bound or (top.k1 == bound and top.k2 >= cost):
                break
        if repair.expanded >= most:
            return repair.expanded, repair.generated, repair.peak, False
        _drop_first(cython.address(repair))
        ahead = rhs[slot]
        nearer = min(g[slot], ahead)
        fresh = nearer + _estimate(cython.address(repair.board), repair.last, slot) + repair.km[0]
        if top.k1 < fresh:
            _queue(cython.address(repair), heap, slot, fresh, nearer)
            continue
        _unqueue(cython.address(repair), slot)
        repair.expanded += 1
        if g[slot] < ahead:
            _raise(cython.address(repair), heap, slot)
            continue
        g[slot] = ahead
        _spread_fan(cython.address(repair.board), slot, True, cython.address(fan))
        for arc in range(fan.size):
            tail = fan.slots[arc]
            through = fan.costs[arc] + ahead
            if through < rhs[tail]:
                rhs[tail] = through
                if through < g[tail]:
                    fresh = through + _estimate(cython.address(repair.board), repair.last, tail) + repair.km[0]
                    _queue(cython.address(repair), heap, tail, fresh, through)
                elif through == g[tail]:
                    _unqueue(cython.address(repair), tail)
        repair.peak = max(repair.peak, repair.count[0])
    return repair.expanded, repair.generated, repair.peak, True


@cython.cfunc
@cython.exceptval(-1)
def _raise(repair: cython.pointer(Repair), heap: array.array, slot: cython.int) -> cython.int:
    """An underconsistent slot: forget its cost, and look ahead anew wherever that cost was relied on."""
    fan: Fan
    arc: cython.int
    known: cython.double = repair.g[slot]
    repair.g[slot] = INFINITY
    _spread_fan(cython.address(repair.board), slot, True, cython.address(fan))
    for arc in range(fan.size):
        if repair.rhs[fan.slots[arc]] == fan.costs[arc] + known:
            repair.rhs[fan.slots[arc]] = _look_ahead(repair, fan.slots[arc])
            _refresh(repair, heap, fan.slots[arc])
    _refresh(repair, heap, slot)
    repair.peak = max(repair.peak, repair.count[0])
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _best_successor(repair: cython.pointer(Repair), slot: cython.int) -> cython.int:
    """The first with the least cost + g; the slot itself without any."""
    fan: Fan
    arc: cython.int
    choice: cython.int = slot
    through: cython.double
    least: cython.double = INFINITY
    _spread_fan(cython.address(repair.board), slot, False, cython.address(fan))
    for arc in range(fan.size):
        through = fan.costs[arc] + repair.g[fan.slots[arc]]
        if through < least:
            choice, least = fan.slots[arc], through
    return choice


def dstar_cost(state: tuple, cell: object) -> float:
    """rhs of a cell."""
    board: Board = _open_board(state[0])
    rhs: array.array = state[2]
    return rhs.data.as_doubles[_slot(_cell_of(cell, board.size), board.width)]


def dstar_queued(state: tuple) -> int:
    """Cells in the queue."""
    numbers: array.array = state[6]
    return numbers.data.as_longlongs[1]


def dstar_values(state: tuple, which: cython.int) -> list:
    """g (1) or rhs (2) of every cell."""
    board: Board = _open_board(state[0])
    values: array.array = state[which]
    cell: cython.int
    return [values.data.as_doubles[_slot(cell, board.width)] for cell in range(board.size)]


def dstar_next(state: tuple, cell: object) -> int:
    """The best successor of a cell."""
    repair: Repair = _open_repair(state)
    slot: cython.int = _slot(_cell_of(cell, repair.board.size), repair.board.width)
    return _cell_at(_best_successor(cython.address(repair), slot), repair.board.stride)


def dstar_path(state: tuple, start_cell: object, goal_cell: object) -> tuple:
    """Cell by cell from the start to the goal; None in place of the next where g does not fall."""
    repair: Repair = _open_repair(state)
    slot: cython.int = _slot(_cell_of(start_cell, repair.board.size), repair.board.width)
    goal: cython.int = _slot(_cell_of(goal_cell, repair.board.size), repair.board.width)
    left: cython.double = repair.rhs[slot]
    cells: list = [start_cell]
    if left == INFINITY:
        return ()
    while slot != goal:
        slot = _best_successor(cython.address(repair), slot)
        cells.append(_cell_at(slot, repair.board.stride))
        if not repair.g[slot] < left:
            raise ValueError(f"costs: expected all above 0, got an arc to {cells[-1]} that brings the goal no nearer")
        left = repair.g[slot]
    return tuple(cells)


Arc = cython.struct(tail=cython.int, head=cython.int, cost=cython.double)


@cython.cfunc
@cython.exceptval(check=False)
def _arcs_through(board: cython.pointer(Board), slot: cython.int, arcs: cython.pointer(Arc)) -> cython.int:
    """The arcs whose price a slot decides: out of it, into it, and the diagonals past its corners; their number."""
    fan: Fan
    beside: Fan
    size: cython.int = 0
    at: cython.int
    arc: cython.int
    other: cython.int
    straight: cython.int = 0
    _spread_fan(board, slot, False, cython.address(fan))
    for at in range(fan.size):
        arcs[size] = Arc(tail=slot, head=fan.slots[at], cost=fan.costs[at])
        size += 1
    _spread_fan(board, slot, True, cython.address(fan))
    for at in range(fan.size):
        arcs[size] = Arc(tail=fan.slots[at], head=slot, cost=fan.costs[at])
        size += 1
        straight += abs(fan.slots[at] - slot) == 1 or abs(fan.slots[at] - slot) == board.stride
    if board.is_eight and not board.cuts_corners:
        for at in range(straight):
            _spread_fan(board, fan.slots[at], False, cython.address(beside))
            for arc in range(beside.size):
                for other in range(straight):
                    if beside.slots[arc] == fan.slots[other] and (abs(fan.slots[at] - slot) == 1) != (
                        abs(fan.slots[other] - slot) == 1
                    ):
                        arcs[size] = Arc(tail=fan.slots[at], head=fan.slots[other], cost=beside.costs[arc])
                        size += 1
    return size


def change_costs(packed: tuple, costs: list, kind: type) -> list:
    """Set (cell, cost) by (cell, cost); `kind` of (tail, head, old, new) of every arc whose price that changed."""
    board: Board = _open_board(packed)
    before: cython.pointer(Arc) = cython.cast(cython.pointer(Arc), malloc(64 * cython.sizeof(Arc)))
    after: cython.pointer(Arc) = before + 32
    before_size: cython.int
    after_size: cython.int
    at: cython.int
    other: cython.int
    slot: cython.int
    known: dict = {}
    found: list
    make: object = tuple.__new__
    try:
        for cell, cost in costs:
            slot = _slot(_cell_of(cell, board.size), board.width)
            before_size = _arcs_through(cython.address(board), slot, before)
            _price(packed[7], packed[8], board.width, cell, cost, board.size)
            after_size = _arcs_through(cython.address(board), slot, after)
            for at in range(before_size):
                found = _found(known, cython.address(board), before[at], before[at].cost)
                found[3] = INFINITY
                for other in range(after_size):
                    if after[other].tail == before[at].tail and after[other].head == before[at].head:
                        found[3] = after[other].cost
                        after[other].tail = -1
                        break
            for other in range(after_size):
                if after[other].tail >= 0:
                    found = _found(known, cython.address(board), after[other], INFINITY)
                    found[3] = after[other].cost
        return [make(kind, found) for found in known.values() if found[2] != found[3]]
    finally:
        free(before)


@cython.cfunc
def _found(known: dict, board: cython.pointer(Board), arc: Arc, old: cython.double) -> list:
    """What is noted of an arc: tail, head, its price before all changes, its price now."""
    key: object = cython.cast(cython.longlong, arc.tail) * board.slots + arc.head
    noted: object = known.get(key)
    if noted is None:
        noted = known[key] = [_cell_at(arc.tail, board.stride), _cell_at(arc.head, board.stride), old, old]
    return noted
