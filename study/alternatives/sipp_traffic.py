"""Navigation's A* with SIPP where other robots are in the way: it is level with A*, and is no built-in bot."""

from __future__ import annotations

from typing import ClassVar

from gridjoust import Observation
from gridjoust.bots.navigation.astar import AStar
from gridjoust.bots.navigation.walker import DETOUR_CHANCE, Belief
from gridjoust.games.navigation.actions import GO, Stay
from gridjoust.planners import INF, Plan, SearchGrid, grid_sipp

STAY_TICKS = 6  # robots in sight are taken to stay where they are for so many steps


class SippTraffic(AStar):
    """Walks by A*, and by safe intervals while a robot in sight stands on one of the next cells of its path.

    As in A*, chance decides between waiting and a detour, so that two robots do not mirror each other for ever.
    """

    planner: ClassVar[str] = "sipp"

    def act(self, observation: Observation) -> str:
        """Return the answer of A*, or the first step of a path through time around the robots in sight."""
        usual = super().act(observation)
        robot = self._robots[observation.seat]
        taken = {(x, y) for x, y in observation.view["robots"]}
        near = robot.way()[1 : STAY_TICKS + 1]
        if taken.isdisjoint(near):
            return usual
        if self.rng.random() >= DETOUR_CHANCE:
            return usual if taken.isdisjoint(near[:1]) else str(Stay.WAIT)
        path = self._around(robot.belief).path
        if len(path) < 2:
            return usual
        here, step = path[:2]
        return str(Stay.WAIT if step == here else GO[robot.belief.heading(here, step)])

    def _around(self, belief: Belief) -> Plan[int]:
        """Return the path of fewest steps and waits to the goal."""
        known, goal, taken = belief.grid, belief.goal, belief.taken
        blocked = [cell for cell, cost in enumerate(known.entry_costs) if cost == INF]
        grid = SearchGrid(
            known.width, known.height, blocked=blocked,
            connectivity=known.connectivity, diagonal_cost=1, cut_corners=known.cut_corners,
        )  # fmt: skip
        return grid_sipp(
            grid,
            belief.here,
            lambda cell, _: cell == goal,
            is_forbidden=lambda cell, _: cell in taken,
            horizon=STAY_TICKS + 1,
            heuristic=grid.estimate_to((goal,)),
            budget=self.work,
        )
