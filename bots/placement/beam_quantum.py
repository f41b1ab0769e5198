"""The planner on quantum maps as a bot: the same beams, all placements of a state walked at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.placement.beam import FIRST_WIDTH
from bots.placement.builder import Builder
from bots.placement.fit_cache import FitCache
from bots.placement.frontiers import NEVER, IsOver
from bots.placement.potential import Potential
from bots.placement.quantum import WIDTH, plan_quantum
from bots.placement.scene import Scene
from bots.placement.task import Found


class QuantumBuilder(Builder):
    """Searches with a width of 2, then with `width`; `limit` 32 is the article's map, 0 holds all placements."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = WIDTH, limit: int = 0, own: float = 1.0, hinder: float = 0.5) -> None:
        if width < 1:
            raise ValueError(f"width: expected at least 1, got {width}")
        if limit < 0:
            raise ValueError(f"limit: expected at least 0, got {limit}")
        super().__init__(own=own, hinder=hinder)
        self._width = width
        self._limit = limit or None

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - all seats alike
        """Two beams."""
        cache: FitCache[list[Potential]] = FitCache()
        if self._width > FIRST_WIDTH:
            yield plan_quantum(scene.task, width=FIRST_WIDTH, limit=self._limit, is_over=NEVER, cache=cache)
        yield plan_quantum(scene.task, width=self._width, limit=self._limit, is_over=is_over, cache=cache)
