"""D* Lite on grids by the kernels where they were built, by the list code elsewhere; the same plans and counts."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, PlanStats


def make_grid_dstar_lite(grid: SearchGrid, start: int, goal: int, *, clock: Clock = perf_counter) -> GridDStarLite:
    """The planner that runs here."""
    made = GridDStarLite if kernels.active is None else CompiledDStarLite
    return made(grid, start, goal, clock=clock)


class CompiledDStarLite(GridDStarLite):
    """The same with its tables and its queue in flat arrays; entries of the queue are told apart by serial numbers."""

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, clock: Clock = perf_counter) -> None:
        self._grid = grid
        self._kernels: Any = kernels.active
        self._state = self._kernels.dstar_begin(grid.packed(), start, goal)
        self._clock = clock
        self._start, self._goal = start, goal
        self._searched = self._is_mending = self.is_stopped = False

    def update(self, changes: Iterable[ArcChange[int]]) -> None:
        """One batch of new prices of directed arcs, in any order; `SearchGrid.change` makes it."""
        batch = list(changes)
        if batch:
            self._searched = False
            self._kernels.dstar_update(self._state, self._start, batch)

    def search(self, *, budget: Budget = UNLIMITED) -> PlanStats:
        """Repair what changed; what that cost. Nothing to do costs nothing."""
        begin_s = self._clock()
        expanded = generated = 0
        if self._searched and not self.is_stopped:
            peak = self._kernels.dstar_queued(self._state)
        else:
            expanded, generated, peak, is_done = self._kernels.dstar_search(self._state, self._start, budget.left)
            self._searched, self.is_stopped = True, not is_done
            budget.spend(expanded)
        return self._spent(expanded, generated, peak, begin_s)

    @property
    def cost(self) -> float:
        """Of the cheapest path from the robot to the goal; infinite = there is none."""
        self._require_search()
        cost: float = INF if self.is_stopped else self._kernels.dstar_cost(self._state, self._start)
        return cost

    def next_step(self) -> int | None:
        """The node to go to now; None at the goal and where there is no path."""
        if self.cost == INF or self._start == self._goal:
            return None
        step: int = self._kernels.dstar_next(self._state, self._start)
        return step

    def path(self) -> tuple[int, ...]:
        """From the robot to the goal, both included; empty = there is none."""
        if self.cost == INF:
            return ()
        path: tuple[int, ...] = self._kernels.dstar_path(self._state, self._start, self._goal)
        return path
