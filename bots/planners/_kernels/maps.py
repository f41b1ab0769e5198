"""Makes the Python object of a Dijkstra map from the values that a kernel has computed, and counts their cost."""

import cython
from cython.cimports.cpython.object import PyObject, PyObject_GenericSetAttr, PyTypeObject

Counts = cython.struct(expanded=cython.long, generated=cython.long, peak=cython.long)
_NOTHING: tuple = ()


@cython.cfunc
def _make_map(
    kinds: tuple, terrain: object, starts: tuple, values: tuple, maximum: object, counts: cython.pointer(Counts)
) -> object:
    """Return the map as an object; its attributes are set one by one, without `__init__`.

    `__init__` of a frozen class takes as long as the flood of a small map.
    """
    stats: object = _make(kinds[1])
    PyObject_GenericSetAttr(stats, "expanded", counts.expanded)
    PyObject_GenericSetAttr(stats, "generated", counts.generated)
    PyObject_GenericSetAttr(stats, "frontier", counts.peak)
    PyObject_GenericSetAttr(stats, "planning_ms", 0.0)
    PyObject_GenericSetAttr(stats, "repaired", 0)
    PyObject_GenericSetAttr(stats, "reused", 0)
    made: object = _make(kinds[0])
    PyObject_GenericSetAttr(made, "terrain", terrain)
    PyObject_GenericSetAttr(made, "sources", starts)
    PyObject_GenericSetAttr(made, "values", values)
    PyObject_GenericSetAttr(made, "maximum", maximum)
    PyObject_GenericSetAttr(made, "stats", stats)
    return made


@cython.cfunc
@cython.inline
def _make(kind: type) -> object:
    """Return a new object of a class without calling its `__init__`."""
    nothing = cython.cast(cython.pointer(PyObject), _NOTHING)
    return cython.cast(cython.pointer(PyTypeObject), kind).tp_new(kind, nothing, cython.NULL)
