"""Ratings from comparisons: one joint Bradley-Terry fit with a weak prior. Independent of the order of its input.

R. A. Bradley & M. E. Terry (1952), "Rank analysis of incomplete block designs", Biometrika 39:324. Bot i scores against
bot j with probability 1 / (1 + exp(-(r_i - r_j + a))), a being the advantage of the first seat in that setting. A draw
is half a win, unless asked otherwise. Ratings are in Elo points (400 / ln 10 a unit) and their mean is 0. Refuses what
has no finite optimum.

`fit_draws` takes draws as an outcome of their own, whose frequency is fitted: R. R. Davidson (1970), "On extending the
Bradley-Terry model to accommodate ties in paired comparison experiments", JASA 65:317. With d the log odds of the first
bot over the second (its seat advantage included), win, draw and loss are as exp(d / 2) : nu : exp(-d / 2). Draws then
also tell that two bots are close, not only that each has half a point. Scores between the three are refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from gridjoust.runner.statistics.elo import ELO_PER_NAT
from gridjoust.runner.statistics.fitting import (
    RIDGE,
    Comparison,
    Fit,
    Floats,
    PlainRow,
    Problem,
    Ratings,
    as_comparisons,
    climb,
    fit_tables,
    logistic,
    ratings_of,
    require_optimum,
    tables_of,
    tabulate,
)
from gridjoust.runner.statistics.profiles import Profile, Rows, UnitSums, dispersion_of, empty_profile

PRIOR_DRAWS = 1.0


class Ties(StrEnum):
    """How a draw counts in a rating fit."""

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

    `like`: number of pairs with equal results that each pair stands for; `chance`: expected score by comparison.

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


@dataclass(frozen=True, slots=True)
class _Table:
    """Comparisons of bots as arrays: a row for each (setting, first, second) that was played."""

    design: Floats  # (row, strengths and advantages): log odds of the first are design @ nats
    outcomes: Floats  # (row, [win, draw, loss])


def fit_draws(compared: Sequence[Comparison], *, prior: float) -> Fit:
    """Fit the most probable strengths, seat advantages and draw parameter.

    `prior` virtual draws as in `bradley_terry`, and as many virtual matches of equals that are drawn one time in three.
    ValueError for a score that is not 0, 0.5 or 1, and without prior if the optimum is infinite or not unique.
    """
    if not all(one.score in (0.0, 0.5, 1.0) for one in compared):
        raise ValueError("expected scores of 0, 0.5 and 1 where draws are an outcome of their own")
    bots = tuple(sorted({bot for one in compared for bot in (one.first, one.second)}))
    settings = tuple(sorted({one.setting for one in compared} - {""}))
    table = _table(compared, bots, settings)
    if prior == 0:
        _require_draws(table, bots)
    values, hessian = climb(
        lambda at: _slopes(table, at, prior=prior),
        np.zeros(len(bots) + len(settings) + 1),
        # how far the log odds of any two outcomes move at most
        lambda step: float(np.abs(table.design @ step[:-1]).max() + abs(step[-1]) + prior * np.abs(step).max()),
    )
    return Fit(bots, settings, values[:-1], hessian, math.exp(values[-1]))


def _table(compared: Sequence[Comparison], bots: tuple[str, ...], settings: tuple[str, ...]) -> _Table:
    column = {bot: at for at, bot in enumerate(bots)}
    setting_column = {setting: len(bots) + at for at, setting in enumerate(settings)}
    played = sorted({(one.setting, one.first, one.second) for one in compared})
    row = {key: at for at, key in enumerate(played)}
    design = np.zeros((len(played), len(bots) + len(settings)))
    for at, (setting, first, second) in enumerate(played):
        design[at, column[first]] = 1
        design[at, column[second]] = -1
        if setting:
            design[at, setting_column[setting]] = 1
    outcomes = np.zeros((len(played), 3))
    for one in compared:
        outcomes[row[one.setting, one.first, one.second], round(2 - 2 * one.score)] += one.weight
    return _Table(design, outcomes)


def _slopes(table: _Table, values: Floats, *, prior: float) -> tuple[Floats, Floats]:
    """Return gradient and negative Hessian of the log posterior at strengths, advantages and log nu."""
    half_odds = table.design @ values[:-1] / 2
    logits = np.stack([half_odds, np.full(len(half_odds), values[-1]), -half_odds], axis=1)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    matches = table.outcomes.sum(axis=1)
    surplus = table.outcomes - matches[:, None] * chances
    lead = chances[:, 0] - chances[:, 2]
    drawn = chances[:, 1]
    along = matches * (1 - drawn - lead * lead) / 4
    across = -matches * lead * drawn / 2
    count = len(values)
    gradient, hessian = np.empty(count), np.empty((count, count))
    gradient[:-1] = table.design.T @ (surplus[:, 0] - surplus[:, 2]) / 2
    gradient[-1] = surplus[:, 1].sum()
    hessian[:-1, :-1] = table.design.T @ (along[:, None] * table.design)
    hessian[:-1, -1] = hessian[-1, :-1] = table.design.T @ across
    hessian[-1, -1] = (matches * drawn * (1 - drawn)).sum()
    by_prior = logistic(values[:-1])
    drawn_equals = 1 / (1 + 2 * math.exp(-values[-1]))
    gradient += prior * np.append(0.5 - by_prior, 1 / 3 - drawn_equals)
    diagonal = prior * np.append(by_prior * (1 - by_prior), drawn_equals * (1 - drawn_equals))
    if prior == 0:
        diagonal[:-1] += RIDGE * hessian.diagonal()[:-1].mean()
    return gradient, hessian + np.diag(diagonal)


def _require_draws(table: _Table, bots: tuple[str, ...]) -> None:
    """Raise ValueError unless bots took points from each other along a chain and some, not all, matches are draws."""
    drawn, matches = table.outcomes[:, 1].sum(), table.outcomes.sum()
    if not 0 < drawn < matches:
        raise ValueError(f"expected a prior above 0: {drawn:g} of {matches:g} matches were drawn")
    beaten = np.zeros((len(bots), len(bots)), dtype=bool)
    for row, outcome in zip(table.design[:, : len(bots)], table.outcomes, strict=True):
        first, second = int(row.argmax()), int(row.argmin())
        beaten[first, second] |= outcome[0] + outcome[1] > 0
        beaten[second, first] |= outcome[2] + outcome[1] > 0
    require_optimum(beaten, bots)
