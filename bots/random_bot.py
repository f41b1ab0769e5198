"""The baseline for every game, and the template of a new bot: it needs only the list of legal actions."""

from __future__ import annotations

from gridjoust.bots.api import Bot, Observation


class RandomBot(Bot):
    """Draws every answer from the legal actions that it is offered."""

    def act(self, observation: Observation) -> str:
        """Return any legal action, all equally likely."""
        return self.rng.choice(observation.legal)
