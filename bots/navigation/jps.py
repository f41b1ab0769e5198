"""Jump point search from the robot to its goal, from scratch whenever its path breaks; with 4 neighbours A*."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from gridjoust.bots.navigation.astar import AStarRoute
from gridjoust.bots.navigation.route import Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.jps import JumpSearch, grid_jps
from gridjoust.bots.planners.stats import Plan


class JumpRoute(AStarRoute):
    """The cheapest path by jump point search, planned from scratch."""

    def search(self, here: int) -> Plan[int]:
        """Return the cheapest path from this cell to the goal, by jumps if there are diagonal steps."""
        if self.grid.connectivity == 4:
            return super().search(here)
        return grid_jps(self.grid, here, self.goal, budget=self.budget)

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return the ends of jumps that the last search expanded or only reached, by repeating it in pure Python."""
        if self.grid.connectivity == 4:
            return super().shown(here)
        search = JumpSearch(self.grid, self.goal)
        search.run(here, self.generated)
        waiting = [cell for cell in search.costs if cell not in search.closed]
        return {"closed": Shown(nodes=list(search.closed), frontier=waiting)}


class JumpPoints(Walker):
    """Navigates by jump point search."""

    planner: ClassVar[str] = "jps"

    def __init__(self) -> None:
        super().__init__(JumpRoute)
