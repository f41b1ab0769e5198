"""The repair of a Dijkstra map after walls changed; it reads the terrain's own tables, and few of their rows."""

import cython
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _cell_of
from gridjoust.bots.planners._kernels.heap import Entry, Heap, _pop, _push
from gridjoust.bots.planners._kernels.maps import Counts, _make_map

OPEN_CELL = cython.declare(cython.int, 0)
WALL = cython.declare(cython.int, 1)
TOUCHED = cython.declare(cython.int, 2)  # changed or raised
Update = cython.struct(
    kinds=cython.p_char, size=cython.int, limit=cython.double, heap=Heap, raised=cython.long, generated=cython.long
)


def update_map(terrain: object, into_before: tuple, chart: object, most: cython.longlong, kinds: tuple) -> object:
    """Return the map `chart` updated for this terrain, whose steps lead both ways.

    `into_before` are the steps of the map's own terrain; it stops when `most` successors are generated.
    """
    into: tuple = terrain.into
    costs: object = terrain.into_costs
    memory: Update
    update = cython.address(memory)
    memset(update, 0, cython.sizeof(Update))
    update.size = len(into)
    update.limit = chart.maximum
    sources: list = list(chart.sources)
    values: list = list(chart.values)
    counts = Counts(expanded=0, generated=0, peak=0)
    if not (update.size == len(into_before) == len(values) == len(sources)):
        raise IndexError(f"terrain: expected {len(values)} cells as before, got {update.size}")
    try:
        update.kinds = cython.cast(cython.p_char, calloc(update.size + 1, 1))
        if update.kinds == cython.NULL:
            raise MemoryError
        for wall in terrain.walls:
            cell = _cell_of(wall, update.size)
            update.kinds[cell] = WALL
            sources[cell] = chart.maximum
        _touch(update, terrain.walls ^ chart.terrain.walls, into_before, into, values)
        _raise_unsupported(update, into, costs, sources, values, most)
        touched: list = [cell for cell in range(update.size) if update.kinds[cell] & TOUCHED]
        _lower(update, touched, into, costs, sources, values, most)
        counts.peak = update.heap.size
        _spread_around(update, into, costs, values, most, cython.address(counts))
        for wall in terrain.walls:  # an update that was cut short has not raised them all
            values[cython.cast(cython.int, wall)] = chart.maximum
        counts.expanded += update.raised
        counts.generated = update.generated
        return _make_map(kinds, terrain, tuple(sources), tuple(values), chart.maximum, cython.address(counts))
    finally:
        free(update.kinds)
        free(update.heap.entries)


@cython.cfunc
def _touch(
    update: cython.pointer(Update), flipped: object, into_before: tuple, into: tuple, values: list
) -> cython.int:
    """Put cells that became or ceased to be walls, and their neighbours, into the heap."""
    for wall in flipped:
        for cells in ((wall,), into_before[wall], into[wall]):
            for number in cells:
                cell = _cell_of(number, update.size)
                if not update.kinds[cell] & TOUCHED:
                    update.kinds[cell] |= TOUCHED
                    _push(cython.address(update.heap), Entry(key=values[cell], tie=cell, cell=cell))
    return 0


@cython.cfunc
def _raise_unsupported(
    update: cython.pointer(Update), into: tuple, costs: object, sources: list, values: list, most: cython.longlong
) -> cython.int:
    """Set every cell whose value no neighbour or goal accounts for any more to the maximum, low values first."""
    value: cython.double
    while update.heap.size and update.generated < most:
        entry = _pop(cython.address(update.heap))
        cell = entry.cell
        value = values[cell]
        if value != entry.key or value >= update.limit:
            continue
        if not update.kinds[cell] & WALL and (
            cython.cast(cython.double, sources[cell]) == value
            or _through(update, into, costs, values, cell, value) == value
        ):
            continue
        values[cell] = update.limit
        update.kinds[cell] |= TOUCHED
        update.raised += 1
        row: tuple = into[cell]
        _count_steps(update, row)
        for arc in range(len(row)):
            other = _cell_of(row[arc], update.size)
            reached: cython.double = value + _cost_of(costs, cell, arc)
            if not update.kinds[other] & WALL and cython.cast(cython.double, values[other]) == reached:
                _push(cython.address(update.heap), Entry(key=reached, tie=other, cell=other))
    update.heap.size = 0
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _count_steps(update: cython.pointer(Update), row: tuple) -> cython.int:
    """Count the cells in a row of neighbours that are no walls as successors."""
    for number in row:
        update.generated += not update.kinds[_cell_of(number, update.size)] & WALL
    return 0


@cython.cfunc
@cython.inline
def _cost_of(costs: object, cell: cython.int, arc: cython.Py_ssize_t) -> cython.double:
    return 1.0 if costs is None else cython.cast(tuple, cython.cast(tuple, costs)[cell])[arc]


@cython.cfunc
def _through(
    update: cython.pointer(Update), into: tuple, costs: object, values: list, cell: cython.int, wanted: cython.double
) -> cython.double:
    """Return the least sum of a neighbour's value and the step's cost; stop early once the sum `wanted` is found."""
    least: cython.double = INFINITY
    _count_steps(update, into[cell])
    for number in cython.cast(tuple, into[cell]):
        head = _cell_of(number, update.size)
        if update.kinds[head] & WALL:
            continue
        value: cython.double = values[head]
        row: tuple = into[head]
        for arc in range(1 if costs is None else len(row)):
            if costs is None or cython.cast(cython.int, row[arc]) == cell:
                least = min(least, value + _cost_of(costs, head, arc))
                if value + _cost_of(costs, head, arc) == wanted:
                    return wanted
    return least


@cython.cfunc
def _lower(
    update: cython.pointer(Update),
    touched: list,
    into: tuple,
    costs: object,
    sources: list,
    values: list,
    most: cython.longlong,
) -> cython.int:
    """Lower touched cells to the best value that their neighbours allow, in order, and put them into the heap."""
    for cell in touched:
        if update.generated >= most:
            break
        if not update.kinds[cython.cast(cython.int, cell)] & WALL:
            own: cython.double = sources[cell]
            best = min(own, _through(update, into, costs, values, cell, -INFINITY))
            if best < cython.cast(cython.double, values[cell]):
                values[cell] = best
                _push(cython.address(update.heap), Entry(key=best, tie=cell, cell=cell))
    return 0


@cython.cfunc
def _spread_around(
    update: cython.pointer(Update),
    into: tuple,
    costs: object,
    values: list,
    most: cython.longlong,
    counts: cython.pointer(Counts),
) -> cython.int:
    """Lower the values from the cells in the heap by Dijkstra's algorithm, until `most` successors are generated."""
    while update.heap.size and update.generated < most:
        entry = _pop(cython.address(update.heap))
        if entry.key > cython.cast(cython.double, values[entry.cell]):
            continue
        counts.expanded += 1
        row: tuple = into[entry.cell]
        _count_steps(update, row)
        for arc in range(len(row)):
            other = _cell_of(row[arc], update.size)
            reached: cython.double = entry.key + _cost_of(costs, entry.cell, arc)
            if not update.kinds[other] & WALL and cython.cast(cython.double, values[other]) > reached:
                values[other] = reached
                _push(cython.address(update.heap), Entry(key=reached, tie=other, cell=other))
        counts.peak = max(counts.peak, update.heap.size)
    return 0
