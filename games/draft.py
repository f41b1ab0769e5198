"""A working copy of a state, whose fields can be set while a turn is applied."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Generic

from gridjoust.games.api import S


class Draft(Generic[S]):
    """A copy of a frozen state with slots, whose fields can be set; read `state` when all changes are made.

    A new state for every change would take longer than the rules themselves. `state` is the same object throughout, so
    read an old value before you change it.
    """

    def __init__(self, state: S) -> None:
        kind: Any = type(state)
        self.state: S = object.__new__(kind)
        values, setters = _fields(kind)
        for setter, value in zip(setters, values(state), strict=True):
            setter(self.state, value)

    def set(self, **fields: Any) -> None:
        """Set fields of the state; AttributeError if a field does not exist."""
        for name, value in fields.items():
            object.__setattr__(self.state, name, value)

    def set_item(self, name: str, index: int, **fields: Any) -> None:
        """Set fields of item `index` in the state's tuple `name`; the items are named tuples."""
        items: tuple[Any, ...] = getattr(self.state, name)
        changed = items[index]._replace(**fields)
        object.__setattr__(self.state, name, (*items[:index], changed, *items[index + 1 :]))


@cache
def _fields(kind: Any) -> tuple[Callable[[object], tuple[Any, ...]], list[Callable[[object, Any], None]]]:
    """Return a function that reads all fields of an object of this class at once, and one setter for each field."""
    names = kind.__slots__
    return attrgetter(*names), [getattr(kind, name).__set__ for name in names]
