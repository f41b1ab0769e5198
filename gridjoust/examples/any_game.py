"""A first bot for any game: draws its answers from the legal actions."""

from __future__ import annotations

import gridjoust as joust


class Example(joust.Bot):
    """Plays any legal action, until you teach it better."""

    plays = ()  # games by name; empty = every game

    def start(self, setup: joust.MatchSetup) -> None:
        """Prepare before the first turn; keep here what stays the same all match."""
        self.briefing = setup.briefing[str(setup.seat)]

    def act(self, observation: joust.Observation) -> str:
        """Answer one question. Draw from `self.rng` only: a rerun then plays the same match."""
        return self.rng.choice(observation.legal)

    def finish(self, result: joust.MatchResult) -> None:
        """Take note of the result when the match is over; `result.ranks` has a rank for every seat."""
