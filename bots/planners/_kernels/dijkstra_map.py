"""Dijkstra maps: the kernels of `gridjoust.bots.planners.dijkstra_map`, which describes them."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free

from gridjoust.bots.planners._kernels.cells import _cell_of, _slot
from gridjoust.bots.planners._kernels.heap import Entry, _entries, _sort
from gridjoust.bots.planners._kernels.layers import _put, _spread_layers
from gridjoust.bots.planners._kernels.maps import Counts, _make_map
from gridjoust.bots.planners._kernels.memory import _doubles, _ints
from gridjoust.bots.planners._kernels.terrain import Graph, _unpack
from gridjoust.bots.planners._kernels.weighted import _spread_weighted


def scan(terrain: object, packed: tuple, goals: object, maximum: object, most: cython.longlong, kinds: tuple) -> object:
    """Return the Dijkstra map of these goals (cell -> start value); it stops when `most` successors are generated.

    `kinds` are the classes of the map and of its stats.
    """
    graph: Graph = _unpack(packed)
    wanted: dict = goals if isinstance(goals, dict) else dict(goals)
    limit: cython.double = maximum
    count: cython.int = 0
    starts: tuple = (maximum,) * graph.size
    seeds = _entries(2 * len(wanted))
    try:
        for number, value in wanted.items():
            cell = _cell_of(number, graph.size)
            slot = _slot(cell, graph.width) if graph.width else cell
            start: cython.double = value
            if start < limit and not graph.walls[slot]:
                _put(starts, cell, value)
                seeds[count] = Entry(key=start, tie=cell, cell=slot)
                count += 1
        if count > 1:
            _sort(seeds, seeds + count, count)
        return _spread(cython.address(graph), terrain, starts, seeds, count, maximum, most, kinds)
    finally:
        free(seeds)


def scan_values(
    terrain: object,
    packed: tuple,
    sources: object,
    factor: object,
    maximum: object,
    most: cython.longlong,
    kinds: tuple,
) -> object:
    """Return the Dijkstra map from a start value for each cell.

    Values below the maximum are first multiplied by `factor`, if it is not None.
    """
    graph: Graph = _unpack(packed)
    limit: cython.double = maximum
    times: cython.double = 1 if factor is None else factor
    count: cython.int = 0
    values: tuple = sources if isinstance(sources, tuple) else tuple(sources)
    if len(values) != graph.size:
        raise IndexError(f"start values: expected {graph.size}, got {len(values)}")
    starts: tuple = (maximum,) * graph.size
    seeds = _entries(2 * graph.size)
    try:
        for cell in range(graph.size):
            value: object = values[cell]
            start: cython.double = value
            slot = _slot(cell, graph.width) if graph.width else cell
            if start < limit and factor is not None:
                start *= times
                value = start
            if start < limit and not graph.walls[slot]:
                seeds[count] = Entry(key=start, tie=cell, cell=slot)
                count += 1
                _put(starts, cell, value)
        _sort(seeds, seeds + count, count)
        return _spread(cython.address(graph), terrain, starts, seeds, count, maximum, most, kinds)
    finally:
        free(seeds)


@cython.cfunc
def _spread(
    graph: cython.pointer(Graph),
    terrain: object,
    starts: tuple,
    seeds: cython.pointer(Entry),
    count: cython.int,
    maximum: object,
    most: cython.longlong,
    kinds: tuple,
) -> object:
    """Return the map of these sorted start values (`seeds`), spread by layers, with a queue or with a heap."""
    counts = Counts(expanded=0, generated=0, peak=count)
    are_whole: cython.bint = True
    for at in range(count):
        are_whole = are_whole and seeds[at].key == cython.cast(cython.longlong, seeds[at].key)
    if graph.costs == cython.NULL and (count == 1 or are_whole):
        made = _spread_layers(graph, starts, seeds, count, maximum, most, cython.address(counts))
    else:
        made = _spread_values(graph, starts, seeds, count, maximum, most, cython.address(counts))
    return _make_map(kinds, terrain, starts, made, maximum, cython.address(counts))


@cython.cfunc
def _spread_values(
    graph: cython.pointer(Graph),
    starts: tuple,
    seeds: cython.pointer(Entry),
    count: cython.int,
    maximum: object,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> tuple:
    """Spread the seeds with a queue or a heap, if layers do not suffice; return each cell's value.

    Cells out of reach have `maximum`.
    """
    limit: cython.double = maximum
    values = _doubles(graph.slots)
    try:
        for slot in range(graph.slots):
            values[slot] = -INFINITY if graph.walls[slot] else limit
        for at in range(count):
            values[seeds[at].cell] = seeds[at].key
        if graph.costs != cython.NULL:
            _spread_weighted(graph, values, seeds, count, most, counts)
        else:
            _spread_unit(graph, values, seeds, count, most, counts)
        made: list = [maximum] * graph.size
        for cell in range(graph.size):
            value = values[_slot(cell, graph.width) if graph.width else cell]
            if value != limit and value != -INFINITY:
                made[cell] = value
        for at in range(count):
            if values[seeds[at].cell] == seeds[at].key:
                made[seeds[at].tie] = starts[seeds[at].tie]
        return tuple(made)
    finally:
        free(values)


@cython.cfunc
@cython.exceptval(-1)
def _spread_unit(
    graph: cython.pointer(Graph),
    values: cython.p_double,
    seeds: cython.pointer(Entry),
    count: cython.int,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> cython.int:
    """Lower `values` from the seeds by steps of 1: the seeds are merged with a queue that stays sorted by itself."""
    taken: cython.int = 0
    head: cython.int = 0
    tail: cython.int = 0
    peak: cython.int = 0
    queue = _ints(graph.size)
    while counts.generated < most:
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
            counts.generated += values[slot] != -INFINITY
            if values[slot] > value:
                values[slot] = value
                queue[tail] = slot
                tail += 1
        peak = max(peak, tail - head - taken)
    counts.peak = count + peak
    free(queue)
    return 0
