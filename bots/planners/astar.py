"""A*: finds one cheapest path, from scratch on every call; also through space and time.

Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", IEEE Trans. SSC 4(2),
1968. Complete on finite graphs (and on infinite ones if costs stay above some positive bound). Optimal with an
*admissible* heuristic (never above the true cost that is left): a node reached more cheaply after its expansion is
opened again. With a *consistent* one (h(a) <= cost(a, b) + h(b)) no node is opened again, each is expanded at most
once, and none has f = g + h above the optimum: O((V + E) log V) time, O(V) memory. Re-opening can cost exponential time
in the worst case (Martelli, "On the Complexity of Admissible Search Algorithms", Artificial Intelligence 8, 1977).

Among nodes of equal f the one with the larger g is expanded first: on open grids the search then expands a line of
cells, otherwise a rectangle.

`grid_timed_astar` searches states (cell, tick), as in Silver, "Cooperative Pathfinding", AIIDE 2005: `is_forbidden` is
the paper's reservation table, `horizon` its window. Every move and every wait takes one tick; waiting comes after all
neighbours in the tie-break order. From tick `horizon` on nothing is forbidden and all later ticks count as one, so the
search is finite on a finite graph. It is complete and optimal for what is known, with at most V * (horizon + 1) states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from time import perf_counter
from typing import Any, TypeVar

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.graph import (
    ArcLookup,
    Arcs,
    Cost,
    FunctionArcs,
    Heuristic,
    Neighbours,
    no_estimate,
    trace,
    unit_cost,
)
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF, Clock, Plan, PlanStats, elapsed_ms, no_plan

N = TypeVar("N")
AtTick = Callable[[int, int], bool]  # (cell, tick of arrival)
WAIT_COST = 1


def astar(
    start: N,
    goals: Container[N],
    *,
    neighbours: Neighbours[N],
    cost: Cost[N] = unit_cost,
    heuristic: Heuristic[N] = no_estimate,
    cost_limit: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[N]:
    """Find the cheapest path to the nearest of `goals`, among paths that cost at most `cost_limit`.

    The search also gives up, without a path, when `budget` is spent.

    >>> astar(0, {3}, neighbours=lambda n: (n + 1, n + 2), heuristic=lambda n: abs(3 - n) / 2).path
    (0, 2, 3)

    Args:
        start: the first node
        goals: tested with `in`
        neighbours: returns the nodes one step away, in tie-break order
        cost: returns the cost of a step from one node to the next
        heuristic: returns an estimate of the cost from a node to the nearest goal
        cost_limit: the most that a path may cost
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    arcs = FunctionArcs(neighbours, cost)
    return search_arcs(start, goals, arcs=arcs, heuristic=heuristic, cost_limit=cost_limit, budget=budget, clock=clock)


