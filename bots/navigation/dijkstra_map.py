"""One Dijkstra map with value 0 at the goal: the robot moves downhill; the map is repaired when the terrain changes.

A step is chosen by its cost + the value of its cell: on maps with diagonals the lowest neighbour alone may lie on no
shortest path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import ClassVar

from gridjoust.bots.navigation.route import Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, PlanStats, elapsed_ms


class DijkstraMapRoute:
    """A route by a Dijkstra map: costly at first, but then the path from every cell is known."""

    is_proven = True

    def __init__(
        self, grid: SearchGrid, start: int, goal: int, *, is_rebuilt: bool = False, budget: Budget = UNLIMITED
    ) -> None:
        self._grid = grid
        self._goal = goal
        self._is_rebuilt = is_rebuilt
        self._budget = budget
        self._chart: DijkstraMap | None = None
        self._is_whole = False  # no budget has cut it short
        self._is_sound = True  # false after a repair that a budget cut short: its values are wrong
        self._here = start

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Scan or repair the map after changes; return the cost of that, or None if the map still holds.

        A scan that was cut short serves the cells that it has reached. A repair that was cut short serves none, and the
        next call scans anew.
        """
        self._here = here
        if self._is_whole and not changes:
            return None
        begin_s = perf_counter()
        terrain = self._grid.terrain()
        if self._chart is None or self._is_rebuilt or not self._is_whole:
            maximum = 2.0 * self._grid.size  # more than any path costs
            self._chart = scan(terrain, {self._goal: 0}, maximum=maximum, budget=self._budget)
        else:
            self._chart = self._chart.updated(terrain, budget=self._budget)
        self._is_sound = self._is_rebuilt or not (self._is_whole and self._budget.is_spent)
        self._is_whole = not self._budget.is_spent
        return replace(self._chart.stats, planning_ms=elapsed_ms(perf_counter, begin_s))

    @property
    def cost(self) -> float:
        """The map's value at the robot; infinite if there is no path."""
        chart = self._charted()
        value = chart.values[self._here]
        return INF if value >= chart.maximum or not self._is_sound else value

    def path(self) -> Sequence[int]:
        """Return the cells downhill to the goal, the robot's first; empty if there is no path."""
        if self.cost == INF:
            return ()
        path = [self._here]
        while path[-1] != self._goal:
            path.append(self._downhill(path[-1]))
        return path

    def next_step(self) -> int | None:
        """Return the next cell downhill; None at the goal or if there is no path."""
        return None if self._here == self._goal or self.cost == INF else self._downhill(self._here)

    def shown(self, here: int) -> Mapping[str, Shown]:  # noqa: ARG002 - the map covers all cells
        """Return the map as a layer for spectators, without cells from which there is no path."""
        chart = self._charted()
        return {"map": Shown(heat={cell: value for cell, value in enumerate(chart.values) if value < chart.maximum})}

    def _downhill(self, cell: int) -> int:
        """Return the neighbour with the least cost of the step + value of its cell, the first one in a tie."""
        values = self._charted().values
        return min(self._grid.arcs[cell], key=lambda arc: arc[1] + values[arc[0]])[0]

    def _charted(self) -> DijkstraMap:
        assert self._chart is not None
        return self._chart


class DijkstraMapBot(Walker):
    """Navigates by a Dijkstra map; `rebuild` scans the whole map on every change instead of repairing it."""

    planner: ClassVar[str] = "dijkstra_map"

    def __init__(self, *, rebuild: bool = False) -> None:
        super().__init__(partial(DijkstraMapRoute, is_rebuilt=rebuild))
