"""A bot whose answers cost fixed amounts of CPU time, which it also declares as work."""

from __future__ import annotations

import random
import time

from gridjoust.bots.api import Bot, MatchSetup, Observation, SearchStats

SHORT_MS, LONG_MS = (4, 8, 12), 48  # below a limit of 40 ms even after a long answer; above it
LONG_SHARE = 0.2


class Worker(Bot):
    """Works for a random time before every answer, then moves at random; the match decides the times."""

    def __init__(self) -> None:
        self._was_long = False

    def start(self, setup: MatchSetup) -> None:
        """Keep the seed, so that a turn's work depends only on the match and the turn."""
        self._seed = setup.bot_seed

    def act(self, observation: Observation) -> str:
        """Work, then return a random action; no two long answers follow each other."""
        chance = random.Random(f"{self._seed}/{observation.turn}")
        self._was_long = not self._was_long and chance.random() < LONG_SHARE
        cost = LONG_MS if self._was_long else chance.choice(SHORT_MS)
        work(cost)
        self.stats = SearchStats(generated=cost)
        return chance.choice(observation.legal)


def work(cpu_ms: float) -> None:
    """Burn `cpu_ms` of CPU time, by the clock of this process."""
    end_s = time.process_time() + cpu_ms / 1000
    while time.process_time() < end_s:
        pass
