"""The field by a model that learns how far bots stand in a line, and which meetings tell most. Decides no stop.

The log odds of a meeting are the difference of two ratings plus an effect of its own, normal with mean 0. How large
such effects are is not assumed but learnt: where bots stand in a line the ratings explain all, and every result tells
about every bot; where they beat each other in circles every meeting stands for itself. A generalized linear mixed
model, fitted by penalized quasi-likelihood; sizes of effects are weighed by Laplace's approximation of the marginal
likelihood (N. E. Breslow & D. G. Clayton (1993), "Approximate inference in generalized linear mixed models", JASA
88:9).

The two bots to be told apart are those whose order could be wrong by most: the lower one's lead in score, if it is as
far ahead as it may plausibly be (S. Kalyanakrishnan et al. (2012), "PAC subset selection in stochastic multi-armed
bandits", ICML: LUCB; here for differences). So a tie that many matches could not break does not take all matches from a
bot of which little is known. The meeting is the one that lowers the variance of their difference by most.

One pair after another is planned as if those before had been played and had come out as expected: greedy, because the
optimum over whole batches is out of reach and hardly better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.schedule.adaptive.goal import Goal, PlannedPair
from gridjoust.runner.schedule.adaptive.pairs import (
    FieldEstimate,
    Floats,
    PairTally,
    dispersion,
    mean_over_opponents,
    spread_over_opponents,
)
from gridjoust.runner.statistics import ELO_PER_NAT

Indices = NDArray[np.intp]

EFFECTS_ELO = (5.0, 30.0, 60.0, 90.0, 130.0, 180.0, 250.0, 350.0)  # standard deviations that are weighed
NO_EFFECTS_ELO = (1.0,)  # one rating per bot is all there is
EXPECTED_ELO = 90.0  # mean of the exponential prior of that standard deviation
RATING_NATS = 3.0  # standard deviation of the prior of ratings, in units of 400 / ln 10 Elo points
OPTIMISM = 3.0  # standard errors that a difference may plausibly be off
_MAX_STEPS = 20
_TOLERANCE = 1e-4
_LONGEST_STEP = 3.0


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of every meeting (bot, opponent), in units of log odds; arrays may have sizes of effects in front.

    `effect` is the standard deviation of effects; `expected` scores, `slope` their derivative by the log odds;
    `information` what the results tell about the log odds: the inverse variance.
    """

    effect: Floats
    expected: Floats
    slope: Floats
    information: Floats


@dataclass(frozen=True, slots=True)
class Knowledge:
    """`free`: share of a meeting's own effect that its results have not settled yet (bot, opponent).

    `ratings`: their covariance; effects hide part of what results tell about them. `slopes`: derivative of scores
    against the field by ratings (bot, rating). `scores`: covariance of these scores, of ratings and effects together.
    """

    free: Floats
    ratings: Floats
    slopes: Floats
    scores: Floats


@dataclass(frozen=True, slots=True)
class PooledField:
    """The field, and the model that planning goes by: the mean over sizes of effects."""

    estimate: FieldEstimate
    model: Model
    dispersion: float


def pooled_field(tally: PairTally, *, effects_elo: tuple[float, ...] = EFFECTS_ELO) -> PooledField:
    """Scores and their covariance over all these sizes of effects, each weighed by how well it explains the results."""
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
    """How sure ratings and scores are, given what is known of every meeting."""
    effect = np.asarray(model.effect)[..., None, None]
    free = 1 / (1 + effect**2 * model.information)
    ratings = np.linalg.inv(_curvature(model.information * free)).astype(np.float64)
    own = np.where(tally.meets, model.slope * free, 0.0)
    slopes = (_diagonal(own.sum(axis=-1)) - own) / tally.meets.sum(axis=1)[:, None]
    left = spread_over_opponents(tally, model.slope**2 * effect**2 * free)
    return Knowledge(free, ratings, slopes, left + slopes @ ratings @ np.swapaxes(slopes, -1, -2))


def _fit(matches: Floats, points: Floats, effects: Floats) -> tuple[Model, Floats]:
    """The most probable ratings and effects for every size of effects, and the log evidence of each size."""
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
    """Log marginal likelihood but for a constant; every meeting is in the arrays twice."""
    free = 1 / (1 + model.effect[:, None, None] ** 2 * model.information)
    likelihood = (points * np.log(model.expected)).sum(axis=(1, 2)) - (own**2).sum(axis=(1, 2)) / (4 * model.effect**2)
    volume = np.log(free).sum(axis=(1, 2)) / 4 - np.linalg.slogdet(_curvature(model.information * free))[1] / 2
    found: Floats = likelihood + volume - (ratings**2).sum(axis=1) / (2 * RATING_NATS**2)
    return found


def _weigh(evidence: Floats, effects_elo: Floats) -> Floats:
    """Posterior of the sizes: the prior's density times the width that each stands for."""
    if len(evidence) == 1:
        return np.ones(1)
    total = evidence - effects_elo / EXPECTED_ELO + np.log(np.gradient(effects_elo))
    weight = np.exp(total - total.max())
    found: Floats = weight / weight.sum()
    return found


def _curvature(weight: Floats) -> Floats:
    """Second derivative of the log posterior by the ratings, if every meeting tells this much about a difference."""
    found: Floats = _diagonal(weight.sum(axis=-1) + RATING_NATS**-2) - weight
    return found


def _diagonal(values: Floats) -> Floats:
    found: Floats = values[..., :, None] * np.eye(values.shape[-1])
    return found


def telling_meetings(tally: PairTally, field: PooledField, goal: Goal, *, pairs: int) -> tuple[PlannedPair, ...]:
    """The next `pairs` meetings."""
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
        told = f"safe: tells most about {tally.bots[line[0]]} and {tally.bots[line[1]]} for {goal}"
        chosen.append(PlannedPair(tally.bots[first], tally.bots[second], told))
        model = _with_pair(model, first, second, noise=field.dispersion)
    return tuple(chosen)


def _lines(mean: Floats, ranked: Sequence[int], goal: Goal) -> tuple[Indices, Indices]:
    """All two bots with a line of the goal between them: the upper ones and the lower ones."""
    order = np.array(ranked)[np.argsort(-mean[list(ranked)], kind="stable")]
    size = len(order)
    found = {(above, below) for cut in goal.cuts(size) for above in range(cut) for below in range(cut, size)}
    above, below = np.array(sorted(found)).T
    return order[above], order[below]


def _gains(tally: PairTally, model: Model, known: Knowledge, line: tuple[int, int], *, noise: float) -> Floats:
    """By how much one more pair of a meeting lowers the variance of the line's score difference: (bot, opponent).

    A result with error variance r lowers the variance of a normal quantity d by cov(d, x)^2 / (var(x) + r), x being
    the log odds of the meeting. Each meeting is there once, above the diagonal; what is no meeting is below 0.
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
    """The model after one more pair that came out as expected."""
    information = model.information.copy()
    information[[first, second], [second, first]] += 2 * model.slope[first, second] / noise
    return replace(model, information=information)
