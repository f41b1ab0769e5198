"""Bradley-Terry with draws as an outcome of their own, whose frequency is fitted. Refuses scores between the three.

R. R. Davidson (1970), "On extending the Bradley-Terry model to accommodate ties in paired comparison experiments", JASA
65:317. With d the log odds of the first bot over the second (its seat advantage included), win, draw and loss are as
exp(d / 2) : nu : exp(-d / 2). Draws then also tell that two bots are close, not only that each has half a point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gridjoust.runner.statistics.comparison import Comparison
from gridjoust.runner.statistics.fitting import RIDGE, Fit, Floats, climb, logistic, require_optimum


@dataclass(frozen=True, slots=True)
class _Table:
    """The comparisons as arrays: a row for each (setting, first, second) that was played."""

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
