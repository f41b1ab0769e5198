"""Changes of prices: the arcs whose price depends on a cell, before and after, for D* Lite."""

import cython
from cython.cimports.libc.math import INFINITY

from gridjoust.bots.planners._kernels.cells import _cell_at, _cell_of, _slot
from gridjoust.bots.planners._kernels.grid import Board, Fan, _fan_in, _fan_out, _open_board, _price
from gridjoust.bots.planners._kernels.steps import _update_steps

Arc = cython.struct(tail=cython.int, head=cython.int, cost=cython.double)
Arcs = cython.struct(size=cython.int, items=Arc[32])


def change_costs(packed: tuple, costs: list, kind: type) -> list:
    """Set the entry costs, pairs of (cell, cost); return `kind` of (tail, head, old, new) for each arc that changed."""
    board = _open_board(packed)
    before: Arcs
    after: Arcs
    known: dict = {}
    make: object = tuple.__new__
    for cell, cost in costs:
        slot = _slot(_cell_of(cell, board.size), board.width)
        _collect(cython.address(board), slot, cython.address(before))
        _price(packed[7], packed[8], board.width, cell, cost, board.size)
        if board.is_eight:
            _update_steps(packed[9], board.entry, board.stride, board.cuts_corners, slot)
        _collect(cython.address(board), slot, cython.address(after))
        for at in range(before.size):
            _note(
                known,
                cython.address(board),
                before.items[at],
                before.items[at].cost,
                _taken(before.items[at], cython.address(after)),
            )
        for at in range(after.size):
            if after.items[at].tail >= 0:
                _note(known, cython.address(board), after.items[at], INFINITY, after.items[at].cost)
    return [make(kind, found) for found in known.values() if found[2] != found[3]]


@cython.cfunc
@cython.exceptval(check=False)
def _collect(board: cython.pointer(Board), slot: cython.int, arcs: cython.pointer(Arcs)) -> cython.void:
    """Collect the arcs whose price depends on a slot: those out of it, into it, and diagonals past its corners."""
    fan: Fan
    straight: cython.int = 0
    arcs.size = 0
    _fan_out(board, slot, cython.address(fan))
    for at in range(fan.size):
        _add(arcs, slot, fan.slots[at], fan.costs[at])
    _fan_in(board, slot, cython.address(fan))
    for at in range(fan.size):
        _add(arcs, fan.slots[at], slot, fan.costs[at])
        straight += abs(fan.slots[at] - slot) == 1 or abs(fan.slots[at] - slot) == board.stride
    if board.is_eight and not board.cuts_corners:
        for at in range(straight):
            _collect_past(board, slot, fan.slots[at], cython.address(fan), straight, arcs)


@cython.cfunc
@cython.exceptval(check=False)
def _collect_past(
    board: cython.pointer(Board),
    slot: cython.int,
    tail: cython.int,
    near: cython.pointer(Fan),
    straight: cython.int,
    arcs: cython.pointer(Arcs),
) -> cython.void:
    """Collect in `arcs` the diagonals from one straight neighbour of a slot, `tail`, to the other straight ones."""
    beside: Fan
    _fan_out(board, tail, cython.address(beside))
    for arc in range(beside.size):
        for at in range(straight):
            head = near.slots[at]
            if beside.slots[arc] == head and (abs(tail - slot) == 1) != (abs(head - slot) == 1):
                _add(arcs, tail, head, beside.costs[arc])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _add(arcs: cython.pointer(Arcs), tail: cython.int, head: cython.int, cost: cython.double) -> cython.void:
    arcs.items[arcs.size] = Arc(tail=tail, head=head, cost=cost)
    arcs.size += 1


@cython.cfunc
@cython.exceptval(check=False)
def _taken(arc: Arc, arcs: cython.pointer(Arcs)) -> cython.double:
    """Return the price of this arc in `arcs`, and mark it there as found; infinite if it is missing."""
    for at in range(arcs.size):
        if arcs.items[at].tail == arc.tail and arcs.items[at].head == arc.head:
            arcs.items[at].tail = -1
            return arcs.items[at].cost
    return INFINITY


@cython.cfunc
def _note(known: dict, board: cython.pointer(Board), arc: Arc, old: cython.double, new: cython.double) -> cython.int:
    """Note in `known` an arc's tail and head, its price before all changes, and its price now."""
    key: object = cython.cast(cython.longlong, arc.tail) * board.slots + arc.head
    noted: object = known.get(key)
    if noted is None:
        known[key] = [_cell_at(arc.tail, board.stride), _cell_at(arc.head, board.stride), old, new]
    else:
        noted[3] = new
    return 0
