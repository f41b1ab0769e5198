"""Plays eidolon by the tactics of the other heroes without a search, to show what a search is worth.

Distances are estimated without walls. The hero steps to the neighbour that seems nearest to its goal and remembers what
the step has taught it: LRTA* with a look-ahead of one step (Korf, "Real-Time Heuristic Search", Artificial Intelligence
42, 1990).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary
from gridjoust.bots.eidolon.roads import Roads
from gridjoust.games.grid import Cell


class FloorHero(HeroBot):
    """A hero that looks one step ahead."""

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the estimated AP to each of the cells: without walls, or by the Secret Passage if that is less."""
        return {cell: roads.estimate(start, cell) for cell in cells}

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return the first goal and one step towards it."""
        (cost, goal), here, roads = goals[0], planner.here, planner.roads
        if goal.cell == here:
            return Itinerary(goal, (here,), cost)
        left = roads.distances(goal.cell)
        beside = roads.counted_neighbours(here)
        if not beside:
            return None
        step = min(beside, key=lambda cell: roads.cost(here, cell) + left[cell])
        roads.learn(here, goal.cell, max(left[here], int(roads.cost(here, step)) + left[step]))
        return Itinerary(goal, (here, step), cost)
