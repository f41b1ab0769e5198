"""What bots are ranked by, and what may be said about the difference of two: ratings, or values on common seeds.

Both kinds answer the same two questions. A difference is separated from 0 only by its own interval, never by whether
the intervals of two bots overlap, which would be neither a test of 5 % nor aware of what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from statistics import NormalDist

import numpy as np

from leaderboard.codes import Floats, Indices, Mask
from leaderboard.contests import Duels, Evidence
from leaderboard.paired import MIN_ALIKE, ByGame, Estimate, difference, mean_over_games
from leaderboard.separations import Separations, separate_by_holm
from runner.statistics import (
    CONFIDENCE,
    MIN_UNITS,
    Interval,
    Ratings,
    bradley_terry,
    resample_ratings,
)
from runner.statistics.rankings import Choices, draw_ratings, rate_choices, resample_choices

MANY_PAIRS = 20_000  # of free-for-alls, from which on drawing them again takes long and is as good as normal
_NORMAL = NormalDist()
_DECIMALS = 6  # of Elo points: beyond that, linear algebra differs from machine to machine


class Withheld(StrEnum):
    """Why there is no interval."""

    NOT_ASKED = "not asked"
    TOO_FEW = "too few"  # below MIN_UNITS pairs or seeds, or a game of one seed
    ALIKE = "alike"  # all values are the same: nothing tells how far another one would be


@dataclass(frozen=True, slots=True)
class Strength:
    """What a bot is ranked by, and how sure that is. `withheld` is None if there is an interval."""

    value: float
    interval: Interval | None
    withheld: Withheld | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """One bot compared with another. `los` is the chance that it is better, 0 to 1.

    `is_separated` is what the table's one decision says (see `leaderboard.separations`), never this interval alone.
    `units` are the pairs in which the two were rivals, or the seeds that both played; 0 if only others link them.
    """

    difference: float
    interval: Interval | None
    is_separated: bool | None
    units: int
    los: float | None
    withheld: Withheld | None = None


@dataclass(frozen=True)
class SeedStrengths:
    """Values on common seeds, by code of the bot and by game."""

    values: Mapping[int, ByGame]

    def of(self, bot: int) -> Strength | None:
        """The mean over games, with its t interval; None if it never met a rival."""
        own = self.values.get(bot)
        if not own:
            return None
        found = mean_over_games(own)
        return Strength(found.value, found.interval, None if found.interval else Withheld.TOO_FEW)

    def compare(self, bot: int, other: int) -> Contrast | None:
        """How much better `bot` is: the mean of the differences seed by seed; None without a common one."""
        found = difference(self.values.get(bot, {}), self.values.get(other, {}))
        if found is None:
            return None
        withheld = None if found.interval else Withheld.TOO_FEW
        is_separated = self.separations.of(bot, other)
        return Contrast(found.value, found.interval, is_separated, found.units, _los_of_mean(found), withheld)

    @cached_property
    def separations(self) -> Separations:
        """The table's one decision about all pairs of bots, after Holm."""
        bots = sorted(bot for bot, own in self.values.items() if own)
        p_values = np.full((len(bots), len(bots)), np.nan)
        for one, two in combinations(range(len(bots)), 2):
            found = difference(self.values[bots[one]], self.values[bots[two]])
            if found is not None:
                p_values[one, two] = found.p_value
        return separate_by_holm(p_values, bots=bots)


