"""Paths over a board on which Void has a price, pieces fitted along them, and the bots that use them.

A Floor cell costs 1; a Void cell costs `VOID_COST`, which pays for the step and for a share of the piece to be laid.
The path is the cheapest by a Dijkstra map or by D* Lite; at the edge of the Void the piece is laid that covers most of
the path ahead. If none fits, the cell counts as a wall and the path is found again, by an update of the map or a repair
of the search. The planners' grid has the board's extra column as a wall, so that both number the cells alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.potential import Potential, placements_left, plan_to
from gridjoust.bots.placement.task import NEVER, VOID_COST, Found, IsOver, Scene, Task, cells_of, walkable
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.planners.watched import WatchedGridDStarLite
from gridjoust.games.bitset import members
from gridjoust.games.placement.board import Board, Mask, closest, walk_layers

MAX_DETOURS = 8  # cells that may prove impossible to cover, before the best attempt is used


def entry_costs(task: Task) -> list[float]:
    """Return the price of entering each cell: 1 on Floor, `VOID_COST` where a piece may be laid, else infinite."""
    board = task.position.board
    costs: list[float] = [INF] * (board.stride * board.height)
    for cell in members(task.buildable):
        costs[cell] = VOID_COST
    for cell in members(task.position.floor):
        costs[cell] = 1
    return costs


def priced_grid(task: Task) -> SearchGrid:
    """Return the task's board as a grid for the planners, with the prices of `entry_costs`."""
    board = task.position.board
    return SearchGrid(board.stride, board.height, costs=entry_costs(task))


class MapSlope:
    """A Dijkstra map of the goals, followed downhill."""

    def __init__(self, task: Task, budget: Budget = UNLIMITED) -> None:
        self._budget = budget
        self._grid = priced_grid(task)
        goals = dict.fromkeys(members(task.goals), 0.0)
        self._map: DijkstraMap = scan(
            self._grid.terrain(), goals, maximum=float(VOID_COST * self._grid.size), budget=budget
        )
        self.cost = PlanStats()
        self.cost.add(self._map.stats)

    def way(self, cell: int) -> list[int]:
        """Return the cells after this one on the path downhill to a goal; empty if there is no path.

        Each is the neighbour through which the goal is cheapest; among equals the first of N, E, S, W.
        """
        values = self._map.values
        way: list[int] = []
        while values[cell] > 0:
            ahead, _ = min(self._grid.arcs[cell], key=lambda arc: values[arc[0]] + arc[1], default=(cell, 0))
            if values[ahead] >= values[cell]:
                return []
            cell = ahead
            way.append(cell)
        return way

    def shown(self) -> dict[int, float]:
        """Return the price of the path to the goal from every cell that has one."""
        return {cell: value for cell, value in enumerate(self._map.values) if value < self._map.maximum}

    def avoid(self, cell: int) -> None:
        """Treat the cell as a wall from now on, by an update of the map."""
        self._grid.change({cell: INF})
        self._map = self._map.updated(self._grid.terrain(), budget=self._budget)
        self.cost.add(self._map.stats)


class RepairedSlope:
    """A D* Lite search to one goal, kept from turn to turn and repaired as the board changes."""

    def __init__(
        self,
        task: Task,
        goal: int,
        budget: Budget = UNLIMITED,
        make_planner: Callable[[SearchGrid, int, int], GridDStarLite] = make_grid_dstar_lite,
    ) -> None:
        self._budget = budget
        self._planner = make_planner(priced_grid(task), task.position.cell, goal)
        self.cost = PlanStats()

    def repair(self, task: Task) -> None:
        """Take over the present board, reprice only the cells that have changed, and count costs from 0 again."""
        self._planner.change(dict(enumerate(entry_costs(task))))
        self.cost = PlanStats()

    def price(self, cell: int) -> float:
        """Return the price of the path from a cell; infinite if there is none."""
        self._planner.move_start(cell)
        self.cost.add(self._planner.search(budget=self._budget))
        return self._planner.cost

    def shown(self) -> tuple[list[int], list[int]]:
        """Return (cells expanded since the last call, in order; cells kept from before); both empty unless watched."""
        return self._planner.take() if isinstance(self._planner, WatchedGridDStarLite) else ([], [])

    def way(self, cell: int) -> list[int]:
        """Return the cells after this one on D* Lite's path; empty if there is none."""
        self.price(cell)
        return list(self._planner.path()[1:])

    def avoid(self, cell: int) -> None:
        """Treat the cell as a wall from now on, by an infinite price."""
        self._planner.change({cell: INF})


Slope = MapSlope | RepairedSlope


def plan_map(task: Task, *, is_over: IsOver = NEVER, budget: Budget = UNLIMITED) -> Found:
    """Return a plan along the path downhill on a Dijkstra map of the goals."""
    slope = MapSlope(task, budget.keeping(walkable(task.position)))
    return plan_down(task, slope, is_over=is_over, budget=budget)


def plan_dstar(task: Task, *, is_over: IsOver = NEVER) -> Found:
    """Return a plan along the cheapest of the D* Lite paths to each goal, searched for this task alone."""
    return plan_cheapest(task, [RepairedSlope(task, goal) for goal in members(task.goals)], is_over=is_over)


def plan_cheapest(
    task: Task, slopes: Iterable[RepairedSlope], *, is_over: IsOver = NEVER, budget: Budget = UNLIMITED
) -> Found:
    """Return a plan along the cheapest path that any of these searches has found; its cost adds up all searches."""
    slopes = list(slopes)
    best = min(slopes, key=lambda slope: slope.price(task.position.cell))
    found = plan_down(task, best, is_over=is_over, budget=budget)
    return replace(found, cost=sum((slope.cost for slope in slopes if slope is not best), found.cost))


