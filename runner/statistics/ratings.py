"""Ratings from comparisons: one joint Bradley-Terry fit with a weak prior. Independent of the order of its input.

R. A. Bradley & M. E. Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39:324. Bot i scores against
bot j with probability 1 / (1 + exp(-(r_i - r_j + a))), a being the advantage of the first seat in that setting. A draw
is half a win, unless asked otherwise. Ratings are in Elo points (400 / ln 10 a unit) and their mean is 0. Refuses what
has no finite optimum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

import numpy as np

from gridjoust.runner.statistics.comparison import Comparison, PlainRow, as_comparisons
from gridjoust.runner.statistics.dispersion import UnitSums, dispersion_of
from gridjoust.runner.statistics.draws import fit_draws
from gridjoust.runner.statistics.elo import ELO_PER_NAT
from gridjoust.runner.statistics.fitting import (
    Fit,
    Floats,
    Problem,
    Ratings,
    fit_tables,
    logistic,
    ratings_of,
    require_optimum,
    tables_of,
    tabulate,
)
from gridjoust.runner.statistics.profiles import Profile, Rows, empty_profile

PRIOR_DRAWS = 1.0


class Ties(StrEnum):
    """How a draw counts in a fit."""

    HALF = "half"  # as half a win
    DAVIDSON = "davidson"  # as an outcome of their own, whose frequency is fitted: see `draws`


def bradley_terry(
    rows: Iterable[Comparison | PlainRow],
    prior: float = PRIOR_DRAWS,
    *,
    seat_advantage: bool | None = None,
    ties: Ties | str = Ties.HALF,
) -> Ratings:
    """Fit the most probable rating of every bot that is compared.

    `prior` is the number of virtual draws of each bot against a bot of strength 0 (and of each seat advantage against
    none): it keeps bots that always win, and pools that never met, finite. 0 is plain maximum likelihood; ValueError
    if that is infinite or not unique. `seat_advantage`: None fits one in every setting that a `Comparison` names, True
    also one for plain rows, whose first bot then had the first seat, False none.
    """
    compared = as_comparisons(rows, seat_advantage=seat_advantage)
    if not compared:
        return Ratings({}, {}, {})
    if Ties(ties) is Ties.DAVIDSON:
        return ratings_of(fit_draws(compared, prior=prior))
    problem = tables_of(compared)
    matches, points = tabulate(problem, np.ones(len(problem.pairs)))
    if prior == 0:
        won, met = points.sum(axis=0), matches.sum(axis=0)
        require_optimum((won > 0) | (met - won > 0).T, problem.bots)
    nats, hessian = fit_tables(matches, points, problem.advantages, prior=prior)
    return ratings_of(Fit(problem.bots, problem.settings[: problem.advantages], nats, hessian))


def duel_profile(
    rows: Iterable[Comparison | PlainRow], *, prior: float = PRIOR_DRAWS, copies: Mapping[str, int] | None = None
) -> tuple[tuple[str, ...], Ratings, Profile]:
    """Return the bots, the fit of `bradley_terry` and the log posterior around it.

    `copies` says by pair_id how many pairs with equal results each pair stands for.
    """
    problem = tables_of(as_comparisons(rows))
    if not problem.bots:
        return (), Ratings({}, {}, {}), empty_profile()
    like = np.array([1.0 if copies is None else copies[pair] for pair in problem.pairs])
    matches, points = tabulate(problem, like)
    nats, hessian = fit_tables(matches, points, problem.advantages, prior=prior)
    fit = Fit(problem.bots, problem.settings[: problem.advantages], nats, hessian)
    setting, first, second = np.nonzero(matches)
    seat = np.where(setting < problem.advantages, len(problem.bots) + setting, len(fit.nats))
    played = Rows(np.stack([first, second], axis=1), seat, matches[setting, first, second])
    chance = _chances(problem, fit)
    spread = dispersion_of(_unit_sums(problem, fit, like, chance))
    ratings = replace(ratings_of(fit), advantage_errors=_advantage_errors(problem, fit, like, chance))
    return problem.bots, ratings, Profile(len(problem.bots), fit.nats, fit.hessian, played, spread, prior)


def _chances(problem: Problem, fit: Fit) -> Floats:
    """Return the score that the fit expects of the first bot, for each comparison."""
    setting, first, second = np.unravel_index(problem.cell, problem.shape)
    advantage = np.zeros(len(problem.settings))
    advantage[: problem.advantages] = fit.nats[len(problem.bots) :]
    return logistic(fit.nats[first] - fit.nats[second] + advantage[setting])


def _advantage_errors(problem: Problem, fit: Fit, like: Floats, chance: Floats) -> dict[str, float]:
    """Return the standard error of each seat advantage in Elo points, with pairs as units.

    The matches of a pair share a board, which may itself favour a seat, so they are no independent evidence: the
    curvature of the likelihood alone would promise up to sqrt 2 too much. Sandwich estimate of P. J. Huber (1967), "The
    behavior of maximum likelihood estimates under nonstandard conditions", Proc. 5th Berkeley Symp. 1:221. Settings
    with a single pair have none.
    """
    bots = len(problem.bots)
    setting, first, second = np.unravel_index(problem.cell, problem.shape)
    parameter = np.where(setting < problem.advantages, bots + setting, len(fit.nats))  # the last one stands for none
    surplus = problem.weight * (problem.score - chance)
    errors: dict[str, float] = {}
    for at, name in enumerate(fit.settings):
        influence = np.append(np.linalg.solve(fit.hessian, np.eye(len(fit.nats))[bots + at]), 0.0)
        moved = surplus * (influence[first] - influence[second] + influence[parameter])
        by_pair = np.bincount(problem.pair, moved, len(problem.pairs))
        units = float(like[np.unique(problem.pair[setting == at])].sum())
        if units > 1:
            errors[name] = math.sqrt(float(like @ by_pair**2) * units / (units - 1)) * ELO_PER_NAT
    return errors


def _unit_sums(problem: Problem, fit: Fit, like: Floats, chance: Floats) -> UnitSums:
    bots = len(problem.bots)
    _, first, second = np.unravel_index(problem.cell, problem.shape)
    surplus = problem.weight * (problem.score - chance)
    entry, of_entry = np.unique(
        np.concatenate([problem.pair * bots + first, problem.pair * bots + second]), return_inverse=True
    )
    unit, bot = np.divmod(entry, bots)
    variance = problem.weight * chance * (1 - chance)

    def by_bot(values: Floats) -> Floats:
        return np.bincount(bot, like[unit] * values, bots).astype(np.float64)

    def by_entry(own: Floats, other: Floats) -> Floats:
        return np.bincount(of_entry, np.concatenate([own, other]), len(entry)).astype(np.float64)

    return UnitSums(
        squares=by_bot(by_entry(surplus, -surplus) ** 2),
        variance=by_bot(by_entry(variance, variance)),
        even=by_bot(by_entry(problem.weight, problem.weight) / 4),
        units=by_bot(np.ones(len(entry))),
        comparisons=float((like * (np.bincount(unit, minlength=len(like)) - 1)).sum()),
        parameters=len(fit.nats) - 1,
    )
