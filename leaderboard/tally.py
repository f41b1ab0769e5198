"""Running totals per bot, cheap enough for after every match. Rates nobody: that takes all matches together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from leaderboard.outcomes import Side, counted_matches
from runner.tables.columns import Row


@dataclass(slots=True)
class Tally:
    """Totals of one bot. A match counts once per team in which the bot holds seats."""

    bot: str
    matches: int = 0
    contests: int = 0  # matches with another team
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    returns_sum: float = 0.0

    @property
    def score(self) -> float | None:
        """Points per contest, None without one."""
        return self.points / self.contests if self.contests else None

    def add(self, sides: Sequence[Side], own: Side) -> None:
        """Count a match in which the bot plays for the side `own`."""
        self.matches += 1
        self._add_outcome(sides, own)
        self.returns_sum += fmean(seat.returns for seat in own.seats if seat.bot == self.bot)

    def _add_outcome(self, sides: Sequence[Side], own: Side) -> None:
        if own.points is None:
            return
        self.contests += 1
        self.points += own.points
        if any(side.rank < own.rank for side in sides):
            self.losses += 1
        elif any(side.rank == own.rank and side is not own for side in sides):
            self.draws += 1
        else:
            self.wins += 1


@dataclass(frozen=True, slots=True)
class LiveStanding:
    """A bot while the tournament runs; `points` is None where it has met no opponents, `returns_mean` counts then."""

    rank: int
    bot: str
    matches: int
    points: float | None
    wins: int
    draws: int
    losses: int
    returns_mean: float


class LiveStandings:
    """The table while the tournament runs: `add` the rows of each match, ask `top` at any time."""

    def __init__(self) -> None:
        self._tallies: dict[str, Tally] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Count the rows of whole matches that have not been added before."""
        add_matches(self._tallies, counted_matches(rows))

    def top(self, count: int | None = None) -> list[LiveStanding]:
        """The best bots so far, by points per match: some have played more than others."""
        ranked = sorted(self._tallies.values(), key=lambda tally: (_live_key(tally), tally.bot))
        places = shared_places([_live_key(tally) for tally in ranked])
        return [_live_standing(place, tally) for place, tally in zip(places[:count], ranked[:count], strict=True)]


def add_matches(tallies: dict[str, Tally], matches: Iterable[Sequence[Side]]) -> None:
    """Count matches for every bot that plays in them."""
    for sides in matches:
        for own in sides:
            for bot in own.bots:
                tallies.setdefault(bot, Tally(bot)).add(sides, own)


def shared_places(keys: Sequence[object]) -> list[int]:
    """Places 1, 2, 2, 4, ... of sorted keys: equal keys share the better one."""
    places: list[int] = []
    for index, key in enumerate(keys):
        places.append(places[-1] if index and key == keys[index - 1] else index + 1)
    return places


def _live_key(tally: Tally) -> tuple[bool, float, float]:
    if tally.score is None:
        return (True, -tally.returns_sum / tally.matches, 0.0)
    return (False, -tally.score, -tally.points)


def _live_standing(place: int, tally: Tally) -> LiveStanding:
    return LiveStanding(
        rank=place,
        bot=tally.bot,
        matches=tally.matches,
        points=None if tally.score is None else tally.points,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        returns_mean=tally.returns_sum / tally.matches,
    )
