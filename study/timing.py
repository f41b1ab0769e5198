"""Measure what answers of bots cost, by a callable that a match calls in place of `act`."""

from __future__ import annotations

from collections import defaultdict
from time import process_time

from gridjoust import Bot, Observation


class TimedAsk:
    """A callable for `gridjoust.bots.match.play_match(ask=...)` that asks the bot and notes what its answers cost.

    By seat, it notes the expansions of all answers and the CPU time of every `every`-th one.
    """

    def __init__(self, *, every: int = 1) -> None:
        self.times_us: defaultdict[int, list[float]] = defaultdict(list)
        self.expanded: defaultdict[int, list[int]] = defaultdict(list)  # only of answers that state them
        self._every = every

    def __call__(self, bot: Bot, observation: Observation) -> str:
        """Ask the bot, note what its answer cost, and return the answer."""
        if observation.turn % self._every:
            text = bot.act(observation)
        else:
            began_s = process_time()
            text = bot.act(observation)
            self.times_us[observation.seat].append((process_time() - began_s) * 1e6)
        if bot.stats is not None and bot.stats.expanded is not None:
            self.expanded[observation.seat].append(bot.stats.expanded)
        return text
