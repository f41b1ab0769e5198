"""Tails and critical values of the usual distributions, as plain numbers.

`scipy.special` takes long to load: scipy loads it when one of its functions is called for the first time.
"""

from __future__ import annotations

from math import comb

import numpy as np
import scipy
from numpy.typing import NDArray

FEW_TOSSES = 50  # up to so many, a sum is fast, and a short tournament need not wait for scipy.special


def t_critical(degrees: float, *, confidence: float) -> float:
    """Return the value that |t| stays below with the given confidence.

    >>> round(t_critical(10, confidence=0.95), 4)
    2.2281
    """
    return float(scipy.special.stdtrit(degrees, (1 + confidence) / 2))


def t_tail(statistic: float, degrees: float) -> float:
    """Return P(|t| > |statistic|) of Student's distribution: the two-sided p-value.

    >>> round(t_tail(2.2281, 10), 4)
    0.05
    """
    return float(2 * scipy.special.stdtr(degrees, -abs(statistic)))


def t_tails(statistic: NDArray[np.float64], degrees: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `t_tail` element by element."""
    found: NDArray[np.float64] = 2 * scipy.special.stdtr(degrees, -np.abs(statistic))
    return found


def chi_square_tail(statistic: float, degrees: float) -> float:
    """Return P(chi-square > statistic).

    >>> round(chi_square_tail(3.8415, 1), 4)
    0.05
    """
    return float(scipy.special.chdtrc(degrees, max(0.0, statistic)))


def f_tail(statistic: float, degrees: float, degrees_below: float) -> float:
    """Return P(F > statistic); the numerator has `degrees`, the denominator `degrees_below`.

    >>> round(f_tail(3.24, 3, 16), 3)
    0.05
    """
    return float(scipy.special.fdtrc(degrees, degrees_below, max(0.0, statistic)))


def f_critical(tail: float, degrees: float, degrees_below: float) -> float:
    """Return the value that F exceeds with this probability; inverts `f_tail`."""
    return float(scipy.special.fdtri(degrees, degrees_below, 1 - tail))


def coin_tail(fewer: int, tosses: int) -> float:
    """Return P(at most `fewer` heads in `tosses` tosses of a fair coin).

    >>> coin_tail(1, 3)
    0.5
    """
    if tosses <= FEW_TOSSES:
        return sum(comb(tosses, heads) for heads in range(fewer + 1)) / (1 << tosses)
    return float(scipy.special.bdtr(fewer, tosses, 0.5))


def studentized_range_critical(groups: int, alpha: float) -> float:
    """Return the range that `groups` standard normal values exceed with probability `alpha`."""
    from scipy import stats  # noqa: PLC0415 - takes long to load and is needed for pictures only

    return float(stats.studentized_range.ppf(1 - alpha, groups, float("inf")))
