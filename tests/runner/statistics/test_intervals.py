"""Shares with their intervals, at the edges too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.statistics import interquartile_mean, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_examples_of_newcombe_1998(successes: int, trials: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17:857, table I, method 3."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_an_interval_is_a_pair_with_names() -> None:
    interval = wilson(3, 10)
    assert interval is not None
    low, high = interval
    assert (interval.low, interval.high) == (low, high)


@given(st.integers(0, 500), st.integers(1, 500))
def test_failures_are_what_successes_leave(successes: int, more: int) -> None:
    trials = successes + more
    one, other = wilson(successes, trials), wilson(trials - successes, trials)
    assert one is not None
    assert other == pytest.approx((1 - one.high, 1 - one.low))
    assert 0 <= one.low <= successes / trials <= one.high <= 1


def test_wilson_of_no_trials_is_unknown() -> None:
    assert wilson(0, 0) is None
    assert wilson(0, 1) is not None


def test_interquartile_mean_leaves_out_a_quarter_at_either_end() -> None:
    assert interquartile_mean([1000, 3, 1, 2, 4, -50, 5, 6]) == 3.5  # of 2 3 4 5


def test_interquartile_mean_drops_nobody_of_three() -> None:
    assert interquartile_mean([1, 2, 6]) == 3


def test_interquartile_mean_of_nothing_is_unknown() -> None:
    assert interquartile_mean([]) is None
    assert interquartile_mean([4]) == 4


@given(st.lists(st.floats(-1e3, 1e3), min_size=1), st.floats(-10, 10), st.floats(0.1, 10))
def test_interquartile_mean_moves_and_stretches_with_the_values(values: list[float], shift: float, by: float) -> None:
    expected = (interquartile_mean(values) or 0.0) * by + shift
    assert interquartile_mean([value * by + shift for value in values]) == pytest.approx(expected, abs=1e-6)
