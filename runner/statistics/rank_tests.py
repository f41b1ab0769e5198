"""Tests of bots on common seeds: do their scores differ, and which bots differ? Pure; loads scipy.

Scores are a mapping bot -> scores, seed by seed, or a matrix with a row per seed and a column per bot; more is better.
Usually one runs `friedman` over all bots, then `wilcoxon_holm` between any two. `critical_difference` belongs to a
well-known picture, but its verdict on two bots depends on which others took part (A. Benavoli, G. Corani & F. Mangili
(2016), "Should we really use post-hoc tests based on mean-ranks?", JMLR 17(5)). Refuses scores that lack seeds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist, fmean

from gridjoust.runner.statistics.distributions import chi_square_tail, coin_tail, f_tail, studentized_range_critical

Scores = Mapping[str, Sequence[float]] | Sequence[Sequence[float]]

_EXACT_SEEDS = 60  # of the signed-rank test; beyond, the normal distribution is right to four digits
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class FriedmanTest:
    """The result of Friedman's test: `statistic` with its chi-square tail `p_value`, `f_statistic` with `f_p_value`.

    The F statistic is more powerful. It is None if all seeds rank the bots alike: it has no bound there, and its tail
    is 0. `average_ranks` are in the order of the bots (1 = best), by name if the scores have names.
    """

    statistic: float
    p_value: float
    f_statistic: float | None
    f_p_value: float
    average_ranks: tuple[float, ...]
    bots: tuple[str | int, ...]
    seeds: int


@dataclass(frozen=True, slots=True)
class SignedRankTest:
    """The result of Wilcoxon's test: rank sums of the seeds on which the first and the second bot did better.

    `statistic` is the smaller sum.
    """

    first_sum: float
    second_sum: float
    p_value: float
    is_exact: bool

    @property
    def statistic(self) -> float:
        """Wilcoxon's T, the smaller of the two rank sums."""
        return min(self.first_sum, self.second_sum)


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two bots with their `p_value`, also `adjusted` for all pairs that were tested together."""

    first: str | int
    second: str | int
    statistic: float
    p_value: float
    adjusted: float


def friedman(scores: Scores) -> FriedmanTest:
    """Test whether the bots differ at all, from their ranks seed by seed; tied bots share the mean rank.

    With R_j the average rank of bot j of k over N seeds: 12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4), chi-square
    with k - 1 degrees (M. Friedman (1937), JASA 32:675), not corrected for ties, as in J. Demsar (2006), "Statistical
    comparisons of classifiers over multiple data sets", JMLR 7:1. F = (N - 1) X / (N (k - 1) - X) has k - 1 and (k - 1)
    (N - 1) degrees (R. L. Iman & J. M. Davenport (1980), Commun. Stat. A9:571).
    """
    bots, columns = _columns(scores)
    count, seeds = len(bots), len(columns[0]) if columns else 0
    if count < 2 or seeds < 2:
        raise ValueError(f"expected scores of 2 bots on 2 seeds at least, got {count} on {seeds}")
    ranks = [_shared_ranks([-column[seed] for column in columns]) for seed in range(seeds)]
    average = tuple(fmean(rank[bot] for rank in ranks) for bot in range(count))
    spread = math.fsum(rank * rank for rank in average) - count * (count + 1) ** 2 / 4
    statistic = max(0.0, 12 * seeds / (count * (count + 1)) * spread)
    degrees = count - 1
    room = seeds * degrees - statistic
    f_statistic = (seeds - 1) * statistic / room if room > 1e-9 * seeds else None
    return FriedmanTest(
        statistic=statistic,
        p_value=chi_square_tail(statistic, degrees),
        f_statistic=f_statistic,
        f_p_value=0.0 if f_statistic is None else f_tail(f_statistic, degrees, degrees * (seeds - 1)),
        average_ranks=average,
        bots=bots,
        seeds=seeds,
    )


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Return the difference of average ranks of `k` bots over `n` seeds that is significant (P. Nemenyi, 1963).

    q sqrt(k (k + 1) / (6 n)), q being the value of the studentized range over sqrt 2: Demsar (2006), table 5a.
    """
    if k < 2 or n < 1 or not 0 < alpha < 1:
        raise ValueError(f"expected 2 bots, 1 seed and an alpha between 0 and 1, got {k}, {n} and {alpha:g}")
    return nemenyi_q(k, alpha) * math.sqrt(k * (k + 1) / (6 * n))


