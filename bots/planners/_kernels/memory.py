"""C memory for tables and for growing lists of cells."""

import cython
from cython.cimports.libc.stdlib import malloc, realloc

Cells = cython.struct(items=cython.p_int, size=cython.int, room=cython.int)


@cython.cfunc
def _allot(count: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.p_void:
    """Return memory for `count` items of `size` bytes, not cleared; the caller frees it."""
    memory = malloc((count + 1) * size)
    if memory == cython.NULL:
        raise MemoryError
    return memory


@cython.cfunc
@cython.inline
def _ints(count: cython.Py_ssize_t) -> cython.p_int:
    return cython.cast(cython.p_int, _allot(count, cython.sizeof(cython.int)))


@cython.cfunc
@cython.inline
def _doubles(count: cython.Py_ssize_t) -> cython.p_double:
    return cython.cast(cython.p_double, _allot(count, cython.sizeof(cython.double)))


@cython.cfunc
@cython.inline
@cython.exceptval(-1)
def _reserve(cells: cython.pointer(Cells), more: cython.int) -> cython.int:
    """Make room in a growing list for `more` further cells."""
    if cells.size + more > cells.room:
        _grow(cells, more)
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _grow(cells: cython.pointer(Cells), more: cython.int) -> cython.int:
    room = max(256, 2 * (cells.size + more))
    items = cython.cast(cython.p_int, realloc(cells.items, room * cython.sizeof(cython.int)))
    if items == cython.NULL:
        raise MemoryError
    cells.items = items
    cells.room = room
    return 0
