"""D* Lite on grids: compiled kernels if they are built, else the Python lists, with equal plans and counts."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, PlanStats


def make_grid_dstar_lite(grid: SearchGrid, start: int, goal: int, *, clock: Clock = perf_counter) -> GridDStarLite:
    """Make D* Lite for a grid: compiled if the kernels are active, else pure Python.

    Args:
        grid: the board; pass what `grid.change` returns to `update`
        start: number of the robot's cell
        goal: number of the goal's cell
        clock: measures `planning_ms`, in s
    """
    made = GridDStarLite if kernels.active is None else CompiledDStarLite
    return made(grid, start, goal, clock=clock)


class CompiledDStarLite(GridDStarLite):
    """D* Lite with its tables and its queue in flat arrays; serial numbers tell entries of the queue apart."""

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, clock: Clock = perf_counter) -> None:
        self._grid = grid
        self._kernels: Any = kernels.active
        self._state = self._kernels.dstar_begin(grid.packed(), start, goal)
        self._clock = clock
        self._start, self._goal = start, goal
        self._news = []
        self._searched = self._is_mending = self.is_stopped = False

    def search(self, *, budget: Budget = UNLIMITED) -> PlanStats:
        """Repair the plan after changes and return the cost of the search; without a change it costs nothing."""
        begin_s = self._clock()
        expanded = generated = 0
        if self._searched and not self.is_stopped:
            peak = self._kernels.dstar_queued(self._state)
        else:
            found = self._kernels.dstar_search(self._state, self._start, self._news, budget.left)
            expanded, generated, peak, taken, is_done = found
            del self._news[:taken]
            self._searched, self.is_stopped = True, not is_done
        return self._spent(expanded, budget.spend(generated), peak, begin_s)

    @property
    def cost(self) -> float:
        """Cost of the cheapest path from the robot to the goal; infinite if there is none, or none is known yet."""
        self._require_search()
        cost: float = INF if self.is_stopped else self._kernels.dstar_cost(self._state, self._start)
        return cost

    def next_step(self) -> int | None:
        """Return the node to go to now; None at the goal or if there is no path."""
        if self.cost == INF or self._start == self._goal:
            return None
        step: int = self._kernels.dstar_next(self._state, self._start)
        return step

    def path(self) -> tuple[int, ...]:
        """Return the cells from the robot to the goal, both included; empty if there is no path or none is known."""
        if self.cost == INF:
            return ()
        path: tuple[int, ...] = self._kernels.dstar_path(self._state, self._start, self._goal)
        return path
