"""A* hero: searches for the cheapest path to a goal, from scratch for every question."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.heroquest.hero_bot import SINK, Field, HeroBot
from gridjoust.bots.heroquest.tactics import Goals
from gridjoust.bots.planners.astar import astar
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.trail import noted

MANY_GOALS = 12  # with more goals, the estimate costs more time than it saves


class AStarHero(HeroBot):
    """Moves heroes, or Zargon's monsters, by A*."""

    planner: ClassVar[str] = "astar"

    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return the cheapest path to a goal by A*; it ends in the sink, a node behind all goals."""

        def estimate(cell: int) -> float:
            if cell == SINK or len(goals) > MANY_GOALS:
                return 0.0
            return min(field.situation.distance(cell, goal) + price for goal, price in goals.items())

        (neighbours, cost), trail = field.steps_to(goals), self.trail(field)
        plan = astar(
            field.start,
            {SINK},
            neighbours=noted(neighbours, trail),
            cost=cost,
            heuristic=estimate,
            budget=self.work,
        )
        self.show_trail(trail)
        return plan
