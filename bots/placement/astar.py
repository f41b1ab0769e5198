"""A* over single positions, without pruning, and its bot: exact if the budget lasts, else the nearest plan found.

A state is one position with the pathability map and the pieces left. A step costs 1; a step into the Void lays one of
the placements that cover that cell, at no cost. The estimate is Manhattan distance. If no plan reaches the goal, A*
visits every state in reach, millions of them: `node_budget` limits how many are generated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.placement.potential import FitCache, Left, Potential, placements_left, plan_to
from gridjoust.bots.placement.task import NEVER, Found, IsOver, Scene, Task, cells_of, distance_table, walkable
from gridjoust.bots.planners.astar import astar
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.stats import PlanStats
from gridjoust.bots.planners.trail import Trail, noted
from gridjoust.games.placement.board import Mask, manhattan_rings, walk_layers

NODE_BUDGET = 20_000
FIRST_BUDGET = 500  # states; the bot always finishes this search
BOT_BUDGET = 5_000


@dataclass(frozen=True, slots=True)
class Stop:
    """A state: the figure in one cell, on one board, with some pieces left; equal however the figure got there."""

    cell: int
    floor: Mask
    left: Left
    steps: int = field(compare=False)
    laid: tuple[Potential, ...] = field(compare=False)


class _BudgetSpent(Exception):  # noqa: N818 - ends the search, so it is no error
    pass


class _Goals:
    """The goal states as a container, as A* asks for them: those with the figure in a goal cell."""

    def __init__(self, goals: Mask) -> None:
        self._goals = goals

    def __contains__(self, stop: object) -> bool:
        return isinstance(stop, Stop) and bool(self._goals >> stop.cell & 1)


class _Graph:
    """Makes the states around a state for A*, counts them, and keeps the one nearest to the goal."""

    def __init__(self, task: Task, *, node_budget: int, is_over: IsOver, budget: Budget, cache: FitCache) -> None:
        self.task = task
        self.cost = PlanStats()
        self.cache = cache
        position = task.position
        self.start = Stop(position.cell, position.floor, tuple(range(len(position.hand))), 0, ())
        self.nearest = self.start
        self._budget = node_budget
        self._is_over = is_over
        self._work = budget
        self._near = distance_table(task.nearness())
        self._far = len(task.nearness())

    def merit(self, stop: Stop) -> tuple[int, int, int]:
        """Return the sort key of a plan that ends here: distance, steps, pieces; smaller is better."""
        return self._near.get(stop.cell, self._far), stop.steps, len(stop.laid)

    def neighbours(self, stop: Stop) -> list[Stop]:
        """Return the states after a step N, E, S, W; a step into the Void gives one for each placement on that cell."""
        if 1 + self.cost.generated >= self._budget or self._work.is_spent or self._is_over():
            raise _BudgetSpent
        self.cost.expanded += 1
        if self.merit(stop) < self.merit(self.nearest):
            self.nearest = stop
        after = list(self._after(stop))
        self.cost.generated += self._work.spend(len(after))
        return after

    def _after(self, stop: Stop) -> Iterator[Stop]:
        position = self.task.position
        if stop.steps >= position.moves:
            return
        board = position.board
        for ahead in (stop.cell - board.stride, stop.cell + 1, stop.cell + board.stride, stop.cell - 1):
            if ahead < 0 or not (board.inside & ~position.walls) >> ahead & 1:
                continue
            if stop.floor >> ahead & 1:
                yield Stop(ahead, stop.floor, stop.left, stop.steps + 1, stop.laid)
            elif stop.left:
                yield from self._over_void(stop, ahead)

    def _over_void(self, stop: Stop, ahead: int) -> Iterator[Stop]:
        key = (stop.floor, stop.left, ahead)
        position = self.task.position
        covering = self.cache.look_up(key, lambda: placements_left(position, stop.floor, stop.left, 1 << ahead))
        for placement in covering:
            left = tuple(piece for piece in stop.left if piece != placement.turned.piece)
            yield Stop(ahead, stop.floor | placement.mask, left, stop.steps + 1, (*stop.laid, placement))


def plan_astar(
    task: Task,
    *,
    node_budget: int = NODE_BUDGET,
    is_over: IsOver = NEVER,
    budget: Budget = UNLIMITED,
    cache: FitCache | None = None,
    trail: Trail[Stop] | None = None,
) -> Found:
    """Return the plan with the fewest steps to a goal if both budgets last, else the nearest plan found.

    Only searches of one turn may share a `cache`. `trail` records the search for spectators.
    """
    cache = FitCache() if cache is None else cache
    hits_before = cache.hits
    work = budget.keeping(walkable(task.position))
    graph = _Graph(task, node_budget=node_budget, is_over=is_over, budget=work, cache=cache)
    near = distance_table(manhattan_rings(task.position.board, task.goals))
    is_stopped = False
    try:
        way = astar(
            graph.start,
            _Goals(task.goals),
            neighbours=noted(graph.neighbours, trail),
            heuristic=lambda at: near[at.cell],
        )
        if way.found:
            graph.nearest = way.path[-1]
        graph.cost.frontier = way.stats.frontier
    except _BudgetSpent:
        is_stopped = True
        graph.cost.frontier = 1 + graph.cost.generated - graph.cost.expanded
    graph.cost.reused = cache.hits - hits_before
    # lay all pieces first, then walk: on the finished floor the path may even be shorter
    position, stop = task.position, graph.nearest
    layers = walk_layers(position.board, stop.floor, 1 << position.cell, position.moves)
    graph.cost.generated += budget.spend(cells_of(layers[1:]))
    plan = plan_to(position.board, stop.laid, layers, stop.cell)
    distance, _, pieces = graph.merit(stop)
    return Found(plan, distance, plan.steps, pieces, graph.cost, is_stopped)


class AStarBuilder(Builder):
    """Searches up to 500 states, then up to `node_budget`; for each goal by itself up to 500."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, node_budget: int = BOT_BUDGET, own: float = 1.0, hinder: float = 1.0) -> None:
        if node_budget < 1:
            raise ValueError(f"node_budget: expected at least 1, got {node_budget}")
        super().__init__(own=own, hinder=hinder)
        self._node_budget = node_budget
        self._cache = FitCache()  # of the turn

    def plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Found]:  # noqa: ARG002 - the same for all seats
        """Yield a short search, then a long one if the short one was cut off."""
        self._cache = FitCache()
        first = self._search(scene.task, min(FIRST_BUDGET, self._node_budget), NEVER)
        yield first
        if first.is_stopped and not is_over():
            yield self._search(scene.task, self._node_budget, is_over)

    def plan_to_goal(self, task: Task, seat: int, is_over: IsOver) -> Found:  # noqa: ARG002 - the same for all seats
        """Return a plan towards the task's goals, with at most the node budget of the turn's first search."""
        node_budget = min(FIRST_BUDGET, self._node_budget)
        return plan_astar(task, node_budget=node_budget, is_over=is_over, budget=self.work, cache=self._cache)

    def _search(self, task: Task, node_budget: int, is_over: IsOver) -> Found:
        board = task.position.board
        trail: Trail[Stop] | None = None if self.lens is None else Trail(lambda stop: board.cell(stop.cell))
        found = plan_astar(
            task, node_budget=node_budget, is_over=is_over, budget=self.work, cache=self._cache, trail=trail
        )
        if trail is not None:
            self.show("closed", nodes=trail.expanded, frontier=trail.frontier())
        return found
