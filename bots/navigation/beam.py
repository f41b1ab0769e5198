"""Beam search from the robot to its goal: little work, but it may miss a path that exists.

A failed search is repeated at twice the width, up to `max_width`. If that fails too and nodes were dropped for lack of
width, nothing is proven: the robot waits, and its stats give no plan cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from gridjoust.bots.navigation.route import FixedPath, Shown
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.beam import Sweep, grid_beam, run_beam
from gridjoust.bots.planners.budget import UNLIMITED, Budget
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan, PlanStats

WIDTH, MAX_WIDTH = 16, 64


class BeamRoute(FixedPath):
    """A path found by a beam, kept until it breaks; `is_proven` is true if the last search dropped nothing."""

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
        self._last_width, self._last_generated = width, 0

    def search(self, here: int) -> Plan[int]:
        """Return the path of the first beam that finds one; each is twice as wide as the one before.

        The plan is empty if a beam proves that there is no path, or if none up to `max_width` finds one.
        """
        width, spent = self._width, PlanStats()
        while True:
            found = grid_beam(self.grid, here, {self.goal}, width=width, budget=self.budget)
            spent += found.plan.stats
            self._last_width, self._last_generated = width, found.plan.stats.generated
            self.is_proven = not found.is_cut and not found.is_stopped
            width *= 2
            if found.plan.found or self.is_proven or found.is_stopped or width > self._max_width:
                return replace(found.plan, stats=spent)

    def shown(self, here: int) -> Mapping[str, Shown]:
        """Return the cells that the last and widest beam kept at every depth, by repeating it."""
        goals, estimate = {self.goal}, self.grid.estimate_to((self.goal,))
        layers: list[list[int]] = []
        sweep = Sweep(
            self.grid.arcs,
            lambda cell, so_far: so_far + estimate(cell),
            goals,
            budget=Budget(self._last_generated),
            layers=layers,
        )
        run_beam(sweep, here, self._last_width)
        return {"depth": Shown(heat={cell: depth for depth, layer in enumerate(layers, start=1) for cell in layer})}


class Beam(Walker):
    """Navigates by beam search; `width`: cells kept at every depth; `max_width`: limit of widening on failure."""

    planner: ClassVar[str] = "beam"

    def __init__(self, *, width: int = WIDTH, max_width: int = MAX_WIDTH) -> None:
        super().__init__(partial(BeamRoute, width=width, max_width=max_width))
        if not 1 <= width <= max_width:
            raise ValueError(f"width: expected 1 to max_width = {max_width}, got {width}")
