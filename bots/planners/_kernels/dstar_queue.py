"""The queue of D* Lite: slots by key, then in the order of queueing; outdated entries stay in it."""

import array

import cython
from cython.cimports.cpython import array

from gridjoust.bots.planners._kernels.grid import Board

Urgent = cython.struct(k1=cython.double, k2=cython.double, serial=cython.longlong, slot=cython.longlong)  # four doubles
Repair = cython.struct(  # D* Lite between two calls; tables are by slot unless a comment says otherwise
    board=Board,
    g=cython.p_double,
    rhs=cython.p_double,
    queued=cython.pointer(cython.longlong),  # serial number of the valid entry; -1 = none
    heap=cython.pointer(Urgent),
    room=cython.longlong,
    km=cython.p_double,
    size=cython.pointer(cython.longlong),  # of the heap, outdated entries included
    count=cython.pointer(cython.longlong),  # slots in the queue
    serial=cython.pointer(cython.longlong),  # the next serial number
    last=cython.int,  # the robot's slot when km was last raised
    expanded=cython.long,
    generated=cython.long,
    peak=cython.longlong,
)
_LONGS: array.array = array.array("q")


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
    """Put a slot into the queue under the key [k1; k2]; its older entry becomes outdated."""
    at: cython.longlong = repair.size[0]
    if at == repair.room:
        array.resize(heap, 8 * repair.room)
        repair.heap = cython.cast(cython.pointer(Urgent), heap.data.as_doubles)
        repair.room *= 2
    entry = Urgent(k1=k1, k2=k2, serial=repair.serial[0], slot=slot)
    repair.count[0] += repair.queued[slot] < 0
    repair.queued[slot] = entry.serial
    repair.serial[0] += 1
    repair.size[0] += 1
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
    """Put an entry into the gap at index `at` of the heap, or further down where it keeps the order."""
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
@cython.exceptval(check=False)
def _sweep(repair: cython.pointer(Repair)) -> cython.void:
    """Drop the outdated entries if they are most of the heap."""
    kept: cython.longlong = 0
    if repair.size[0] <= 1000 + 4 * repair.count[0]:
        return
    for at in range(repair.size[0]):
        if repair.queued[repair.heap[at].slot] == repair.heap[at].serial:
            repair.heap[kept] = repair.heap[at]
            kept += 1
    repair.size[0] = kept
    for at in range(kept // 2 - 1, -1, -1):
        _sink(repair, at, repair.heap[at])
