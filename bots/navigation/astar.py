"""A* from the robot to its goal, from scratch whenever its path breaks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from gridjoust.bots.navigation.route import FixedPath, Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.astar import grid_astar, search_arcs
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.watched import WatchedArcs


class AStarRoute(FixedPath):
    """The cheapest path by A*, planned from scratch."""

    def search(self, here: int) -> Plan[int]:
        """Return the cheapest path from this cell to the goal, by A* from scratch."""
        return grid_astar(self.grid, here, {self.goal}, budget=self.budget)

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return what the last search expanded, by repeating it in pure Python, which expands in the same order."""
        arcs = WatchedArcs(self.grid.arcs)
        estimate = self.grid.estimate_to((self.goal,))
        search_arcs(here, {self.goal}, arcs=arcs, heuristic=estimate, budget=Budget(self.generated))
        return {"closed": Shown(nodes=arcs.closed(), frontier=arcs.frontier())}


class AStar(Walker):
    """Navigates by A*; `eager` plans anew on every change of the known map, as repeated A* in the literature does."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, eager: bool = False) -> None:
        super().__init__(partial(AStarRoute, is_eager=eager))
