"""Measure what answers cost, between a match and its bots."""

from __future__ import annotations

from collections import defaultdict
from time import process_time

from gridjoust import Bot, Observation


class TimedAsk:
    """A callable for `gridjoust.bots.match.play_match(ask=...)` that notes CPU times and expansions by seat.

    The CPU time of every `every`-th answer is noted.
    """

    def __init__(self, *, every: int = 1) -> None:
        self.times_us: defaultdict[int, list[float]] = defaultdict(list)
        self.expanded: defaultdict[int, list[int]] = defaultdict(list)  # only of answers that state them
        self._every = every

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Return the bot's answer."""
        if observation.turn % self._every:
            text = bot.act(observation)
        else:
            began_s = process_time()
            text = bot.act(observation)
            self.times_us[observation.seat].append((process_time() - began_s) * 1e6)
        if bot.stats is not None and bot.stats.expanded is not None:
            self.expanded[observation.seat].append(bot.stats.expanded)
        return text