def nemenyi_q(k: int, alpha: float = 0.05) -> float:
    """Return the critical value for `critical_difference`.

    >>> round(nemenyi_q(4), 3)
    2.569
    """
    return studentized_range_critical(k, alpha) / math.sqrt(2)


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> SignedRankTest:
    """Run the signed-rank test on the differences seed by seed: exact up to 60 seeds, with ties; then normal.

    The sizes of the differences are ranked, ties sharing the mean rank; the rank sums of either sign are compared with
    all ways to give signs (F. Wilcoxon (1945), Biometrics Bulletin 1:80). Differences of 0 are ranked too, their ranks
    going half to either side, as in Demsar (2006); the signs that may vary are those of the others (J. W. Pratt (1959),
    JASA 54:655).
    """
    differences = _differences(first, second)
    ranks = _shared_ranks([abs(difference) for difference in differences])
    signed = [(rank, difference) for rank, difference in zip(ranks, differences, strict=True) if difference]
    first_sum = math.fsum(rank for rank, difference in signed if difference > 0)
    second_sum = math.fsum(rank for rank, difference in signed if difference < 0)
    is_exact = len(signed) <= _EXACT_SEEDS
    p_value = (_exact_tail if is_exact else _normal_tail)([rank for rank, _ in signed], min(first_sum, second_sum))
    split = (math.fsum(ranks) - first_sum - second_sum) / 2
    return SignedRankTest(first_sum + split, second_sum + split, p_value, is_exact)


def wilcoxon_holm(scores: Scores) -> list[ComparedPair]:
    """Run `wilcoxon` between any two bots and adjust all p-values by `holm`; results are in the order of the bots."""
    bots, columns = _columns(scores)
    pairs = list(combinations(range(len(bots)), 2))
    tests = [wilcoxon(columns[one], columns[other]) for one, other in pairs]
    adjusted = holm([test.p_value for test in tests])
    return [
        ComparedPair(bots[one], bots[other], test.statistic, test.p_value, p_value)
        for (one, other), test, p_value in zip(pairs, tests, adjusted, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values: rejecting those below alpha makes any mistake with probability alpha at most.

    The i-th smallest of m is multiplied by m - i + 1, but never below a smaller one's. S. Holm (1979), "A simple
    sequentially rejective multiple test procedure", Scand. J. Statist. 6:65.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[at]))
        adjusted[at] = least
    return adjusted


def sign_test(wins: int, losses: int) -> float:
    """Return the exact two-sided p-value of these wins and losses if both were equally likely; 1 without any."""
    return min(1.0, 2 * coin_tail(min(wins, losses), wins + losses)) if wins + losses else 1.0


def _columns(scores: Scores) -> tuple[tuple[str | int, ...], list[Sequence[float]]]:
    """Return the bots and the scores of each, seed by seed; ValueError if a bot lacks seeds."""
    bots: tuple[str | int, ...]
    if isinstance(scores, Mapping):
        bots, columns = tuple(scores), [list(column) for column in scores.values()]
        lengths = [len(column) for column in columns]
    else:
        rows = [list(row) for row in scores]
        lengths = [len(row) for row in rows]
        columns = [list(column) for column in zip(*rows, strict=False)]
        bots = tuple(range(len(columns)))
    if len(set(lengths)) > 1:
        raise ValueError(f"expected a score of every bot on every seed, got {lengths}")
    return bots, list(columns)


def _differences(first: Sequence[float], second: Sequence[float]) -> list[float]:
    if len(first) != len(second) or not len(first):
        raise ValueError(f"expected scores on the same seeds, got {len(first)} and {len(second)}")
    largest = max(map(abs, (*first, *second)))
    digits = 12 - math.ceil(math.log10(largest)) if largest else 0  # what is beyond is rounding, not a difference
    return [round(float(one - other), digits) for one, other in zip(first, second, strict=True)]


def _shared_ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, 1 for the smallest; equal values share the mean of their ranks."""
    counts = Counter(values)
    rank_of: dict[float, float] = {}
    below = 0
    for value in sorted(counts):
        rank_of[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return [rank_of[value] for value in values]


def _exact_tail(ranks: Sequence[float], smaller_sum: float) -> float:
    """Return the share of all choices of signs whose rank sum, of either sign, is at most `smaller_sum`.

    The counts of all rank sums are the digits of one long number, in a base that no count reaches.
    """
    width = len(ranks) + 2
    counts = 1
    for rank in ranks:
        counts += counts << (round(2 * rank) * width)  # ranks are halves at the least
    low = counts & ((1 << ((round(2 * smaller_sum) + 1) * width)) - 1)
    below = low % ((1 << width) - 1)  # the sum of its digits, of which the first is 1
    return min(1.0, below / (1 << len(ranks)) * 2)


def _normal_tail(ranks: Sequence[float], smaller_sum: float) -> float:
    """Return the p-value by the normal approximation of the rank sum, with a continuity correction of half a rank."""
    mean, variance = math.fsum(ranks) / 2, math.fsum(rank * rank for rank in ranks) / 4
    return min(1.0, 2 * _NORMAL.cdf((smaller_sum - mean + 0.5) / math.sqrt(variance)))
