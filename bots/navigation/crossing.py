"""A robot crosses a grid that it does not know, and its planner replans as it senses obstacles. Plays no game.

The protocol of Koenig and Likhachev, "Fast Replanning for Navigation in Unknown Terrain", IEEE Trans. Robotics 21(3),
2005: cells are taken for free until sensed, and the planner is told whenever something new was sensed. Planners see the
same worlds, break ties by the same rule and walk nearly the same ways.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import process_time
from typing import Protocol

from bots.planners.astar import grid_astar
from bots.planners.dstar_lite import GridDStarLite
from bots.planners.graph import ArcChange
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF, Clock, Plan, PlanStats

Cells = tuple[int, ...]
MakePlanner = Callable[[SearchGrid, int, int], GridDStarLite]
Search = Callable[[SearchGrid, int, Collection[int]], Plan[int]]
Check = Callable[[SearchGrid, int, float], None]  # (what is known, the robot's cell, the planner's cost)


class EndlessWalk(Exception):  # noqa: N818 - what happened to the robot
    """The robot made more moves than it was allowed."""


class Guide(Protocol):
    """A planner that leads one robot over one grid, which changes under it."""

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """The robot is at `here` and these arcs have changed; what searching cost, None if there was no need."""

    @property
    def cost(self) -> float:
        """Of the way that is left; infinite = there is none, or none was found."""

    def next_step(self) -> int | None:
        """The cell to go to now; None at the goal and without a way."""


MakeGuide = Callable[[SearchGrid, int, int], Guide]  # (what is known, start, goal)


# ---- worlds ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class World:
    """The grid as it is, and what is asked of the robot, which starts by believing that nothing is blocked."""

    width: int
    height: int
    blocked: frozenset[int]
    start: int
    goal: int
    connectivity: int = 4
    diagonal_cost: float = 1
    cut_corners: bool = False

    def grid(self, blocked: Collection[int] = ()) -> SearchGrid:
        """A grid of this shape and these moves."""
        return SearchGrid(
            self.width,
            self.height,
            blocked=blocked,
            connectivity=self.connectivity,
            diagonal_cost=self.diagonal_cost,
            cut_corners=self.cut_corners,
        )


def random_world(
    seed: int,
    *,
    size: int,
    density: float,
    start: tuple[int, int],
    goal: tuple[int, int],
    connectivity: int = 4,
    cut_corners: bool = False,
    is_solvable: bool = True,
) -> World:
    """Each cell but the two ends is blocked with that probability; drawn again while there is no way."""
    ends = (start[1] * size + start[0], goal[1] * size + goal[0])
    attempt = 0
    while True:
        rng = random.Random(f"{seed}/{attempt}/terrain")
        blocked = frozenset(cell for cell in range(size * size) if rng.random() < density and cell not in ends)
        world = World(size, size, blocked, *ends, connectivity=connectivity, cut_corners=cut_corners)
        if not is_solvable or grid_astar(world.grid(blocked), ends[0], {ends[1]}).found:
            return world
        attempt += 1


class Robot:
    """Position, knowledge, senses."""

    def __init__(self, world: World, known: SearchGrid, *, sensor: int) -> None:
        """`sensor`: how many moves away, on an empty board, it sees a cell."""
        self.known = known
        self.cell = world.start
        self._world = world
        self._sensor = sensor

    def sense(self) -> dict[int, float]:
        """New prices of the cells in range."""
        blocked, known = self._world.blocked, self.known.entry_costs
        return {cell: INF for cell in self._in_range() if cell in blocked and known[cell] != INF}

    def _in_range(self) -> list[int]:
        """Row by row."""
        world, reach = self._world, self._sensor
        y, x = divmod(self.cell, world.width)
        return [
            row * world.width + column
            for row in range(max(0, y - reach), min(world.height, y + reach + 1))
            for column in range(max(0, x - reach), min(world.width, x + reach + 1))
            if world.connectivity == 8 or abs(row - y) + abs(column - x) <= reach
        ]


# ---- crossing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mission:
    """What one crossing took."""

    is_done: bool  # False: the planner knew no way
    path: Cells  # as walked
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

    @property
    def first_expanded(self) -> int:
        """In the first search."""
        return self.searches[0].expanded


def cross(
    world: World,
    make_guide: MakeGuide,
    *,
    known: SearchGrid | None = None,
    sensor: int = 1,
    check: Check | None = None,
    move_limit: float = INF,
    clock: Clock = process_time,
) -> Mission:
    """Walk to the goal, or until the guide knows no way; EndlessWalk above `move_limit`.

    `known` is what the robot believes at first, by default that nothing is blocked; it learns by changing it. `check`
    is called at every cell before the goal, outside the measured time.
    """
    robot = Robot(world, world.grid() if known is None else known, sensor=sensor)
    robot.known.change(robot.sense())
    begin_s = clock()
    guide = make_guide(robot.known, robot.cell, world.goal)
    planning_s = clock() - begin_s
    path, searches, cost = [robot.cell], [], 0.0
    sensed: dict[int, float] = {}
    while True:
        begin_s = clock()
        stats = guide.revise(robot.cell, robot.known.change(sensed))
        planning_s += clock() - begin_s
        if stats is not None:
            searches.append(stats)
        if check:
            check(robot.known, robot.cell, guide.cost)
        step = guide.next_step()
        if step is not None:
            cost += dict(robot.known.arcs[robot.cell]).get(step, INF)
            robot.cell = step
            path.append(step)
        if step is None or step == world.goal:
            return Mission(robot.cell == world.goal, tuple(path), cost, tuple(searches), planning_s * 1000.0)
        if len(path) - 1 > move_limit:
            raise EndlessWalk(f"no end after {len(path) - 1} moves")
        sensed = robot.sense()


class Repaired:
    """D* Lite: one search from the goal, repaired whenever something changed."""

    def __init__(self, grid: SearchGrid, start: int, goal: int, *, make_planner: MakePlanner = GridDStarLite) -> None:
        self._planner = make_planner(grid, start, goal)
        self._has_planned = False

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """See `Guide`. Expects the robot to walk where it is told."""
        self._planner.move_start(here)
        if self._has_planned and not changes:
            return None
        self._has_planned = True
        self._planner.update(changes)
        return self._planner.search()

    @property
    def cost(self) -> float:
        """See `Guide`."""
        return self._planner.cost

    def next_step(self) -> int | None:
        """See `Guide`."""
        return self._planner.next_step()


class FromScratch:
    """A planner without memory, asked again whenever something changed.

    `is_backward` searches from the goal; `is_patient` asks only when a change breaks the path (or nothing is known).
    """

    def __init__(
        self,
        grid: SearchGrid,
        start: int,
        goal: int,
        *,
        search: Search = grid_astar,
        is_backward: bool = False,
        is_patient: bool = False,
    ) -> None:
        self._grid = grid
        self._here = start
        self._goal = goal
        self._search = search
        self._is_backward = is_backward
        self._is_patient = is_patient
        self._plan: Plan[int] | None = None
        self._steps: dict[int, int] = {}

    def revise(self, here: int, changes: Sequence[ArcChange[int]]) -> PlanStats | None:
        """See `Guide`. Expects prices to rise only and the robot to walk where it is told."""
        self._here = here
        if self._plan is not None and not self._is_outdated(changes):
            return None
        ends = (self._goal, here) if self._is_backward else (here, self._goal)
        self._plan = self._search(self._grid, ends[0], {ends[1]})
        path = self._plan.path
        self._steps = dict(pairwise(reversed(path) if self._is_backward else path))
        return self._plan.stats

    def _is_outdated(self, changes: Sequence[ArcChange[int]]) -> bool:
        if not self._is_patient:
            return bool(changes)
        return any(self._steps.get(change.tail) == change.head for change in changes)

    @property
    def cost(self) -> float:
        """See `Guide`; walks the way, so ask rarely."""
        cell, cost = self._here, 0.0
        while (head := self._steps.get(cell)) is not None:
            cost += next(price for near, price in self._grid.arcs[cell] if near == head)
            cell = head
        return cost if cell == self._goal else INF

    def next_step(self) -> int | None:
        """See `Guide`."""
        return self._steps.get(self._here)
