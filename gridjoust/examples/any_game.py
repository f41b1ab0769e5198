"""A first bot for any game: it chooses random legal actions."""

from __future__ import annotations

import gridjoust as joust


class Example(joust.Bot):
    """Answers with a random legal action."""

    plays = ()  # games by name; empty = every game

    def start(self, setup: joust.MatchSetup) -> None:
        """Prepare for the match: keep what does not change during it."""
        self.briefing = setup.briefing[str(setup.seat)]

    def act(self, observation: joust.Observation) -> str:
        """Return the action. Take all randomness from `self.rng`, so that matches can be repeated."""
        return self.rng.choice(observation.legal)

    def finish(self, result: joust.MatchResult) -> None:
        """Learn the result of the match; `result.ranks` has a rank for every seat."""
