"""The working copy of a state while a turn is applied to it, for every game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Generic

from gridjoust.games.api import S


class Draft(Generic[S]):
    """Holds a copy of a frozen state with slots and sets its fields; `state` is handed out when all is done.

    Making a new state for every change would cost more than the rules do. `state` is the same object throughout: what
    is needed from before a change has to be read before it.
    """

    def __init__(self, state: S) -> None:
        kind: Any = type(state)
        self.state: S = object.__new__(kind)
        values, setters = _fields(kind)
        for setter, value in zip(setters, values(state), strict=True):
            setter(self.state, value)

    def set(self, **fields: Any) -> None:
        """Set fields of the state; AttributeError for one that it does not have."""
        for name, value in fields.items():
            object.__setattr__(self.state, name, value)

    def set_item(self, name: str, index: int, **fields: Any) -> None:
        """Set fields of one named tuple among those in the state's tuple `name`."""
        items: tuple[Any, ...] = getattr(self.state, name)
        changed = items[index]._replace(**fields)
        object.__setattr__(self.state, name, (*items[:index], changed, *items[index + 1 :]))


@cache
def _fields(kind: Any) -> tuple[Callable[[object], tuple[Any, ...]], list[Callable[[object, Any], None]]]:
    """What reads all fields of a state at once, and what sets each of them in a copy."""
    names = kind.__slots__
    return attrgetter(*names), [getattr(kind, name).__set__ for name in names]
