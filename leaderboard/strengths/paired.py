"""Compares values on common seeds: means, differences and ranks, seed by seed.

The unit is the start position (`deal`): matches of any bots on one seed belong together. Over several games
each game counts once: the mean is that of the games' means, its variance the sum of theirs (a stratified mean), degrees
of freedom after F. E. Satterthwaite (1946), "An approximate distribution of estimates of variance components",
Biometrics 2:110. With one game that is Student's t interval.

Single values are often skewed: few seeds then say too little about the long tail, and Student's interval is too short
on that side. The interval of a mean in one game is stretched there by the method of R. Willink (2005), "A confidence
interval and test for the mean of an asymmetric distribution", Commun. Stat. Theory Methods 34:753. If every value is 0
or 1, it is Wilson's. Values that are all the same give no interval: nothing tells how far the next one would be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gridjoust.leaderboard.frame.codes import Floats, Indices, combine, first_of, groups
from gridjoust.runner.statistics import CONFIDENCE, MIN_UNITS, Interval, sign_test, t_critical, t_tail, t_tails, wilson

MIN_ALIKE = 6  # units that all say the same before a sign test (two-sided, 5 %) is significant
_MORE_SKEW = 1.0
_NO_SKEW = 1e-9
_ROUNDING = 1e-12  # a variance below this share of the squares is rounding
_CELLS_AT_ONCE = 1 << 21  # bounds the memory of a batch
_DIGITS = 12  # beyond those, equal means differ by the order in which they were added


@dataclass(frozen=True, slots=True)
class Series:
    """One bot's values in one game, one per start position, sorted by it.

    `is_share`: all values of all bots in this game lie between 0 and 1.
    """

    deals: Indices
    values: Floats
    is_share: bool = False


ByGame = Mapping[int, Series]  # one bot's values, by code of the game


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over games, each counting once; `units`: number of start positions.

    There is no interval below MIN_UNITS of them, if a game has only one, or if all values are alike. `p_value` is
    two-sided, for a mean of 0: by Student's test, or by the sign test if all are alike; 1 if there are too few.
    """

    value: float
    interval: Interval | None
    units: int
    is_alike: bool  # no unit differs from another of its game
    p_value: float = 1.0


@dataclass(frozen=True, slots=True)
class Places:
    """Comparisons of each value with the others on the same start position, as arrays with an element per value.

    `beaten`: share of the other bots' values there that are lower, equal ones count half; nan if there are no others.
    """

    rank: Floats  # 1 is best, ties share the mean
    is_best: Floats  # 1.0 also for a shared best value
    beaten: Floats  # share of the others below, a tie half


def series_by_bot(bot: Indices, game: Indices, deal: Indices, values: Floats) -> dict[int, dict[int, Series]]:
    """Return, by bot and game, the bot's mean value on every start position; missing values (nan) are left out."""
    found: dict[int, dict[int, Series]] = {}
    is_share = {int(game[own[0]]): _are_shares(values[own]) for own in groups(game)}
    for own in groups(bot):
        for in_game in groups(game[own]):
            at = own[in_game]
            at = at[~np.isnan(values[at])]
            if len(at):
                code = int(game[at[0]])
                found.setdefault(int(bot[at[0]]), {})[code] = _series(deal[at], values[at], is_share=is_share[code])
    return found


def _series(deal: Indices, values: Floats, *, is_share: bool) -> Series:
    cell = combine(deal)
    means = np.bincount(cell, values) / np.bincount(cell)
    return Series(deal[first_of(cell)], _rounded(means), is_share)


def _are_shares(values: Floats) -> bool:
    low, high = np.nanmin(values, initial=0.0), np.nanmax(values, initial=1.0)
    return bool(low >= 0 and high <= 1)


def on_common_deals(series: Sequence[Series]) -> tuple[int, list[list[float]]]:
    """Return the number of start positions that all bots have played, and the values of each bot on these."""
    common = reduce(np.intersect1d, [one.deals for one in series])
    return len(common), [one.values[np.searchsorted(one.deals, common)].tolist() for one in series]


