"""Packs terrains for Dijkstra maps: a rectangular board by its width, other graphs by lists of all neighbours."""

import array

import cython
from cython.cimports.cpython import array

from gridjoust.bots.planners._kernels.cells import _INTS, _cell_of, _slot

Graph = cython.struct(  # every cell has a slot: its number, or on a lattice its place on a board with a rim
    size=cython.int,  # number of cells
    slots=cython.int,
    width=cython.int,  # of a lattice; 0 = any other graph
    firsts=cython.p_int,
    ends=cython.p_int,  # of a lattice the four offsets
    costs=cython.p_double,  # NULL = all 1
    walls=cython.p_char,  # by slot
)


def pack_links(links: tuple, may_be_lattice: cython.bint) -> tuple:
    """Return links (the neighbours of each cell) packed as (width of a lattice or 0, starts of rows, all rows in one).

    A lattice is a board with the neighbours N, E, S, W of every cell in that order. The starts of rows have one entry
    more, the end of the last row.
    """
    row: tuple
    size: cython.int = len(links)
    firsts: array.array = array.clone(_INTS, size + 1, zero=False)
    at: cython.int = 0
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
        width = _lattice_width(firsts.data.as_ints, ends.data.as_ints, size)
    if width:
        return width, None, array.array("i", [-width - 2, 1, width + 2, -1])
    return 0, firsts, ends


@cython.cfunc
@cython.exceptval(check=False)
def _lattice_width(firsts: cython.p_int, ends: cython.p_int, size: cython.int) -> cython.int:
    """Return the width of the board, or 0 if the links are no lattice (neighbours N, E, S, W in that order).

    The width is the number of the first cell, counted from 1, that has no link to the cell with the next number.
    """
    near: cython.int[4]
    width: cython.int = 1
    while width < size and firsts[width] > firsts[width - 1] and _has(ends, firsts[width - 1], firsts[width], width):
        width += 1
    if size % width:
        return 0
    for cell in range(size):
        count: cython.int = 0
        if cell >= width:
            near[count] = cell - width
            count += 1
        if (cell + 1) % width:
            near[count] = cell + 1
            count += 1
        if cell + width < size:
            near[count] = cell + width
            count += 1
        if cell % width:
            near[count] = cell - 1
            count += 1
        if firsts[cell + 1] - firsts[cell] != count:
            return 0
        for at in range(count):
            if ends[firsts[cell] + at] != near[at]:
                return 0
    return width


@cython.cfunc
@cython.exceptval(check=False)
def _has(ends: cython.p_int, first: cython.int, end: cython.int, wanted: cython.int) -> cython.bint:
    for at in range(first, end):
        if ends[at] == wanted:
            return True
    return False


def pack_costs(rows: tuple) -> array.array:
    """Return all rows of costs as one array, in the order of `pack_links`."""
    return array.array("d", [cost for row in rows for cost in row])


def pack_walls(walls: frozenset, size: cython.int, width: cython.int) -> bytes:
    """Return a byte per slot, 1 for walls.

    If `width` is above 0, the slots are a board of that width with a frame of walls; else they are the cells.
    """
    packed: bytearray = bytearray(size) if width == 0 else bytearray(b"\1" * ((width + 2) * (size // width + 2)))
    is_wall: cython.p_char = packed
    if width:
        for cell in range(size):
            is_wall[_slot(cell, width)] = 0
    for wall in walls:
        cell = _cell_of(wall, size)
        is_wall[cell if width == 0 else _slot(cell, width)] = 1
    return bytes(packed)


@cython.cfunc
def _unpack(terrain: tuple) -> Graph:
    """Return the C struct of a terrain packed by `Terrain.packed`.

    The tuple is (width, starts of rows, rows, costs or None, walls by slot, number of cells).
    """
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
