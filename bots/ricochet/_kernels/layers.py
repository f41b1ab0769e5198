"""The layers of a beam: the states with the fewest lines to the target are kept, first come first."""

import cython

from gridjoust.bots.ricochet._kernels.search import Pointer, _bound, _move_any, _move_first, _move_helpers, _opened
from gridjoust.bots.ricochet._kernels.states import NONE, Key, _append, _find, _put


def restart(capsule: object) -> None:
    """Go back to the start and forget all other states; counts are kept."""
    search = _opened(capsule)
    for place in range(search.known.room):
        search.known.items[place] = NONE
    search.known.size = 0
    search.goal = NONE
    search.here.size = 0
    _append(cython.address(search.here), search.start)
    _put(cython.address(search.known), _find(cython.address(search.known), search.start), search.start)


def advance(capsule: object, width: cython.Py_ssize_t, left: cython.int) -> tuple:
    """Make the next layer, of states that `left` moves may solve; return (its size, True if states were dropped)."""
    search = _opened(capsule)
    search.here, search.done = search.done, search.here
    search.here.size = 0
    for bound in range(left + 1):
        search.later[bound].size = 0
    for at in range(search.done.size):
        if search.generated >= search.most:
            search.is_cut = True
            return 0, True
        _spread_out(search, search.done.items[at], left)
        if search.goal != NONE:
            return 0, False
    waiting: cython.long = 0
    for bound in range(left + 1):
        waiting += search.later[bound].size
    search.frontier = max(search.frontier, waiting)
    is_dropped: cython.bint = _keep(search, width, left)
    return search.here.size, is_dropped


@cython.cfunc
@cython.exceptval(-1)
def _spread_out(search: Pointer, state: Key, left: cython.int) -> cython.int:
    """Put a state's successors into buckets by the least moves left, up to `left`; one at the target ends it."""
    children: Key[16]
    size: cython.int = 0
    if search.is_any:
        size = _move_any(search, state, children)
    else:
        size = _move_first(search, state, children)
        size += _move_helpers(search, state, cython.address(children[size]))
    search.expanded += 1
    search.generated += size
    for at in range(size):
        bound = _bound(search, children[at])
        if bound == 0:
            place = _find(cython.address(search.known), children[at])
            if search.known.items[place] == NONE:
                _put(cython.address(search.known), place, children[at])
            search.goal = children[at]
            return 0
        if bound <= left:
            _append(cython.address(search.later[bound]), children[at])
    return 0


@cython.cfunc
@cython.exceptval(-1)
def _keep(search: Pointer, width: cython.Py_ssize_t, left: cython.int) -> cython.int:
    """Keep the `width` new states with the fewest lines to the target as the layer; return 1 if there were more."""
    for bound in range(left + 1):
        for at in range(search.later[bound].size):
            child = search.later[bound].items[at]
            place = _find(cython.address(search.known), child)
            if search.known.items[place] == NONE:
                if search.here.size == width:
                    return 1
                _put(cython.address(search.known), place, child)
                _append(cython.address(search.here), child)
    return 0
