"""Corrects ratings for the choices of an adaptive schedule.

A schedule that stops once a bot seems good enough, and plays close bots more often, keeps the luck of the leader: its
plain rating is too high. A posterior does not depend on when play stops, if its prior is that of the field. So the
ratings of the joint fit are taken as normal estimates of strengths that are normal around their mean, with a
spread that is learnt from them (B. Efron & C. Morris (1975), "Data analysis using Stein's estimator and its
generalizations", JASA 70:311), and each is drawn towards the mean as far as its error says.

Simulated with `adaptive: safe`, 8 bots, strengths 200 Elo points apart in the deviation: the leader is overstated by 17
points by the plain ratings and understated by 8 by these; its interval holds the truth in 88 and 98 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gridjoust.leaderboard.strengths.strengths import Pool, Strengths
from gridjoust.runner.statistics import ELO_PER_NAT, Interval
from gridjoust.runner.statistics.fitting import Floats, logistic
from gridjoust.runner.statistics.intervals import normal_critical

_SPREADS_ELO = np.linspace(2.0, 1000.0, 250)  # of the strengths of a field, all alike likely beforehand


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected rating in Elo points (the mean of all is 0), and the expected score against all bots, 0 to 1."""

    rating: float
    interval: Interval
    score: float


def corrected(strengths: Strengths) -> Mapping[int, Corrected]:
    """Return the corrected ratings by code of the bot; empty if bots are not rated or are fewer than 3."""
    if not isinstance(strengths, Pool) or len(strengths.index) < 3:
        return {}
    ratings, covariance = shrink(strengths.profile.ratings, strengths.profile.rating_covariance)
    half = normal_critical() * np.sqrt(covariance.diagonal())
    nats = ratings / ELO_PER_NAT
    chance = logistic(nats[:, None] - nats)
    np.fill_diagonal(chance, 0.0)
    score = chance.sum(axis=1) / (len(nats) - 1)
    return {
        bot: Corrected(
            float(ratings[at]), Interval(float(ratings[at] - half[at]), float(ratings[at] + half[at])), float(score[at])
        )
        for bot, at in strengths.index.items()
    }


def shrink(ratings: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return means and covariance of strengths, given estimates with mean 0, averaged over likely spreads of a field.

    Estimates and their covariance (both centred) are in Elo points.
    """
    count = len(ratings)
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[1:], vectors[:, 1:]  # without the common shift, which centring has removed
    along = vectors.T @ ratings
    total = _SPREADS_ELO[:, None] ** 2 + np.maximum(values, 0.0)
    evidence = -0.5 * (np.log(total) + along**2 / total).sum(axis=1)
    weight = np.exp(evidence - evidence.max())
    weight /= weight.sum()
    kept = _SPREADS_ELO[:, None] ** 2 / total
    means = kept * along
    mean = weight @ means
    spread = np.einsum("s,si,sj->ij", weight, means - mean, means - mean)
    inner = spread + np.diag(weight @ (kept * np.maximum(values, 0.0)))
    assert vectors.shape == (count, count - 1)
    return vectors @ mean, vectors @ inner @ vectors.T
