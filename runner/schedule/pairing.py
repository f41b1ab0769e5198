"""Pairings as values: the meetings that a format asks for, the results that it gets, and one planned match.

A format that depends on results is a generator: it yields the next pairings to play, is sent their results in the same
order, and returns the verdict. So it decides by results alone and only between batches, and a resumed run can repeat
its decisions from the records.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gridjoust.games.api import AnyGame, ParamValue
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.results.tables.schedule_file import Decision
from gridjoust.runner.seeds import content_id


@dataclass(frozen=True, slots=True)
class Meeting:
    """A group of bots that play each other on every variant and map, in every seating, on one seed each."""

    bots: tuple[int, ...]  # places in the tournament's list of bots, one per side
    round: int  # from 1
    reason: str
    number: int = 1  # number of the seed in the round, from 1


@dataclass(frozen=True, slots=True)
class Result:
    """The result of two bots' matches on one seed: the first bot's points."""

    points: tuple[tuple[float, ...], ...]  # per variant: the first bot's points in each match that counts

    @property
    def share(self) -> Fraction:
        """The first bot's share of all points, 0 to 1; a half if no match counts."""
        every = [Fraction(points) for matches in self.points for points in matches]
        return sum(every, Fraction(0)) / len(every) if every else Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a tournament as a sentence, and the order of bots if the format has one of its own.

    `holds`: True if a test has shown what it was asked; None without a test.
    """

    sentence: str
    decision: Decision | None = None
    holds: bool | None = None  # whether a test has shown what it was asked; None: no test

    def __str__(self) -> str:
        return self.sentence


Decisions = Generator[Sequence[Meeting], Sequence[Result], Verdict]
"""Yields pairings of two bots, is sent their results, and returns the verdict."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The bots of a tournament as a format sees them: numbers 0 to n - 1, their names, and their order by seed."""

    names: tuple[str, ...]
    order: tuple[int, ...]  # places, best seed first
    matches_each: int  # matches of two bots on one seed: every variant, in both seatings if they are swapped

    def seed(self, place: int) -> int:
        """Return the bot's seed in the tournament: its rank before the first match, from 1. `place`: its number."""
        return self.order.index(place) + 1


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot in one match: its program, its seats and its limits."""

    bot: str  # name in the tournament
    program: RoleProgram  # resolved: `*/astar` replaced by the game's bot, relative paths made absolute
    program_hash: str  # hash of the program's code or command and options
    seats: tuple[int, ...]  # sorted
    time: TimeLimits
    limits: ResourceLimits


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match. `match_id` is a hash of everything that could change its result."""

    index: int  # place in the schedule; tables are written in this order
    match_id: str
    game: str
    game_version: str
    variant: str
    params: tuple[tuple[str, ParamValue], ...]  # resolved, sorted by name, map text included
    params_id: str
    map_name: str  # "" if the game has no maps
    seats: int
    round: int  # from 1
    pair_id: str  # shared by matches of the same bots on one seed with swapped seats
    seed: int
    entrants: tuple[Entrant, ...]  # exactly one holds each seat
    schedule_reason: str


def single_pairing(game: AnyGame, entrants: tuple[Entrant, ...], **own: Any) -> Pairing:
    """Return a match outside any schedule; `own`: its ids, seed, reason, and perhaps index and round (default 0, 1)."""
    spec, params = game.spec, tuple(sorted(game.params.items()))
    return Pairing(
        game=spec.name,
        game_version=spec.version,
        variant=spec.name,
        params=params,
        params_id=content_id([spec.name, dict(params)], digits=8),
        map_name="",
        seats=game.seats,
        entrants=entrants,
        **{"index": 0, "round": 1} | own,
    )
