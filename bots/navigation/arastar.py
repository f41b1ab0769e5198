"""ARA* from the robot to its goal: a path soon, and better ones while this answer or a later one has work left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.navigation.route import FixedPath, Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.graph import ArcChange, ArcLookup
from gridjoust.bots.planners.replanning.arastar import ARAStar
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.watched import WatchedArcs


class ARAStarRoute(FixedPath):
    """The best path that ARA* finds before the work limit of an answer.

    Until that path is proven to be the cheapest of all, each answer searches again from the robot's cell.
    """

    _stands = False  # the robot is on the path, and no change concerns it
    _is_cheapest = False

    def search(self, here: int) -> Plan[int]:
        """Return the path found by a new search, or the rest of the present one if that is as cheap."""
        planner = self._planner(here, self.grid.arcs)
        plan = planner.search(budget=self.budget)
        self._is_cheapest = planner.is_finished
        if self._stands and self.cost <= plan.cost:
            return Plan(tuple(self.path()), self.cost, plan.stats)
        return plan

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return what the last search expanded, by repeating it."""
        arcs = WatchedArcs(self.grid.arcs)
        self._planner(here, arcs).search(budget=Budget(self.generated))
        return {"closed": Shown(nodes=arcs.closed(), frontier=arcs.frontier())}

    def _planner(self, here: int, arcs: ArcLookup[int]) -> ARAStar[int]:
        return ARAStar(here, self.goal, arcs=arcs, heuristic=self.grid.estimate_to((self.goal,)))

    def _is_broken(self, here: int, changes: Sequence[ArcChange[int]]) -> bool:
        self._stands = not super()._is_broken(here, changes)
        return not (self._stands and self._is_cheapest)


class ARAStarWalker(Walker):
    """Navigates by ARA*: weighted A* finds a path soon, and while work is left, better ones up to the cheapest."""

    planner: ClassVar[str] = "arastar"

    def __init__(self) -> None:
        super().__init__(ARAStarRoute)
