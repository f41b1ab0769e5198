"""Ratings from rank orders of any number of bots: one batch Plackett-Luce fit with a weak prior.

R. L. Plackett (1975), "The analysis of permutations", Applied Statistics 24:193; R. D. Luce (1959), "Individual choice
behavior". The best of those left is bot i with probability exp(r_i) / sum exp(r_j): between two bots that is
Bradley-Terry, and so are the ratings, in Elo points with mean 0. Independent of the order of its input, unlike ratings
that are updated match by match. Refuses what has no finite optimum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.statistics.fitting import (
    RIDGE,
    Fit,
    Floats,
    Indices,
    Ratings,
    climb,
    logistic,
    ratings_of,
    require_optimum,
    spread,
)
from gridjoust.runner.statistics.profiles import Profile, Rows, UnitSums, dispersion_of, empty_profile
from gridjoust.runner.statistics.ratings import PRIOR_DRAWS

Group = str | Sequence[str] | AbstractSet[str]  # a bot, or bots that share a place
Ranking = Sequence[Group]  # best first

_SPLIT_EXACTLY = 8  # bots that share a place; the orders of more are too many


@dataclass(frozen=True, slots=True)
class Choices:
    """Rankings as choices of the best bot among those left; equal sets of bots are one row of `among`.

    Element k says that in unit[k] a bot was chosen from the set chosen_from[k], weight[k] times.
    """

    bots: tuple[str, ...]
    units: tuple[str, ...]
    among: Floats  # (set, bot): 1 where the bot was left
    unit: Indices
    chosen_from: Indices
    weight: Floats
    chosen: Floats  # (unit, bot): how often the bot was the choice


def plackett_luce(rankings: Iterable[Ranking], prior: float = PRIOR_DRAWS) -> Ratings:
    """Fit the most probable rating of every bot in the rankings; no seat advantages.

    A ranking lists bots, best first; a tuple, list or set in it holds bots that share a place, counted as all their
    orders in equal parts (two bots: half a win each, as in `bradley_terry`). `prior` is the number of virtual draws of
    each bot against a bot of strength 0; 0 is plain maximum likelihood, ValueError if that is infinite or not unique.
    """
    parsed = [_parse(ranking) for ranking in rankings]
    choices = _prepare(parsed, [str(at) for at in range(len(parsed))])
    if prior == 0 and parsed:
        require_optimum(_has_beaten(parsed, choices.bots), choices.bots)
    return rate_choices(choices, prior=prior)


def rate_choices(choices: Choices, *, prior: float = PRIOR_DRAWS) -> Ratings:
    """Fit the most probable ratings to rankings that are given as choices; `prior` above 0."""
    if not choices.bots:
        return Ratings({}, {}, {})
    nats, hessian = _fit_all(choices, prior=prior)
    return ratings_of(Fit(choices.bots, (), nats, hessian))


def choice_profile(choices: Choices, *, prior: float = PRIOR_DRAWS) -> tuple[Ratings, Profile]:
    """Return the ratings of `rate_choices`, and the log posterior around them."""
    if not choices.bots:
        return Ratings({}, {}, {}), empty_profile()
    nats, hessian = _fit_all(choices, prior=prior)
    weight, _ = _totals(choices, np.ones(len(choices.units)))
    row, bot = np.nonzero(choices.among)
    size = np.bincount(row, minlength=len(choices.among))
    member = np.full((len(size), int(size.max(initial=2))), len(nats))
    member[row, np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)] = bot
    rows = Rows(member, np.full(len(member), len(nats)), weight)
    spread_of_units = dispersion_of(_unit_sums(choices, nats, size))
    return ratings_of(Fit(choices.bots, (), nats, hessian)), Profile(
        len(nats), nats, hessian, rows, spread_of_units, prior
    )


def _unit_sums(choices: Choices, nats: Floats, size: Indices) -> UnitSums:
    chance = choices.among * np.exp(nats - nats.max())
    chance /= chance.sum(axis=1, keepdims=True)
    units, bots = choices.chosen.shape
    squares, variance, even, met = np.zeros((4, bots))
    took_part = np.zeros(units)
    for at, own in enumerate(chance.T):
        of_set = own[choices.chosen_from]
        equal = choices.among[choices.chosen_from, at] / size[choices.chosen_from]

        def by_unit(values: Floats) -> Floats:
            return np.bincount(choices.unit, choices.weight * values, units).astype(np.float64)

        has_met = by_unit(equal) > 0
        squares[at] = ((choices.chosen[:, at] - by_unit(of_set)) ** 2).sum()
        variance[at] = by_unit(of_set * (1 - of_set)).sum()
        even[at] = by_unit(equal * (1 - equal)).sum()
        met[at] = has_met.sum()
        took_part += has_met
    return UnitSums(squares, variance, even, met, float(np.maximum(0, took_part - 1).sum()), bots - 1)


def _parse(ranking: Ranking) -> tuple[tuple[str, ...], ...]:
    groups = tuple(
        tuple(sorted(group)) if isinstance(group, (tuple, list, AbstractSet)) else (group,) for group in ranking
    )
    named_bots = [bot for group in groups for bot in group]
    if len(set(named_bots)) < len(named_bots) or () in groups:
        raise ValueError(f"expected every bot once and no empty place, got {list(ranking)}")
    return groups


def choices_of(groups: tuple[tuple[str, ...], ...]) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield (bots that were left, share of the orders) for each choice of the best bot among those left.

    `groups`: a ranking, best first; bots that share a place are a group, which counts as all its orders.
    """
    left = sorted(bot for group in groups for bot in group)
    for group in groups:
        for gone, share in _taken_before(group):
            yield tuple(bot for bot in left if bot not in gone), share
        left = [bot for bot in left if bot not in group]


