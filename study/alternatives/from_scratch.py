"""Planners without memory, as the literature compares them with D* Lite, and the random maps that they cross."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import replace

from gridjoust.bots.navigation.crossing import Problem
from gridjoust.games.navigation.board import MOVES
from gridjoust.planners import FixedPath, Plan, SearchGrid, grid_astar

Search = Callable[[SearchGrid, int, Collection[int]], Plan[int]]


class FromScratch(FixedPath):
    """Plans anew whenever anything changed, or, if `is_patient`, when a change breaks the path.

    `is_backward` searches from the goal to the robot.
    """

    def __init__(
        self,
        grid: SearchGrid,
        start: int,
        goal: int,
        *,
        find: Search = grid_astar,
        is_backward: bool = False,
        is_patient: bool = False,
    ) -> None:
        super().__init__(grid, start, goal, is_eager=not is_patient)
        self._find = find
        self._is_backward = is_backward

    def search(self, here: int) -> Plan[int]:
        """Search a path from `here`; see `FixedPath`."""
        if not self._is_backward:
            return self._find(self.grid, here, {self.goal})
        plan = self._find(self.grid, self.goal, {here})
        return replace(plan, path=plan.path[::-1])


def random_problem(
    seed: int,
    *,
    size: int,
    density: float,
    start: tuple[int, int],
    goal: tuple[int, int],
    connectivity: int = 4,
) -> Problem:
    """Return a random map on which the goal can be reached; each cell is blocked with probability `density`.

    The start and the goal stay free. With 8 neighbours a path may cut corners, as on the published maps.
    """
    ends = (start[1] * size + start[0], goal[1] * size + goal[0])
    attempt = 0
    while True:
        rng = random.Random(f"{seed}/{attempt}/terrain")
        blocked = frozenset(cell for cell in range(size * size) if rng.random() < density and cell not in ends)
        problem = Problem(size, size, blocked, *ends, MOVES["4" if connectivity == 4 else "8-unit"])
        if grid_astar(problem.grid(blocked), ends[0], {ends[1]}).found:
            return problem
        attempt += 1