def grid_astar(
    grid: SearchGrid,
    start: int,
    goals: Collection[int],
    *,
    cost_limit: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """Find the cheapest path over cells to the nearest of `goals`; a blocked start reaches only itself.

    The heuristic is the Manhattan, Chebyshev or octile distance times `grid.least_cost`. If all entry costs are equal,
    stacks or queues replace the heap; the order of expansion is the same.

    Args:
        grid: the board
        start: number of the first cell, as `grid.index(x, y)` gives it
        goals: numbers of the goal cells
        cost_limit: the most that a path may cost
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    begin_s = clock()
    if kernels.active is not None:
        plan = _search_compiled(grid, start, goals, cost_limit, budget.left)
    elif len(goals) == 1 and grid.connectivity == 4 and grid.is_uniform:
        plan = _search_uniform(grid, start, next(iter(goals)), cost_limit, budget.left)
    else:
        plan = _search_buckets(grid, start, goals, cost_limit, budget.left)
    plan.stats.generated = budget.spend(plan.stats.generated)
    plan.stats.planning_ms = elapsed_ms(clock, begin_s)
    return plan


def _search_compiled(grid: SearchGrid, start: int, goals: Collection[int], cost_limit: float, most: int) -> Plan[int]:
    """Run `grid_astar` in a compiled kernel; it stops when `most` successors are generated."""
    if len(goals) == 1 and grid.has_equal_costs:
        (goal,) = goals
        search = kernels.active.astar_uniform if grid.connectivity == 4 else kernels.active.astar_octile
        found = search(grid.packed(), start, goal, cost_limit, most)
    else:
        found = kernels.active.astar(grid.packed(), start, tuple(goals), cost_limit, most)
    path, cost, expanded, generated, peak = found
    return Plan(path, cost, PlanStats(expanded, generated, peak))


def search_arcs(
    start: N,
    goals: Container[N],
    *,
    arcs: ArcLookup[N],
    heuristic: Heuristic[N],
    cost_limit: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[N]:
    """Run A* on a table of arcs; a heap entry is skipped if its node was since reached more cheaply."""
    begin_s = clock()
    estimate = heuristic(start)
    costs: dict[N, float] = {start: 0}
    parents = {start: start}
    serial = count(1).__next__
    heap: list[tuple[float, float, int, N]] = [(estimate, 0, 0, start)] if estimate <= cost_limit else []
    expanded, generated, peak, most = 0, 0, len(heap), budget.left
    while heap:
        _, minus_cost, _, node = heappop(heap)
        so_far = costs[node]
        if so_far != -minus_cost:
            continue
        if (is_found := node in goals) or generated >= most:
            break
        expanded += 1
        steps = arcs[node]
        generated += len(steps)
        for head, step in steps:
            reached = so_far + step
            if reached < costs.get(head, INF):
                total = reached + heuristic(head)
                if total <= cost_limit:
                    costs[head] = reached
                    parents[head] = node
                    heappush(heap, (total, -reached, serial(), head))
        if len(heap) > peak:
            peak = len(heap)
    else:
        is_found = False
    stats = PlanStats(expanded, budget.spend(generated), peak, elapsed_ms(clock, begin_s))
    return Plan(trace(parents.__getitem__, node), float(so_far), stats) if is_found else no_plan(stats)


def _search_uniform(grid: SearchGrid, start: int, goal: int, cost_limit: float, most: int) -> Plan[int]:  # noqa: PLR0915 - the hot loop, kept in one function for speed
    """Run A* with 4 neighbours and unit costs, where f stays or grows by 2: two stacks replace the heap.

    The stack of the current f is sorted by g once. Children pushed on it have a larger g than all its other nodes, so
    it stays sorted. A closed cell has cost -1. The search stops when `most` successors are generated.
    """
    near, xs, ys, goal_x, goal_y = grid.neighbours, grid.xs, grid.ys, grid.xs[goal], grid.ys[goal]
    costs = [grid.size] * grid.size  # more than any path
    parents = [start] * grid.size
    costs[start] = 0
    total = abs(xs[start] - goal_x) + abs(ys[start] - goal_y)
    stack, later = [start], [0] * 0
    expanded = generated = peak = 0
    while stack and total <= cost_limit:
        while stack:
            cell = stack.pop()
            reached = costs[cell] + 1
            if not reached:
                continue
            if cell == goal or generated >= most:
                stats = PlanStats(expanded, generated, max(peak, 1))
                return Plan(trace(parents.__getitem__, cell), float(total), stats) if cell == goal else no_plan(stats)
            expanded += 1
            costs[cell] = -1
            level, heads = len(stack), near[cell]
            generated += len(heads)
            for head in heads:
                if reached < costs[head]:
                    costs[head] = reached
                    parents[head] = cell
                    if reached + abs(xs[head] - goal_x) + abs(ys[head] - goal_y) == total:
                        stack.append(head)
                    else:
                        later.append(head)
            if len(stack) > level + 1:  # two at most; the child found first goes on top
                stack[-2:] = stack[-1], stack[-2]
            if len(stack) + len(later) > peak:
                peak = len(stack) + len(later)
        total += 2
        stack, later = later[::-1], []
        stack.sort(key=costs.__getitem__)
    return no_plan(PlanStats(expanded, generated, max(peak, 1)))


def _search_buckets(grid: SearchGrid, start: int, goals: Collection[int], cost_limit: float, most: int) -> Plan[int]:  # noqa: PLR0915 - the hot loop, kept in one function for speed
    """Run A* with one bucket per value of f and a heap of these values: grid sums are exact, so ties are common.

    A bucket is sorted by g when its turn comes. A child in the same bucket has a larger g than all else in it. Of
    several such children the one with the larger g, then the one found first, must lie on top.
    """
    arcs, heuristic = grid.arcs, grid.estimate_to(goals)
    costs: list[float] = [INF] * grid.size
    parents = [start] * grid.size
    costs[start] = 0
    buckets: dict[float, list[int]] = {heuristic(start): [start]}
    totals = list(buckets)
    expanded = generated = peak = 0
    waiting = 1
    while totals and (total := heappop(totals)) <= cost_limit:
        stack = buckets.pop(total)
        stack.reverse()
        stack.sort(key=costs.__getitem__)
        while stack:
            cell = stack.pop()
            waiting -= 1
            so_far = costs[cell]
            if so_far < 0:
                continue
            if cell in goals:
                return Plan(trace(parents.__getitem__, cell), float(so_far), PlanStats(expanded, generated, peak or 1))
            if generated >= most:
                return no_plan(PlanStats(expanded, generated, peak or 1))
            expanded += 1
            costs[cell] = -1
            level, steps = len(stack), arcs[cell]
            generated += len(steps)
            for head, step in steps:
                reached = so_far + step
                if reached < costs[head]:
                    costs[head] = reached
                    parents[head] = cell
                    waiting += 1
                    bound = reached + heuristic(head)
                    if bound == total:
                        stack.append(head)
                    elif bound in buckets:
                        buckets[bound].append(head)
                    else:
                        buckets[bound] = [head]
                        heappush(totals, bound)
            if len(stack) > level + 1:
                children = stack[level:]
                children.reverse()
                children.sort(key=costs.__getitem__)
                stack[level:] = children
            if waiting > peak:
                peak = waiting
    return no_plan(PlanStats(expanded, generated, peak or 1))


def grid_timed_astar(
    grid: SearchGrid,
    start: int,
    is_goal: AtTick,
    *,
    is_forbidden: AtTick,
    horizon: int,
    heuristic: Heuristic[int] = no_estimate,
    cost_limit: float = INF,
    budget: Budget = UNLIMITED,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """Find the cheapest path that avoids forbidden (cell, tick) pairs; `path[i]` is the cell at tick i, from tick 0.

    A goal `lambda cell, tick: tick == horizon` finds a path that survives.

    Args:
        grid: the board
        start: number of the first cell
        is_goal: returns True for a cell and a tick that end the path; every tick after `horizon` counts as `horizon`
        is_forbidden: returns True if the cell must not be entered at the tick; asked for ticks 1 to `horizon` - 1
        horizon: first tick from which on nothing is forbidden
        heuristic: returns an estimate of the cost from a cell to a goal, waiting included
        cost_limit: the most that a path may cost
        budget: successors that may still be generated; by default there is no limit
        clock: measures `planning_ms`, in s
    """
    size = grid.size
    plan = search_arcs(
        start,
        _Goals(is_goal, size),
        arcs=_TimedArcs(grid, is_forbidden, horizon),
        heuristic=lambda state: heuristic(state % size),
        cost_limit=cost_limit,
        budget=budget,
        clock=clock,
    )
    return Plan(tuple(state % size for state in plan.path), plan.cost, plan.stats)


@dataclass(frozen=True, slots=True)
class _TimedArcs:
    """Arcs between states (the number of a state is `tick * grid.size + cell`), made on demand."""

    grid: SearchGrid
    is_forbidden: AtTick
    horizon: int

    def __getitem__(self, state: int, /) -> Arcs[int]:
        tick, cell = divmod(state, self.grid.size)
        steps = self.grid.arcs[cell]
        if tick >= self.horizon:
            base = state - cell
            return [(base + head, step) for head, step in steps]
        tick += 1
        base = tick * self.grid.size
        ways = (*steps, (cell, WAIT_COST))
        if tick >= self.horizon:
            return [(base + head, step) for head, step in ways]
        forbidden = self.is_forbidden
        return [(base + head, step) for head, step in ways if not forbidden(head, tick)]


@dataclass(frozen=True, slots=True)
class _Goals:
    """The goal states as a container, as `search_arcs` expects them."""

    is_goal: AtTick
    size: int

    def __contains__(self, state: Any) -> bool:
        return self.is_goal(state % self.size, state // self.size)
