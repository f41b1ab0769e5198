"""Shares and means with their intervals. Pure; refuses intervals for few values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from runner.statistics.distributions import CONFIDENCE, normal_critical, t_critical

MIN_UNITS = 5  # pairs or seeds below which an interval would only pretend


class Interval(NamedTuple):
    """Both ends, inclusive."""

    low: float
    high: float


def wilson(successes: float, trials: int, *, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a share, good for few trials and at 0 and 1 too; None without trials.

    E. B. Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22:209.
    """
    if trials <= 0:
        return None
    z = normal_critical(confidence)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2) / (1 + z * z / trials)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(values: Sequence[float], *, confidence: float = CONFIDENCE) -> Interval | None:
    """Student's t interval of a mean of independent values; None below MIN_UNITS of them.

    Holds its confidence from 5 values on, which the percentile bootstrap does not.
    """
    if len(values) < MIN_UNITS:
        return None
    half = t_critical(len(values) - 1, confidence=confidence) * stdev(values) / math.sqrt(len(values))
    mean = fmean(values)
    return Interval(mean - half, mean + half)


def interquartile_mean(values: Sequence[float]) -> float | None:
    """The mean of the middle half: a quarter of the values, rounded down, is dropped at either end. None of none.

    Less moved by single seeds than the mean, and surer than the median: R. Agarwal et al. (2021), "Deep reinforcement
    learning at the edge of the statistical precipice", NeurIPS 34.
    """
    if not len(values):
        return None
    cut = len(values) // 4
    return fmean(sorted(values)[cut : len(values) - cut])
