"""Elo, normalized Elo and likelihood of superiority from counted results. Pure; refuses intervals for few matches.

Every result is a number or None, never nan or infinity. Elo is the logistic scale: 400 points are odds of 10 to 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from gridjoust.runner.statistics.intervals import CONFIDENCE, MIN_UNITS, Interval, normal_critical

ELO_PER_NAT = 400 / math.log(10)

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """The difference in strength between two bots that a score shows.

    Values are None if they are infinite (score 0 or 1), have no variance, or rest on too few units. `elo_error` and
    `nelo_error` are half widths; `los` is the likelihood of superiority, a probability.
    """

    score: float
    counts: tuple[int, ...]  # matches or pairs, from worst to best
    elo: float | None
    elo_interval: Interval | None
    nelo: float | None
    nelo_error: float | None
    los: float | None

    @property
    def units(self) -> int:
        """Number of independent results: matches, or pairs of matches."""
        return sum(self.counts)

    @property
    def points(self) -> float:
        """Points of the first bot: 1 for a win, a half for a draw."""
        return math.fsum(at * count for at, count in enumerate(self.counts)) / 2

    @property
    def even_share(self) -> float:
        """Share of the units (matches or pairs) that neither bot won."""
        return self.counts[len(self.counts) // 2] / self.units

    @property
    def pairs_ratio(self) -> float | None:
        """Number of units won over units lost; None if none was lost."""
        middle = len(self.counts) // 2
        lost = sum(self.counts[:middle])
        return sum(self.counts[middle + 1 :]) / lost if lost else None

    @property
    def elo_error(self) -> float | None:
        """Half the width of the Elo interval; None without an interval."""
        return None if self.elo_interval is None else (self.elo_interval.high - self.elo_interval.low) / 2


def elo_from_score(score: float) -> float | None:
    """Return the Elo difference at which `score` (0 to 1) is expected: -400 log10(1 / score - 1); None at 0 and 1.

    >>> round(elo_from_score(0.76))
    200
    """
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None


def score_from_elo(elo: float) -> float:
    """Return the expected score at an Elo difference; inverts `elo_from_score`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_wdl(wins: int, draws: int, losses: int, *, confidence: float = CONFIDENCE) -> EloEstimate:
    """Estimate Elo from single matches, taken as independent.

    The variance is trinomial, and a normal interval is mapped to Elo, as cutechess and fastchess do. Normalized Elo
    (score over its deviation) follows M. Van den Bergh, "Normalized Elo". ValueError without matches.
    """
    return _estimate((losses, draws, wins), matches_per_unit=1, confidence=confidence)


def elo_from_pairs(ll: int, ld: int, wl_dd: int, wd: int, ww: int, *, confidence: float = CONFIDENCE) -> EloEstimate:
    """Estimate Elo from pairs of matches with seats swapped, so that the advantage of a seat cancels out.

    The counts are pairs that scored 0, 0.5, 1, 1.5 and 2 points; a win with a loss and two draws are one class. The
    variance is pentanomial, as fishtest and fastchess define it. ValueError without pairs.
    """
    return _estimate((ll, ld, wl_dd, wd, ww), matches_per_unit=2, confidence=confidence)


def likelihood_of_superiority(score: float, standard_error: float) -> float | None:
    """Return the chance that the true score is above one half: Phi((score - 0.5) / error); None without an error.

    Draws count through the error, as in fastchess; cutechess leaves them out.
    """
    return _NORMAL.cdf((score - 0.5) / standard_error) if standard_error > 0 else None


def _estimate(counts: tuple[int, ...], *, matches_per_unit: int, confidence: float) -> EloEstimate:
    units = sum(counts)
    if units <= 0 or min(counts) < 0:
        raise ValueError(f"expected counts of at least one match, got {list(counts)}")
    scores = [at / (len(counts) - 1) for at in range(len(counts))]
    score = math.fsum(value * count for value, count in zip(scores, counts, strict=True)) / units
    variance = math.fsum(count * (value - score) ** 2 for value, count in zip(scores, counts, strict=True)) / units
    error = math.sqrt(variance / units)
    is_enough = units >= MIN_UNITS and error > 0
    per_deviation = ELO_PER_NAT * 2 / math.sqrt(variance * matches_per_unit) if variance > 0 else 0.0
    return EloEstimate(
        score=score,
        counts=counts,
        elo=elo_from_score(score),
        elo_interval=_elo_interval(score, normal_critical(confidence) * error) if is_enough else None,
        nelo=(score - 0.5) * per_deviation if variance > 0 else None,
        nelo_error=normal_critical(confidence) * error * per_deviation if is_enough else None,
        los=likelihood_of_superiority(score, error),
    )


def _elo_interval(score: float, half: float) -> Interval | None:
    low, high = elo_from_score(score - half), elo_from_score(score + half)
    return None if low is None or high is None else Interval(low, high)
