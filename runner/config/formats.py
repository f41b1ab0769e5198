"""Formats and stop rules: one struct a kind, with its own keys. Pairs nobody and stops nothing.

A new format is one struct here, named in `AnyFormat`, and one generator in `gridjoust.runner.schedule`, named in its
`DECIDED`.
"""

from __future__ import annotations

from math import comb
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from gridjoust.runner.config.section import Positive, Section, means

MOST_MATCHES = 10**9  # of a tournament, and rounds
MOST_PAIRS = 10**4  # of one meeting: they are planned at once
MOST_AT_ONCE = 10**5  # matches that are planned before a stop rule is asked

Rounds = Annotated[
    int,
    means(
        "one round = every meeting once more, on new seeds; with `stop`, what is played before it is asked",
        ge=1,
        le=MOST_MATCHES,
    ),
]
SwapSeats = Annotated[bool, means("play each meeting in every rotation of the seats, on one seed")]
Seeding = Annotated[
    Literal["file", "hash"], means("best seed first as the bots are listed, or drawn by a hash of their names")
]
Pairs = Annotated[int, means("on how many seeds two bots meet", ge=1, le=MOST_PAIRS)]


class Format(Section, frozen=True, kw_only=True, tag_field="type"):
    """Who meets whom. `least_sides`, `most_sides`: of the games that it can pair."""

    least_sides: ClassVar[int] = 2
    most_sides: ClassVar[int | None] = None

    @property
    def type(self) -> str:
        """Its name in a file."""
        return str(self.__struct_config__.tag)


class Duels(Format, frozen=True, kw_only=True, tag_field="type"):
    """Two bots meet, and the result decides what comes next."""

    most_sides: ClassVar[int | None] = 2

    @property
    def is_length_known(self) -> bool:
        """Whether there are always as many meetings as there can be."""
        return True


class Groups(Format, frozen=True, kw_only=True, tag_field="type"):
    """Who meets is known in advance."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True

    def count_groups(self, bots: int, sides: int) -> int:
        """How many groups of bots meet in a round."""
        return comb(bots, sides)


class RoundRobin(Groups, frozen=True, kw_only=True, tag="round_robin"):
    """Everyone against everyone."""

    least_sides: ClassVar[int] = 1


class Gauntlet(Groups, frozen=True, kw_only=True, tag="gauntlet"):
    """Challengers against the rest."""

    challengers: Annotated[tuple[str, ...], means("names of bots that meet all others but not each other")] = ()

    def count_groups(self, bots: int, sides: int) -> int:
        """Each challenger meets every group of the rest."""
        return len(self.challengers) * comb(bots - len(self.challengers), sides - 1)


class Solo(Groups, frozen=True, kw_only=True, tag="solo"):
    """Everyone alone."""

    least_sides: ClassVar[int] = 1
    most_sides: ClassVar[int | None] = 1


class Swiss(Duels, frozen=True, kw_only=True, tag="swiss"):
    """Opponents by equal points."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1

    def most_matches(self, bots: int, matches_each: int) -> int:
        """All meetings of every two bots in each round; a meeting has `matches_each` matches."""
        return self.rounds * self.pairs * (bots // 2) * matches_each


class Knockout(Duels, frozen=True, kw_only=True, tag="knockout"):
    """Out when you lose."""

    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    third_place: Annotated[bool, means("the losers of the semi-finals meet")] = True
    replays: Annotated[
        int, means("how often a draw is played again on new seeds; then the better seed advances", ge=0, le=MOST_PAIRS)
    ] = 2

    @property
    def is_length_known(self) -> bool:
        """Nobody knows how often bots draw."""
        return self.replays == 0

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Every bot but one is beaten, each time after all replays; a meeting has `matches_each` matches."""
        beaten = bots - 1 + (self.third_place and bots >= 4)
        return beaten * (self.pairs + self.replays) * matches_each


class Ladder(Duels, frozen=True, kw_only=True, tag="ladder"):
    """Challenge the one above."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    max_matches: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_MATCHES)] | None,
        means("as many rounds as fit into so many matches, instead of `rounds`"),
    ] = None

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Whole challenges: all of `rounds`, or those that fit into `max_matches`; a meeting has `matches_each`."""
        challenge = self.pairs * matches_each
        if self.max_matches is None:
            return self.rounds * (bots - 1) * challenge
        return self.max_matches // challenge * challenge


AnyFormat = RoundRobin | Gauntlet | Swiss | Knockout | Ladder | Solo

MaxMatches = Annotated[int, means("the end in any case", ge=1, le=MOST_MATCHES)]


class Resolved(Section, frozen=True, kw_only=True, tag_field="when", tag="resolved"):
    """Stop once the goal is known with `confidence`. For two-sided games.

    Bots that differ by less than `indifference` count as level: the answer is a tie, or names either.
    """

    max_matches: MaxMatches = 2000
    goal: Annotated[
        Literal["top", "winner", "order"], means("who is best, which are the best `top`, or their order")
    ] = "winner"
    top: Annotated[Positive | None, means("goal top: how many; goal order: of the best so many, null = of all")] = None
    confidence: Annotated[float, means("chance that the answer is right")] = 0.95
    indifference: Annotated[
        float,
        means("bots that differ by less, in points a match (0 to 1), count as level; 0.03 is about 20 Elo points"),
    ] = 0.03
    adaptive: Annotated[
        Literal["none", "safe", "race"],
        means(
            "where matches go: evenly; to the meetings that tell most (safe); or among undecided bots, while one "
            "rating per bot fits (race)"
        ),
    ] = "none"


class Sprt(Section, frozen=True, kw_only=True, tag_field="when", tag="sprt"):
    """Stop once a sequential test of two bots has decided between `elo0` and `elo1` of the first over the second."""

    max_matches: MaxMatches = 2000
    elo0: Annotated[float, means("the first bot is better by this much at most, in normalized Elo")] = 0.0
    elo1: Annotated[float, means("or by this much at least")] = 10.0
    alpha: Annotated[float, means("chance of deciding for `elo1` where `elo0` holds")] = 0.05
    beta: Annotated[float, means("chance of deciding for `elo0` where `elo1` holds")] = 0.05


class Better(Section, frozen=True, kw_only=True, tag_field="when", tag="better"):
    """Test a series of versions, oldest first: each meets the newest accepted one until it is shown to be better.

    `rounds` of the format are what a version plays before it is judged.
    """

    max_matches: MaxMatches = 2000
    error: Annotated[float, means("chance that any accepted version was no better than the one before, at most")] = 0.05
    version_matches: Annotated[int, means("a version that is not shown to be better in so many is given up", ge=1)] = (
        400
    )


StopRule = Resolved | Sprt | Better