def _taken_before(group: tuple[str, ...]) -> Iterator[tuple[frozenset[str], float]]:
    """Yield (members of a shared place already taken, share of the orders) for each choice of the next member.

    If there are many members, only the rotations of their names, forwards and backwards, represent all orders.
    """
    size = len(group)
    if size <= _SPLIT_EXACTLY:
        for taken in range(size):
            for gone in combinations(group, taken):
                yield frozenset(gone), 1 / comb(size, taken)
        return
    for turned in (group, group[::-1]):
        for shift in range(size):
            for taken in range(size):
                yield frozenset((turned + turned)[shift : shift + taken]), 0.5 / size


def _prepare(parsed: Sequence[tuple[tuple[str, ...], ...]], unit_ids: Sequence[str]) -> Choices:
    bots = tuple(sorted({bot for groups in parsed for group in groups for bot in group}))
    units = tuple(sorted(set(unit_ids)))
    bot_at, unit_at = ({name: at for at, name in enumerate(names)} for names in (bots, units))
    met: dict[tuple[int, tuple[str, ...]], float] = {}
    chosen = np.zeros((len(units), len(bots)))
    for groups, unit in zip(parsed, unit_ids, strict=True):
        for bot in (bot for group in groups for bot in group):
            chosen[unit_at[unit], bot_at[bot]] += 1
        for left, share in choices_of(groups):
            if len(left) == 1:  # no choice
                chosen[unit_at[unit], bot_at[left[0]]] -= share
            else:
                met[unit_at[unit], left] = met.get((unit_at[unit], left), 0.0) + share
    sets = sorted({left for _, left in met})
    set_at = {left: at for at, left in enumerate(sets)}
    among = np.zeros((len(sets), len(bots)))
    for at, left in enumerate(sets):
        among[at, [bot_at[bot] for bot in left]] = 1
    entries = sorted(met.items())
    return Choices(
        bots=bots,
        units=units,
        among=among,
        unit=np.array([unit for (unit, _), _ in entries], dtype=np.intp),
        chosen_from=np.array([set_at[left] for (_, left), _ in entries], dtype=np.intp),
        weight=np.array([weight for _, weight in entries]),
        chosen=chosen,
    )


def _has_beaten(parsed: Iterable[tuple[tuple[str, ...], ...]], bots: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return a matrix: True if the row's bot was placed above, or shared a place with, the column's."""
    bot_at = {bot: at for at, bot in enumerate(bots)}
    beaten = np.zeros((len(bots), len(bots)), dtype=bool)
    for groups in parsed:
        codes = [[bot_at[bot] for bot in group] for group in groups]
        for place, group in enumerate(codes):
            below = [code for later in codes[place:] for code in later]
            beaten[np.ix_(group, below)] = True
    return beaten


def _totals(choices: Choices, copies: Floats) -> tuple[Floats, Floats]:
    """Return how often a choice was made from each set, and how often each bot was chosen; `copies`: times per unit."""
    weight = np.bincount(choices.chosen_from, choices.weight * copies[choices.unit], len(choices.among))
    return weight.astype(np.float64), copies @ choices.chosen


def _fit_all(choices: Choices, *, prior: float) -> tuple[Floats, Floats]:
    """Return the most probable strengths from all rankings, and the negative Hessian there."""
    weight, chosen = _totals(choices, np.ones(len(choices.units)))
    return _fit(choices.among, weight, chosen, np.zeros(len(choices.bots)), prior=prior)


def _fit(among: Floats, weight: Floats, chosen: Floats, start: Floats, *, prior: float) -> tuple[Floats, Floats]:
    return climb(lambda nats: _slopes(among, weight, chosen, nats, prior=prior), start, spread)


def _slopes(among: Floats, weight: Floats, chosen: Floats, nats: Floats, *, prior: float) -> tuple[Floats, Floats]:
    """Return gradient and negative Hessian of the log posterior at the strengths `nats`."""
    odds = np.exp(nats - nats.max())
    below = among @ odds
    expected = odds * (among.T @ (weight / below))
    by_prior = logistic(nats)
    hessian = -(among.T @ ((weight / below**2)[:, None] * among)) * np.outer(odds, odds)
    diagonal = expected + prior * by_prior * (1 - by_prior)
    if prior == 0:
        diagonal = diagonal + RIDGE * diagonal.mean()
    hessian[np.diag_indices(len(nats))] += diagonal
    return chosen - expected + prior * (0.5 - by_prior), hessian
