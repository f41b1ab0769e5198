"""The interface between a navigation bot and its planner: a path to the goal, maintained while the map changes.

A route knows the grid and the goal, not the game. Call `revise` first and after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, Protocol

from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Plan, PlanStats


class Shown(NamedTuple):
    """A layer of the last search to draw for spectators: values by cell, expanded cells, and their frontier."""

    heat: Mapping[int, float] = {}
    nodes: Sequence[int] = ()  # in the order of their expansion
    frontier: Sequence[int] = ()


class Route(Protocol):
    """One robot's path to one goal."""

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Take in the robot's cell and the changed arcs; return what planning cost, or None if it was not needed."""

    @property
    def cost(self) -> float:
        """Cost of the rest of the path; infinite if there is none, or none was found."""

    @property
    def is_proven(self) -> bool:
        """True if infinite cost proves that the known grid has no path."""

    def path(self) -> Sequence[int]:
        """Return the cells from the robot's own to the goal; empty if there is no path."""

    def next_step(self) -> int | None:
        """Return the cell to go to now; None at the goal or if there is no path."""

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return layers of the search for this answer, by name; called only for spectators."""


MakeRoute = Callable[..., Route]  # (known grid, start, goal, budget=); all searches of the route spend the budget


class FixedPath:
    """A planner that keeps a whole path until a change breaks it or the robot leaves it, and then plans from scratch.

    A path is also dropped when an arc became cheaper, as there may be a better one. Subclasses implement `search`.

    Args:
        grid: the map as the robot knows it
        start: the robot's first cell
        goal: the cell to reach
        is_eager: drop the path on any change of the map
        budget: successors that all searches of the route may generate
    """

    is_proven = True  # infinite cost proves that the known grid has no path

    def __init__(
        self,
        grid: SearchGrid,
        start: int,  # noqa: ARG002 - the path starts at the robot's current cell
        goal: int,
        *,
        is_eager: bool = False,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.grid = grid
        self.goal = goal
        self.budget = budget
        self._is_eager = is_eager
        self._path: tuple[int, ...] = ()
        self._left: list[float] = []  # cost from each cell of the path to its end
        self._place = 0
        self._arcs: dict[tuple[int, int], int] = {}  # arc of the path -> its index
        self._has_planned = False
        self.generated = 0  # by the last search

    def search(self, here: int) -> Plan[int]:
        """Return a path from this cell to the goal on the grid as it is now, found by a new search."""
        raise NotImplementedError(f"{type(self).__name__} has no search method")

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Search again if the path is broken; return the cost of the search, or None if there was none."""
        if not self._is_broken(here, changes):
            return None
        plan = self.search(here)
        self._has_planned = plan.found or not self.budget.is_spent
        self.generated = plan.stats.generated
        self._path, self._place = plan.path, 0
        self._arcs = {arc: place for place, arc in enumerate(pairwise(plan.path))}
        self._left = [*accumulate(reversed(self._prices()), initial=0.0)][::-1]
        return plan.stats

    @property
    def cost(self) -> float:
        """Cost of the rest of the path; infinite if none was found."""
        return self._left[self._place] if self._path else INF

    def path(self) -> Sequence[int]:
        """Return the cells from the robot's own to the goal; empty if there is no path."""
        return self._path[self._place :]

    def next_step(self) -> int | None:
        """Return the next cell of the path; None at the goal or if there is no path."""
        return self._path[self._place + 1] if self._place + 1 < len(self._path) else None

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return layers of the last search for spectators, by repeating it on arcs that record what is expanded."""
        raise NotImplementedError(f"{type(self).__name__} has no shown method")

    def _prices(self) -> list[float]:
        """Return the cost of each step of the path, in order."""
        return [dict(self.grid.arcs[tail])[head] for tail, head in self._arcs]

    def _is_broken(self, here: int, changes: Sequence[ArcChange[int]]) -> bool:
        if not self._has_planned:
            return True
        if self._path:
            try:
                self._place = self._path.index(here, self._place)
            except ValueError:
                return True
        if self._is_eager and changes:
            return True
        place = self._place
        return any(c.new < c.old or self._arcs.get((c.tail, c.head), -1) >= place for c in changes)
