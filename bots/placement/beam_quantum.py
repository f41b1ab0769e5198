"""The planner on quantum maps as a bot: the same beams, all placements of a state walked at once."""

from __future__ import annotations

from bots.placement.beam import BeamBuilder
from bots.placement.fit_cache import FitCache
from bots.placement.frontiers import IsOver
from bots.placement.potential import Potential
from bots.placement.quantum import WIDTH, plan_quantum
from bots.placement.task import Found, Task


class QuantumBuilder(BeamBuilder):
    """Searches with a width of 2, then with `width`; `limit` 32 is the article's map, 0 holds all placements."""

    def __init__(self, *, width: int = WIDTH, limit: int = 0, own: float = 1.0, hinder: float = 0.5) -> None:
        super().__init__(width=width, own=own, hinder=hinder)
        if limit < 0:
            raise ValueError(f"limit: expected at least 0, got {limit}")
        self._limit = limit or None

    def search(self, task: Task, width: int, is_over: IsOver, cache: FitCache[list[Potential]]) -> Found:
        """One beam on quantum maps."""
        return plan_quantum(task, width=width, limit=self._limit, is_over=is_over, cache=cache)
