"""Strength where bots beat each other in circles: the best mixture of bots, and each bot against it. Pure.

D. Balduzzi, K. Tuyls, J. Perolat & T. Graepel (2018), "Re-evaluating evaluation", NeurIPS 31: copies of a bot, or bots
that only beat the weak, do not move it. Refuses payoffs in which what one wins the other does not lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    """Solve logits = A softmax(logits) / heat by Newton's method, with steps halved until they help."""
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
