"""Ratings from comparisons: one joint Bradley-Terry fit with a weak prior. Independent of the order of its input.

R. A. Bradley & M. E. Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39:324. Bot i scores against
bot j with probability 1 / (1 + exp(-(r_i - r_j + a))), a being the advantage of the first seat in that setting. A draw
is half a win. Ratings are in Elo points (400 / ln 10 a unit) and their mean is 0. Refuses what has no finite optimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from runner.leaderboard.outcomes import Comparison
from runner.leaderboard.statistics import CONFIDENCE, ELO_PER_NAT, MIN_UNITS, Interval

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

PRIOR_DRAWS = 1.0
_MAX_STEPS = 200
_TOLERANCE = 1e-7  # of a step, in units of 400 / ln 10 Elo points; the error left is about its square
_RIDGE = 1e-6  # of the mean curvature: makes a Hessian without prior invertible, does not move the optimum
_CELLS_AT_ONCE = 400_000  # bounds the memory of a batch of fits


@dataclass(frozen=True, slots=True)
class Ratings:
    """A fit, in Elo points. `errors` are standard errors of ratings whose mean is held at 0."""

    ratings: dict[str, float]
    errors: dict[str, float]
    advantages: dict[str, float]  # setting -> what the first seat is worth


@dataclass(frozen=True, slots=True)
class _Problem:
    """Comparisons as arrays. A cell is (setting, first, second); settings with an advantage come first."""

    bots: tuple[str, ...]
    settings: tuple[str, ...]
    advantages: int  # how many of the settings have one
    pairs: tuple[str, ...]
    cell: Indices
    pair: Indices
    weight: Floats
    score: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        return (len(self.settings), len(self.bots), len(self.bots))


def bradley_terry(
    comparisons: Sequence[Comparison], *, prior: float = PRIOR_DRAWS, seat_advantage: bool = True
) -> Ratings:
    """The most probable ratings of every bot that is compared.

    `prior` is the number of virtual draws of each bot against a bot of strength 0 (and of each seat advantage against
    none): it keeps bots that always win, and pools that never met, finite. 0 is plain maximum likelihood; ValueError
    if that is infinite or not unique.
    """
    problem = _prepare(comparisons, seat_advantage=seat_advantage)
    if not problem.bots:
        return Ratings({}, {}, {})
    matches, points = _tabulate(problem, np.ones(len(problem.pairs)))
    if prior == 0:
        _require_optimum(points.sum(axis=0), matches.sum(axis=0), problem.bots)
    nats = _fit(matches[None], points[None], problem.advantages, prior=prior)
    _, hessian = _slopes(matches[None], points[None], nats, problem.advantages, prior=prior)
    bots = len(problem.bots)
    return Ratings(
        ratings=_named(problem.bots, _centre(nats, bots)[0, :bots]),
        errors=_named(problem.bots, _centred_errors(hessian[0], bots)),
        advantages=_named(problem.settings[: problem.advantages], nats[0, bots:]),
    )


def resample_ratings(
    comparisons: Sequence[Comparison],
    *,
    resamples: int,
    seed: int,
    prior: float = PRIOR_DRAWS,
    seat_advantage: bool = True,
) -> tuple[tuple[str, ...], Floats]:
    """Bots, and their ratings in each of `resamples` draws of pairs with replacement: an array (resample, bot).

    Pairs, not matches: the two matches of a pair share a seed and are not independent. B. Efron (1979), "Bootstrap
    methods", Ann. Statist. 7:1.
    """
    if prior <= 0:
        raise ValueError(f"prior: expected more than 0 (a resample may leave out a bot), got {prior:g}")
    problem = _prepare(comparisons, seat_advantage=seat_advantage)
    pairs, bots = len(problem.pairs), len(problem.bots)
    if not bots:
        return (), np.empty((resamples, 0))
    rng = np.random.default_rng(seed)
    matches, points = _tabulate(problem, np.ones(pairs))
    start = _fit(matches[None], points[None], problem.advantages, prior=prior)
    size = max(1, _CELLS_AT_ONCE // int(np.prod(problem.shape)))
    batches = []
    for done in range(0, resamples, size):
        drawn = rng.multinomial(pairs, np.full(pairs, 1 / pairs), size=min(size, resamples - done))
        tables = [_tabulate(problem, counts.astype(np.float64)) for counts in drawn]
        matches, points = (np.stack(part) for part in zip(*tables, strict=True))
        nats = _fit(matches, points, problem.advantages, prior=prior, start=start)
        batches.append(_centre(nats, bots)[:, :bots] * ELO_PER_NAT)
    return problem.bots, np.concatenate(batches)


def rating_intervals(
    comparisons: Sequence[Comparison],
    *,
    resamples: int = 500,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    prior: float = PRIOR_DRAWS,
    seat_advantage: bool = True,
) -> dict[str, Interval | None]:
    """An interval for each bot's rating from resampled pairs; None for a bot with fewer than MIN_UNITS of them.

    Where all pairs between two bots came out alike, for every opponent of a bot, resampling cannot see that they might
    not: the normal interval from the curvature of the fit is taken there if it is wider.
    """
    bots, samples = resample_ratings(
        comparisons, resamples=resamples, seed=seed, prior=prior, seat_advantage=seat_advantage
    )
    fit = bradley_terry(comparisons, prior=prior, seat_advantage=seat_advantage)
    tail = (1 - confidence) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    z = NormalDist().inv_cdf(1 - tail)
    pairs = _pair_scores(comparisons)
    intervals: dict[str, Interval | None] = {}
    for index, bot in enumerate(bots):
        found = Interval(float(low[index]), float(high[index]))
        if all(len(set(scores.values())) == 1 for scores in pairs[bot].values()):
            half = z * fit.errors[bot]
            found = Interval(min(found.low, fit.ratings[bot] - half), max(found.high, fit.ratings[bot] + half))
        is_enough = len({pair for scores in pairs[bot].values() for pair in scores}) >= MIN_UNITS
        intervals[bot] = found if is_enough else None
    return intervals


def _pair_scores(comparisons: Sequence[Comparison]) -> dict[str, dict[str, dict[str, float]]]:
    """Bot -> opponent -> pair -> points against that opponent."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for one in comparisons:
        for bot, other, score in ((one.first, one.second, one.score), (one.second, one.first, 1 - one.score)):
            scores = found.setdefault(bot, {}).setdefault(other, {})
            scores[one.pair_id] = scores.get(one.pair_id, 0.0) + score
    return found


