"""The leaderboard of a running tournament, counted match by match. Loads neither numpy nor pandas."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from statistics import fmean

from gridjoust.runner.results.tables.columns import Row

LAST = 5  # results that are kept of each bot


@dataclass(slots=True)
class LiveStanding:
    """The sums of one bot's results so far; a match counts once per team that it held.

    `points` is None until the bot has met opponents.
    """

    bot: str
    matches: int = 0
    contests: int = 0  # matches with opponents
    points: float | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    returns_sum: float = 0.0
    last: deque[str] = field(default_factory=lambda: deque(maxlen=LAST))  # W, D, L, or returns without opponents

    @property
    def score_pct(self) -> float | None:
        """Points per match in per cent; None until the bot has met opponents."""
        return None if self.points is None else 100 * self.points / self.contests

    @property
    def returns_mean(self) -> float:
        """Mean returns per match, in the game's unit."""
        return self.returns_sum / self.matches

    @property
    def key(self) -> tuple[float, ...]:
        """A sort key, best first: points per match, as some bots have played more than others; else returns."""
        if self.points is None:
            return (True, -self.returns_mean)
        return (False, -self.points / self.contests, -self.points)

    def add(self, own: Sequence[Row], *, is_tied: bool) -> None:
        """Count the rows of the bot's seats in one team of a match; `is_tied`: another team has the same rank."""
        self.matches += 1
        known = [float(row["returns"]) for row in own if row["returns"] not in (None, "")]
        returns = fmean(known) if len(known) == len(own) else 0.0  # a forfeit has left none
        self.returns_sum += returns
        points = own[0]["points"]
        if points is None or points == "":
            self.last.append(f"{returns:.4g}" if known else "–")
            return
        self.contests += 1
        self.points = (self.points or 0.0) + float(points)
        is_first = int(own[0]["rank"] or 0) == 1
        self.wins += is_first and not is_tied
        self.draws += is_first and is_tied
        self.losses += not is_first
        self.last.append("L" if not is_first else "D" if is_tied else "W")


class LiveStandings:
    """Standings of a running tournament: `add` the rows of matches, each once; ask `top` at any time."""

    def __init__(self) -> None:
        self._standings: dict[str, LiveStanding] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Count the rows of whole matches; values are typed (from memory) or text (from CSV)."""
        for _, match in groupby(rows, key=itemgetter("match_id")):
            self._add_match(match)

    def _add_match(self, rows: Iterable[Row]) -> None:
        sides: dict[str, dict[str, list[Row]]] = {}
        for row in rows:
            if row["counted"] in (True, "1"):
                sides.setdefault(str(row["team"]), {}).setdefault(str(row["bot"]), []).append(row)
        ranks = [str(next(iter(side.values()))[0]["rank"]) for side in sides.values()]
        for side in sides.values():
            for bot, own in side.items():
                is_tied = ranks.count(str(own[0]["rank"])) > 1
                self._standings.setdefault(bot, LiveStanding(bot)).add(own, is_tied=is_tied)

    def top(self, count: int | None = None) -> list[tuple[int, LiveStanding]]:
        """Return (place, standing) of the best bots so far; all if `count` is None."""
        ranked = sorted(self._standings.values(), key=lambda one: (one.key, one.bot))
        return list(zip(shared_places([one.key for one in ranked]), ranked, strict=True))[:count]


def shared_places(keys: Sequence[object]) -> list[int]:
    """Return the places 1, 2, 2, 4, ... of sorted keys: equal keys share the better place."""
    places: list[int] = []
    for index, key in enumerate(keys):
        places.append(places[-1] if index and key == keys[index - 1] else index + 1)
    return places
