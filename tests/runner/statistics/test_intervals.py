"""Shares with their intervals, at the edges too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.statistics import interquartile_mean, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_examples_of_newcombe_1998(successes: int, trials: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17:857, table I, method 3."""
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 500), st.integers(1, 500))
def test_failures_are_what_successes_leave(successes: int, more: int) -> None:
    trials = successes + more
    one, other = wilson(successes, trials), wilson(trials - successes, trials)
    assert one is not None
    assert other == pytest.approx((1 - one.high, 1 - one.low))
    assert one == (one.low, one.high)
    assert 0 <= one.low <= successes / trials <= one.high <= 1


def test_of_nothing_nothing_is_known() -> None:
    assert (wilson(0, 0), interquartile_mean([])) == (None, None)
    assert wilson(0, 1) is not None


@pytest.mark.parametrize("trials", [9, 26, 51, 59])
def test_a_share_is_never_above_all_nor_below_none_by_rounding_either(trials: int) -> None:
    none, every = wilson(0, trials), wilson(trials, trials)
    assert none is not None
    assert every is not None
    assert (max(none.low, 0), min(every.high, 1)) == (none.low, every.high)


@pytest.mark.parametrize(("values", "mean"), [([1000, 3, 1, 2, 4, -50, 5, 60], 3.5), ([1, 2, 6], 3), ([4], 4)])
def test_interquartile_mean_leaves_out_a_quarter_at_either_end_and_nobody_of_three(
    values: list[float], mean: float
) -> None:
    assert interquartile_mean(values) == mean


@given(st.lists(st.floats(-1e3, 1e3), min_size=1), st.floats(-10, 10), st.floats(0.1, 10))
def test_interquartile_mean_moves_and_stretches_with_the_values(values: list[float], shift: float, by: float) -> None:
    expected = (interquartile_mean(values) or 0.0) * by + shift
    assert interquartile_mean([value * by + shift for value in values]) == pytest.approx(expected, abs=1e-6)
