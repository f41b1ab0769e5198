"""Cycles of bots that beat each other: how much of the results they explain, and which of them are significant.

The fit test (`bradley_terry_fit`) tells whether there are cycles at all.

`nash_average` rates each bot against the best mixture of bots. D. Balduzzi, K. Tuyls, J. Perolat & T. Graepel (2018),
"Re-evaluating evaluation", NeurIPS 31: copies of a bot, or bots that only beat the weak, do not change it. Payoffs
must be zero-sum between two bots; others are refused.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridjoust.runner.statistics.fit_test import cells_of, is_enough, unexplained
from gridjoust.runner.statistics.fitting import Comparison, PlainRow, as_comparisons, closure
from gridjoust.runner.statistics.intervals import CONFIDENCE
from gridjoust.runner.statistics.rank_tests import holm, sign_test


@dataclass(frozen=True, slots=True)
class Cycle:
    """A cycle of bots: each beats the next, and the last beats the first; the p-value is that of the weakest link."""

    bots: tuple[str, ...]
    p_value: float

    def __str__(self) -> str:
        return " > ".join((*self.bots, self.bots[0]))


def cycle_share(rows: Iterable[Comparison | PlainRow], *, copies: Mapping[str, int] | None = None) -> float | None:
    """Return the share (0 to 1) of the variance of results between two bots that Bradley-Terry cannot explain.

    O: points scored between two bots in n matches; E: points that the fit expects. The share is sum (O - E)^2 / n over
    sum (O - n / 2)^2 / n. If matches were repeated often enough (as for `bradley_terry_fit`), the part of either sum
    that chance adds, by the dispersion of the results, is subtracted first. None if nothing is left to explain, because
    all bots are alike. `copies`: pair_id -> number of pairs with equal results that this pair stands for.
    """
    compared = as_comparisons(rows)
    if not compared:
        return None
    cells = cells_of(compared, copies=copies)
    misfit = float((cells.surplus**2 / cells.weight).sum())
    total = float(((cells.points - cells.weight / 2) ** 2 / cells.weight).sum())
    if is_enough(cells):
        _, left = unexplained(cells)
        misfit -= cells.dispersion * float((left.diagonal() / cells.weight).sum())
        by_chance = cells.dispersion * float((cells.variance / cells.weight).sum())
        total -= by_chance
        if total < by_chance * math.sqrt(2 / len(cells.weight)):  # no more than chance may well do
            return None
    return min(1.0, max(0.0, misfit / total)) if total > 0 else None


def significant_cycles(
    rows: Iterable[Comparison | PlainRow], *, confidence: float = CONFIDENCE, copies: Mapping[str, int] | None = None
) -> list[Cycle]:
    """Return all cycles of three bots in which every link is significant, the surest first.

    A link leads from the bot that won more pairs of matches (rows of one `pair_id`). Its p-value is the exact sign test
    of the pairs that were not even, adjusted by `holm` for all links. Bots that only form longer cycles give a shortest
    one. `copies` says by pair_id how many pairs with equal results each pair stands for.
    """
    links = _significant_links(as_comparisons(rows), copies or {}, alpha=1 - confidence)
    cycles = [_cycle(bots, links) for bots in _triangles(links)]
    for group in _circular_groups(links):
        if not any(set(cycle.bots) <= group for cycle in cycles):
            cycles.append(_cycle(_shortest_cycle(group, links), links))
    return sorted(cycles, key=lambda cycle: (cycle.p_value, cycle.bots))


Links = dict[str, dict[str, float]]  # winner -> loser -> p-value


def _significant_links(compared: Iterable[Comparison], copies: Mapping[str, int], *, alpha: float) -> Links:
    units: dict[tuple[str, str], dict[str, float]] = {}
    for one in compared:
        is_turned = one.first > one.second
        pair = (one.second, one.first) if is_turned else (one.first, one.second)
        surplus = one.weight * (0.5 - one.score if is_turned else one.score - 0.5)
        own = units.setdefault(pair, {})
        own[one.pair_id] = own.get(one.pair_id, 0.0) + surplus
    pairs = sorted(units)
    won = [sum(copies.get(unit, 1) for unit, surplus in units[pair].items() if surplus > 1e-12) for pair in pairs]
    lost = [sum(copies.get(unit, 1) for unit, surplus in units[pair].items() if surplus < -1e-12) for pair in pairs]
    adjusted = holm([sign_test(wins, losses) for wins, losses in zip(won, lost, strict=True)])
    links: Links = {}
    for (first, second), wins, losses, p_value in zip(pairs, won, lost, adjusted, strict=True):
        if p_value < alpha:
            winner, loser = (first, second) if wins > losses else (second, first)
            links.setdefault(winner, {})[loser] = p_value
    return links


def _triangles(links: Links) -> Iterator[tuple[str, ...]]:
    """Yield every cycle of three bots once, beginning with the first of its names; a link leads to a beaten bot."""
    for one in sorted(links):
        for two in sorted(links[one]):
            for three in sorted(links.get(two, {})):
                if one < two and one < three and one in links.get(three, {}):
                    yield one, two, three


def _circular_groups(links: Links) -> Iterator[frozenset[str]]:
    """Yield groups of bots that all reach each other along links, thus contain cycles; in the order of names."""
    bots = sorted(links)
    met = np.array([[other in links[bot] for other in bots] for bot in bots], dtype=bool).reshape(len(bots), len(bots))
    reached = closure(met)
    circular = reached & reached.T
    for group in dict.fromkeys(tuple(row) for row in circular.tolist() if any(row)):
        yield frozenset(bot for bot, is_in in zip(bots, group, strict=True) if is_in)


def _shortest_cycle(group: Set[str], links: Links) -> tuple[str, ...]:
    """Find the shortest cycle by breadth-first search from every bot of the group."""
    best: tuple[str, ...] = ()
    for start in sorted(group):
        paths: deque[tuple[str, ...]] = deque([(start,)])
        seen: set[str] = set()
        while paths and (not best or len(paths[0]) < len(best)):
            path = paths.popleft()
            following = sorted(links.get(path[-1], {}))
            if start in following:
                best = path
                break
            paths.extend((*path, bot) for bot in following if bot in group and bot not in seen)
            seen.update(following)
    return best


def _cycle(bots: tuple[str, ...], links: Links) -> Cycle:
    at = bots.index(min(bots))
    turned = bots[at:] + bots[:at]
    return Cycle(turned, max(links[one][two] for one, two in zip(turned, turned[1:] + turned[:1], strict=True)))


Floats = NDArray[np.float64]

_LEAST_HEAT = 1e-8  # of the largest payoff: how far from the limit the answer may be
_COOLING = 0.4
_MAX_STEPS = 100
_ROUNDING = 1e-14  # of the payoffs, relative


@dataclass(frozen=True, slots=True)
class NashAverage(Sequence[float]):
    """The best mixture of bots, as the sequence of their weights.

    `ratings` are what each bot scores against the mixture, never above 0.
    """

    weights: tuple[float, ...]
    ratings: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.weights)

    def __iter__(self) -> Iterator[float]:
        return iter(self.weights)

    def __getitem__(self, at: int | slice) -> float | tuple[float, ...]:  # type: ignore[override]
        return self.weights[at]


def nash_average(payoff: ArrayLike) -> NashAverage:
    """Find the maximum-entropy equilibrium of the game "choose a bot"; `payoff` is antisymmetric (row, column).

    It is the limit of p = softmax(A p / heat) for a heat that falls to 0 (R. D. McKelvey & T. R. Palfrey (1995),
    "Quantal response equilibria", Games Econ. Behav. 10:6). That solution is unique, and Newton's method follows it,
    since all eigenvalues of the Jacobian have a real part of at least 1. Of all equilibria it tends to the one with the
    most entropy. ValueError if the matrix is not square, finite and antisymmetric.
    """
    matrix = np.asarray(payoff, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size or not np.isfinite(matrix).all():
        raise ValueError(f"payoff: expected a square matrix of numbers, got shape {matrix.shape}")
    largest = float(np.abs(matrix).max())
    if np.abs(matrix + matrix.T).max() > 1e-9 * largest:
        raise ValueError("payoff: expected what one bot wins to be what the other loses")
    count = len(matrix)
    if largest == 0:
        return NashAverage((1 / count,) * count, (0.0,) * count)
    scaled = (matrix - matrix.T) / (2 * largest)
    logits, heat = np.zeros(count), 1.0
    while heat > _LEAST_HEAT:
        logits = _settle(scaled, logits, heat)
        heat *= _COOLING
    weights = _softmax(logits)
    ratings = np.minimum(0.0, matrix @ weights)
    return NashAverage(tuple(weights.tolist()), tuple(ratings.tolist()))


def margins(rankings: Iterable[Sequence[str]], bots: Sequence[str]) -> list[list[int]]:
    """Count how often a row's bot was placed above a column's, minus how often below; a payoff for `nash_average`.

    The mixture is then the maximal lottery of P. C. Fishburn (1984), "Probabilistic social choice based on simple
    voting comparisons", Rev. Econ. Stud. 51:683. A ranking has the best bot first; a bot that it lacks is not compared.
    """
    at = {bot: place for place, bot in enumerate(bots)}
    table = [[0] * len(bots) for _ in bots]
    for ranking in rankings:
        for place, above in enumerate(ranking):
            for below in ranking[place + 1 :]:
                table[at[above]][at[below]] += 1
                table[at[below]][at[above]] -= 1
    return table


def _settle(scaled: Floats, logits: Floats, heat: float) -> Floats:
    """Solve logits = A softmax(logits) / heat by Newton's method; halve each step until it helps.

    `scaled`: A, the antisymmetric payoff matrix, scaled.
    """
    current, size = logits, _miss(scaled, logits, heat)
    for _ in range(_MAX_STEPS):
        weights = _softmax(current)
        spread = np.diag(weights) - np.outer(weights, weights)
        missing = scaled @ weights / heat - current
        step = np.linalg.solve(np.eye(len(current)) - scaled @ spread / heat, missing)
        share = 1.0
        while share > 1e-6 and _miss(scaled, current + share * step, heat) >= size:
            share /= 2
        if share <= 1e-6:  # rounding is all that is left
            return current
        current = current + share * step
        size = _miss(scaled, current, heat)
        if size < _ROUNDING / heat:
            return current
    return current


def _miss(scaled: Floats, logits: Floats, heat: float) -> float:
    return float(np.abs(scaled @ _softmax(logits) / heat - logits).max())


def _softmax(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max())
    shares: Floats = odds / odds.sum()
    return shares
