"""Intervals of values on common seeds: an example worked by its author, and where they are refused."""

from __future__ import annotations

import random

import numpy as np
import pytest

from leaderboard.paired import Series, difference, mean_of


def test_the_interval_of_the_two_drugs_of_student() -> None:
    """Student (1908), "The probable error of a mean", Biometrika 6:1: the additional hours of sleep of ten patients."""
    first = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    second = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    found = mean_of(first - second)
    assert found.value == pytest.approx(-1.58)
    assert found.interval == pytest.approx((-2.4599, -0.7001), abs=1e-4)
    assert found.is_separated


def test_an_interval_needs_five_values_and_equal_ones_leave_no_doubt() -> None:
    half = 2.776445 * (2.5 / 5) ** 0.5
    assert mean_of(np.arange(1.0, 6.0)).interval == pytest.approx((3 - half, 3 + half), abs=1e-5)
    assert mean_of(np.arange(1.0, 5.0)).interval is None
    found = mean_of(np.full(6, 7.0))
    assert (found.interval, found.is_alike) == ((7.0, 7.0), True)


def test_t_intervals_of_differences_hold_what_they_promise() -> None:
    rng, deals = random.Random(5), np.arange(8)
    held = 0
    for _ in range(400):
        luck = [rng.gauss(0, 5) for _ in deals]
        a, b = (Series(deals, np.array([base + gain + rng.gauss(0, 1) for base in luck])) for gain in (0.7, 0))
        found = difference({0: a}, {0: b})
        assert found is not None
        assert found.interval is not None
        held += found.interval.low <= 0.7 <= found.interval.high
    assert 367 <= held <= 393  # 380 of 400 are promised
