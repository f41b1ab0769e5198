"""A robot crosses terrain that it does not know, replanning as it senses obstacles. Measures search, plots nothing.

The protocol of Koenig and Likhachev, IEEE Trans. Robotics 21(3), 2005: cells are taken for free until sensed, the robot
senses its neighbours, and every planner replans when something new was sensed. Planners see the same maps, break ties
by the same rule and walk nearly the same ways.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import process_time

from bots.planners.astar import grid_astar
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.graph import ArcChange
from bots.planners.grid import SearchGrid

INF = float("inf")

Check = Callable[[SearchGrid, int, float], None]  # (what is known, the robot's cell, the planner's cost)
MakePlanner = Callable[[SearchGrid, int, int], GridDStarLite]


class EndlessWalk(Exception):  # noqa: N818 - what happened to the robot
    """The robot made more moves than it was allowed."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """The world as it is; the robot starts by believing that nothing is blocked."""

    width: int
    height: int
    blocked: frozenset[int]
    start: int
    goal: int
    connectivity: int = 4
    diagonal_cost: float = 1
    cut_corners: bool = False

    def grid(self, blocked: frozenset[int] = frozenset()) -> SearchGrid:
        """A board of this shape and these moves."""
        return SearchGrid(
            self.width,
            self.height,
            blocked=blocked,
            connectivity=self.connectivity,
            diagonal_cost=self.diagonal_cost,
            cut_corners=self.cut_corners,
        )


@dataclass(frozen=True, slots=True)
class Mission:
    """What one crossing took."""

    is_done: bool  # False: the robot saw that there is no way
    moves: int
    replans: int  # the first plan included
    first_expanded: int
    expanded: int  # in all, the first plan included
    planning_ms: float  # CPU: changing the map and searching


class Robot:
    """Position, knowledge, senses."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.known = terrain.grid()
        self._open = terrain.grid()  # whose neighbours are what the sensor covers
        self.cell = terrain.start

    def sense(self) -> dict[int, float]:
        """New prices of the cells around."""
        blocked, known = self.terrain.blocked, self.known.entry_costs
        return {cell: INF for cell in self._open.neighbours[self.cell] if cell in blocked and known[cell] != INF}


class Log:
    """Collects the numbers of a mission."""

    def __init__(self, move_limit: float = INF) -> None:
        self._move_limit = move_limit
        self._expanded: list[int] = []
        self._planning_s = 0.0
        self.moves = 0

    def plan(self, run: Callable[[], int]) -> None:
        """Time one planning call, which tells its expansions (-1: it saw no need to search)."""
        begin_s = process_time()
        expanded = run()
        self._planning_s += process_time() - begin_s
        if expanded >= 0:
            self._expanded.append(expanded)

    def move(self) -> None:
        """Count a move."""
        self.moves += 1
        if self.moves > self._move_limit:
            raise EndlessWalk(f"no end after {self.moves} moves")

    def mission(self, *, is_done: bool) -> Mission:
        """The whole."""
        first, total = self._expanded[0], sum(self._expanded)
        return Mission(is_done, self.moves, len(self._expanded), first, total, self._planning_s * 1000.0)


def random_terrain(
    seed: int,
    *,
    size: int,
    density: float,
    start: tuple[int, int],
    goal: tuple[int, int],
    connectivity: int = 4,
    cut_corners: bool = False,
    is_solvable: bool = True,
) -> Terrain:
    """Each cell but the two ends is blocked with that probability; drawn again while there is no way."""
    ends = (start[1] * size + start[0], goal[1] * size + goal[0])
    attempt = 0
    while True:
        rng = random.Random(f"{seed}/{attempt}/terrain")
        blocked = frozenset(cell for cell in range(size * size) if rng.random() < density and cell not in ends)
        terrain = Terrain(size, size, blocked, *ends, connectivity=connectivity, cut_corners=cut_corners)
        if not is_solvable or grid_astar(terrain.grid(blocked), ends[0], {ends[1]}).found:
            return terrain
        attempt += 1


def cross_with_dstar_lite(
    terrain: Terrain,
    *,
    make_planner: MakePlanner = GridDStarLite,
    check: Check | None = None,
    move_limit: float = INF,
) -> Mission:
    """One search from the goal, repaired whenever something new was sensed; EndlessWalk above `move_limit`."""
    robot, log = Robot(terrain), Log(move_limit)
    robot.known.change(robot.sense())
    planner = make_planner(robot.known, robot.cell, terrain.goal)
    log.plan(lambda: planner.search().expanded)
    while True:
        if check:
            check(robot.known, robot.cell, planner.cost)
        step = planner.next_step()
        if step is None:
            return log.mission(is_done=robot.cell == terrain.goal)
        robot.cell = step
        planner.move_start(step)
        log.move()
        log.plan(lambda: _repair(planner, robot.sense()))


def _repair(planner: GridDStarLite, sensed: dict[int, float]) -> int:
    if not sensed:
        return -1
    planner.change(sensed)
    return planner.search().expanded


def cross_with_astar(terrain: Terrain, *, backward: bool = False, only_if_blocked: bool = False) -> Mission:
    """A fresh A* whenever something new was sensed, or only when that breaks the path."""
    robot, log = Robot(terrain), Log()
    path: tuple[int, ...] = ()
    steps: frozenset[tuple[int, int]] = frozenset()
    changes: list[ArcChange[int]] = []

    def replan() -> int:
        nonlocal path, steps
        ends = (terrain.goal, robot.cell) if backward else (robot.cell, terrain.goal)
        plan = grid_astar(robot.known, ends[0], {ends[1]})
        path = plan.path[::-1] if backward else plan.path
        steps = frozenset(pairwise(path)) if only_if_blocked else frozenset()
        return plan.stats.expanded

    def sense_and_replan() -> int:
        nonlocal changes
        changes = robot.known.change(robot.sense())
        is_needed = not path or (bool(changes) and not only_if_blocked)
        return replan() if is_needed or any((change.tail, change.head) in steps for change in changes) else -1

    log.plan(sense_and_replan)
    while path and robot.cell != terrain.goal:
        robot.cell = path[path.index(robot.cell) + 1]
        log.move()
        log.plan(sense_and_replan)
    return log.mission(is_done=robot.cell == terrain.goal)
