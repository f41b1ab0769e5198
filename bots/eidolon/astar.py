"""A* hero: measures roads pair by pair, and searches the path to the best goal from scratch for every action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.eidolon.roads import DISTANCES, Roads, paper_sum, passage_aware, to_nearest
from gridjoust.bots.planners.astar import astar
from gridjoust.bots.planners.graph import Cost
from gridjoust.bots.planners.stats import Plan
from gridjoust.bots.planners.trail import Trail, noted
from gridjoust.games.grid import Cell

HEURISTICS = (*DISTANCES, "paper")


class AStarHero(HeroBot):
    """A hero by A*; `heuristic`: `manhattan` or `euclidean`, both admissible, or the `paper`'s sum, which is not."""

    planner: ClassVar[str] = "astar"

    def __init__(
        self, *, heuristic: str = "manhattan", division: str = "voronoi", talk: bool = True, plan_every: int = 1
    ) -> None:
        super().__init__(division=division, talk=talk, plan_every=plan_every)
        if heuristic not in HEURISTICS:
            raise ValueError(f"heuristic: expected one of {', '.join(HEURISTICS)}, got {heuristic!r}")
        self._heuristic = heuristic

    def measure(self, roads: Roads, start: Cell, cells: Sequence[Cell]) -> Mapping[Cell, float]:
        """Return the AP to each of the cells, one search a cell; cells for which the work ran out are left out."""
        found: dict[Cell, float] = {}
        for cell in cells:
            if self.work.is_spent:
                break
            plan = self._search(roads, start, cell, roads.cost)
            self.spent += plan.stats
            if plan.found or not self.work.is_spent:
                found[cell] = plan.cost
        return found

    def _search(
        self, roads: Roads, start: Cell, goal: Cell, cost: Cost[Cell], trail: Trail[Cell] | None = None
    ) -> Plan[Cell]:
        is_paper = self._heuristic == "paper"
        distance = passage_aware(DISTANCES["manhattan" if is_paper else self._heuristic], roads.dungeon.passages)
        return astar(
            start,
            {goal},
            neighbours=noted(roads.neighbours, trail),
            cost=cost,
            heuristic=paper_sum(distance, start, [goal]) if is_paper else to_nearest(distance, [goal]),
            budget=self.work,
        )

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return a path to the first goal by A*; None if the work runs out before it is found."""
        goal = goals[0][1]
        trail = None if self.lens is None else Trail(drawn_at(planner))
        plan = self._search(planner.roads, planner.here, goal.cell, planner.price, trail=trail)
        self.spent += plan.stats
        if trail is not None:
            self.show("closed", nodes=trail.expanded, frontier=trail.frontier())
        if not plan.found:  # the work was spent before a path was found
            return None
        return Itinerary(goal, plan.path, plan.cost)
