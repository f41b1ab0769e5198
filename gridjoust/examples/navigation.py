"""A first bot for navigation: it steps towards the goal and avoids visited cells."""

from __future__ import annotations

import math
from collections import Counter

import gridjoust as joust

Cell = tuple[int, int]  # x to the right, y down, (0, 0) top left

STEPS = {
    "N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
    "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1),
}  # fmt: skip


class Example(joust.Bot):
    """Uses no map yet: a known map is in `briefing["rows"]`, and a search over it would be the next improvement."""

    plays = ("navigation",)

    def start(self, setup: joust.MatchSetup) -> None:
        """Prepare for the match."""
        self.visits: dict[int, Counter[Cell]] = {seat: Counter() for seat in setup.seats}

    def act(self, observation: joust.Observation) -> str:
        """Return the legal step to the cell with the fewest visits; of several, to the one nearest to the goal."""
        x, y = observation.view["position"]
        goal = observation.view["goal"]
        visits = self.visits[observation.seat]
        visits[(x, y)] += 1
        ends = {step: (x + STEPS[step][0], y + STEPS[step][1]) for step in observation.legal if step in STEPS}
        if not ends:
            return self.rng.choice(observation.legal)
        return min(ends, key=lambda step: (visits[ends[step]], math.dist(ends[step], goal)))
