"""Step 8: fit data kept under the pathability map and the pieces left, and the keys to keep it under.

Plain keys are the map itself, a whole number, with the pieces left beside it: no two states share one, and hashing a
number of 240 bits is hardly dearer than one of 64. `benchmarks.alternatives.zobrist` has the article's Zobrist keys.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from bots.placement.potential import Potential
from games.placement.board import Mask

CACHE_LIMIT = 20_000  # states; then the cache starts afresh
T = TypeVar("T")
Left = tuple[int, ...]  # numbers of the pieces left, sorted


class Keys(Protocol):
    """The keys of states."""

    def first(self, floor: Mask, left: Left) -> Hashable:
        """The key of a state from scratch."""

    def after(self, key: Hashable, placement: Potential, floor: Mask, left: Left) -> Hashable:
        """The key of the state that a placement leads to, which has that floor and those pieces left."""


class PlainKeys:
    """Map and pieces left as they are."""

    def first(self, floor: Mask, left: Left) -> Hashable:
        """The pair itself."""
        return floor, left

    def after(self, key: Hashable, placement: Potential, floor: Mask, left: Left) -> Hashable:  # noqa: ARG002
        """The pair itself."""
        return floor, left


class FitCache(Generic[T]):
    """Fit data by key, made once; valid for one board, hand and start."""

    def __init__(self) -> None:
        self._known: dict[Hashable, T] = {}
        self.hits = 0
        self.misses = 0

    def look_up(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept under the key, or `make()`, which is then kept."""
        known = self._known.get(key)
        if known is not None:
            self.hits += 1
            return known
        self.misses += 1
        if len(self._known) >= CACHE_LIMIT:
            self._known.clear()
        made = self._known[key] = make()
        return made
