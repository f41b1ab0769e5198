"""Records the cells of possible finishers in the states of a search, for spectators."""

from __future__ import annotations

from collections.abc import Iterable

from gridjoust.bots.planners.trail import Trail
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.spaces import Key, Space


class FinisherTrail(Trail[int]):
    """Records the cells of possible finishers in expanded states, by number.

    `layers`: for each depth, those in the states that the last beam kept.
    """

    def __init__(self, slides: Slides, position: Position) -> None:
        super().__init__(slides.cell)
        self.layers: list[list[int]] = []
        self._finishers = len(position.finishers)

    def note(self, cells: Iterable[int]) -> None:
        """Note that each of these cells was expanded."""
        for cell in cells:
            self.expand(cell, ())

    def cells(self, space: Space, keys: Iterable[Key]) -> list[int]:
        """Return the finishers' cells in these states; finishers come first in all states."""
        return [cell for key in keys for cell in space.cells(key)[: self._finishers]]


class WatchedSpace:
    """A space that notes every expanded state: `lead` is called once for each of them."""

    def __init__(self, space: Space, trail: FinisherTrail) -> None:
        self.start, self.start_bound = space.start, space.start_bound
        self.follow, self.cells, self.place = space.follow, space.cells, space.place
        self._space = space
        self._trail = trail

    def lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        """Return what `lead` of the space returns, and record the state as expanded."""
        own, children = self._space.lead(key)
        heads = self._trail.cells(self._space, [child for child, _ in children])
        for cell in self._trail.cells(self._space, [key]):
            self._trail.expand(cell, heads)
        return own, children
