"""Closed formulas for scores: intervals, Elo, likelihood of superiority. Pure; refuses intervals for few values.

Every result is a number or None, never nan or infinity. Elo here is the logistic scale: 400 points are odds of 10 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

ELO_PER_NAT = 400 / math.log(10)
CONFIDENCE = 0.95
MIN_UNITS = 5  # pairs or seeds below which an interval would only pretend

_NORMAL = NormalDist()
_SERIES_LIMIT = 200  # degrees of freedom from which the expansion is exact enough (1e-9) and the series slow


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, inclusive."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """Strength difference from a score. None: infinite (score 0 or 1), without variance, or too few units.

    `elo_margin` and `nelo_margin` are half widths; `los` is the likelihood of superiority, a probability.
    """

    score: float
    units: int  # matches or pairs
    elo: float | None
    elo_interval: Interval | None
    nelo: float | None
    nelo_margin: float | None
    los: float | None

    @property
    def elo_margin(self) -> float | None:
        """Half the width of the interval."""
        return None if self.elo_interval is None else (self.elo_interval.high - self.elo_interval.low) / 2


def elo_from_score(score: float) -> float | None:
    """Elo difference at which `score` (0 to 1) is expected: -400 log10(1 / score - 1); None at 0 and 1.

    >>> round(elo_from_score(0.76))
    200
    """
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None


def score_from_elo(elo: float) -> float:
    """Expected score at an Elo difference; inverts `elo_from_score`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_wdl(wins: int, draws: int, losses: int, *, confidence: float = CONFIDENCE) -> EloEstimate:
    """Elo from single matches, taken as independent (trinomial variance, normal interval mapped to Elo).

    As cutechess and fastchess compute it; normalized Elo (score over its deviation) after M. Van den Bergh,
    "Normalized Elo". ValueError without matches.
    """
    return _estimate({1.0: wins, 0.5: draws, 0.0: losses}, matches_per_unit=1, confidence=confidence)


def elo_from_pairs(pair_counts: Sequence[int], *, confidence: float = CONFIDENCE) -> EloEstimate:
    """Elo from pairs of matches with seats swapped (pentanomial variance): what a seed favours cancels out.

    `pair_counts`: pairs that scored 0, 0.5, 1, 1.5 and 2 points, in this order; win + loss and two draws are one class.
    Fishtest's and fastchess's definition. ValueError without pairs.
    """
    if len(pair_counts) != 5:
        raise ValueError(f"pair_counts: expected 5 counts, got {len(pair_counts)}")
    scores = {half_points / 4: count for half_points, count in enumerate(pair_counts)}
    return _estimate(scores, matches_per_unit=2, confidence=confidence)


def likelihood_of_superiority(score: float, standard_error: float) -> float | None:
    """Chance that the true score is above one half: Phi((score - 0.5) / error). None where there is no error to go by.

    Draws count through the error, as in fastchess; cutechess leaves them out.
    """
    return _NORMAL.cdf((score - 0.5) / standard_error) if standard_error > 0 else None


def wilson(successes: float, trials: int, *, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a share, good for few trials and at 0 and 1 too; None without trials.

    E. B. Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22:209.
    """
    if trials <= 0:
        return None
    z = _z(confidence)
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


def t_critical(degrees: int, *, confidence: float = CONFIDENCE) -> float:
    """The value that |t| stays below with the given confidence.

    Abramowitz & Stegun, formulas 26.7.3 and 26.7.4 by bisection; 26.7.5 for many degrees of freedom.
    """
    z = _z(confidence)
    if degrees >= _SERIES_LIMIT:
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / degrees + second / degrees**2 + third / degrees**3
    low, high = 0.0, math.pi / 2  # atan(t / sqrt(degrees))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_share(middle, degrees) < confidence else (low, middle)
    return math.tan(low) * math.sqrt(degrees)


def _t_share(angle: float, degrees: int) -> float:
    """P(|t| < tan(angle) sqrt(degrees)) as a finite series in cos(angle)."""
    is_odd = degrees % 2
    term = math.cos(angle) if is_odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + is_odd, degrees - 1, 2):
        term *= (k - 1) / k * math.cos(angle) ** 2
        total += term
    if is_odd:
        return 2 / math.pi * (angle + math.sin(angle) * total)
    return math.sin(angle) * total


def _estimate(counts: Mapping[float, int], *, matches_per_unit: int, confidence: float) -> EloEstimate:
    units = sum(counts.values())
    if units <= 0 or min(counts.values()) < 0:
        raise ValueError(f"expected counts of at least one match, got {list(counts.values())}")
    score = sum(value * count for value, count in counts.items()) / units
    variance = sum(count * (value - score) ** 2 for value, count in counts.items()) / units
    error = math.sqrt(variance / units)
    is_enough = units >= MIN_UNITS and error > 0
    per_deviation = ELO_PER_NAT * 2 / math.sqrt(variance * matches_per_unit) if variance > 0 else 0.0
    return EloEstimate(
        score=score,
        units=units,
        elo=elo_from_score(score),
        elo_interval=_elo_interval(score, _z(confidence) * error) if is_enough else None,
        nelo=(score - 0.5) * per_deviation if variance > 0 else None,
        nelo_margin=_z(confidence) * error * per_deviation if is_enough else None,
        los=likelihood_of_superiority(score, error),
    )


def _elo_interval(score: float, half: float) -> Interval | None:
    low, high = elo_from_score(score - half), elo_from_score(score + half)
    return None if low is None or high is None else Interval(low, high)


def _z(confidence: float) -> float:
    return _NORMAL.inv_cdf((1 + confidence) / 2)
