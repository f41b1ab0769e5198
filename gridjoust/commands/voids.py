"""Whose matches go void more often than others'. Counts plays, also those that were repeated; blames nobody."""

from __future__ import annotations

from collections import Counter

from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.statistics import wilson


class VoidTally:
    """`add` every match once; `line` names the bot that stands out, if one does."""

    def __init__(self) -> None:
        self._plays = self._voids = 0
        self._plays_of: Counter[str] = Counter()
        self._voids_of: Counter[str] = Counter()

    def add(self, record: MatchRecord) -> None:
        """A match with all its attempts: each but the last was void."""
        plays = record.usage.attempts
        voids = plays - record.end.counted
        self._plays += plays
        self._voids += voids
        for bot in {entry.bot for entry in record.header.seats}:
            self._plays_of[bot] += plays
            self._voids_of[bot] += voids

    def line(self) -> str:
        """The bot with which plays are void more often than without it, beyond chance; "" if there is none."""
        gap, bot = max(((self._gap(bot), bot) for bot in sorted(self._voids_of)), default=(0.0, ""))
        if gap <= 0:
            return ""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        others = f"{self._voids - voids} of the {self._plays - plays} without it"
        return f"{bot}: {voids} of the {plays} times it played were void, {others}: does it overload the machine?"

    def _gap(self, bot: str) -> float:
        """How far its share of void plays lies above that of the plays without it, intervals included."""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        own, others = wilson(voids, plays), wilson(self._voids - voids, self._plays - plays)
        return 0.0 if own is None or others is None else own.low - others.high
