"""MPAA* from the robot to its goal: repeated A* that learns, and ends where it meets a path that it knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.navigation.route import FixedPath, Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.replanning.mpaastar import MPAAStar
from gridjoust.bots.planners.stats import Plan


class MPAAStarRoute(FixedPath):
    """The cheapest path, by a search that uses what all earlier ones have found."""

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, budget: Budget = UNLIMITED) -> None:
        super().__init__(grid, start, goal, budget=budget)
        estimate = grid.estimate_to((goal,))
        self._planner = MPAAStar(goal, arcs=grid.arcs, arcs_in=grid.arcs_in, heuristic=estimate)

    def search(self, here: int) -> Plan[int]:
        """Return the cheapest path from this cell to the goal."""
        return self._planner.search(here, budget=self.budget)

    def shown(self, here: int) -> Mapping[str, Shown]:  # noqa: ARG002 - the planner remembers its last search
        """Return what the last search expanded, and what it only reached."""
        planner = self._planner
        closed = set(planner.closed)
        return {"closed": Shown(nodes=planner.closed, frontier=[at for at in planner.reached if at not in closed])}

    def _is_broken(self, here: int, changes: Sequence[ArcChange[int]]) -> bool:
        self._planner.update(changes)
        return super()._is_broken(here, changes)


class MPAAStarWalker(Walker):
    """Navigates by MPAA*."""

    planner: ClassVar[str] = "mpaastar"

    def __init__(self) -> None:
        super().__init__(MPAAStarRoute)
