"""Entries sorted by key and then by tie, and a binary heap of them."""

import cython
from cython.cimports.libc.stdlib import realloc

from gridjoust.bots.planners._kernels.memory import _allot

Entry = cython.struct(key=cython.double, tie=cython.int, cell=cython.int)
Heap = cython.struct(entries=cython.pointer(Entry), size=cython.int, room=cython.int)


@cython.cfunc
def _entries(count: cython.Py_ssize_t) -> cython.pointer(Entry):
    return cython.cast(cython.pointer(Entry), _allot(count, cython.sizeof(Entry)))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_before(one: Entry, other: Entry) -> cython.bint:
    return one.key < other.key or (one.key == other.key and one.tie < other.tie)


@cython.cfunc
@cython.exceptval(check=False)
def _sort(entries: cython.pointer(Entry), spare: cython.pointer(Entry), size: cython.int) -> cython.void:
    """Sort short runs by insertion and merge them bottom-up; `spare` has room for as many entries."""
    run = 8
    for start in range(0, size, 8):
        _insert_all(entries + start, min(run, size - start))
    source, target = entries, spare
    while run < size:
        start = 0
        while start < size:
            _merge(source + start, target + start, min(run, size - start), min(2 * run, size - start))
            start += 2 * run
        source, target = target, source
        run *= 2
    if source != entries:
        for at in range(size):
            entries[at] = source[at]


@cython.cfunc
@cython.exceptval(check=False)
def _insert_all(entries: cython.pointer(Entry), size: cython.int) -> cython.void:
    for right in range(1, size):
        entry = entries[right]
        at: cython.int = right
        while at > 0 and _is_before(entry, entries[at - 1]):
            entries[at] = entries[at - 1]
            at -= 1
        entries[at] = entry


@cython.cfunc
@cython.exceptval(check=False)
def _merge(
    source: cython.pointer(Entry), target: cython.pointer(Entry), middle: cython.int, end: cython.int
) -> cython.void:
    """Merge two sorted runs, up to `middle` and from there to `end`, into one."""
    left: cython.int = 0
    right: cython.int = middle
    for at in range(end):
        if left < middle and (right >= end or not _is_before(source[right], source[left])):
            target[at] = source[left]
            left += 1
        else:
            target[at] = source[right]
            right += 1


@cython.cfunc
@cython.exceptval(-1)
def _push(heap: cython.pointer(Heap), entry: Entry) -> cython.int:
    if heap.size == heap.room:
        room = max(64, 2 * heap.room)
        entries = cython.cast(cython.pointer(Entry), realloc(heap.entries, room * cython.sizeof(Entry)))
        if entries == cython.NULL:
            raise MemoryError
        heap.entries = entries
        heap.room = room
    at = heap.size
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
    entries = heap.entries
    first = entries[0]
    heap.size -= 1
    last = entries[heap.size]
    at: cython.int = 0
    below: cython.int = 1
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
