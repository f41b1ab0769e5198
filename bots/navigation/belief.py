"""What a bot holds to be true of the map: built from the briefing, kept up by observations. Plans nothing.

Unseen cells are taken for free, cells seen some time ago for unchanged. The cell under the robot is taken for free as
long as it is there, even if it has closed: the rules let it leave, and planners need a start that has ways out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bots.api import MatchSetup
from bots.planners.graph import ArcChange
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF
from games.navigation.board import HEADINGS, MOVES, Heading, Moves


def make_grid(width: int, height: int, moves: Moves, blocked: Iterable[int]) -> SearchGrid:
    """The grid that planners search, under the moves of the game."""
    return SearchGrid(
        width, height, blocked=blocked,
        connectivity=moves.connectivity, diagonal_cost=moves.diagonal_cost, cut_corners=moves.cut_corners,
    )  # fmt: skip


class Belief:
    """The map as one seat knows it, in the form that planners search. No one else may change its grid."""

    def __init__(self, setup: MatchSetup, seat: int) -> None:
        briefing = setup.briefing[str(seat)]
        blocked = [cell for cell, sign in enumerate("".join(briefing["rows"] or ())) if sign == "@"]
        width, height = briefing["size"]
        self.grid = make_grid(width, height, MOVES[setup.params["connectivity"]], blocked)
        self.start = self.grid.index(*briefing["start"])
        self.goal = self.grid.index(*briefing["goal"])
        self.here = self.start
        self.taken: frozenset[int] = frozenset()  # cells of other robots in sight
        self._sensed: frozenset[int] = frozenset()
        self._closed_below = False  # the cell under the robot is blocked in truth
        self._has_forgotten = False
        self._trusts_news = False  # joined late or has forgotten: what is in sight may be part of no news to come

    def update(self, view: dict[str, Any]) -> list[ArcChange[int]]:
        """Take in an observation; the arcs that it changed."""
        grid = self.grid
        costs: dict[int, float] = {}
        here = grid.index(*view["position"])
        if here != self.here and self._closed_below:
            costs[self.here] = INF
            self._closed_below = False
        self.here = here
        sensed = [grid.index(*place) for place in view["sensed"]]
        if not self._trusts_news:
            costs |= dict.fromkeys(sensed, INF)
        for x, y, is_blocked in view["news"]:
            costs[grid.index(x, y)] = INF if is_blocked else 1
        if here in costs:
            self._closed_below = costs[here] == INF
            costs[here] = 1
        self._sensed = frozenset(sensed)
        self.taken = frozenset([grid.index(*place) for place in view["robots"]])
        self._trusts_news = not self._has_forgotten
        return grid.change(costs)

    def forget(self) -> list[ArcChange[int]]:
        """Take all blocked cells out of sight for free again, since they may have changed; the arcs that changed."""
        blocked = [cell for cell, cost in enumerate(self.grid.entry_costs) if cost == INF]
        self._has_forgotten, self._trusts_news = True, False
        return self.grid.change({cell: 1 for cell in blocked if cell not in self._sensed})

    def heading(self, cell: int, target: int) -> Heading:
        """The heading of the step between two cells that touch."""
        (x, y), (target_x, target_y) = self.grid.place(cell), self.grid.place(target)
        return _HEADING[target_x - x, target_y - y]


_HEADING = {heading.value: heading for heading in HEADINGS}
