"""Turns planners' statistics into what a bot reports."""

from __future__ import annotations

from gridjoust.bots.api import SearchStats
from gridjoust.bots.planners.stats import INF, PlanStats


def search_stats(*searches: PlanStats, plan_cost: float | None = None, tactics: int = 0) -> SearchStats:
    """Sum the cost of these searches for `Bot.stats`; an infinite `plan_cost` is reported as none.

    The harness adds the `tactics` that the bot's `work` has counted for this answer.
    """
    cost = PlanStats()
    cost.add(*searches)
    return SearchStats(
        expanded=cost.expanded,
        generated=cost.generated,
        tactics=tactics or None,
        frontier=cost.frontier,
        repaired=cost.repaired or None,
        reused=cost.reused or None,
        plan_cost=None if plan_cost == INF else plan_cost,
    )