@dataclass(frozen=True)
class Pool:
    """Ratings of one joint fit in Elo points, and of the fits to resampled pairs (resample, bot).

    Where all pairs between two bots came out alike, for every rival of a bot, resampling cannot see that they might
    not: the normal interval from the curvature of the fit is taken there if it is wider.
    """

    index: Mapping[int, int]  # code of the bot -> column
    ratings: Floats
    errors: Floats
    samples: Floats
    evidence: Evidence
    advantages: Mapping[str, float]

    def of(self, bot: int) -> Strength | None:
        """The rating with its interval; no interval below MIN_UNITS pairs, None if it never met a rival."""
        at = self.index.get(bot)
        if at is None:
            return None
        error = float(self.errors[at]) if self.evidence.is_alike[bot] else None
        value = float(self.ratings[at])
        interval = self._interval(self.samples[:, at], value, error, bot)
        return Strength(value, interval, None if interval else self._withheld)

    def compare(self, bot: int, other: int) -> Contrast | None:
        """The difference of the ratings; its interval from the same resamples. None if one of them is not rated."""
        if bot not in self.index or other not in self.index:
            return None
        at, there = self.index[bot], self.index[other]
        value = float(self.ratings[at] - self.ratings[there])
        drawn = np.round(self.samples[:, at] - self.samples[:, there], _DECIMALS)
        # errors of one fit are correlated: their sum bounds that of the difference
        bound = float(self.errors[at] + self.errors[there])
        is_alike = bool(self.evidence.is_alike[bot] or self.evidence.is_alike[other])
        interval = self._interval(drawn, value, bound if is_alike else None, bot, other)
        los = None if interval is None else _los_of_samples(drawn, value, bound if is_alike else None)
        withheld = None if interval else self._withheld
        units = int(self.evidence.met[bot, other])
        return Contrast(value, interval, self.separations.of(bot, other), units, los, withheld)

    @property
    def _withheld(self) -> Withheld:
        return Withheld.TOO_FEW if len(self.samples) else Withheld.NOT_ASKED

    @cached_property
    def separations(self) -> Separations:
        """The table's one decision about all pairs of bots: the largest standardized difference over the resamples."""
        bots = sorted(self.index, key=lambda bot: self.index[bot])
        pools = _linked(self.evidence.met[np.ix_(bots, bots)] > 0)
        is_compared = np.equal.outer(pools, pools) & ~np.eye(len(bots), dtype=bool)
        is_separated = np.zeros_like(is_compared)
        if len(self.samples):
            value = self.ratings[:, None] - self.ratings
            covariance = np.cov(self.samples, rowvar=False).reshape(len(bots), len(bots))
            spread = np.sqrt(np.maximum(np.add.outer(covariance.diagonal(), covariance.diagonal()) - 2 * covariance, 0))
            alike = self.evidence.is_alike[bots]
            bound = np.add.outer(self.errors, self.errors)
            error = np.where(alike[:, None] | alike, np.maximum(spread, bound), spread) + 1e-9
            off = self.samples - self.samples.mean(axis=0)
            largest = [float((np.abs(one[:, None] - one) / error).max()) for one in off]
            has_enough = np.minimum.outer(self.evidence.pairs[bots], self.evidence.pairs[bots]) >= MIN_ALIKE
            is_separated = is_compared & has_enough & (np.abs(value) / error > np.quantile(largest, CONFIDENCE))
        return Separations(tuple(bots), is_compared, is_separated)

    def _interval(self, drawn: Floats, value: float, error: float | None, *bots: int) -> Interval | None:
        if not len(drawn) or min(int(self.evidence.pairs[bot]) for bot in bots) < MIN_UNITS:
            return None
        tail = (1 - CONFIDENCE) / 2
        low, high = (float(end) for end in np.quantile(drawn, [tail, 1 - tail]))
        half = 0.0 if error is None else _NORMAL.inv_cdf(1 - tail) * error
        return Interval(min(low, value - half), max(high, value + half)) if half else Interval(low, high)


Strengths = Pool | SeedStrengths


def _linked(has_met: Mask) -> Indices:
    """The number of the pool of each bot: bots that a chain of meetings links are in one pool."""
    pool = np.full(len(has_met), -1)
    for first in range(len(has_met)):
        if pool[first] < 0:
            own = np.zeros(len(has_met), dtype=bool)
            own[first] = True
            while (grown := own | has_met[own].any(axis=0)).sum() > own.sum():
                own = grown
            pool[own] = first
    return pool


def rate_duels(duels: Duels, evidence: Evidence, *, codes: Mapping[str, int], resamples: int, seed: int) -> Pool:
    """One joint Bradley-Terry fit with seat advantages."""
    fit = bradley_terry([replace(one, weight=one.weight * duels.copies[one.pair_id]) for one in duels.comparisons])
    names, samples = (
        resample_ratings(duels.comparisons, resamples=resamples, seed=seed, copies=duels.copies)
        if resamples
        else (tuple(sorted(fit.ratings)), np.empty((0, len(fit.ratings))))
    )
    return _pool(fit, names, samples, evidence, codes)


def rate_contests(choices: Choices, evidence: Evidence, *, codes: Mapping[str, int], resamples: int, seed: int) -> Pool:
    """One joint Plackett-Luce fit of the rank orders; seats have no advantage in it: they rotate."""
    fit = rate_choices(choices)
    names, samples = choices.bots, np.empty((0, len(choices.bots)))
    if resamples and len(choices.units) > MANY_PAIRS:
        names, samples = draw_ratings(choices, draws=resamples, seed=seed)
    elif resamples:
        names, samples = resample_choices(choices, resamples=resamples, seed=seed)
    return _pool(fit, names, samples, evidence, codes)


def _pool(fit: Ratings, names: tuple[str, ...], samples: Floats, evidence: Evidence, codes: Mapping[str, int]) -> Pool:
    return Pool(
        index={codes[name]: at for at, name in enumerate(names)},
        ratings=np.array([fit.ratings[name] for name in names]),
        errors=np.array([fit.errors[name] for name in names]),
        samples=samples,
        evidence=evidence,
        advantages=fit.advantages,
    )


def _los_of_mean(found: Estimate) -> float | None:
    """Normal approximation from the interval's width; None without one or without spread."""
    if found.interval is None or found.interval.high <= found.interval.low:
        return None
    error = (found.interval.high - found.interval.low) / 2 / _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
    return _NORMAL.cdf(found.value / error)


def _los_of_samples(drawn: Floats, value: float, error: float | None) -> float:
    """Share of the resamples in which the difference is above 0."""
    if error:
        return _NORMAL.cdf(value / error)
    return float(np.mean(drawn > 0) + np.mean(drawn == 0) / 2)
