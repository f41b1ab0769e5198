"""What a bot reports of its searches."""

from __future__ import annotations

from bots.api import SearchStats
from bots.planners.stats import INF, Counted


def search_stats(cost: Counted, *, plan_cost: float | None = None) -> SearchStats:
    """For `Bot.stats`; a plan of infinite cost is none."""
    return SearchStats(
        expanded=cost.expanded,
        generated=cost.generated,
        frontier=cost.frontier,
        plan_cost=None if plan_cost == INF else plan_cost,
    )
