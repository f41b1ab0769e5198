"""Plays placement by tactics alone: it walks over existing Floor, and lays pieces where they help most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.potential import plan_to
from gridjoust.bots.placement.task import Found, IsOver, Scene, Task, cells_of
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.games.bitset import members
from gridjoust.games.placement.board import closest, walk_layers


def plan_walk(task: Task) -> Found:
    """Return the walk over Floor that ends nearest to the task's goals, without laying a piece.

    The cells that it looks at count as tactics.
    """
    position = task.position
    layers = walk_layers(position.board, position.floor, 1 << position.cell, position.moves)
    task.work.count_tactics(cells_of(layers[1:]))
    distance, steps, ends = closest(task.nearness(), layers)
    plan = plan_to(position.board, (), layers, members(ends)[0])
    return Found(plan, distance, steps, 0, PlanStats())


class FloorBuilder(Builder):
    """Walks over Floor as near to a goal as possible and lays pieces by tactics: what every search must beat."""

    planner: ClassVar[str] = "other"

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - one walk needs neither
        """Yield the walk towards the nearest goal."""
        yield plan_walk(scene.task)

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:  # noqa: ARG002 - one walk needs neither
        """Return the walk towards that goal."""
        return plan_walk(task)
