"""A* without pruning as a bot: exact where a goal is in reach of the turn, near enough where its budget ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from bots.placement.builder import Builder
from bots.placement.frontiers import NEVER, IsOver
from bots.placement.scene import Scene
from bots.placement.task import Found
from bots.placement.unpruned import plan_astar

FIRST_BUDGET = 500  # states of the search that is always finished
NODE_BUDGET = 5_000


class AStarBuilder(Builder):
    """Searches up to 500 states, then up to `node_budget`."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, node_budget: int = NODE_BUDGET, own: float = 1.0, hinder: float = 0.5) -> None:
        if node_budget < 1:
            raise ValueError(f"node_budget: expected at least 1, got {node_budget}")
        super().__init__(own=own, hinder=hinder)
        self._node_budget = node_budget

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - all seats alike
        """Two searches, the second only where the first did not come to its end; the better plan of both counts."""
        first = plan_astar(scene.task, node_budget=min(FIRST_BUDGET, self._node_budget), is_over=NEVER)
        yield first
        if first.is_stopped and not is_over():
            second = plan_astar(scene.task, node_budget=self._node_budget, is_over=is_over)
            better = min(second, first, key=lambda found: found.key)
            yield replace(better, cost=second.cost, is_stopped=False)
