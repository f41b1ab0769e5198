"""Computes the ratings and grades of a contest from sums of results, without I/O.

The ladder is one joint Bradley-Terry fit of everything that plays now, with a normal prior for each version (see
`gridjoust.runner.statistics.fitting`). Results against versions that do not play any more count too; the ratings of
these stay fixed. So a fit depends on sums alone, not on the order of matches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gridjoust.runner.statistics import wilson
from gridjoust.runner.statistics.elo import ELO_PER_NAT
from gridjoust.runner.statistics.fitting import Floats, climb, logistic, spread
from gridjoust.serve.values import GradeRow, Score, Threshold

FIRST_SPREAD = 300.0  # Elo: of the prior of a person's first version
LEAST_SPREAD = 100.0  # Elo: of the prior of a later version, around the version before it
PROVISIONAL_GAMES = 16


@dataclass(frozen=True, slots=True)
class Prior:
    """The rating that a version is believed to have before its first match, in Elo, with its spread."""

    elo: float = 0.0
    spread: float = FIRST_SPREAD


@dataclass(frozen=True, slots=True)
class Rating:
    """The strength of a version in Elo, with its standard error."""

    elo: float
    spread: float


def prior_after(before: Rating | None) -> Prior:
    """Return the prior of a new version: the rating of the one before it, widened to at least `LEAST_SPREAD`."""
    return Prior() if before is None else Prior(before.elo, max(LEAST_SPREAD, before.spread))


@dataclass(frozen=True, slots=True)
class Met:
    """The sum of the rated matches of two bots: the points of `one`, 1 for a win."""

    one: str
    other: str
    games: int
    points: float


def fit(priors: Mapping[str, Prior], met: Iterable[Met], fixed: Mapping[str, float]) -> dict[str, Rating]:
    """Return the rating of every bot that has a prior; `fixed`: ratings of earlier opponents, which do not move."""
    names = sorted(priors)
    if not names:
        return {}
    games, points, apart = _tables(names, met, fixed)
    means = np.array([priors[name].elo for name in names]) / ELO_PER_NAT
    weights = (ELO_PER_NAT / np.array([priors[name].spread for name in names])) ** 2
    own, rival = apart[:, 0].astype(np.intp), apart[:, 1] / ELO_PER_NAT

    def slopes_at(nats: Floats) -> tuple[Floats, Floats]:
        expected, against = logistic(nats[:, None] - nats), logistic(nats[own] - rival)
        surplus, curvature = points - games * expected, games * expected * (1 - expected)
        between = curvature + curvature.T
        gradient = surplus.sum(axis=1) - surplus.sum(axis=0) - weights * (nats - means)
        gradient += np.bincount(own, apart[:, 3] - apart[:, 2] * against, len(names))
        outside = np.bincount(own, apart[:, 2] * against * (1 - against), len(names))
        hessian = np.diag(between.sum(axis=1) + weights + outside) - between
        return gradient, hessian

    nats, hessian = climb(slopes_at, means.astype(np.float64), spread)
    covariance: Floats = np.linalg.inv(hessian).astype(np.float64)
    errors = np.sqrt(np.diag(_without_shift(covariance)))
    return {
        name: Rating(float(nat) * ELO_PER_NAT, float(error) * ELO_PER_NAT)
        for name, nat, error in zip(names, nats, errors, strict=True)
    }


def _without_shift(covariance: Floats) -> Floats:
    """Return the covariance without the uncertainty common to all ratings, which does not affect their order."""
    if len(covariance) == 1:
        return covariance
    centring = np.eye(len(covariance)) - 1 / len(covariance)
    centred: Floats = centring @ covariance @ centring
    return centred


def _tables(names: Sequence[str], met: Iterable[Met], fixed: Mapping[str, float]) -> tuple[Floats, Floats, Floats]:
    """Return games and points by (bot, bot), and rows (bot, rating of a fixed opponent, games, points)."""
    place = {name: at for at, name in enumerate(names)}
    games, points = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    outside: list[tuple[int, float, int, float]] = []
    for sums in sorted(met, key=lambda one: (one.one, one.other)):
        one, other = place.get(sums.one), place.get(sums.other)
        if one is not None and other is not None:
            games[one, other] += sums.games
            points[one, other] += sums.points
        elif one is not None and sums.other in fixed:
            outside.append((one, fixed[sums.other], sums.games, sums.points))
        elif other is not None and sums.one in fixed:
            outside.append((other, fixed[sums.one], sums.games, sums.games - sums.points))
    return games, points, np.array(outside, dtype=np.float64).reshape(-1, 4)


@dataclass(frozen=True, slots=True)
class StaffPair:
    """The result of one version's pair against a staff bot: its share of the points, 0 to 1."""

    staff: str
    number: int
    share: float


