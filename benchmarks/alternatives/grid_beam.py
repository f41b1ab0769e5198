"""The beams on flat cells. Ranks by cost so far + estimate: beams of equal depth hold cells of unequal cost."""

from __future__ import annotations

from collections.abc import Collection
from time import perf_counter

from benchmarks.alternatives.monotone_beam import run_monotone_beam
from bots.planners.beam import Rank, Sweep, run_beam
from bots.planners.grid import SearchGrid
from bots.planners.stats import INF, Clock, Plan, elapsed_ms


def grid_beam(
    grid: SearchGrid,
    start: int,
    goals: Collection[int],
    *,
    width: int,
    max_depth: float = INF,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """A path over cells to one of `goals`, or none although there may be one."""
    begin_s = clock()
    sweep = Sweep(grid.arcs, _rank(grid, goals), goals, max_depth)
    run_beam(sweep, start, width)
    return sweep.plan(elapsed_ms(clock, begin_s))


def grid_monotone_beam(
    grid: SearchGrid,
    start: int,
    goals: Collection[int],
    *,
    width: int,
    max_depth: float = INF,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """As `grid_beam`; a larger `width` never gives a dearer plan."""
    begin_s = clock()
    sweep = Sweep(grid.arcs, _rank(grid, goals), goals, max_depth)
    run_monotone_beam(sweep, start, width)
    return sweep.plan(elapsed_ms(clock, begin_s))


def _rank(grid: SearchGrid, goals: Collection[int]) -> Rank[int]:
    estimate = grid.estimate_to(goals)
    return lambda cell, so_far: so_far + estimate(cell)
