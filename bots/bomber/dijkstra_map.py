"""Dijkstra maps: the sum of a map that leads to prospects and one that leads out of coming fires.

The maps of the Gambit bot, from the contest that inspired this game, are in `gridjoust.bots.bomber.gambit`.
"""

from __future__ import annotations

import math
from typing import ClassVar

from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish
from gridjoust.bots.planners.dijkstra_map import scan_values
from gridjoust.bots.planners.grid import open_terrain

WORTH_FACTOR = 0.93  # a goal one step further must be worth 1 / 0.93 as much
MAXIMUM = 1000.0  # steps: no path leads to a goal
DANGER_WEIGHT = 0.5  # weight of the steps out of coming fires; steps to prospects have weight 1


class MapBomber(TargetBot):
    """Moves downhill on the sum of two maps, among the moves that are safe."""

    planner: ClassVar[str] = "dijkstra_map"

    def wish(self, decision: Decision) -> Wish | None:
        """Return a step to the lowest allowed cell, or a bomb if it is the bot's own and pays; None without a goal."""
        now = decision.now
        heights = _heights(decision)
        if self.lens is not None:
            places = now.rules.board.places
            low = [cell for cell, height in enumerate(heights) if height < MAXIMUM]
            self.show("sum", heat={places[cell]: heights[cell] for cell in low})
        staying = [now.here] if decision.is_wanted(now.here) or now.here in decision.allowed else []
        cells = dict.fromkeys([*staying, *decision.allowed])
        best = min(self.rng.sample(list(cells), len(cells)), key=heights.__getitem__)
        return None if heights[best] >= MAXIMUM else decision.wish_for(best, best, plan_cost=heights[best])


def _heights(decision: Decision) -> list[float]:
    """Return for each cell the steps to a prospect plus the weighted steps out of coming fires; lower is better.

    A prospect of higher value counts as nearer.
    """
    now, values = decision.now, decision.prospects.values
    goals = {
        cell: math.log(worth) / math.log(WORTH_FACTOR)
        for cell, worth in values.items()
        if worth > 0 and decision.is_wanted(cell)
    }
    ways_out = {cell: 0.0 for cell in range(len(now.state.blocks)) if cell not in now.coming_fires}
    charts = [_scanned(decision, sources) for sources in (goals, ways_out)]
    return [wanted + DANGER_WEIGHT * danger for wanted, danger in zip(*charts, strict=True)]


def _scanned(decision: Decision, goals: dict[int, float]) -> tuple[float, ...]:
    now = decision.now
    terrain = open_terrain(now.rules.width, now.rules.height, walls=now.standing)
    sources = [goals.get(cell, MAXIMUM) for cell in range(len(now.state.blocks))]
    chart = scan_values(terrain, sources, maximum=MAXIMUM, budget=decision.budget)
    decision.cost.add(chart.stats)
    return tuple(chart.values)
