"""Estimates scores with a model that learns how well one rating per bot fits, and picks the most informative pairs.

The log odds of two bots are the difference of their ratings plus an effect of these two bots, normal with mean 0. The
size of such effects is learnt. If ratings explain the results, every result tells something about every bot; if bots
beat each other in circles, a result tells about its two bots only. The model is a generalized linear mixed model,
fitted by penalized quasi-likelihood; sizes of effects are weighted by Laplace's approximation of the marginal
likelihood (N. E. Breslow & D. G. Clayton (1993), "Approximate inference in generalized linear mixed models", JASA
88:9).

The two bots to be separated next are those whose order could be wrong by most. That is measured by the lower bot's lead
if it is as good as is plausible (S. Kalyanakrishnan et al. (2012), "PAC subset selection in stochastic multi-armed
bandits", ICML: LUCB; here for differences). So a tie that many matches could not break does not take all matches from a
bot with few results. The pair to play is the one that lowers the variance of their difference by most.

Each pair is planned as if the pairs before had been played with the expected results. This is greedy, because the
optimum over whole batches is too expensive and hardly better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.schedule.adaptive.pairs import (
    FieldEstimate,
    Floats,
    Goal,
    PairTally,
    PlannedPair,
    dispersion,
    mean_over_opponents,
    spread_over_opponents,
)
from gridjoust.runner.statistics import ELO_PER_NAT

Indices = NDArray[np.intp]

EFFECTS_ELO = (5.0, 30.0, 60.0, 90.0, 130.0, 180.0, 250.0, 350.0)  # standard deviations of effects that are weighted
NO_EFFECTS_ELO = (1.0,)  # practically no effects: one rating per bot explains all
EXPECTED_ELO = 90.0  # mean of the exponential prior of that standard deviation
RATING_NATS = 3.0  # standard deviation of the prior of ratings, in units of 400 / ln 10 Elo points
OPTIMISM = 3.0  # plausible error of a difference, in standard errors
_MAX_STEPS = 20
_TOLERANCE = 1e-4
_LONGEST_STEP = 3.0


@dataclass(frozen=True, slots=True)
class Model:
    """A fitted model of the results of each pair of bots (bot, opponent): ratings plus an effect of each pair.

    If several sizes of effects are assumed, they are the first axis of every array. `effect`: standard deviation of
    effects, in log odds; `expected`: scores; `slope`: their derivative by the log odds; `information`: inverse variance
    of the log odds from the results.
    """

    effect: Floats
    expected: Floats
    slope: Floats
    information: Floats


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How uncertain the ratings and scores of a fitted model are.

    `free`: share of an effect's prior variance that remains after the results (bot, opponent). `ratings`: covariance
    of ratings. `slopes`: derivative of mean scores by ratings (bot, rating). `scores`: covariance of mean scores, from
    ratings and effects together.
    """

    free: Floats
    ratings: Floats
    slopes: Floats
    scores: Floats


@dataclass(frozen=True, slots=True)
class PooledField:
    """The estimated scores of all bots, and the fitted model from which the next pairs are chosen.

    Both are averages over several assumed sizes of the pairs' effects, weighted by how well each fits the results.
    """

    estimate: FieldEstimate
    model: Model
    dispersion: float


def pooled_field(tally: PairTally, *, effects_elo: tuple[float, ...] = EFFECTS_ELO) -> PooledField:
    """Estimate scores and their covariance over all sizes of effects, each weighted by how well it fits the results."""
    scale = dispersion(tally)
    effects = np.array(effects_elo) / ELO_PER_NAT
    model, evidence = _fit(tally.matches() / scale, tally.points() / scale, effects)
    means = mean_over_opponents(tally, model.expected)
    covariances = assess(tally, model).scores
    weight = _weigh(evidence, np.array(effects_elo))
    mean: Floats = weight @ means
    between = (means - mean).T @ (weight[:, None] * (means - mean))
    typical = Model(
        effect=np.sqrt(weight @ effects**2),
        expected=np.tensordot(weight, model.expected, 1),
        slope=np.tensordot(weight, model.slope, 1),
        information=np.tensordot(weight, model.information, 1),
    )
    return PooledField(FieldEstimate(mean, np.tensordot(weight, covariances, 1) + between), typical, scale)


def assess(tally: PairTally, model: Model) -> Knowledge:
    """Return the uncertainty of ratings and scores under the model."""
    effect = np.asarray(model.effect)[..., None, None]
    free = 1 / (1 + effect**2 * model.information)
    ratings = np.linalg.inv(_curvature(model.information * free)).astype(np.float64)
    own = np.where(tally.meets, model.slope * free, 0.0)
    slopes = (_diagonal(own.sum(axis=-1)) - own) / tally.meets.sum(axis=1)[:, None]
    left = spread_over_opponents(tally, model.slope**2 * effect**2 * free)
    return Knowledge(free, ratings, slopes, left + slopes @ ratings @ np.swapaxes(slopes, -1, -2))


def _fit(matches: Floats, points: Floats, effects: Floats) -> tuple[Model, Floats]:
    """Fit the most probable ratings and effects for every size of effects; return the model and each log evidence."""
    size = effects[:, None, None]
    ratings = np.zeros((len(effects), len(matches)))
    own = np.zeros((len(effects), *matches.shape))
    for _ in range(_MAX_STEPS):
        odds = ratings[:, :, None] - ratings[:, None, :] + own
        model = _model(odds, matches, effects)
        free = 1 / (1 + size**2 * model.information)
        # one step of weighted least squares on the log odds that would make the results exactly as expected
        target = points - matches * model.expected + model.information * odds
        wanted = np.linalg.solve(_curvature(model.information * free), (target * free).sum(axis=-1)[..., None])[..., 0]
        step = np.clip(wanted - ratings, -_LONGEST_STEP, _LONGEST_STEP)
        ratings = ratings + step
        line = ratings[:, :, None] - ratings[:, None, :]
        own = size**2 * free * (target - model.information * line)
        if np.abs(step).max() < _TOLERANCE:
            break
    model = _model(line + own, matches, effects)
    return model, _evidence(model, points, ratings, own)


