"""The goal of a tournament with a stop rule, the results between any two bots of a field, and mean scores from them.

It fits no ratings, so it is right for bots that beat each other in a circle too, but each pair must have played.

Results are not coin tosses. Draws make a pair's score vary less, and so do seeds that favour a seat, as that cancels in
a swapped pair. All error estimates are scaled by the dispersion measured between the same opponents (P. McCullagh &
J. A. Nelder, "Generalized Linear Models", 1989, chapters 4.5 and 9: quasi-likelihood).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.statistics.fitting import Comparison


class GoalKind(Enum):
    """The question: the best `top` bots, the best bot, or the order of the bots."""

    TOP = "top"
    WINNER = "winner"
    ORDER = "order"


class Rule(Enum):
    """The rule that chooses the pairs of bots to play next.

    ROUND_ROBIN: all evenly; SAFE: those that tell most about undecided bots; RACE: undecided bots among themselves.
    """

    ROUND_ROBIN = "none"
    SAFE = "safe"
    RACE = "race"


class Guard(Enum):
    """The result so far of the test that the rule RACE needs: does one rating per bot explain the results?

    TRUSTED: the first, strict test is skipped; FITS: it was passed; FAILED: SAFE replaces RACE permanently.
    """

    UNTESTED = "untested"
    TRUSTED = "trusted"
    FITS = "fits"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Goal:
    """The question that matches should answer, with the confidence that the answer needs.

    `top`: number of places that matter; with ORDER, None = all places; WINNER ignores it. `indifference` is in points
    per match (0 to 1) against the same opponents. Bots closer than this count as equal; if that is certain enough, the
    answer is a tie. Near an even score 0.03 is about 20 Elo points.
    """

    kind: GoalKind = GoalKind.TOP
    top: int | None = 3
    confidence: float = 0.95
    indifference: float = 0.03

    def cuts(self, bots: int) -> tuple[int, ...]:
        """Return the places (from 1) after which the answer divides the ranking; ValueError for too few `bots`."""
        if self.kind is GoalKind.ORDER:
            places = bots - 1 if self.top is None else min(self.top, bots - 1)
            cuts = tuple(range(1, places + 1))
        else:
            cuts = (1,) if self.kind is GoalKind.WINNER or self.top is None else (self.top,)
        if not cuts or cuts[-1] >= bots:
            raise ValueError(f"{self}: expected more than {cuts[-1] if cuts else 1} bots, got {bots}")
        return cuts

    def __str__(self) -> str:
        match self.kind:
            case GoalKind.WINNER:
                return "winner"
            case GoalKind.ORDER:
                return "full order" if self.top is None else f"order of the top {self.top}"
            case GoalKind.TOP:
                return f"top {self.top}"


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer to a goal so far. `undecided`: bots that may belong above or below a dividing place, best first."""

    is_resolved: bool
    answer: tuple[str, ...]  # the bots above the last cut, best first
    undecided: tuple[str, ...]
    confidence: float  # probability that the answer is right
    reason: str  # a sentence for people
    is_tie: bool = False  # the bots on both sides of a cut differ by less than the indifference


