"""Distributions: tails and critical values by series and continued fractions, so that nothing needs scipy. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95

_NORMAL = NormalDist()


def normal_critical(confidence: float = CONFIDENCE) -> float:
    """The value that a standard normal stays below, in size, with the given confidence: 1.96 for 0.95."""
    return _NORMAL.inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=1024)
def t_critical(degrees: int, *, confidence: float = CONFIDENCE) -> float:
    """The value that |t| stays below with the given confidence, by bisection."""
    low, high = 0.0, math.pi / 2  # atan(t / sqrt(degrees))
    for _ in range(60):
        middle = (low + high) / 2
        is_outside = t_tail(math.tan(middle) * math.sqrt(degrees), degrees) < 1 - confidence
        low, high = (low, middle) if is_outside else (middle, high)
    return math.tan(low) * math.sqrt(degrees)


def t_tail(statistic: float, degrees: float) -> float:
    """P(|t| > |statistic|): both tails of Student's distribution.

    >>> round(t_tail(2.2281, 10), 4)
    0.05
    """
    return f_tail(statistic * statistic, 1, degrees)


def chi_square_tail(statistic: float, degrees: float) -> float:
    """P(chi-square > statistic), the upper incomplete gamma function Q(degrees / 2, statistic / 2).

    >>> round(chi_square_tail(3.8415, 1), 4)
    0.05
    """
    shape, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        return max(0.0, 1 - front * _gamma_series(shape, x))
    return front * _gamma_fraction(shape, x)


def f_tail(statistic: float, degrees: float, degrees_below: float) -> float:
    """P(F > statistic) with `degrees` above and `degrees_below` below the line.

    >>> round(f_tail(3.24, 3, 16), 3)
    0.05
    """
    if statistic <= 0:
        return 1.0
    above = degrees * statistic
    if above < degrees_below:  # a share close to 1 keeps its digits only on the other side
        return 1 - beta_share(above / (degrees_below + above), degrees / 2, degrees_below / 2)
    return beta_share(degrees_below / (degrees_below + above), degrees_below / 2, degrees / 2)


def beta_share(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b).

    Abramowitz & Stegun 26.5.8, the continued fraction, evaluated after W. J. Lentz (1976), Applied Optics 15:668.
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges quickly on the other side
        return 1 - beta_share(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a

    def term(at: int) -> float:
        m, is_odd = divmod(at, 2)
        if is_odd:
            return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))

    return front / _fraction(1.0, lambda at: (term(at), 1.0))


def studentized_range_tail(statistic: float, groups: int) -> float:
    """P(range of `groups` standard normal values > statistic): the studentized range with infinite degrees of freedom.

    1 - k int phi(z) (Phi(z + statistic) - Phi(z))^(k - 1) dz, z being the smallest; H. L. Harter (1960), "Tables of
    range and studentized range", Ann. Math. Statist. 31:1122. By the trapezoidal rule, which is exact to 1e-12 here.
    """
    if statistic <= 0:
        return 1.0
    step, reach = 1 / 16, 9.0
    points = [index * step for index in range(round(-(reach + statistic) / step), round(reach / step) + 1)]
    inside = sum(_NORMAL.pdf(z) * (_NORMAL.cdf(z + statistic) - _NORMAL.cdf(z)) ** (groups - 1) for z in points)
    return min(1.0, max(0.0, 1 - groups * step * inside))


def studentized_range_critical(groups: int, alpha: float) -> float:
    """The range that `groups` standard normal values exceed with probability `alpha`, by bisection."""
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if studentized_range_tail(middle, groups) > alpha else (low, middle)
    return (low + high) / 2


def _gamma_series(shape: float, x: float) -> float:
    """Abramowitz & Stegun 6.5.29: the lower incomplete gamma function without its front factor."""
    term = total = 1 / shape
    at = shape
    while term > total * 1e-16:
        at += 1
        term *= x / at
        total += term
    return total


def _gamma_fraction(shape: float, x: float) -> float:
    """Abramowitz & Stegun 6.5.31 in its even part: the upper incomplete gamma function without its front factor."""
    return 1 / _fraction(x + 1 - shape, lambda at: (at * (shape - at), x + 2 * at + 1 - shape))


def _fraction(first: float, terms: Callable[[int], tuple[float, float]]) -> float:
    """first + a1 / (b1 + a2 / (b2 + ...)) with (a, b) = terms(1), terms(2) ..., by Lentz's method."""
    tiny = 1e-300
    value = first or tiny
    above, below = value, 0.0
    for at in range(1, 10_000):
        a, b = terms(at)
        below = 1 / (b + a * below or tiny)
        above = b + a / above or tiny
        value *= above * below
        if abs(above * below - 1) < 1e-15:
            return value
    raise ArithmeticError(f"expected the continued fraction to settle, got {value:g} after 10,000 terms")
