"""What a navigation bot asks of its planner: a way from where the robot is to its goal, kept up while the map changes.

A route knows the grid and the goal, not the game. `revise` comes first and after every change.
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
    """A layer of the last search, in cells."""

    heat: Mapping[int, float] = {}
    nodes: Sequence[int] = ()  # in the order of their expansion
    frontier: Sequence[int] = ()


class Route(Protocol):
    """One robot's way to one goal."""

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """The robot is at `here` and these arcs have changed; what planning cost, None if none was needed."""

    @property
    def cost(self) -> float:
        """Of the way that is left; infinite = there is none, or none was found."""

    @property
    def is_proven(self) -> bool:
        """Whether infinite cost means that there is no way by all that the grid says."""

    def path(self) -> Sequence[int]:
        """The cells to come, the robot's own first; empty = no way."""

    def next_step(self) -> int | None:
        """The cell to go to now; None at the goal and without a way."""

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Layers of the search that was made for this answer, by name; asked only where somebody looks."""


MakeRoute = Callable[..., Route]  # (what is known, start, goal, budget=): all searches of the route spend that


class FixedPath:
    """A planner that plans a whole path, keeps it as long as it stands, and then plans from scratch.

    A path is also given up when an arc became cheaper, as there may be a better one; with `is_eager` whenever anything
    changed. Subclasses implement `search`.
    """

    is_proven = True

    def __init__(
        self,
        grid: SearchGrid,
        start: int,  # noqa: ARG002 - it starts wherever the robot is
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
        self._arcs: dict[tuple[int, int], int] = {}  # arc of the path -> its place
        self._has_planned = False
        self.expanded = 0  # by the last search

    def search(self, here: int) -> Plan[int]:
        """A path from here to the goal on the grid as it is."""
        raise NotImplementedError(f"{type(self).__name__} has no search method")

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """Search again if the path is broken."""
        if not self._is_broken(here, changes):
            return None
        plan = self.search(here)
        self._has_planned = plan.found or not self.budget.is_spent
        self.expanded = plan.stats.expanded
        self._path, self._place = plan.path, 0
        self._arcs = {arc: place for place, arc in enumerate(pairwise(plan.path))}
        steps = [dict(self.grid.arcs[tail])[head] for tail, head in self._arcs]
        self._left = [*accumulate(reversed(steps), initial=0.0)][::-1]
        return plan.stats

    @property
    def cost(self) -> float:
        """Of the path that is left; infinite = none was found."""
        return self._left[self._place] if self._path else INF

    def path(self) -> Sequence[int]:
        """The cells to come, the robot's own first; empty = no way."""
        return self._path[self._place :]

    def next_step(self) -> int | None:
        """The next cell of the path; None at the goal and without a way."""
        return self._path[self._place + 1] if self._place + 1 < len(self._path) else None

    def shown(self, here: int) -> Mapping[str, Shown]:
        """The same search again, with somebody who counts."""
        raise NotImplementedError(f"{type(self).__name__} has no shown method")

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
