"""Results -> mean scores against the field, each meeting taken by itself. Fits no ratings, decides nothing.

Right for bots that beat each other in a circle too, and needs every meeting to be played.

Results are not coin tosses: draws, and seeds that favour a seat, which cancel in a swapped pair, make a pair's score
vary less. All error estimates are scaled by the dispersion that is measured within equal opponents (P. McCullagh &
J. A. Nelder, "Generalized Linear Models", 1989, chapters 4.5 and 9: quasi-likelihood).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runner.schedule.adaptive.pairs import Floats, PairTally

PRIOR_WINS = 1.0  # and as many losses: the uniform Beta prior of a score between two bots
DISPERSION_PRIOR = 10.0  # results that say "like coin tosses", so that the first few are not believed blindly
DISPERSION_LOW, DISPERSION_HIGH = 0.05, 2.0
_EVEN = 0.25  # variance of a coin toss


@dataclass(frozen=True, slots=True)
class FieldEstimate:
    """Mean score of every bot against its opponents, and how these estimates vary together (normal approximation)."""

    mean: Floats
    covariance: Floats


def dispersion(tally: PairTally) -> float:
    """Variance of results between the same two bots over that of as many coin tosses; 1 = independent, no draws."""
    units, matches = tally.units(), tally.matches()
    again = units > 1
    if not again.any():
        return 1.0
    units, matches = units[again], matches[again]
    score = tally.points()[again] / matches
    within = float((tally.squares()[again] - matches * score**2).sum()) / 2  # every two bots are there twice
    found = 1.0
    for _ in range(4):  # score * (1 - score) of an estimate is too low by the variance of the estimate
        tosses = float(((units - 1) * score * (1 - score) / np.maximum(1 - found / matches, 0.1)).sum()) / 2
        found = (within + DISPERSION_PRIOR * _EVEN) / (tosses + DISPERSION_PRIOR * _EVEN)
    return min(max(found, DISPERSION_LOW), DISPERSION_HIGH)


def per_pair_estimate(tally: PairTally) -> FieldEstimate:
    """Beta posterior of the score between every two bots (uniform prior), summed over opponents.

    The sum over a field is close to normal; its covariance is exact: what one bot scores the other does not.
    """
    scale = 1 / dispersion(tally)
    wins, tosses = tally.points() * scale + PRIOR_WINS, tally.matches() * scale + 2 * PRIOR_WINS
    score = wins / tosses
    variance = score * (1 - score) / (tosses + 1)
    return FieldEstimate(mean_over_opponents(tally, score), spread_over_opponents(tally, variance))


def mean_over_opponents(tally: PairTally, score: Floats) -> Floats:
    """Mean of each row over the bots that it may meet; `score` is (..., bot, opponent)."""
    found: Floats = np.where(tally.meets, score, 0.0).sum(axis=-1) / tally.meets.sum(axis=1)
    return found


def spread_over_opponents(tally: PairTally, variance: Floats) -> Floats:
    """Covariance of those means if meetings have these variances and are independent; (..., bot, opponent)."""
    opponents = tally.meets.sum(axis=1)
    played = np.where(tally.meets, variance, 0.0)
    found: Floats = -played / np.outer(opponents, opponents)
    diagonal = np.arange(len(opponents))
    found[..., diagonal, diagonal] = played.sum(axis=-1) / opponents**2
    return found