def _model(odds: Floats, matches: Floats, effects: Floats) -> Model:
    expected = 1 / (1 + np.exp(-odds))
    slope = expected * (1 - expected)
    return Model(effects, expected, slope, matches * slope)


def _evidence(model: Model, points: Floats, ratings: Floats, own: Floats) -> Floats:
    """Return the log marginal likelihood of each size of effects, up to a constant; arrays hold each pair twice.

    `own`: fitted effect of each pair of bots.
    """
    free = 1 / (1 + model.effect[:, None, None] ** 2 * model.information)
    likelihood = (points * np.log(model.expected)).sum(axis=(1, 2)) - (own**2).sum(axis=(1, 2)) / (4 * model.effect**2)
    volume = np.log(free).sum(axis=(1, 2)) / 4 - np.linalg.slogdet(_curvature(model.information * free))[1] / 2
    evidence: Floats = likelihood + volume - (ratings**2).sum(axis=1) / (2 * RATING_NATS**2)
    return evidence


def _weigh(evidence: Floats, effects_elo: Floats) -> Floats:
    """Return the posterior of the sizes of effects; a size's prior is its density times the width of its interval."""
    if len(evidence) == 1:
        return np.ones(1)
    total = evidence - effects_elo / EXPECTED_ELO + np.log(np.gradient(effects_elo))
    weight = np.exp(total - total.max())
    posterior: Floats = weight / weight.sum()
    return posterior


def _curvature(weight: Floats) -> Floats:
    """Return minus the second derivative of the log posterior by ratings; `weight`: information on each difference."""
    curvature: Floats = _diagonal(weight.sum(axis=-1) + RATING_NATS**-2) - weight
    return curvature


def _diagonal(values: Floats) -> Floats:
    diagonal: Floats = values[..., :, None] * np.eye(values.shape[-1])
    return diagonal


def telling_meetings(tally: PairTally, field: PooledField, goal: Goal, *, pairs: int) -> tuple[PlannedPair, ...]:
    """Choose the next `pairs` pairs of bots to play: those that tell most about the least certain order of two bots."""
    model, mean = field.model, field.estimate.mean
    upper, lower = _lines(mean, tally.ranked, goal)
    behind = mean[lower] - mean[upper]
    chosen = []
    for _ in range(pairs):
        known = assess(tally, model)
        spread = known.scores[upper, upper] + known.scores[lower, lower] - 2 * known.scores[upper, lower]
        least_clear = int((behind + OPTIMISM * np.sqrt(np.maximum(spread, 0.0))).argmax())
        line = int(upper[least_clear]), int(lower[least_clear])
        gains = _gains(tally, model, known, line, noise=field.dispersion)
        first, second = (int(at) for at in np.unravel_index(gains.argmax(), gains.shape))
        reason = f"safe: tells most about {tally.bots[line[0]]} and {tally.bots[line[1]]} for {goal}"
        chosen.append(PlannedPair(tally.bots[first], tally.bots[second], reason))
        model = _with_pair(model, first, second, noise=field.dispersion)
    return tuple(chosen)


def _lines(mean: Floats, ranked: Sequence[int], goal: Goal) -> tuple[Indices, Indices]:
    """Return the pairs of bots that a dividing place of the goal should separate: upper bots, and their lower bots."""
    order = np.array(ranked)[np.argsort(-mean[list(ranked)], kind="stable")]
    size = len(order)
    split = {(above, below) for cut in goal.cuts(size) for above in range(cut) for below in range(cut, size)}
    above, below = np.array(sorted(split)).T
    return order[above], order[below]


def _gains(tally: PairTally, model: Model, known: Knowledge, line: tuple[int, int], *, noise: float) -> Floats:
    """Return, for each pair of bots, by how much two more matches of theirs lower the variance of a score difference.

    `line`: the two bots whose difference of mean scores is meant.

    A result with error variance r lowers the variance of a normal quantity d by cov(d, x)^2 / (var(x) + r), where x is
    the log odds of the two bots. The array is (bot, opponent); -1 on and below the diagonal and for bots that may not
    play each other.
    """
    difference = np.zeros(len(tally.bots))
    difference[list(line)] = 1.0, -1.0
    by_rating = difference @ known.slopes @ known.ratings
    own = difference / tally.meets.sum(axis=1)
    left = model.effect**2 * known.free
    shared = known.free * np.subtract.outer(by_rating, by_rating) + left * model.slope * np.subtract.outer(own, own)
    variances = known.ratings.diagonal()
    variance = known.free**2 * (np.add.outer(variances, variances) - 2 * known.ratings) + left
    gain = shared**2 / (variance + noise / (2 * model.slope))
    return np.where(np.triu(tally.meets), gain, -1.0)


def _with_pair(model: Model, first: int, second: int, *, noise: float) -> Model:
    """Return the model after one more pair of matches of these two bots, with the expected result."""
    information = model.information.copy()
    information[[first, second], [second, first]] += 2 * model.slope[first, second] / noise
    return replace(model, information=information)
