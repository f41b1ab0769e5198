"""Beam search from the robot to its goal: little work, no promise. Says when it found no way though there may be one.

A failed search is tried again at twice the width, up to `max_width`. If that fails too and something had to be dropped
for lack of width, nothing is proven: the plan's cost is missing from the answer's stats and the robot waits.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import ClassVar

from bots.navigation.route import FixedPath
from bots.navigation.walker import Walker
from bots.planners.beam import Sweep, run_beam
from bots.planners.budget import UNLIMITED, Budget
from bots.planners.grid import SearchGrid
from bots.planners.stats import Plan, elapsed_ms

WIDTH, MAX_WIDTH = 16, 64


class BeamRoute(FixedPath):
    """A path that a beam finds, kept until it breaks; `is_proven` tells whether the last search dropped nothing."""

    def __init__(
        self,
        grid: SearchGrid,
        start: int,
        goal: int,
        *,
        width: int = WIDTH,
        max_width: int = MAX_WIDTH,
        budget: Budget = UNLIMITED,
    ) -> None:
        super().__init__(grid, start, goal, budget=budget)
        self._width = width
        self._max_width = max_width
        self.is_proven = False

    def search(self, here: int) -> Plan[int]:
        """Wider and wider until there is a path, a proof that there is none, or no more width."""
        begin_s = perf_counter()
        width, estimate = self._width, self.grid.estimate_to((self.goal,))
        spent = None
        while True:
            sweep = Sweep(self.grid.arcs, lambda cell, so_far: so_far + estimate(cell), {self.goal}, budget=self.budget)
            run_beam(sweep, here, width)
            plan = sweep.plan(0.0)
            spent = plan.stats if spent is None else spent + plan.stats
            self.is_proven = not sweep.is_cut and not sweep.is_stopped
            width *= 2
            if plan.found or self.is_proven or sweep.is_stopped or width > self._max_width:
                return replace(plan, stats=replace(spent, planning_ms=elapsed_ms(perf_counter, begin_s)))


class Beam(Walker):
    """`width`: cells kept of every depth; `max_width`: how far it widens when it finds nothing."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = WIDTH, max_width: int = MAX_WIDTH) -> None:
        super().__init__(partial(BeamRoute, width=width, max_width=max_width))
        if not 1 <= width <= max_width:
            raise ValueError(f"width: expected 1 to max_width = {max_width}, got {width}")
