"""What bots are ranked by, and what is known of the difference of two: ratings, or values on common seeds.

Both kinds answer the same questions. An interval is that of one bot or one difference; whether two bots are separated
is decided for all pairs of a table together (see `separations`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from gridjoust.leaderboard.frame.codes import Floats, Indices, Mask
from gridjoust.leaderboard.frame.entries import Evidence
from gridjoust.leaderboard.strengths.paired import (
    MIN_ALIKE,
    ByGame,
    Estimate,
    difference,
    difference_p_values,
    mean_over_games,
)
from gridjoust.leaderboard.strengths.separations import Separations, linked, separate_by_holm
from gridjoust.runner.statistics import ELO_PER_NAT, MIN_UNITS, Interval
from gridjoust.runner.statistics.fitting import logistic
from gridjoust.runner.statistics.intervals import normal_critical
from gridjoust.runner.statistics.profiles import Profile


class Withheld(StrEnum):
    """The reason why a bot's value or a difference has no interval."""

    TOO_FEW = "too few"  # below MIN_UNITS pairs or seeds, or a game of one seed
    ALIKE = "alike"  # all values are the same: nothing tells how far another one would be


@dataclass(frozen=True, slots=True)
class Strength:
    """A bot's rating or other value that ranks it, with its interval; `withheld`: why there is no interval, else None.

    `is_one_sided`: the bot won or lost everything, so without the weak prior of the fit its rating would be infinite;
    how far the rating and the outer end of its interval lie from the others is then the prior's choice.
    """

    value: float
    interval: Interval | None
    withheld: Withheld | None = None
    is_one_sided: bool = False


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference of two bots. `los` is the chance that the first is better, 0 to 1.

    `is_separated` is what the table's one decision says (see `separations`), never this interval alone. `units` are the
    pairs in which the two were rivals, or the seeds that both played; 0 if only others link them.
    """

    difference: float
    interval: Interval | None
    is_separated: bool | None
    units: int
    los: float | None
    withheld: Withheld | None = None


@dataclass(frozen=True)
class SeedStrengths:
    """Strengths that are means of the bots' values on common seeds; `values`: code of the bot -> values by game."""

    values: Mapping[int, ByGame]

    def value(self, bot: int) -> float | None:
        """Return the bot's mean over games; None if it never met a rival."""
        own = self.values.get(bot)
        return mean_over_games(own).value if own else None

    def of(self, bot: int) -> Strength | None:
        """Return the bot's mean over games with its t interval; None if it never met a rival."""
        own = self.values.get(bot)
        if not own:
            return None
        found = mean_over_games(own)
        return Strength(found.value, found.interval, _withheld(found))

    def compare(self, bot: int, other: int) -> Contrast | None:
        """Return by how much `bot` is better: the mean of the differences seed by seed; None without a common seed."""
        found = difference(self.values.get(bot, {}), self.values.get(other, {}))
        if found is None:
            return None
        withheld = _withheld(found)
        is_separated = self.separations.of(bot, other)
        return Contrast(found.value, found.interval, is_separated, found.units, _los_of_mean(found), withheld)

    @cached_property
    def separations(self) -> Separations:
        """The decision which bots are separated, made for all pairs together by Holm's method."""
        bots = sorted(bot for bot, own in self.values.items() if own)
        return separate_by_holm(difference_p_values(self.values, bots), bots=bots)


@dataclass(frozen=True)
class Pool:
    """Strengths as ratings of one joint fit, in Elo points with mean 0, and the log posterior around them."""

    index: Mapping[int, int]  # code of the bot -> place in the profile
    ratings: Floats
    profile: Profile
    evidence: Evidence
    advantages: Mapping[str, float]
    advantage_errors: Mapping[str, float]  # standard errors
    is_one_sided: Mask
    _contrasts: dict[tuple[int, int], Contrast] = field(default_factory=dict, repr=False, compare=False)

    def value(self, bot: int) -> float | None:
        """Return the bot's rating; None if it never met a rival."""
        at = self.index.get(bot)
        return None if at is None else float(self.ratings[at])

    def of(self, bot: int) -> Strength | None:
        """Return the bot's rating with its interval (none below MIN_UNITS pairs); None if the bot never met a rival."""
        return self._strengths.get(bot)

    def compare(self, bot: int, other: int) -> Contrast | None:
        """Return the difference of the ratings; None if no chain of matches links the two."""
        if bot == other or bot not in self.index or other not in self.index:
            return None
        if self._pools[self.index[bot]] != self._pools[self.index[other]]:
            return None
        if (bot, other) not in self._contrasts:
            self._contrasts[bot, other] = self._contrast(bot, other)
        return self._contrasts[bot, other]

    @cached_property
    def separations(self) -> Separations:
        """The decision which bots are separated, made for all pairs together.

        The difference must exceed the largest one that equal bots would show. A bot with fewer than MIN_ALIKE pairs is
        separated from no other.
        """
        bots = sorted(self.index, key=lambda bot: self.index[bot])
        is_compared = np.equal.outer(self._pools, self._pools) & ~np.eye(len(bots), dtype=bool)
        is_separated = np.zeros_like(is_compared)
        one, two = np.nonzero(np.triu(is_compared))
        has_enough = self.evidence.pairs[bots] >= MIN_ALIKE
        if len(one):
            bar = self.profile.largest_root(one, two)
            sure = np.abs(self.profile.wald(one, two))
            is_close = (self.profile.most_sure(one, two) > bar) & (sure < bar) & has_enough[one] & has_enough[two]
            sure[is_close] = np.abs(self.profile.roots(one[is_close], two[is_close]))
            apart = (sure > bar) & has_enough[one] & has_enough[two]
            is_separated[one[apart], two[apart]] = is_separated[two[apart], one[apart]] = True
        return Separations(tuple(bots), is_compared, is_separated)

    @cached_property
    def _pools(self) -> Indices:
        bots = sorted(self.index, key=lambda bot: self.index[bot])
        return linked(self.evidence.met[np.ix_(bots, bots)] > 0)

    @cached_property
    def _strengths(self) -> dict[int, Strength]:
        return {bot: self._strength(bot, at) for bot, at in self.index.items()}

    def _strength(self, bot: int, at: int) -> Strength:
        value, is_one_sided = float(self.ratings[at]), bool(self.is_one_sided[at])
        if self.evidence.pairs[bot] < MIN_UNITS:
            return Strength(value, None, Withheld.TOO_FEW, is_one_sided)
        return Strength(value, self.profile.rating_interval(at), None, is_one_sided)

    def _contrast(self, bot: int, other: int) -> Contrast:
        at, there = self.index[bot], self.index[other]
        value, units = float(self.ratings[at] - self.ratings[there]), int(self.evidence.met[bot, other])
        is_separated = self.separations.of(bot, other)
        if min(self.evidence.pairs[bot], self.evidence.pairs[other]) < MIN_UNITS:
            return Contrast(value, None, is_separated, units, None, Withheld.TOO_FEW)
        interval = self.profile.difference_interval(at, there)
        return Contrast(value, interval, is_separated, units, self.profile.superiority(at, there))


