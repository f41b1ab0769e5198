"""LPA*: one search from the goal to the robot, repaired when the map changes, with new keys after every move."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from gridjoust.bots.api import MatchSetup
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar, WatchedGridLPAStar


class LPAStarWalker(Walker):
    """Navigates by LPA*."""

    planner: ClassVar[str] = "lpastar"

    def __init__(self) -> None:
        super().__init__(partial(DStarLiteRoute, make_planner=GridLPAStar))

    def start(self, setup: MatchSetup) -> None:
        """Prepare the robots; if the search is shown, by a planner that records repairs and plans equally."""
        if self.lens is not None:
            self.make_route = partial(DStarLiteRoute, make_planner=WatchedGridLPAStar)
        super().start(setup)
