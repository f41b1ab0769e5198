"""A* hero: searches the path to the best goal from scratch for every action."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner
from gridjoust.bots.eidolon.hero import HeroBot, Itinerary, drawn_at
from gridjoust.bots.eidolon.roads import DISTANCES, paper_sum, passage_aware, to_nearest
from gridjoust.bots.planners.astar import astar
from gridjoust.bots.planners.trail import Trail, noted
from gridjoust.bots.reported import search_stats

HEURISTICS = (*DISTANCES, "paper")


class AStarHero(HeroBot):
    """A hero by A*; `heuristic`: `manhattan` or `euclidean`, both admissible, or the `paper`'s sum, which is not."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, heuristic: str = "manhattan", division: str = "voronoi", talk: bool = True) -> None:
        super().__init__(division=division, talk=talk)
        if heuristic not in HEURISTICS:
            raise ValueError(f"heuristic: expected one of {', '.join(HEURISTICS)}, got {heuristic!r}")
        self._heuristic = heuristic

    def plan(self, planner: GoalPlanner, goals: list[tuple[float, Goal]]) -> Itinerary | None:
        """Return a path to the first goal by A*; None if the work runs out before it is found."""
        goal, here, roads, prices = goals[0][1], planner.here, planner.roads, planner.prices()
        is_paper = self._heuristic == "paper"
        distance = passage_aware(DISTANCES["manhattan" if is_paper else self._heuristic], roads.dungeon.passages)
        trail = None if self.lens is None else Trail(drawn_at(planner))
        plan = astar(
            here,
            {goal.cell},
            neighbours=noted(roads.neighbours, trail),
            cost=lambda tail, head: prices[tail, head],
            heuristic=paper_sum(distance, here, [goal.cell]) if is_paper else to_nearest(distance, [goal.cell]),
            budget=self.work,
        )
        if trail is not None:
            self.show("closed", nodes=trail.expanded, frontier=trail.frontier())
        if not plan.found:  # the work was spent before a path was found
            return None
        return Itinerary(goal, plan.path, search_stats(plan.stats, plan_cost=plan.cost))
