"""A* hero: a fresh shortest way to the nearest goal on every question."""

from __future__ import annotations

from typing import ClassVar

from bots.heroquest.hero_bot import NO_ROUTE, SINK, Field, HeroBot, Route
from bots.heroquest.tactics import Goals
from bots.planners.astar import astar

MANY_GOALS = 12  # more than that, and estimating costs more than it saves


class AStarHero(HeroBot):
    """Heroes by A*."""

    planner: ClassVar[str] = "astar"

    def route(self, field: Field, goals: Goals) -> Route:
        """Over the squares and on to the sink behind all goals."""

        def neighbours(cell: int) -> tuple[int, ...]:
            return (*field.neighbours(cell), SINK) if cell in goals else field.neighbours(cell)

        def cost(tail: int, head: int) -> float:
            return goals[tail] if head == SINK else field.cost(tail, head)

        def estimate(cell: int) -> float:
            if cell == SINK or len(goals) > MANY_GOALS:
                return 0.0
            return min(field.situation.distance(cell, goal) + price for goal, price in goals.items())

        plan = astar(field.start, {SINK}, neighbours=neighbours, cost=cost, heuristic=estimate)
        return Route(plan.path[:-1], plan.cost, plan.stats) if plan.found else NO_ROUTE
