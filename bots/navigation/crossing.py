"""A robot crosses a grid that it may not know, led by one route, without a match: for `joust plan` and for trials.

The protocol of Koenig and Likhachev, "Fast Replanning for Navigation in Unknown Terrain", IEEE Trans. Robotics 21(3),
2005: cells are taken for free until sensed, and the planner hears whenever something new was sensed. Planners see the
same grids, break ties by the same rule and walk nearly the same ways.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from time import process_time

from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.navigation.walker import make_grid
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, PlanStats
from gridjoust.games.navigation.board import MOVES, Moves, cells_in_range

Check = Callable[[SearchGrid, int, float], None]  # (what is known, the robot's cell, the planner's cost)


@dataclass(frozen=True, slots=True)
class Problem:
    """The grid as it is, and the robot's start and goal. The robot starts by believing that nothing is blocked."""

    width: int
    height: int
    blocked: frozenset[int]
    start: int
    goal: int
    moves: Moves = MOVES["4"]

    def grid(self, blocked: Collection[int] = ()) -> SearchGrid:
        """A grid of this shape and these moves."""
        return make_grid(self.width, self.height, self.moves, blocked)

    def sense(self, known: SearchGrid, cell: int, sensor: int) -> dict[int, float]:
        """New prices of the cells at most `sensor` moves, on an empty board, from where the robot is."""
        in_range = cells_in_range(self.width, self.height, cell, sensor, self.moves.connectivity)
        return {near: INF for near in in_range if near in self.blocked and known.entry_costs[near] != INF}


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one crossing took."""

    is_done: bool  # False: the planner knew no way
    path: tuple[int, ...]  # as walked
    cost: float  # of that path; infinite = a step was not allowed
    searches: tuple[PlanStats, ...]  # in their order, the first plan included
    planning_ms: float  # by the clock: taking in what was sensed, and searching

    @property
    def moves(self) -> int:
        """Steps made."""
        return len(self.path) - 1

    @property
    def replans(self) -> int:
        """Searches after the first."""
        return len(self.searches) - 1

    @property
    def expanded(self) -> int:
        """In all searches."""
        return sum(stats.expanded for stats in self.searches)

    @property
    def generated(self) -> int:
        """In all searches."""
        return sum(stats.generated for stats in self.searches)


def cross(
    problem: Problem,
    make_route: MakeRoute,
    *,
    known: SearchGrid | None = None,
    sensor: int = 1,
    check: Check | None = None,
    clock: Clock = process_time,
) -> Crossing:
    """Walk to the goal, or until the route knows no way.

    `known` is what the robot believes at first, by default that nothing is blocked; it learns by changing it. `check`
    is called at every cell before the goal, outside the measured time.
    """
    known, here = known or problem.grid(), problem.start
    known.change(problem.sense(known, here, sensor))
    begin_s = clock()
    route = make_route(known, here, problem.goal)
    planning_s = clock() - begin_s
    path, searches, cost = [here], [], 0.0
    sensed: dict[int, float] = {}
    while True:
        begin_s = clock()
        stats = route.revise(here, known.change(sensed))
        planning_s += clock() - begin_s
        if stats is not None:
            searches.append(stats)
        if check:
            check(known, here, route.cost)
        step = route.next_step()
        if step is not None:
            cost += dict(known.arcs[here]).get(step, INF)
            here = step
            path.append(step)
        if step is None or step == problem.goal:
            return Crossing(here == problem.goal, tuple(path), cost, tuple(searches), planning_s * 1000.0)
        sensed = problem.sense(known, here, sensor)
