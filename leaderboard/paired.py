"""Values on common seeds: means, differences and ranks, seed by seed. Fits no model and knows no ratings.

The unit is the deal: what happens on one seed belongs together, whoever plays there. Over several games each game
counts once: the mean of the games' means, its variance the sum of theirs (a stratified mean), degrees of freedom after
F. E. Satterthwaite (1946), "An approximate distribution of estimates of variance components", Biometrics 2:110. With
one game that is Student's t interval, which holds its confidence from 5 seeds on (the percentile bootstrap does not).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from leaderboard.codes import Floats, Indices, combine, first_of, groups
from runner.statistics import CONFIDENCE, MIN_UNITS, Interval, sign_test, t_critical, t_tail

MIN_ALIKE = 6  # units that all say the same before a sign test (two-sided, 5 %) believes them
_DIGITS = 12  # beyond those, equal means differ by the order in which they were added


@dataclass(frozen=True, slots=True)
class Series:
    """One value per deal, deals sorted."""

    deals: Indices
    values: Floats


ByGame = Mapping[int, Series]  # one bot's values, by code of the game


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games; `units` are deals. No interval below MIN_UNITS of them or with a game of one deal.

    `p_value` is that of a mean of 0, two-sided; 1 where there is no interval.
    """

    value: float
    interval: Interval | None
    units: int
    is_alike: bool  # no unit differs from another of its game
    p_value: float = 1.0


@dataclass(frozen=True, slots=True)
class Places:
    """How the values of one deal compare, an element per value. `beaten` is nan for who is alone."""

    rank: Floats  # 1 is best, ties share the mean
    is_best: Floats  # 1.0 also for who shares the best value
    beaten: Floats  # share of the others below, a tie half


def series_by_bot(bot: Indices, game: Indices, deal: Indices, values: Floats) -> dict[int, dict[int, Series]]:
    """Bot -> game -> its mean value on every deal; missing values (nan) are left out."""
    found: dict[int, dict[int, Series]] = {}
    for own in groups(bot):
        for in_game in groups(game[own]):
            at = own[in_game]
            at = at[~np.isnan(values[at])]
            if len(at):
                found.setdefault(int(bot[at[0]]), {})[int(game[at[0]])] = _series(deal[at], values[at])
    return found


def _series(deal: Indices, values: Floats) -> Series:
    cell = combine(deal)
    means = np.bincount(cell, values) / np.bincount(cell)
    return Series(deal[first_of(cell)], _rounded(means))


def on_common_deals(series: Sequence[Series]) -> tuple[int, list[list[float]]]:
    """How many deals all of them have, and the values of each on those."""
    common = reduce(np.intersect1d, [one.deals for one in series])
    return len(common), [one.values[np.searchsorted(one.deals, common)].tolist() for one in series]


def mean_over_games(own: ByGame) -> Estimate:
    """The mean, each game counting once; of one game at least."""
    return _stratified([series.values for _, series in sorted(own.items())])


def difference(own: ByGame, other: ByGame) -> Estimate | None:
    """How much higher `own` is on the deals that both have played; None where there are none."""
    found = []
    for game in sorted(own.keys() & other.keys()):
        one, another = own[game], other[game]
        at = np.minimum(np.searchsorted(another.deals, one.deals), len(another.deals) - 1)
        is_shared = another.deals[at] == one.deals
        if is_shared.any():
            found.append(one.values[is_shared] - another.values[at[is_shared]])
    return _stratified(found) if found else None


def mean_of(values: Floats) -> Estimate:
    """The mean of independent values, of which there is one at least."""
    return _stratified([values])


def places(deal: Indices, values: Floats) -> Places:
    """Rank every value among those of its deal."""
    values = _rounded(values)
    size = np.bincount(deal)[deal]
    level = combine(deal, np.unique(values, return_inverse=True)[1])
    at_level = np.bincount(level)
    starts = np.concatenate([[0], np.cumsum(at_level)[:-1]]).astype(np.int64)
    first_level = np.full(int(deal.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first_level, deal, level)
    below = starts[level] - starts[first_level[deal]]
    equal = at_level[level]
    above = size - below - equal
    beaten = np.divide(below + (equal - 1) / 2, size - 1, out=np.full(len(deal), np.nan), where=size > 1)
    return Places(rank=above + (equal + 1) / 2, is_best=(above == 0).astype(np.float64), beaten=beaten)


def _rounded(values: Floats) -> Floats:
    """To significant digits."""
    scale = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(np.maximum(np.abs(values), 1e-290))))
    rounded: Floats = np.round(values * scale) / scale
    return rounded


def _stratified(samples: list[Floats]) -> Estimate:
    """The mean of the samples' means."""
    sizes = [len(sample) for sample in samples]
    value = math.fsum(float(sample.mean()) for sample in samples) / len(samples)
    is_alike = all(float(np.ptp(sample)) == 0 for sample in samples)
    units = sum(sizes)
    if units < MIN_UNITS or min(sizes) < 2:
        return Estimate(value, None, units, is_alike)
    variances = [float(sample.var(ddof=1)) / len(sample) for sample in samples]
    if is_alike:
        p_value = sign_test(units, 0) if value else 1.0
        return Estimate(value, Interval(value, value), units, is_alike, p_value)
    spread = math.fsum(variances)
    degrees = max(1, int(spread**2 / math.fsum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True)) + 1e-9))
    error = math.sqrt(spread) / len(samples)
    half = t_critical(degrees, confidence=CONFIDENCE) * error
    return Estimate(value, Interval(value - half, value + half), units, is_alike, t_tail(value / error, degrees))
