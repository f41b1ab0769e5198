"""Answers queries on a map by the routes of navigation bots, without a match.

A route leads a robot as in its bot: on a known map it plans once. On an unknown one cells count as free until they
come into sensor range, and it plans again whenever news may affect its path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from gridjoust.bots.navigation.astar import AStarRoute
from gridjoust.bots.navigation.beam import BeamRoute
from gridjoust.bots.navigation.crossing import Crossing, Problem, cross
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapRoute
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.jps import JumpRoute
from gridjoust.bots.navigation.mpaastar import MPAAStarRoute
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar
from gridjoust.games.navigation.board import MOVES, Board

PLANNERS: Mapping[str, MakeRoute] = {
    "astar": AStarRoute,
    "dstar_lite": DStarLiteRoute,
    "dijkstra_map": DijkstraMapRoute,
    "beam": BeamRoute,
    "jps": JumpRoute,
    "lpastar": partial(DStarLiteRoute, make_planner=GridLPAStar),
    "mpaastar": MPAAStarRoute,
}

Place = tuple[int, int]


class Query(msgspec.Struct, frozen=True):
    """The start and the goal of one path; places are (x, y)."""

    start: Place
    goal: Place


@dataclass(frozen=True, slots=True)
class Answer:
    """One planner's answer to one query."""

    query: Query
    planner: str
    crossing: Crossing

    def as_json(self) -> dict[str, object]:
        """Return the values by name; `cost` is None if the goal was not reached."""
        crossing = self.crossing
        return {
            "start": self.query.start,
            "goal": self.query.goal,
            "planner": self.planner,
            "cost": crossing.cost if crossing.is_done else None,
            "expanded": crossing.expanded,
            "generated": crossing.generated,
            "replans": crossing.replans,
            "planning_ms": round(crossing.planning_ms, 4),
        }


class Ground:
    """One map as it is, and as robots know it at first; no query may change the known grid, which all queries share."""

    def __init__(self, board: Board, *, connectivity: int, is_known: bool, sensor: int) -> None:
        blocked = frozenset(cell for cell, is_blocked in enumerate(board.blocked) if is_blocked)
        self._problem = Problem(board.width, board.height, blocked, 0, 0, MOVES[str(connectivity)])
        self._truth = self._problem.grid(blocked)
        self._is_known = is_known
        self._sensor = sensor

    def answer(self, query: Query, planner: str, make_route: MakeRoute) -> Answer:
        """Return the result of leading a robot over the map by a planner's route; `planner` is its name."""
        start, goal = self._ends(query)
        problem, known = replace(self._problem, start=start, goal=goal), self._truth if self._is_known else None
        return Answer(query, planner, cross(problem, make_route, known=known, sensor=self._sensor))

    def optimum(self, query: Query) -> float:
        """Return the cost of the shortest path over the real map, by A*; infinite if there is none."""
        start, goal = self._ends(query)
        return grid_astar(self._truth, start, {goal}).cost

    def _ends(self, query: Query) -> tuple[int, int]:
        return self._truth.index(*query.start), self._truth.index(*query.goal)
