"""A* from the robot to its goal, from scratch whenever its path breaks."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from bots.navigation.route import FixedPath
from bots.navigation.walker import Walker
from bots.planners.astar import grid_astar
from bots.planners.stats import Plan


class AStarRoute(FixedPath):
    """The cheapest path."""

    def search(self, here: int) -> Plan[int]:
        """From scratch."""
        return grid_astar(self.grid, here, {self.goal}, budget=self.budget)


class AStar(Walker):
    """`eager`: plan anew on every change of what is known, as the repeated A* of the literature does."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, eager: bool = False) -> None:
        super().__init__(partial(AStarRoute, is_eager=eager))
