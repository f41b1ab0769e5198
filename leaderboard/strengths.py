"""What bots are ranked by, and what may be said about the difference of two: ratings, or values on common seeds.

Both kinds answer the same two questions. A difference is separated from 0 only by its own interval, never by whether
the intervals of two bots overlap, which would be neither a test of 5 % nor aware of what they have in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from leaderboard.codes import Floats
from leaderboard.contests import Duels, Evidence
from leaderboard.paired import ByGame, Estimate, difference, mean_over_games
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


@dataclass(frozen=True, slots=True)
class Strength:
    """What a bot is ranked by, and how sure that is."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """One bot compared with another; `units` are the pairs or seeds it rests on, `los` the chance that it is better."""

    difference: float
    interval: Interval | None
    is_separated: bool
    units: int
    los: float | None


@dataclass(frozen=True, slots=True)
class SeedStrengths:
    """Values on common seeds, by code of the bot and by game."""

    values: Mapping[int, ByGame]

    def of(self, bot: int) -> Strength | None:
        """The mean over games, with its t interval; None if it never met a rival."""
        own = self.values.get(bot)
        if not own:
            return None
        found = mean_over_games(own)
        return Strength(found.value, found.interval)

    def compare(self, bot: int, other: int) -> Contrast | None:
        """How much better `bot` is: the mean of the differences seed by seed; None without a common one."""
        found = difference(self.values.get(bot, {}), self.values.get(other, {}))
        if found is None:
            return None
        return Contrast(found.value, found.interval, found.is_separated, found.units, _los_of_mean(found))


@dataclass(frozen=True, slots=True)
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
        return Strength(float(self.ratings[at]), self._interval(self.samples[:, at], self.ratings[at], error, bot))

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
        is_separated = interval is not None and (interval.low > 0 or interval.high < 0)
        units = int(min(self.evidence.pairs[bot], self.evidence.pairs[other]))
        los = None if interval is None else _los_of_samples(drawn, value, bound if is_alike else None)
        return Contrast(value, interval, is_separated, units, los)

    def _interval(self, drawn: Floats, value: float, error: float | None, *bots: int) -> Interval | None:
        if not len(drawn) or min(int(self.evidence.pairs[bot]) for bot in bots) < MIN_UNITS:
            return None
        tail = (1 - CONFIDENCE) / 2
        low, high = (float(end) for end in np.quantile(drawn, [tail, 1 - tail]))
        half = 0.0 if error is None else _NORMAL.inv_cdf(1 - tail) * error
        return Interval(min(low, value - half), max(high, value + half)) if half else Interval(low, high)


Strengths = Pool | SeedStrengths


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