Strengths = Pool | SeedStrengths


def _withheld(found: Estimate) -> Withheld | None:
    if found.interval is not None:
        return None
    return Withheld.ALIKE if found.is_alike and found.units >= MIN_UNITS else Withheld.TOO_FEW


def _los_of_mean(found: Estimate) -> float | None:
    """Return the chance that the true mean is above 0, from the two-sided p-value; None without an interval."""
    if found.interval is None:
        return None
    return 1 - found.p_value / 2 if found.value > 0 else found.p_value / 2


_SPREADS_ELO = np.linspace(2.0, 1000.0, 250)  # of the strengths of a field, all alike likely beforehand


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected rating in Elo points (the mean of all is 0), and the expected score against all bots, 0 to 1."""

    rating: float
    interval: Interval
    score: float


def corrected(strengths: Strengths) -> Mapping[int, Corrected]:
    """Return ratings corrected for an adaptive schedule, by code of the bot; empty if bots are unrated or fewer than 3.

    A schedule that stops once a bot seems good enough, and plays close bots more often, overstates the plain rating of
    the leader. A posterior does not depend on when play stops, if its prior is that of the field. So
    the ratings of the joint fit are taken as normal estimates of strengths that are normal around their mean, with a
    spread that is learnt from them (B. Efron & C. Morris (1975), "Data analysis using Stein's estimator and its
    generalizations", JASA 70:311), and each is drawn towards the mean, more if its error is large.

    Simulated with `adaptive: safe`, 8 bots, strengths with a standard deviation of 200 Elo points: the leader is
    overstated by 17 points by plain ratings and understated by 8 by these; its intervals contain the truth in 88 and
    98 % of runs.
    """
    if not isinstance(strengths, Pool) or len(strengths.index) < 3:
        return {}
    ratings, covariance = shrink(strengths.profile.ratings, strengths.profile.rating_covariance)
    half = normal_critical() * np.sqrt(covariance.diagonal())
    nats = ratings / ELO_PER_NAT
    chance = logistic(nats[:, None] - nats)
    np.fill_diagonal(chance, 0.0)
    score = chance.sum(axis=1) / (len(nats) - 1)
    return {
        bot: Corrected(
            float(ratings[at]), Interval(float(ratings[at] - half[at]), float(ratings[at] + half[at])), float(score[at])
        )
        for bot, at in strengths.index.items()
    }


def shrink(ratings: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Shrink estimated ratings towards 0; return the means and the covariance of the strengths.

    They are averaged over the spreads that a field may have, weighted by how likely each one is. The estimates have
    mean 0; they and their covariance (both centred) are in Elo points.
    """
    count = len(ratings)
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[1:], vectors[:, 1:]  # without the common shift, which centring has removed
    along = vectors.T @ ratings
    total = _SPREADS_ELO[:, None] ** 2 + np.maximum(values, 0.0)
    evidence = -0.5 * (np.log(total) + along**2 / total).sum(axis=1)
    weight = np.exp(evidence - evidence.max())
    weight /= weight.sum()
    kept = _SPREADS_ELO[:, None] ** 2 / total
    means = kept * along
    mean = weight @ means
    spread = np.einsum("s,si,sj->ij", weight, means - mean, means - mean)
    inner = spread + np.diag(weight @ (kept * np.maximum(values, 0.0)))
    assert vectors.shape == (count, count - 1)
    return vectors @ mean, vectors @ inner @ vectors.T
