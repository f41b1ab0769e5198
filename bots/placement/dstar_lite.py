"""D* Lite as a bot: the map's prices, and one search a goal that is repaired, turn by turn, where the board changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from bots.placement.builder import Builder
from bots.placement.frontiers import IsOver
from bots.placement.scene import Scene
from bots.placement.slopes import RepairedSlope, plan_cheapest
from bots.placement.task import Found
from games.bitset import members


class RepairBuilder(Builder):
    """As the map's bot; what it has searched it keeps all match."""

    planner: ClassVar[str] = "dstar_lite"

    def __init__(self, *, own: float = 1.0, hinder: float = 0.5) -> None:
        super().__init__(own=own, hinder=hinder)
        self._slopes: dict[tuple[int, int], RepairedSlope] = {}  # by seat and goal

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - one short search
        """Down to the goal with the cheapest way."""
        yield plan_cheapest(scene.task, [self._repaired(scene, seat, goal) for goal in members(scene.task.goals)])

    def _repaired(self, scene: Scene, seat: int, goal: int) -> RepairedSlope:
        slope = self._slopes.get((seat, goal))
        if slope is None:
            slope = self._slopes[seat, goal] = RepairedSlope(scene.task, goal)
        else:
            slope.repair(scene.task)
        return slope