def _prepare(comparisons: Sequence[Comparison], *, seat_advantage: bool) -> _Problem:
    if not seat_advantage:
        comparisons = [replace(one, setting="") for one in comparisons]
    # sorted, so that rounding too does not depend on the order of the input
    ordered = sorted(comparisons, key=lambda one: (one.pair_id, one.setting, one.first, one.second, one.score))
    bots = tuple(sorted({bot for one in ordered for bot in (one.first, one.second)}))
    names = {one.setting for one in ordered}
    settings = (*sorted(names - {""}), *(names & {""}))
    pairs = tuple(sorted({one.pair_id for one in ordered}))
    bot_at, setting_at, pair_at = ({name: at for at, name in enumerate(named)} for named in (bots, settings, pairs))
    cells = [
        (setting_at[one.setting] * len(bots) + bot_at[one.first]) * len(bots) + bot_at[one.second] for one in ordered
    ]
    return _Problem(
        bots=bots,
        settings=settings,
        advantages=len(names - {""}),
        pairs=pairs,
        cell=np.array(cells, dtype=np.intp),
        pair=np.array([pair_at[one.pair_id] for one in ordered], dtype=np.intp),
        weight=np.array([one.weight for one in ordered]),
        score=np.array([one.score for one in ordered]),
    )


def _tabulate(problem: _Problem, copies: Floats) -> tuple[Floats, Floats]:
    """Matches played and points of the first bot per cell, with `copies` of each pair."""
    weight = problem.weight * copies[problem.pair]
    size = int(np.prod(problem.shape))
    matches: Floats = np.bincount(problem.cell, weight, size).astype(np.float64)  # empty input would be whole numbers
    points: Floats = np.bincount(problem.cell, weight * problem.score, size).astype(np.float64)
    return matches.reshape(problem.shape), points.reshape(problem.shape)


