"""The floor of heroquest: the tactics of the other bots with a plain flood, to show what a search is worth.

The flood counts steps alone: it ignores what squares and goals cost, and goes to the goal that it meets first.
"""

from __future__ import annotations

from gridjoust.bots.heroquest.hero_bot import Field, HeroBot
from gridjoust.bots.heroquest.tactics import Goals
from gridjoust.bots.planners.graph import trace
from gridjoust.bots.planners.stats import Plan, PlanStats, no_plan


class FloorHero(HeroBot):
    """Moves heroes, or Zargon's monsters, to the goal that is the fewest steps away."""

    def route(self, field: Field, goals: Goals) -> Plan[int]:
        """Return a path of the fewest steps to a goal; each step counts as tactics."""
        parents = {field.start: field.start}
        for cell in (queue := [field.start]):
            if cell in goals:
                path = trace(parents.__getitem__, cell)
                return Plan(path, float(len(path) - 1), PlanStats())
            near = field.neighbours(cell)
            self.work.count_tactics(len(near))
            fresh = [other for other in near if other not in parents]
            parents |= dict.fromkeys(fresh, cell)
            queue += fresh
        return no_plan(PlanStats())
