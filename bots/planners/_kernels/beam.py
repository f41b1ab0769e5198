"""Beam search on any search grid: the kernel of `gridjoust.bots.planners.beam.grid_beam`."""

import cython
from cython.cimports.cpython.ref import Py_INCREF
from cython.cimports.cpython.tuple import PyTuple_New, PyTuple_SET_ITEM
from cython.cimports.libc.math import INFINITY
from cython.cimports.libc.stdlib import free
from cython.cimports.libc.string import memset

from gridjoust.bots.planners._kernels.cells import _cell_at, _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, Fan, _fan_out, _mark_goals, _nearest, _open_board
from gridjoust.bots.planners._kernels.heap import Entry, _entries, _sort
from gridjoust.bots.planners._kernels.memory import Cells, _allot, _doubles, _ints, _reserve

Sweep = cython.struct(
    board=Board,
    goals=Cells,
    is_goal=cython.p_char,
    known=cython.p_double,  # by slot: cost of a cell that was kept in a beam, else infinite
    fresh=cython.p_double,  # by slot: cost of a candidate for the next beam, else infinite
    befores=cython.p_int,  # by slot: the link from which a candidate was reached ...
    places=cython.p_int,  # ... and its index among the candidates
    candidates=cython.pointer(Entry),  # by rank; room for twice the number of slots
    found=cython.int,  # number of candidates
    links=Cells,  # the slots of all beams, one after another
    sources=Cells,  # the link before each
    serial=cython.int,
    bound=cython.double,  # cost of the best goal
    last=cython.int,  # its slot; -1 = none yet
    last_before=cython.int,
    most=cython.longlong,
    is_cut=cython.bint,
    is_stopped=cython.bint,
    expanded=cython.long,
    generated=cython.long,
    peak=cython.int,
)


def beam(
    packed: tuple,
    start_cell: object,
    goal_cells: tuple,
    width: cython.longlong,
    max_depth: cython.double,
    most: cython.longlong,
) -> tuple:
    """Return (path, cost, (cells expanded, generated, largest layer), is_cut, is_stopped).

    `is_cut`: the width dropped cells. `is_stopped`: it ended because `most` successors were generated.
    """
    memory: Sweep
    sweep = cython.address(memory)
    memset(sweep, 0, cython.sizeof(Sweep))
    sweep.board = _open_board(packed)
    sweep.most = most
    start = _slot(_cell_of(start_cell, sweep.board.size), sweep.board.width)
    first: cython.int = 0
    depth: cython.long = 0
    try:
        _begin_beam(sweep, start, goal_cells)
        while first < sweep.links.size and depth < max_depth and not sweep.is_stopped:
            end = sweep.links.size
            _expand_layer(sweep, first, end)
            _keep_best(sweep, width)
            first = end
            depth += 1
        path: tuple = () if sweep.last < 0 else _path_back(sweep)
        counts = sweep.expanded, sweep.generated, sweep.peak
        return path, sweep.bound, counts, bool(sweep.is_cut), bool(sweep.is_stopped)
    finally:
        free(sweep.goals.items)
        free(sweep.is_goal)
        free(sweep.known)
        free(sweep.fresh)
        free(sweep.befores)
        free(sweep.places)
        free(sweep.candidates)
        free(sweep.links.items)
        free(sweep.sources.items)


@cython.cfunc
@cython.exceptval(-1)
def _begin_beam(sweep: cython.pointer(Sweep), start: cython.int, goal_cells: tuple) -> cython.int:
    slots = sweep.board.slots
    sweep.is_goal = cython.cast(cython.p_char, _allot(slots, 1))
    _mark_goals(cython.address(sweep.board), goal_cells, cython.address(sweep.goals), sweep.is_goal)
    sweep.known = _doubles(slots)
    sweep.fresh = _doubles(slots)
    sweep.befores = _ints(slots)
    sweep.places = _ints(slots)
    sweep.candidates = _entries(2 * slots)
    for slot in range(slots):
        sweep.known[slot] = sweep.fresh[slot] = INFINITY
    sweep.known[start] = 0
    sweep.peak = 1
    sweep.bound = INFINITY
    sweep.last = -1
    if sweep.is_goal[start]:
        sweep.bound = 0
        sweep.last = start
        sweep.last_before = -1
    else:
        _link(sweep, start, -1)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _link(sweep: cython.pointer(Sweep), slot: cython.int, before: cython.int) -> cython.int:
    _reserve(cython.address(sweep.links), 1)
    _reserve(cython.address(sweep.sources), 1)
    sweep.links.items[sweep.links.size] = slot
    sweep.sources.items[sweep.sources.size] = before
    sweep.links.size += 1
    sweep.sources.size += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def _expand_layer(sweep: cython.pointer(Sweep), first: cython.int, end: cython.int) -> cython.void:
    """Expand the layer `first` to `end` and collect the cells of the next one, each once; goals are only noted."""
    fan: Fan
    for at in range(first, end):
        slot = sweep.links.items[at]
        so_far = sweep.known[slot]
        if so_far >= sweep.bound:
            continue
        if sweep.generated >= sweep.most:
            sweep.is_stopped = True
            break
        sweep.expanded += 1
        _fan_out(cython.address(sweep.board), slot, cython.address(fan))
        sweep.generated += fan.size
        for arc in range(fan.size):
            _enter_beam(sweep, fan.slots[arc], so_far + fan.costs[arc], at)
    sweep.peak = max(sweep.peak, sweep.found)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _enter_beam(
    sweep: cython.pointer(Sweep), head: cython.int, reached: cython.double, before: cython.int
) -> cython.void:
    if reached >= sweep.known[head] or reached >= sweep.bound or reached >= sweep.fresh[head]:
        return
    if sweep.is_goal[head]:
        sweep.bound = reached
        sweep.last = head
        sweep.last_before = before
        return
    if sweep.fresh[head] == INFINITY:
        sweep.places[head] = sweep.found
        sweep.found += 1
    sweep.fresh[head] = reached
    sweep.befores[head] = before
    rank = reached + _nearest(cython.address(sweep.board), cython.address(sweep.goals), head)
    sweep.candidates[sweep.places[head]] = Entry(key=rank, tie=sweep.serial, cell=head)
    sweep.serial += 1


@cython.cfunc
@cython.exceptval(-1)
def _keep_best(sweep: cython.pointer(Sweep), width: cython.longlong) -> cython.int:
    """Keep the `width` best candidates as the next layer; the others may be entered again later."""
    candidates = sweep.candidates
    _sort(candidates, candidates + sweep.board.slots, sweep.found)
    for at in range(sweep.found):
        slot = candidates[at].cell
        if at < width:
            sweep.known[slot] = sweep.fresh[slot]
            _link(sweep, slot, sweep.befores[slot])
        else:
            sweep.is_cut = True
        sweep.fresh[slot] = INFINITY
    sweep.found = 0
    return 0


@cython.cfunc
def _path_back(sweep: cython.pointer(Sweep)) -> tuple:
    """Return the path of cells from the start to the best goal found."""
    length: cython.int = 1
    at: cython.int = sweep.last_before
    while at >= 0:
        at = sweep.sources.items[at]
        length += 1
    path: tuple = PyTuple_New(length)
    slot: cython.int = sweep.last
    at = sweep.last_before
    while length:
        length -= 1
        number: object = _cell_at(slot, sweep.board.stride)
        Py_INCREF(number)
        PyTuple_SET_ITEM(path, length, number)
        if length:
            slot = sweep.links.items[at]
            at = sweep.sources.items[at]
    return path
