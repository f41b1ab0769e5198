"""What a format asks for and what it is told: meetings and how they came out. Knows no games, seats or files.

A format that depends on results is a generator: it yields the meetings to be played next, is sent their results in the
same order, and returns the verdict. So it decides by results alone, only between batches, and plays back from records.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gridjoust.runner.results.tables.schedule_file import Decision


@dataclass(frozen=True, slots=True)
class Meeting:
    """The bots of a group play each other on every variant and map, in every seating, on one seed each."""

    bots: tuple[int, ...]  # places in the tournament's list of bots, one per side
    round: int  # from 1
    reason: str
    number: int = 1  # which seed of the round, from 1


@dataclass(frozen=True, slots=True)
class Result:
    """How a meeting of two came out."""

    points: tuple[tuple[float, ...], ...]  # per variant: the first bot's points in each match that counts

    @property
    def share(self) -> Fraction:
        """The first bot's share of all points; a meeting of which no match counts is a draw."""
        every = [Fraction(points) for matches in self.points for points in matches]
        return sum(every, Fraction(0)) / len(every) if every else Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has been decided, as a sentence, and the order of bots where the format has one of its own."""

    sentence: str
    decision: Decision | None = None

    def __str__(self) -> str:
        return self.sentence


Decisions = Generator[Sequence[Meeting], Sequence[Result], Verdict]
"""Yields meetings of two, is sent their results, returns what has been decided."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """The bots of a tournament as a format sees them: places 0 to n - 1, their names, and who counts as better."""

    names: tuple[str, ...]
    order: tuple[int, ...]  # places, best seed first
    matches_each: int  # matches of a meeting: every variant, in both seatings if they are swapped

    def seed(self, place: int) -> int:
        """The bot's place in the order, from 1."""
        return self.order.index(place) + 1
