"""Weighted A* from the robot to its goal: fewer nodes than A*, and a path of at most `weight` times the least cost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from gridjoust.bots.navigation.route import FixedPath, Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.astar import search_arcs
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcLookup
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.watched import WatchedArcs


class WeightedAStarRoute(FixedPath):
    """A path that costs at most `weight` times the cheapest, planned from scratch.

    Pohl, "Heuristic Search Viewed as Path Finding in a Graph", Artificial Intelligence 1, 1970: A* with the estimate
    multiplied by a weight of at least 1.
    """

    def __init__(
        self, grid: SearchGrid, start: int, goal: int, *, weight: float = 1.0, budget: Budget = UNLIMITED
    ) -> None:
        super().__init__(grid, start, goal, budget=budget)
        self._weight = weight

    def search(self, here: int) -> Plan[int]:
        """Return a path from this cell to the goal."""
        return self._search(here, self.grid.arcs, self.budget)

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return what the last search expanded, by repeating it."""
        arcs = WatchedArcs(self.grid.arcs)
        self._search(here, arcs, Budget(self.generated))
        return {"closed": Shown(nodes=arcs.closed(), frontier=arcs.frontier())}

    def _search(self, here: int, arcs: ArcLookup[int], budget: Budget) -> Plan[int]:
        estimate, weight = self.grid.estimate_to((self.goal,)), self._weight
        return search_arcs(here, {self.goal}, arcs=arcs, heuristic=lambda cell: weight * estimate(cell), budget=budget)


class WeightedAStar(Walker):
    """Navigates by weighted A*."""

    planner: ClassVar[str] = "weighted_astar"

    def __init__(self, *, weight: float = 2.0) -> None:
        if weight < 1:
            raise ValueError(f"weight: expected at least 1, got {weight}")
        super().__init__(partial(WeightedAStarRoute, weight=weight))
