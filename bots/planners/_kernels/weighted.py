"""Dijkstra's algorithm with a heap, on packed terrains."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.heap import Entry, Heap, _pop, _push
from gridjoust.bots.planners._kernels.maps import Counts
from gridjoust.bots.planners._kernels.terrain import Graph


@cython.cfunc
@cython.exceptval(-1)
def _spread_weighted(
    graph: cython.pointer(Graph),
    values: cython.p_double,
    seeds: cython.pointer(Entry),
    count: cython.int,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> cython.int:
    """Lower `values` from these seeds by Dijkstra's algorithm with a heap, until `most` successors are generated.

    Terrains with costs are packed as general graphs, so the values are by cell.
    """
    heap: Heap
    memset(cython.address(heap), 0, cython.sizeof(Heap))
    try:
        for at in range(count):
            _push(cython.address(heap), seeds[at])
        while heap.size and counts.generated < most:
            entry = _pop(cython.address(heap))
            if entry.key > values[entry.cell]:
                continue
            counts.expanded += 1
            for arc in range(graph.firsts[entry.cell], graph.firsts[entry.cell + 1]):
                cell = graph.ends[arc]
                reached = entry.key + graph.costs[arc]
                counts.generated += values[cell] != -INFINITY
                if values[cell] > reached:
                    values[cell] = reached
                    _push(cython.address(heap), Entry(key=reached, tie=cell, cell=cell))
            counts.peak = max(counts.peak, heap.size)
    finally:
        free(heap.entries)
    return 0