@dataclass(frozen=True, slots=True)
class PlannedPair:
    """Two bots that will play on one seed, in both seatings. `reason` becomes the table's `schedule_reason`."""

    first: str
    second: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One decision after a batch: the pairs of the next batch, or none if the goal is resolved."""

    pairs: tuple[PlannedPair, ...]
    resolution: Resolution
    guard: Guard  # pass it to the next decision
    note: str = ""  # set when the rule changes: "the field fits ...", "falls back to safe ..."


Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
SINGLE_SCORES = np.array([0.0, 0.5, 1.0])
PRIOR_WINS = 1.0  # wins, and the same number of losses: the uniform Beta prior of a score between two bots
DISPERSION_PRIOR = 10.0  # weight, in results, of the prior "like coin tosses", so that few results do not mislead
DISPERSION_LOW, DISPERSION_HIGH = 0.05, 2.0
_EVEN = 0.25  # variance of a coin toss


class PairTally:
    """Results of matches between bots: swapped pairs by their five possible scores, single matches by three.

    `challengers`, if any, are ranked by their results against the other bots, and only these results count.
    """

    def __init__(self, bots: Sequence[str], *, challengers: Sequence[str] = ()) -> None:
        self.bots = tuple(bots)
        self._at = {bot: index for index, bot in enumerate(self.bots)}
        if len(self._at) < len(self.bots) or len(self.bots) < 2:
            raise ValueError(f"bots: expected at least 2 different names, got {list(bots)}")
        size = len(self.bots)
        self._pairs: Counts = np.zeros((size, size, 5), dtype=np.int64)
        self._singles: Counts = np.zeros((size, size, 3), dtype=np.int64)
        chosen = [self.index(bot) for bot in challengers]
        self.ranked = tuple(sorted(chosen)) or tuple(range(size))  # indices of the bots that the goal is about
        self.meets: Mask = ~np.eye(size, dtype=np.bool_)  # (bot, opponent): True if they may play each other
        if chosen:
            is_challenger = np.zeros(size, dtype=np.bool_)
            is_challenger[chosen] = True
            self.meets = is_challenger[:, None] != is_challenger[None, :]

    def index(self, bot: str) -> int:
        """Return a bot's index in every array; ValueError for an unknown bot."""
        if bot not in self._at:
            raise ValueError(f"expected one of {', '.join(self.bots)}, got {bot!r}")
        return self._at[bot]

    def add(self, first: str, second: str, score: float, *, matches: int = 2) -> None:
        """Add a swapped pair of matches, or one match: `score` is the mean of `first`'s points, 0 to 1.

        ValueError for an impossible score or number of matches, and for bots that may not play each other.
        """
        if matches not in (1, 2):
            raise ValueError(f"matches: expected 1 or 2, got {matches}")
        half_points = score * 2 * matches
        result = round(half_points)
        if result != half_points or not 0 <= result <= 2 * matches:
            raise ValueError(f"score: expected a multiple of {1 / (2 * matches):g} from 0 to 1, got {score:g}")
        one, other = self.index(first), self.index(second)
        if not self.meets[one, other]:
            raise ValueError(f"expected bots that may meet, got {first!r} and {second!r}")
        counts = self._pairs if matches == 2 else self._singles
        counts[one, other, result] += 1
        counts[other, one, 2 * matches - result] += 1

    def pair_counts(self, first: str, second: str) -> tuple[int, ...]:
        """Count the swapped pairs in which `first` got 0, 0.5, 1, 1.5 and 2 points against `second`."""
        return tuple(int(count) for count in self._pairs[self.index(first), self.index(second)])

    def single_counts(self, first: str, second: str) -> tuple[int, ...]:
        """Count the single matches that `first` lost, drew and won against `second`."""
        return tuple(int(count) for count in self._singles[self.index(first), self.index(second)])

    def comparisons(self) -> list[Comparison]:
        """Return every result as a row for a rating fit; a pair has twice the weight of a single match."""
        rows = []
        for counts, scores, weight in ((self._pairs, PAIR_SCORES, 2.0), (self._singles, SINGLE_SCORES, 1.0)):
            for first, second, result in np.argwhere(counts):
                if first < second:
                    score = float(scores[result])
                    unit = f"{weight:g}:{first}:{second}:{result}:"
                    rows += [
                        Comparison(self.bots[first], self.bots[second], score, f"{unit}{at}", weight=weight)
                        for at in range(counts[first, second, result])
                    ]
        return rows

    def matches(self) -> Floats:
        """Return the number of matches between any two bots: a symmetric (bot, bot) array."""
        matches: Floats = 2.0 * self._pairs.sum(axis=2) + self._singles.sum(axis=2)
        return matches

    def points(self) -> Floats:
        """Return the points of the row's bot against the column's: `points + points.T == matches`."""
        points: Floats = 2.0 * self._pairs @ PAIR_SCORES + self._singles @ SINGLE_SCORES
        return points

    def units(self) -> Floats:
        """Count the independent results between any two bots: each swapped pair and each single match is one."""
        units: Floats = (self._pairs.sum(axis=2) + self._singles.sum(axis=2)).astype(np.float64)
        return units

    def squares(self) -> Floats:
        """Return the sum of squared scores of each pair of bots, each score weighted with its number of matches."""
        squares: Floats = 2.0 * self._pairs @ PAIR_SCORES**2 + self._singles @ SINGLE_SCORES**2
        return squares


@dataclass(frozen=True, slots=True)
class FieldEstimate:
    """Every bot's mean score against its opponents, and the covariance of these estimates (normal approximation)."""

    mean: Floats
    covariance: Floats


def dispersion(tally: PairTally) -> float:
    """Return the variance of results between the same two bots, divided by that of coin tosses.

    1 = independent matches without draws; kept between DISPERSION_LOW and DISPERSION_HIGH.
    """
    units, matches = tally.units(), tally.matches()
    again = units > 1
    units, matches = units[again], matches[again]
    score = tally.points()[again] / matches
    within = float((tally.squares()[again] - matches * score**2).sum()) / 2  # the arrays hold every two bots twice
    ratio = 1.0
    for _ in range(4):  # score * (1 - score) of an estimate is too low by the variance of the estimate
        tosses = float(((units - 1) * score * (1 - score) / np.maximum(1 - ratio / matches, 0.1)).sum()) / 2
        ratio = (within + DISPERSION_PRIOR * _EVEN) / (tosses + DISPERSION_PRIOR * _EVEN)
    return min(max(ratio, DISPERSION_LOW), DISPERSION_HIGH)


def per_pair_estimate(tally: PairTally) -> FieldEstimate:
    """Estimate each bot's mean score from the Beta posterior (uniform prior) of the score of each pair of bots.

    The mean over a field is close to normal. Its covariance is exact, as the scores of two bots add up to one.
    """
    scale = 1 / dispersion(tally)
    wins, tosses = tally.points() * scale + PRIOR_WINS, tally.matches() * scale + 2 * PRIOR_WINS
    score = wins / tosses
    variance = score * (1 - score) / (tosses + 1)
    return FieldEstimate(mean_over_opponents(tally, score), spread_over_opponents(tally, variance))


def mean_over_opponents(tally: PairTally, score: Floats) -> Floats:
    """Return each bot's mean score over the bots that it may play; `score`: an array (..., bot, opponent)."""
    mean: Floats = np.where(tally.meets, score, 0.0).sum(axis=-1) / tally.meets.sum(axis=1)
    return mean


def spread_over_opponents(tally: PairTally, variance: Floats) -> Floats:
    """Return the covariance of `mean_over_opponents` if scores are independent.

    `variance`: that of each score, an array (..., bot, opponent).
    """
    opponents = tally.meets.sum(axis=1)
    played = np.where(tally.meets, variance, 0.0)
    covariance: Floats = -played / np.outer(opponents, opponents)
    diagonal = np.arange(len(opponents))
    covariance[..., diagonal, diagonal] = played.sum(axis=-1) / opponents**2
    return covariance
