"""Leads a robot by one route over a grid that it may not know, without a match: for `joust plan` and for tests.

The protocol of Koenig and Likhachev, "Fast Replanning for Navigation in Unknown Terrain", IEEE Trans. Robotics 21(3),
2005: cells count as free until sensed, and the planner is told of every new observation. Planners see equal grids,
break ties by one rule and walk nearly equal paths.
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

Check = Callable[[SearchGrid, int, float], None]  # (the known grid, the robot's cell, the planner's cost)


@dataclass(frozen=True, slots=True)
class Problem:
    """The real grid, and the robot's start and goal; at first the robot believes that nothing is blocked."""

    width: int
    height: int
    blocked: frozenset[int]
    start: int
    goal: int
    moves: Moves = MOVES["4"]

    def grid(self, blocked: Collection[int] = ()) -> SearchGrid:
        """Make a grid of this shape and these moves."""
        return make_grid(self.width, self.height, self.moves, blocked)

    def sense(self, known: SearchGrid, cell: int, sensor: int) -> dict[int, float]:
        """Return cell -> new price (infinite) for blocked cells in sensor range that were believed free.

        A cell is in range if it is at most `sensor` moves away on an empty board.
        """
        in_range = cells_in_range(self.width, self.height, cell, sensor, self.moves.connectivity)
        return {near: INF for near in in_range if near in self.blocked and known.entry_costs[near] != INF}


@dataclass(frozen=True, slots=True)
class Crossing:
    """The outcome and the cost of one crossing."""

    is_done: bool  # False: the planner found no path, or walked in a circle
    path: tuple[int, ...]  # as walked
    cost: float  # of the walked path; infinite = a step was not allowed
    searches: tuple[PlanStats, ...]  # in order, the first plan included
    planning_ms: float  # time to take in observations and to search
    is_circling: bool = False  # True: it was stopped, as it walked in a circle

    @property
    def moves(self) -> int:
        """Number of steps walked."""
        return len(self.path) - 1

    @property
    def replans(self) -> int:
        """Searches after the first."""
        return max(0, len(self.searches) - 1)

    @property
    def expanded(self) -> int:
        """Nodes expanded in all searches."""
        return sum(stats.expanded for stats in self.searches)

    @property
    def generated(self) -> int:
        """Nodes generated in all searches."""
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
    """Walk a robot to the goal, or until the route finds no path; return its path and what planning cost.

    `known` is what the robot believes at first, by default that nothing is blocked; the call changes it. `check` is
    called at every cell before the goal, outside the measured time. A robot that takes more steps without an
    observation than the board has cells walks in a circle: it is stopped.
    """
    known, here = known or problem.grid(), problem.start
    known.change(problem.sense(known, here, sensor))
    begin_s = clock()
    route = make_route(known, here, problem.goal)
    planning_s = clock() - begin_s
    path, searches, cost = [here], [], 0.0
    sensed: dict[int, float] = {}
    unseen_steps = 0
    while True:
        unseen_steps = 0 if sensed else unseen_steps + 1
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
        is_done, is_circling = here == problem.goal, unseen_steps > known.size
        if step is None or is_done or is_circling:
            return Crossing(is_done, tuple(path), cost, tuple(searches), planning_s * 1000.0, is_circling)
        sensed = problem.sense(known, here, sensor)
