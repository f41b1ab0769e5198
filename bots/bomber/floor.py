"""Bots that play bomber by tactics alone: they compare the next cells by distances to targets or to rivals."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.api import Observation
from gridjoust.bots.bomber.prospects import rate
from gridjoust.bots.bomber.target_bot import Decision, TargetBot, Wish


class FloorBomber(TargetBot):
    """Steps towards the target of most value for its distance, walls ignored: what every search must beat."""

    planner: ClassVar[str] = "other"

    def act(self, observation: Observation) -> str:
        """Return the safe step that is best for some target, or a bomb if it pays to lay one here."""
        decision = self.look(observation)
        return self.settle(decision, self._wish(decision))

    def _wish(self, decision: Decision) -> Wish | None:
        """Return the best pair of a next cell and a target, ties broken at random; None if there is no target."""
        far, values = decision.now.rules.board.distance, decision.prospects.values
        cells = self.rng.sample(decision.allowed, len(decision.allowed))
        hopes = {(cell, target): rate(worth, far(cell, target)) for target, worth in values.items() for cell in cells}
        for cell, target in sorted(hopes, key=hopes.__getitem__, reverse=True):
            if hopes[cell, target] > 0 and decision.is_wanted(target):
                return decision.wish_for(target, cell, plan_cost=far(cell, target))
        return None


class Fugitive(TargetBot):
    """Takes the safe step that leads farthest from the nearest rival, and lays no bomb: a target hard to catch."""

    planner: ClassVar[str] = "other"

    def wish(self, decision: Decision) -> Wish:
        """Return a step to the cell farthest from the nearest rival, walls ignored; ties are broken at random."""
        far, rivals = decision.now.rules.board.distance, decision.now.rivals
        cells = self.rng.sample(decision.allowed, len(decision.allowed))
        cell = max(cells, key=lambda cell: min((far(cell, rival.cell) for _, rival in rivals), default=0))
        return Wish(cell, cell)
