"""Finds the bot whose matches are void more often than others'; void attempts that were repeated count, too."""

from __future__ import annotations

from collections import Counter

from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.statistics import wilson


class VoidTally:
    """Tally of void plays: `add` every match once; `line` names the bot that stands out, if one does."""

    def __init__(self) -> None:
        self._plays = self._voids = 0
        self._plays_of: Counter[str] = Counter()
        self._voids_of: Counter[str] = Counter()

    def add(self, record: MatchRecord) -> None:
        """Count a match with all its attempts: all but the last were void."""
        plays = record.usage.attempts
        voids = plays - record.end.counted
        self._plays += plays
        self._voids += voids
        for bot in {entry.bot for entry in record.header.seats}:
            self._plays_of[bot] += plays
            self._voids_of[bot] += voids

    def line(self) -> str:
        """Return a line about the bot whose plays are void significantly more often than others; "" if none."""
        gap, bot = max(((self._gap(bot), bot) for bot in sorted(self._voids_of)), default=(0.0, ""))
        if gap <= 0:
            return ""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        others = f"{self._voids - voids} of the {self._plays - plays} without it"
        return f"{bot}: {voids} of the {plays} times it played were void, {others}: does it overload the machine?"

    def _gap(self, bot: str) -> float:
        """Return the gap between the confidence intervals of the shares of void plays with and without the bot."""
        plays, voids = self._plays_of[bot], self._voids_of[bot]
        own, others = wilson(voids, plays), wilson(self._voids - voids, self._plays - plays)
        return 0.0 if own is None or others is None else own.low - others.high
