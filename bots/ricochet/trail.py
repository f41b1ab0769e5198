"""Where the robots that may finish have been in the states of a search, for people who look. Searches nothing."""

from __future__ import annotations

from collections.abc import Iterable

from gridjoust.bots.planners.trail import Trail
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.spaces import Key, Space


class FinisherTrail(Trail[int]):
    """Cells by their numbers. `layers` are those of the states that the last beam kept, by depth."""

    def __init__(self, slides: Slides, position: Position) -> None:
        super().__init__(slides.cell)
        self.layers: list[list[int]] = []
        self._finishers = len(position.finishers)

    def note(self, cells: Iterable[int]) -> None:
        """Each of these was expanded."""
        for cell in cells:
            self.expand(cell, ())

    def cells(self, space: Space, keys: Iterable[Key]) -> list[int]:
        """Where the finishers are in these states; they come first in all of them."""
        return [cell for key in keys for cell in space.cells(key)[: self._finishers]]


class WatchedSpace:
    """A space that notes every state that is expanded: its finishers are moved once then."""

    def __init__(self, space: Space, trail: FinisherTrail) -> None:
        self.start, self.start_bound = space.start, space.start_bound
        self.follow, self.cells, self.place = space.follow, space.cells, space.place
        self._space = space
        self._trail = trail

    def lead(self, key: Key) -> tuple[int, list[tuple[Key, int]]]:
        """As the space does."""
        own, children = self._space.lead(key)
        heads = self._trail.cells(self._space, [child for child, _ in children])
        for cell in self._trail.cells(self._space, [key]):
            self._trail.expand(cell, heads)
        return own, children
