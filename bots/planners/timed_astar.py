"""A* through space and time: cells may be forbidden at certain ticks, and waiting is a move. Moves nobody.

The states are (cell, tick), as in Silver, "Cooperative Pathfinding", AIIDE 2005: `is_forbidden` is his reservation
table, `horizon` his window. Every move and every wait takes one tick. From tick `horizon` on nothing is forbidden and
all later ticks are one, so the search is finite on a finite graph: complete and optimal for what is known, at most
V * (horizon + 1) states, each expanded once if the heuristic is consistent. Ties as in `bots.planners.graph`; waiting
is named after every neighbour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from bots.planners.astar import search_arcs
from bots.planners.graph import Arcs, Heuristic, no_estimate
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF, Clock, Plan

AtTick = Callable[[int, int], bool]  # (cell, tick of arrival)
WAIT_COST = 1


@dataclass(frozen=True, slots=True)
class _Goals:
    """The goal states as a container, which is what A* asks."""

    is_goal: AtTick
    size: int

    def __contains__(self, state: Any) -> bool:
        return self.is_goal(state % self.size, state // self.size)


def grid_timed_astar(
    grid: SearchGrid,
    start: int,
    is_goal: AtTick,
    *,
    is_forbidden: AtTick,
    horizon: int,
    heuristic: Heuristic[int] = no_estimate,
    cost_limit: float = INF,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """The cheapest path that is nowhere when it is forbidden; `path[i]` is the cell at tick i, the start at tick 0.

    `is_forbidden` is asked for ticks 1 to `horizon` - 1; `is_goal` gets `horizon` for every later tick as well, so
    `lambda cell, tick: tick == horizon` asks for a way to survive. The heuristic must count waiting as possible.
    """
    size = grid.size
    plan = search_arcs(
        start,
        _Goals(is_goal, size),
        arcs=_TimedArcs(grid, is_forbidden, horizon),
        heuristic=lambda state: heuristic(state % size),
        cost_limit=cost_limit,
        clock=clock,
    )
    return Plan(tuple(state % size for state in plan.path), plan.cost, plan.stats)


@dataclass(frozen=True, slots=True)
class _TimedArcs:
    """Arcs between states, each one number, `tick * grid.size + cell`; made when asked for."""

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
