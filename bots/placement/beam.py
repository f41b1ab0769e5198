"""The article's planner as a bot: a beam over placements, narrow first. Proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.placement.builder import Builder
from bots.placement.frontiers import NEVER, WIDTH, IsOver, plan_beam
from bots.placement.potential import FitCache
from bots.placement.task import Found, Scene, Task

FIRST_WIDTH = 2  # of the search that is always finished


class BeamBuilder(Builder):
    """Searches with a width of 2, then with `width`; fit data of the first search serves the second."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = WIDTH, own: float = 1.0, hinder: float = 0.5) -> None:
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        super().__init__(own=own, hinder=hinder)
        self._width = width

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - all seats alike
        """Two beams."""
        cache = FitCache()
        if self._width > FIRST_WIDTH:
            yield self.search(scene.task, FIRST_WIDTH, NEVER, cache)
        yield self.search(scene.task, self._width, is_over, cache)

    def search(self, task: Task, width: int, is_over: IsOver, cache: FitCache) -> Found:
        """One beam."""
        return plan_beam(task, width=width, is_over=is_over, cache=cache)
