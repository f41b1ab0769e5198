"""The strength that a finished or running sequential test has shown. Refuses to run one: that is `sequential`.

A test that stops when it is convinced overstates what convinced it. The estimate here allows for that: the log
likelihood ratio is taken as a Brownian motion between the two bounds, and outcomes are ordered by how well they speak
for the bot: early H0 < late H0 < still running, by ratio < late H1 < early H1. D. Siegmund (1985), "Sequential
Analysis", chapter III; the way in which fishtest reports it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from runner.statistics.elo import ELO_PER_NAT, elo_from_score, score_from_elo
from runner.statistics.intervals import CONFIDENCE, Interval
from runner.statistics.sequential import Model, SprtResult, count_shares, sprt

_REACH = 30  # how far beyond the hypotheses a strength is looked for, in distances between them


@dataclass(frozen=True, slots=True)
class StoppedElo:
    """Logistic Elo after a test: the median unbiased estimate, its interval, the likelihood of superiority."""

    elo: float
    elo_interval: Interval
    los: float


def elo_after_sprt(
    counts: Sequence[float],
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model | str = Model.NORMALIZED,
    *,
    confidence: float = CONFIDENCE,
) -> StoppedElo | None:
    """What `sprt` with the same arguments lets one say about the difference; None where results never vary.

    The estimate is the strength at which a worse outcome has probability 1/2, the ends of the interval those at which
    it has (1 +- confidence) / 2.
    """
    test = sprt(counts, elo0, elo1, alpha, beta, model)
    path = _path(counts, test, elo0, elo1, Model(model))
    if path is None:
        return None
    tail = (1 - confidence) / 2
    elo, low, high = (path.strength(worse) for worse in (0.5, tail, 1 - tail))
    return StoppedElo(elo, Interval(min(low, high), max(low, high)), path.worse(0.5))


@dataclass(frozen=True, slots=True)
class _Path:
    """A test as a motion: where it is, after how many units, and how scores drive it."""

    score0: float
    score1: float
    variance: float
    lower: float
    upper: float
    units: float
    llr: float

    def worse(self, score: float) -> float:
        """The chance of a worse outcome if `score` is the truth."""
        gap = self.score1 - self.score0
        drift = gap * (score - (self.score0 + self.score1) / 2) / self.variance
        return crossing_share(
            drift, gap * gap / self.variance, self.upper - self.lower, -self.lower, self.units, self.llr - self.lower
        )

    def strength(self, worse: float) -> float:
        """The Elo at which a worse outcome has this chance, by bisection: stronger bots seldom do worse."""
        gap = self.score1 - self.score0
        low, high = max(1e-6, self.score0 - _REACH * gap), min(1 - 1e-6, self.score1 + _REACH * gap)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.worse(middle) > worse else (low, middle)
        elo = elo_from_score((low + high) / 2)
        assert elo is not None
        return elo


def _path(counts: Sequence[float], test: SprtResult, elo0: float, elo1: float, model: Model) -> _Path | None:
    shares = count_shares(counts, model)
    if sum(count > 0 for count in counts) < 2:
        return None
    if model is Model.NORMALIZED:
        matches = 2 if len(counts) == 5 else 1
        deviation = math.sqrt(shares.variance * matches)  # of one match
        score0, score1 = (0.5 + elo / (2 * ELO_PER_NAT) * deviation for elo in (elo0, elo1))
    else:
        score0, score1 = score_from_elo(elo0), score_from_elo(elo1)
    # the last unit carries the ratio beyond the bound: the motion stopped at the bound, a little earlier
    llr = min(max(test.llr, test.lower), test.upper)
    units = shares.units * (llr / test.llr if test.llr else 1.0)
    return _Path(score0, score1, shares.variance, test.lower, test.upper, units, llr)


def crossing_share(drift: float, variance: float, width: float, start: float, time: float, place: float) -> float:
    """P(a motion leaves [0, width] at 0 before `time`, or is in it then and below `place`).

    Brownian motion from `start` with `drift` and `variance` a unit of time; the spectral series of its density, each
    term of which is integrated in closed form.
    """
    pull = drift / variance
    leaves_low = _leaves_low(pull, width, start)
    total = 0.0
    for n in range(1, 10_000):
        wave = n * math.pi / width
        exponent = pull * (place - start) - (pull * pull + wave * wave) * variance * time / 2
        size = math.exp(min(700.0, exponent)) / (pull * pull + wave * wave)
        total += math.sin(wave * start) * (pull * math.sin(wave * place) - wave * math.cos(wave * place)) * size
        if size * (abs(pull) + wave) < 1e-12:
            break
    return min(1.0, max(0.0, leaves_low + 2 / width * total))


def _leaves_low(pull: float, width: float, start: float) -> float:
    """P(the motion leaves at 0 rather than at `width`, whenever): (e^-2ps - e^-2pw) / (1 - e^-2pw)."""
    if abs(pull) * width < 1e-8:
        return 1 - start / width
    if pull > 0:
        return (math.exp(-2 * pull * start) - math.exp(-2 * pull * width)) / -math.expm1(-2 * pull * width)
    return -math.expm1(2 * pull * (width - start)) / -math.expm1(2 * pull * width)
