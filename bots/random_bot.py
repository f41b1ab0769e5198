"""The baseline for every game, and the template that a new bot starts from. Knows no game: any legal action will do."""

from __future__ import annotations

from gridjoust.bots.api import Bot, Observation


class RandomBot(Bot):
    """Draws every answer from the legal actions it is offered."""

    def act(self, observation: Observation) -> str:
        """Any legal action, all equally likely."""
        return self.rng.choice(observation.legal)
