"""The monotone beam on flat cells, ranked by cost so far + estimate."""

from __future__ import annotations

from collections.abc import Collection
from time import perf_counter

from gridjoust.bots.planners.beam import Sweep
from gridjoust.bots.planners.stats import Clock, elapsed_ms
from gridjoust.planners import INF, Plan, SearchGrid
from study.alternatives.monotone_beam import run_monotone_beam


def grid_monotone_beam(
    grid: SearchGrid,
    start: int,
    goals: Collection[int],
    *,
    width: int,
    max_depth: float = INF,
    clock: Clock = perf_counter,
) -> Plan[int]:
    """Search like `planners.grid_beam`, but so that a larger `width` never gives a plan that costs more."""
    begin_s, estimate = clock(), grid.estimate_to(goals)
    sweep = Sweep(grid.arcs, lambda cell, so_far: so_far + estimate(cell), goals, max_depth)
    run_monotone_beam(sweep, start, width)
    return sweep.plan(elapsed_ms(clock, begin_s))
