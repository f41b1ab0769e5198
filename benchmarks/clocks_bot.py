"""A bot whose answers cost fixed amounts of CPU time, which it declares as work too."""

from __future__ import annotations

import random
import time

from gridjoust.bots.api import Bot, MatchSetup, Observation, SearchStats

SHORT_MS, LONG_MS = (4, 8, 12), 48  # below a limit of 40 ms even with what a long one leaves behind; above it
LONG_SHARE = 0.2


class Worker(Bot):
    """Does so much work for every answer, drawn from the match's chance, and moves at random."""

    def __init__(self) -> None:
        self._was_long = False

    def start(self, setup: MatchSetup) -> None:
        """The work of a turn follows from the match and the turn alone."""
        self._seed = setup.bot_seed

    def act(self, observation: Observation) -> str:
        """The work, and a random action; no two long ones running."""
        chance = random.Random(f"{self._seed}/{observation.turn}")
        self._was_long = not self._was_long and chance.random() < LONG_SHARE
        cost = LONG_MS if self._was_long else chance.choice(SHORT_MS)
        work(cost)
        self.stats = SearchStats(expanded=cost)
        return chance.choice(observation.legal)


def work(cpu_ms: float) -> None:
    """So much CPU time by the clock of this process."""
    end_s = time.process_time() + cpu_ms / 1000
    while time.process_time() < end_s:
        pass
