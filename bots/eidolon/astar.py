"""A* hero: the way to the best goal, found from scratch for every action."""

from __future__ import annotations

from typing import ClassVar

from bots.eidolon.goals import Goal, TeamGoals
from bots.eidolon.hero import HeroBot, Itinerary, Memory, shared_cells, shared_cost
from bots.eidolon.roads import DISTANCES, paper_sum, passage_aware, to_nearest
from bots.planners.astar import astar
from bots.reported import search_stats

HEURISTICS = (*DISTANCES, "paper")


class AStarHero(HeroBot):
    """`heuristic`: `manhattan` or `euclidean`, passage-aware and admissible, or the `paper`'s sum, which is not."""

    planner: ClassVar[str] = "astar"

    def __init__(self, *, heuristic: str = "manhattan", division: str = "voronoi", talk: bool = True) -> None:
        super().__init__(division=division, talk=talk)
        if heuristic not in HEURISTICS:
            raise ValueError(f"heuristic: expected one of {', '.join(HEURISTICS)}, got {heuristic!r}")
        self._heuristic = heuristic

    def plan(self, memory: Memory, team_goals: TeamGoals, goals: list[tuple[float, Goal]]) -> Itinerary:
        """To the first goal."""
        goal = goals[0][1]
        here = team_goals.needs.cell(memory.seat)
        roads = team_goals.needs.roads(memory.seat)
        prices = shared_cost(roads, shared_cells(team_goals, memory.seat))
        distance = passage_aware(DISTANCES.get(self._heuristic, DISTANCES["manhattan"]), roads.dungeon.passages)
        is_paper = self._heuristic == "paper"
        plan = astar(
            here,
            {goal.cell},
            neighbours=roads.neighbours,
            cost=lambda tail, head: prices[tail, head],
            heuristic=paper_sum(distance, here, [goal.cell]) if is_paper else to_nearest(distance, [goal.cell]),
        )
        return Itinerary(goal, plan.path, search_stats(plan.stats, plan_cost=plan.cost))
