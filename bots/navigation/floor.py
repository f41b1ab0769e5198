"""Learning real-time A* (LRTA*): it looks at the next cells only and learns from where it has been.

R. E. Korf, "Real-Time Heuristic Search", Artificial Intelligence 42, 1990. Each question takes one expansion: the
robot steps to the neighbour with the least cost of the step + estimate from there, and raises the estimate of its own
cell to that sum. On a map that stays as it is, it reaches the goal if there is a path. Without search it cannot prove
that there is none, unless every cell beside it is blocked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.navigation.route import Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, PlanStats


class LearntRoute:
    """A route of one step at a time, chosen by estimates that grow where the robot goes back and forth."""

    is_proven = True  # the cost is infinite only if no cell beside the robot is free

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, budget: Budget = UNLIMITED) -> None:
        self._grid = grid
        self._goal = goal
        self._budget = budget
        self._estimate = grid.estimate_to((goal,))
        self._learnt: dict[int, float] = {}
        self._path: tuple[int, ...] = (start,)
        self.cost: float = 0.0  # of the next step and the estimate from there

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Choose the next step and learn; return the cost of that, or None at the goal or without work left.

        If a step has become cheaper, what was learnt may be too high and is dropped.
        """
        if any(change.new < change.old for change in changes):
            self._learnt.clear()
        self._path, self.cost = (here,), 0.0 if here == self._goal else INF
        if here == self._goal or self._budget.is_spent:
            return None
        arcs = self._grid.arcs[here]
        generated = self._budget.spend(len(arcs))
        for head, price in arcs:
            cost = price + self._height(head)
            if cost < self.cost:
                self._path, self.cost = (here, head), cost
        self._learnt[here] = max(self._height(here), self.cost)
        return PlanStats(expanded=1, generated=generated, frontier=len(arcs))

    def path(self) -> Sequence[int]:
        """Return the robot's cell and the next one; only its cell at the goal or without a next one."""
        return self._path

    def next_step(self) -> int | None:
        """Return the next cell; None at the goal or if no cell beside the robot is free."""
        return self._path[1] if len(self._path) > 1 else None

    def shown(self, here: int) -> Mapping[str, Shown]:  # noqa: ARG002 - the table is of all cells
        """Return the estimates learnt so far."""
        return {"learnt": Shown(heat={cell: height for cell, height in self._learnt.items() if height < INF})}

    def _height(self, cell: int) -> float:
        """Return the estimate from this cell: what was learnt, else the distance on an empty board."""
        learnt = self._learnt.get(cell)
        return self._estimate(cell) if learnt is None else learnt


class Floor(Walker):
    """Navigates by LRTA*, one step of look-ahead: what every search must beat."""

    planner: ClassVar[str] = "other"

    def __init__(self) -> None:
        super().__init__(LearntRoute)
