"""Zargon at random: any offered action of its monsters; the baseline for heroes."""

from __future__ import annotations

from typing import ClassVar

from gridjoust.bots.api import Bot, Observation


class ZargonRandom(Bot):
    """Draws from the offered actions; ends the turn only if there is no other."""

    plays: ClassVar[tuple[str, ...]] = ("heroquest",)
    planner: ClassVar[str] = "other"

    def act(self, observation: Observation) -> str:
        """Return any walk or attack, all equally likely."""
        deeds = [text for text in observation.legal if text != "end"]
        return self.rng.choice(deeds or ["end"])