def _fit(matches: Floats, points: Floats, advantages: int, *, prior: float, start: Floats | None = None) -> Floats:
    """Newton's method for a batch of tables (batch, setting, first, second): an array (batch, bots + advantages).

    A step is cut to the length within which the curvature cannot grow more than e-fold: then every step goes down
    (quasi-self-concordance; F. Bach (2010), "Self-concordant analysis for logistic regression", EJS 4:384).
    """
    batch, _, bots, _ = matches.shape
    nats = np.zeros((batch, bots + advantages)) if start is None else np.repeat(start, batch, axis=0)
    for _ in range(_MAX_STEPS):
        gradient, hessian = _slopes(matches, points, nats, advantages, prior=prior)
        step: Floats = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0].astype(np.float64)
        length = _length(step, bots)
        nats += step / np.maximum(1.0, length)[:, None]
        if length.max() < _TOLERANCE:
            return nats
    raise ArithmeticError(f"expected the ratings to settle within {_MAX_STEPS} steps, last step {length.max():g}")


def _length(step: Floats, bots: int) -> Floats:
    """How far a step moves any match's log odds at most."""
    own = step[:, :bots]
    spread = np.maximum(own.max(axis=1), 0) - np.minimum(own.min(axis=1), 0)
    moved: Floats = spread + np.abs(step[:, bots:]).max(axis=1, initial=0.0)
    return moved


def _slopes(matches: Floats, points: Floats, nats: Floats, advantages: int, *, prior: float) -> tuple[Floats, Floats]:
    """Gradient and negative Hessian of the log posterior at `nats`."""
    batch, settings, bots, _ = matches.shape
    strengths = nats[:, :bots]
    seat = np.zeros((batch, settings))
    seat[:, :advantages] = nats[:, bots:]
    odds = strengths[:, None, :, None] - strengths[:, None, None, :] + seat[:, :, None, None]
    expected = _logistic(odds)
    surplus = points - matches * expected
    curvature = matches * expected * (1 - expected)
    by_prior = _logistic(nats)
    gradient = prior * (0.5 - by_prior)
    flow = surplus.sum(axis=1)
    gradient[:, :bots] += flow.sum(axis=2) - flow.sum(axis=1)
    gradient[:, bots:] += surplus[:, :advantages].sum(axis=(2, 3))
    hessian = np.zeros((batch, nats.shape[1], nats.shape[1]))
    between = curvature.sum(axis=1)
    between = between + between.transpose(0, 2, 1)
    hessian[:, :bots, :bots] = -between
    cross = curvature[:, :advantages].sum(axis=3) - curvature[:, :advantages].sum(axis=2)
    hessian[:, bots:, :bots] = cross
    hessian[:, :bots, bots:] = cross.transpose(0, 2, 1)
    diagonal = prior * by_prior * (1 - by_prior)
    diagonal[:, :bots] += between.sum(axis=2)
    diagonal[:, bots:] += curvature[:, :advantages].sum(axis=(2, 3))
    if prior == 0:
        diagonal += _RIDGE * diagonal.mean(axis=1, keepdims=True)
    every = np.arange(nats.shape[1])
    hessian[:, every, every] += diagonal
    return gradient, hessian


def _logistic(odds: Floats) -> Floats:
    value: Floats = 1 / (1 + np.exp(-odds))
    return value


def _centred_errors(hessian: Floats, bots: int) -> Floats:
    """Standard errors without the common shift of all ratings, which a weak prior leaves wide open."""
    covariance = np.linalg.inv(hessian)[:bots, :bots]
    centring = np.eye(bots) - 1 / bots
    errors: Floats = np.sqrt(np.maximum(0.0, np.diag(centring @ covariance @ centring)))
    return errors


def _centre(nats: Floats, bots: int) -> Floats:
    """The ratings with mean 0; advantages stay."""
    centred = nats.copy()
    centred[:, :bots] -= nats[:, :bots].mean(axis=1, keepdims=True)
    return centred


def _named(names: Sequence[str], nats: Floats) -> dict[str, float]:
    return {name: float(value) * ELO_PER_NAT for name, value in zip(names, nats, strict=True)}


def _require_optimum(points: Floats, matches: Floats, bots: Sequence[str]) -> None:
    """ValueError unless every bot has taken points, along some chain, from every other.

    L. R. Ford (1957), "Solution of a ranking problem from binary comparisons", Amer. Math. Monthly 64(8):28.
    """
    reached = np.eye(len(bots), dtype=bool) | (points > 0) | (matches - points > 0).T
    for _ in range(len(bots).bit_length()):
        reached = (reached.astype(np.int64) @ reached.astype(np.int64)) > 0
    if not reached.all():
        bot, other = (bots[int(at)] for at in np.argwhere(~reached)[0])
        raise ValueError(f"expected a prior above 0: {bot} never took a point from {other}, not even along others")