def mean_over_games(own: ByGame) -> Estimate:
    """Return the mean over games, each counting once, with an interval that allows for skewness; one game at least."""
    found = _stratified([series.values for _, series in sorted(own.items())])
    if len(own) > 1 or found.units < MIN_UNITS:
        return found
    [series] = own.values()
    if series.is_share:
        return mean_of_shares(series.values)
    return replace(found, interval=None if found.interval is None else _stretched(series.values, found.interval))


def difference(own: ByGame, other: ByGame) -> Estimate | None:
    """Return by how much `own` is higher on the start positions that both have played; None if there are none."""
    found = deal_differences(own, other)
    return _stratified(found) if found else None


def deal_differences(own: ByGame, other: ByGame) -> list[Floats]:
    """Return by how much `own` is higher on each start position that both have played: an array per common game."""
    found = []
    for game in sorted(own.keys() & other.keys()):
        one, another = own[game], other[game]
        at = np.minimum(np.searchsorted(another.deals, one.deals), len(another.deals) - 1)
        is_shared = another.deals[at] == one.deals
        if is_shared.any():
            found.append(one.values[is_shared] - another.values[at[is_shared]])
    return found


def mean_of(values: Floats) -> Estimate:
    """Return the mean of independent values, at least one, with its error."""
    return _stratified([values])


def mean_of_shares(values: Floats) -> Estimate:
    """Return the mean of independent values between 0 and 1, at least one; its interval stays between 0 and 1."""
    found = mean_of(values)
    if found.units >= MIN_UNITS and np.isin(values, (0.0, 1.0)).all():
        return replace(found, interval=wilson(float(values.sum()), found.units))
    if found.interval is None:
        return found
    low, high = _stretched(values, found.interval)
    return replace(found, interval=Interval(max(0.0, low), min(1.0, high)))


def places(deal: Indices, values: Floats) -> Places:
    """Rank every value among those on the same start position; `deal`: the start position of each value."""
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
    """Round to 12 significant digits."""
    scale = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(np.maximum(np.abs(values), 1e-290))))
    rounded: Floats = np.round(values * scale) / scale
    return rounded


def _stratified(samples: list[Floats]) -> Estimate:
    """Return the mean of the samples' means (one sample per game), with its error."""
    sizes = [len(sample) for sample in samples]
    value = math.fsum(float(sample.mean()) for sample in samples) / len(samples)
    is_alike = all(float(np.ptp(sample)) == 0 for sample in samples)
    units = sum(sizes)
    if units < MIN_UNITS or min(sizes) < 2:
        return Estimate(value, None, units, is_alike)
    variances = [float(sample.var(ddof=1)) / len(sample) for sample in samples]
    if is_alike:
        return Estimate(value, None, units, is_alike, sign_test(units, 0) if value else 1.0)
    spread = math.fsum(variances)
    degrees = max(1, int(spread**2 / math.fsum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True)) + 1e-9))
    error = math.sqrt(spread) / len(samples)
    half = t_critical(degrees, confidence=CONFIDENCE) * error
    return Estimate(value, Interval(value - half, value + half), units, is_alike, t_tail(value / error, degrees))


def _stretched(values: Floats, interval: Interval) -> Interval:
    """Return Student's interval, made longer on the side where the values have their longer tail.

    A small sample seems less skewed than its distribution, so the skewness is multiplied by 1 + 1 / n; that factor was
    chosen by simulation (lognormal values on 10 seeds).
    """
    count, mean, deviation = len(values), float(values.mean()), float(values.std(ddof=1))
    third = float(((values - mean) ** 3).sum()) * count / ((count - 1) * (count - 2)) / deviation**3
    skew = (1 + _MORE_SKEW / count) * third / (6 * math.sqrt(count))
    if abs(skew) < _NO_SKEW:
        return interval
    critical = t_critical(count - 1, confidence=CONFIDENCE)
    ends = [(math.cbrt(1 + 6 * skew * (side * critical - skew)) - 1) / (2 * skew) for side in (1, -1)]
    low, high = (mean - end * deviation / math.sqrt(count) for end in ends)
    return Interval(min(low, interval.low), max(high, interval.high))


