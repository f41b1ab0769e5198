"""Tails and critical values: printed tables, identities, scipy where it is installed."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.statistics import chi_square_tail, f_tail, t_critical, t_tail
from runner.statistics.distributions import studentized_range_critical, studentized_range_tail

_DEGREES = st.sampled_from([1, 2, 3, 7, 10, 55, 300, 4000])


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_critical_values_of_t_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert t_critical(degrees) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("degrees", "expected"), [(1, 3.8415), (2, 5.9915), (5, 11.0705), (50, 67.5048)])
def test_critical_values_of_chi_square_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert chi_square_tail(expected, degrees) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(("above", "below", "expected"), [(1, 10, 4.9646), (3, 16, 3.2389), (10, 120, 1.9105)])
def test_critical_values_of_f_are_those_of_the_tables(above: int, below: int, expected: float) -> None:
    assert f_tail(expected, above, below) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(("groups", "expected"), [(3, 3.3145), (10, 4.4745), (20, 5.0117)])
def test_critical_values_of_the_range_are_those_of_the_tables(groups: int, expected: float) -> None:
    assert studentized_range_critical(groups, 0.05) == pytest.approx(expected, abs=1e-3)


@given(st.floats(-30, 30), _DEGREES)
def test_the_square_of_t_is_f(statistic: float, degrees: int) -> None:
    assert t_tail(statistic, degrees) == pytest.approx(f_tail(statistic * statistic, 1, degrees), abs=1e-11)


@given(st.floats(0.001, 50), st.integers(1, 60))
def test_chi_square_of_even_degrees_is_a_poisson_sum(statistic: float, half: int) -> None:
    terms = [math.exp(at * math.log(statistic / 2) - statistic / 2 - math.lgamma(at + 1)) for at in range(half)]
    assert chi_square_tail(statistic, 2 * half) == pytest.approx(min(1.0, math.fsum(terms)), abs=1e-11)


@given(st.floats(0.01, 8))
def test_the_range_of_two_values_is_a_difference_of_two(statistic: float) -> None:
    expected = 2 * NormalDist().cdf(-statistic / math.sqrt(2))
    assert studentized_range_tail(statistic, 2) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("tail", [lambda: chi_square_tail(0, 3), lambda: f_tail(0, 3, 4), lambda: t_tail(0, 3)])
def test_all_is_beyond_nothing(tail) -> None:  # type: ignore[no-untyped-def]
    assert tail() == pytest.approx(1)


@given(st.floats(0, 200), _DEGREES, _DEGREES)
@settings(deadline=None)
def test_tails_are_those_of_scipy(statistic: float, above: int, below: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert chi_square_tail(statistic, above) == pytest.approx(stats.chi2.sf(statistic, above), abs=1e-10)
    assert f_tail(statistic, above, below) == pytest.approx(stats.f.sf(statistic, above, below), abs=1e-10)
    assert t_tail(statistic, below) == pytest.approx(2 * stats.t.sf(statistic, below), abs=1e-10)
