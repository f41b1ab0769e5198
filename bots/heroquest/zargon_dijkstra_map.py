"""Zargon by Dijkstra map: monsters hunt the weakest hero that they can reach."""

from __future__ import annotations

from typing import ClassVar

from bots.api import Bot, MatchSetup, Observation, SearchStats
from bots.heroquest.hunt import hunt
from bots.heroquest.knowledge import Knowledge
from bots.planners.stats import PlanStats


class ZargonHunter(Bot):
    """Plays Zargon only."""

    plays: ClassVar[tuple[str, ...]] = ("heroquest",)
    planner: ClassVar[str] = "dijkstra_map"

    def start(self, setup: MatchSetup) -> None:
        """Read the dungeon once."""
        self._knowledge = Knowledge(setup)

    def act(self, observation: Observation) -> str:
        """The best strike, or a walk towards the prey."""
        spent: list[PlanStats] = []
        action = hunt(self._knowledge.situation(observation.view), spent.append)
        expanded, generated = (sum(getattr(one, name) for one in spent) for name in ("expanded", "generated"))
        self.stats = SearchStats(expanded=expanded, generated=generated)
        return str(action)