def score_of(pairs: Sequence[float]) -> Score | None:
    """Return the mean of these shares in percent, with Wilson's interval for this many pairs; None without pairs."""
    interval = wilson(math.fsum(pairs), len(pairs))
    if interval is None:
        return None
    return Score(100 * math.fsum(pairs) / len(pairs), 100 * interval.low, 100 * interval.high, len(pairs))


@dataclass(frozen=True, slots=True)
class Graded:
    """A version that is graded: its pairs against staff, and how many matches of these it forfeited."""

    name: str
    label: str
    pairs: tuple[StaffPair, ...]
    forfeits: int


def grade(
    versions: Iterable[Graded], staff: Sequence[str], thresholds: Sequence[Threshold], *, pairs: int
) -> tuple[GradeRow, ...]:
    """Return the table of grades, best first.

    A version's score, interval and grade depend on its own matches against staff alone: the first `pairs` against each.
    """
    rows = []
    for version in versions:
        by_staff = {
            bot: [one.share for one in version.pairs if one.staff == bot and one.number < pairs] for bot in staff
        }
        scores = {bot: score_of(shares) for bot, shares in by_staff.items()}
        total = _mean([score for score in scores.values() if score is not None])
        rows.append(
            GradeRow(
                rank=0,
                name=version.name,
                label=version.label,
                score=total,
                by_staff=tuple(scores.items()),
                forfeits=version.forfeits,
                reached=_reached(total, scores, thresholds),
                is_complete=all(len(shares) == pairs for shares in by_staff.values()),
            )
        )
    return _ranked(rows)


def _mean(scores: Sequence[Score]) -> Score | None:
    """Return the mean of the scores, each with the same weight, with an interval for all pairs together."""
    if not scores:
        return None
    count = sum(score.pairs for score in scores)
    percent = math.fsum(score.percent for score in scores) / len(scores)
    interval = wilson(percent / 100 * count, count)
    assert interval is not None
    return Score(percent, 100 * interval.low, 100 * interval.high, count)


def _reached(total: Score | None, scores: Mapping[str, Score | None], thresholds: Sequence[Threshold]) -> str:
    for threshold in thresholds:
        score = scores.get(threshold.against) if threshold.against else total
        if score is not None and score.percent >= threshold.score:
            return threshold.grade
    return ""


def _ranked(rows: Iterable[GradeRow]) -> tuple[GradeRow, ...]:
    """Return the rows, best first, with ranks; equal scores share a rank."""
    ordered = sorted(rows, key=lambda row: (-_percent(row), row.name))
    ranked: list[GradeRow] = []
    for place, row in enumerate(ordered, 1):
        is_tied = bool(ranked) and _percent(ranked[-1]) == _percent(row)
        ranked.append(replace(row, rank=ranked[-1].rank if is_tied else place))
    return tuple(ranked)


def _percent(row: GradeRow) -> float:
    """Return the score of a row for ranks; a version without pairs comes last."""
    return -1.0 if row.score is None else row.score.percent