def plan_down(task: Task, slope: Slope, *, is_over: IsOver = NEVER, budget: Budget = UNLIMITED) -> Found:
    """Follow the slope's path, lay pieces where it crosses Void, and return the best of several attempts."""
    cost = PlanStats()
    found = _attempt(task, (), cost, budget)
    for _ in range(MAX_DETOURS):
        if budget.is_spent:
            break
        laid, stuck = lay_along(task, slope.way(task.position.cell), cost, budget)
        if budget.is_spent:
            break
        attempt = _attempt(task, laid, cost, budget)
        found = min(found, attempt, key=lambda plan: plan.key)
        if stuck is None or is_over():
            break
        slope.avoid(stuck)
    return replace(found, cost=slope.cost + cost)


def lay_along(
    task: Task, way: Sequence[int], cost: PlanStats, budget: Budget = UNLIMITED
) -> tuple[list[Potential], int | None]:
    """Return (pieces laid along the path as far as the moves last, first cell that no piece left covers, or None).

    The placements among which it chooses are added to `cost`.
    """
    position = task.position
    floor = position.floor
    laid: list[Potential] = []
    for number, cell in enumerate(way[: position.moves]):
        if floor >> cell & 1:
            continue
        used = {placement.turned.piece for placement in laid}
        left = [piece for piece in range(len(position.hand)) if piece not in used]
        if not left or budget.is_spent:
            break
        choice = placements_left(position, floor, left, 1 << cell)
        cost.generated += budget.spend(len(choice))
        if not choice:
            return laid, cell
        ahead = way[number:]
        laid.append(max(choice, key=lambda placement: _use(placement.mask, floor, ahead)))
        floor |= laid[-1].mask
    return laid, None


def _use(mask: Mask, floor: Mask, ahead: Iterable[int]) -> tuple[int, int]:
    """Return a sort key of a piece: (next cells of the path that are then Floor, minus the number of its cells)."""
    walked = 0
    for cell in ahead:
        if not (floor | mask) >> cell & 1:
            break
        walked += 1
    return walked, -mask.bit_count()


def _attempt(task: Task, laid: Sequence[Potential], cost: PlanStats, budget: Budget) -> Found:
    position = task.position
    floor = position.floor | sum(placement.mask for placement in laid)
    layers = walk_layers(position.board, floor, 1 << position.cell, position.moves)
    cost.generated += budget.spend(cells_of(layers[1:]))
    distance, steps, ends = closest(task.nearness(), layers)
    plan = plan_to(position.board, laid, layers, members(ends)[0])
    return Found(plan, distance, steps, len(laid), PlanStats())


class SlopeBuilder(Builder):
    """Plans by a Dijkstra map, within a millisecond or two; it never combines two pieces."""

    planner: ClassVar[str] = "dijkstra_map"

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - one short search needs neither
        """Yield one plan, along the path downhill on a map of all goals."""
        slope = MapSlope(scene.task, self.work.keeping(walkable(scene.task.position)))
        found = plan_down(scene.task, slope, budget=self.work)
        if self.lens is not None:
            place = scene.task.position.board.cell
            self.show("price", heat={place(cell): value for cell, value in slope.shown().items()})
        yield found

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:  # noqa: ARG002 - the same for all seats
        """Return a plan along the path downhill on a map of that goal."""
        return plan_map(task, is_over=is_over, budget=self.work)


class RepairBuilder(Builder):
    """Plans by D* Lite searches that it keeps for the whole match."""

    planner: ClassVar[str] = "dstar_lite"

    def __init__(self, *, own: float = 1.0, hinder: float = 1.0) -> None:
        super().__init__(own=own, hinder=hinder)
        self._slopes: dict[tuple[int, int], RepairedSlope] = {}  # by seat and goal

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - one short search cannot be late
        """Yield the plan to the goal with the cheapest path."""
        slopes = [self._repaired(scene, seat, goal) for goal in members(scene.task.goals)]
        found = plan_cheapest(scene.task, slopes, budget=self.work)
        if self.lens is not None:
            self._show_repairs(scene.task.position.board, slopes)
        yield found

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:
        """Return a plan along the path to that goal, whose search `plans` has repaired already."""
        slope = self._slopes[seat, members(task.goals)[0]]
        slope.cost = PlanStats()
        return plan_down(task, slope, is_over=is_over, budget=self.work)

    def _show_repairs(self, board: Board, slopes: Iterable[RepairedSlope]) -> None:
        """Show spectators which cells all searches together expanded for this answer, and which they kept."""
        shown = [slope.shown() for slope in slopes]
        repaired = dict.fromkeys(cell for cells, _ in shown for cell in cells)
        kept = dict.fromkeys(cell for _, cells in shown for cell in cells if cell not in repaired)
        self.show("repaired", nodes=map(board.cell, repaired))
        self.show("kept", frontier=map(board.cell, kept))

    def _repaired(self, scene: Scene, seat: int, goal: int) -> RepairedSlope:
        slope = self._slopes.get((seat, goal))
        if slope is None:
            made = make_grid_dstar_lite if self.lens is None else WatchedGridDStarLite
            work = self.work.keeping(walkable(scene.task.position))
            slope = self._slopes[seat, goal] = RepairedSlope(scene.task, goal, work, made)
        else:
            slope.repair(scene.task)
        return slope
