"""D* Lite: one search from the goal to the robot, repaired when the map changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.navigation.route import Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.planners.watched import WatchedGridDStarLite

MakePlanner = Callable[[SearchGrid, int, int], GridDStarLite]


class DStarLiteRoute:
    """A route that is the cheapest at all times, as its search is repaired after each change."""

    is_proven = True

    def __init__(
        self,
        grid: SearchGrid,
        start: int,
        goal: int,
        *,
        make_planner: MakePlanner = make_grid_dstar_lite,
        budget: Budget = UNLIMITED,
    ) -> None:
        self._budget = budget
        self._planner = make_planner(grid, start, goal)
        self._has_planned = False

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Repair the search, or continue one that was cut short; return its cost, or None if none was needed.

        A step along the path without news needs no search.
        """
        planner = self._planner
        is_on_way = self._has_planned and not planner.is_stopped and here in (planner.start, planner.next_step())
        planner.move_start(here)
        if is_on_way and not changes:
            return None
        planner.update(changes)
        self._has_planned = True
        return planner.search(budget=self._budget)

    @property
    def cost(self) -> float:
        """Cost of the rest of the path; infinite if there is none."""
        return self._planner.cost

    def path(self) -> Sequence[int]:
        """Return the cells to come, the robot's first; empty if there is no path."""
        return self._planner.path()

    def next_step(self) -> int | None:
        """Return the next cell of a cheapest path, the first of equal ones; None at the goal or if there is no path."""
        return self._planner.next_step()

    def shown(self, here: int) -> Mapping[str, Shown]:  # noqa: ARG002 - the planner knows the cell
        """Return what the last search repaired and what it kept; both empty if it was not watched from the start."""
        planner = self._planner
        if not isinstance(planner, WatchedGridDStarLite):
            return {}
        repaired, kept = planner.take()
        return {"repaired": Shown(nodes=repaired), "kept": Shown(frontier=kept)}


class DStarLite(Walker):
    """Navigates by D* Lite."""

    planner: ClassVar[str] = "dstar_lite"

    def __init__(self) -> None:
        super().__init__(DStarLiteRoute)

    def start(self, setup: MatchSetup) -> None:
        """Prepare the robots; if the search is shown, plan in pure Python, which records repairs and plans equally."""
        if self.lens is not None:
            self.make_route = partial(DStarLiteRoute, make_planner=WatchedGridDStarLite)
        super().start(setup)
