"""What bots say of their searches."""

from __future__ import annotations

from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.bots.reported import search_stats
from gridjoust.runner.wire.protocol import Stats


def test_searches_are_added_up_and_what_did_not_happen_is_not_said() -> None:
    mended = PlanStats(expanded=5, generated=6, frontier=3, repaired=4, reused=2)
    both = search_stats(PlanStats(expanded=1, generated=2, frontier=7), mended, plan_cost=2.5)
    assert both == Stats(expanded=6, generated=8, frontier=7, repaired=4, reused=2, plan_cost=2.5)
    assert search_stats(PlanStats(expanded=1), plan_cost=INF) == Stats(expanded=1, generated=0, frontier=0)
