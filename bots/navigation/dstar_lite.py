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
    """Always a cheapest way, by repair."""

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
        """Repair the search, or go on with one that was cut short; a step along the way and nothing new needs none."""
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
        """Of the way that is left; infinite = there is none."""
        return self._planner.cost

    def path(self) -> Sequence[int]:
        """The cells to come, the robot's own first; empty = no way."""
        return self._planner.path()

    def next_step(self) -> int | None:
        """The first of the cheapest successors; None at the goal and without a way."""
        return self._planner.next_step()

    def shown(self, here: int) -> Mapping[str, Shown]:  # noqa: ARG002 - the planner knows
        """What the last search had to repair, and what it kept; nothing where nobody looked from the start on."""
        planner = self._planner
        if not isinstance(planner, WatchedGridDStarLite):
            return {}
        repaired, kept = planner.take()
        return {"repaired": Shown(nodes=repaired), "kept": Shown(frontier=kept)}


class DStarLite(Walker):
    """Follows the first of the cheapest successors."""

    planner: ClassVar[str] = "dstar_lite"

    def __init__(self) -> None:
        super().__init__(DStarLiteRoute)

    def start(self, setup: MatchSetup) -> None:
        """The list code plans where somebody looks: it plans the same, and knows what it repaired."""
        if self.lens is not None:
            self._make_route = partial(DStarLiteRoute, make_planner=WatchedGridDStarLite)
        super().start(setup)
