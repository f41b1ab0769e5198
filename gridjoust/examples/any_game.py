"""A first bot for any game: draws its answers from the legal actions."""

from __future__ import annotations

import gridjoust as joust


class Example(joust.Bot):
    """Any legal action will do, until you know better."""

    plays = ()  # games by name; empty = every game

    def start(self, setup: joust.MatchSetup) -> None:
        """Before the first turn: keep what stays true all match, and prepare."""
        self.briefing = setup.briefing[str(setup.seat)]

    def act(self, observation: joust.Observation) -> str:
        """The answer to one question. `self.rng` is the only chance you should use: a rerun then repeats."""
        return self.rng.choice(observation.legal)

    def finish(self, result: joust.MatchResult) -> None:
        """The match is over; `result.ranks` has a rank for every seat."""