def difference_p_values(values: Mapping[int, ByGame], bots: Sequence[int]) -> NDArray[np.float64]:
    """Return the two-sided p-value of `difference` for each pair of bots: an array (bot, bot), nan without common seed.

    All pairs at once: sums over common deals are products of matrices.
    """
    size = len(bots)
    units, games, total, spread, freedom = np.zeros((5, size, size))
    is_alike, is_enough = np.ones((2, size, size), dtype=bool)
    for game in sorted({game for own in values.values() for game in own}):
        count, mean, variance = _common(values, bots, game)
        has_met = count > 0
        alike_here = variance <= _ROUNDING
        is_alike &= ~has_met | alike_here
        is_enough &= ~has_met | (count > 1)
        units, games, total = units + count, games + has_met, total + np.where(has_met, mean, 0.0)
        own = np.where(count > 1, variance / np.maximum(count, 1), 0.0)
        spread, freedom = spread + own, freedom + own**2 / np.maximum(count - 1, 1)
    value = total / np.maximum(games, 1)
    degrees = np.maximum(1, np.floor(spread**2 / np.where(freedom > 0, freedom, 1.0) + 1e-9))
    error = np.sqrt(spread) / np.maximum(games, 1)
    sure = np.where(is_alike, 0.0, value / np.where(error > 0, error, 1.0))
    found = np.where(is_alike, np.where(np.abs(value) > 0, 2.0 ** (1 - units), 1.0), t_tails(sure, degrees))
    found = np.where((units >= MIN_UNITS) & is_enough, np.minimum(1.0, found), 1.0)
    return np.where(units > 0, found, np.nan)


def _common(values: Mapping[int, ByGame], bots: Sequence[int], game: int) -> tuple[Floats, Floats, Floats]:
    """Return count, mean and variance of the differences of each pair of bots in one game: arrays (bot, bot).

    A variance that is no more than rounding errors counts as 0.
    """
    own = [(at, values[bot][game]) for at, bot in enumerate(bots) if game in values[bot]]
    place = np.concatenate([np.full(len(series.deals), at) for at, series in own])
    deal = combine(np.concatenate([series.deals for _, series in own]))
    value = np.concatenate([series.values for _, series in own])
    size = np.bincount(deal)
    value = value - (np.bincount(deal, value) / size)[deal]  # of the deal: differences stay, and digits are saved
    deal = combine(np.where(size[deal] > 1, deal + 1, 0))
    first = int((size == 1).any())  # start positions of one bot alone compare nothing
    count, sums, squares = np.zeros((3, len(bots), len(bots)))
    order = np.argsort(deal, kind="stable")
    step = max(1, _CELLS_AT_ONCE // len(bots))
    deals = int(deal.max(initial=-1)) + 1
    starts = np.searchsorted(deal[order], np.arange(first, deals + step, step).clip(max=deals))
    for begin, end in pairwise(starts):
        rows = order[begin:end]
        if not len(rows):
            continue
        present, held = np.zeros((2, int(np.ptp(deal[rows])) + 1, len(bots)))
        at = deal[rows] - deal[rows].min(), place[rows]
        present[at], held[at] = 1.0, value[rows]
        count += present.T @ present
        one = held.T @ present
        sums += one - one.T
        square = (held**2).T @ present
        squares += square + square.T - 2 * held.T @ held
    mean = sums / np.maximum(count, 1)
    variance = np.maximum(0.0, squares - count * mean**2) / np.maximum(count - 1, 1)
    return count, mean, np.where(variance > _ROUNDING * squares, variance, 0.0)
