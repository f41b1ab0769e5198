"""Tails and critical values: printed tables and identities that hold whatever computes them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.statistics import chi_square_tail, f_tail, t_critical
from gridjoust.runner.statistics.distributions import FEW_TOSSES, coin_tail, f_critical, studentized_range_critical


def test_critical_values_are_those_of_the_tables() -> None:
    t = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 9: 2.2622, 10: 2.2281, 30: 2.0423, 1000: 1.9623}
    assert {degrees: t_critical(degrees, confidence=0.95) for degrees in t} == pytest.approx(t, abs=5e-5)
    for degrees, expected in {1: 3.8415, 2: 5.9915, 5: 11.0705, 50: 67.5048}.items():
        assert chi_square_tail(expected, degrees) == pytest.approx(0.05, abs=1e-5)
    for above, below, expected in [(1, 10, 4.9646), (3, 16, 3.2389), (10, 120, 1.9105)]:
        assert f_tail(expected, above, below) == pytest.approx(0.05, abs=1e-5)
    for groups, expected in {3: 3.3145, 10: 4.4745, 20: 5.0117}.items():
        assert studentized_range_critical(groups, 0.05) == pytest.approx(expected, abs=1e-3)


@given(st.sampled_from([0.5, 0.9, 0.95, 0.999]), st.sampled_from([1, 2, 3, 7, 10, 55, 300, 4000]))
def test_the_square_of_t_is_f(confidence: float, degrees: int) -> None:
    edge = t_critical(degrees, confidence=confidence)
    assert f_tail(edge * edge, 1, degrees) == pytest.approx(1 - confidence, abs=1e-9)


@given(st.floats(0.001, 50), st.integers(1, 60))
def test_chi_square_of_even_degrees_is_a_poisson_sum(statistic: float, half: int) -> None:
    terms = [math.exp(at * math.log(statistic / 2) - statistic / 2 - math.lgamma(at + 1)) for at in range(half)]
    assert chi_square_tail(statistic, 2 * half) == pytest.approx(min(1.0, math.fsum(terms)), abs=1e-11)


@given(st.sampled_from([0.01, 0.1, 0.5]), st.integers(1, 40), st.integers(1, 200))
def test_what_is_exceeded_with_a_chance_is_the_inverse_of_that_chance(tail: float, above: int, below: int) -> None:
    assert f_tail(f_critical(tail, above, below), above, below) == pytest.approx(tail, rel=1e-6)


def test_all_is_beyond_nothing_and_less() -> None:
    for statistic in (0.0, -1.0):
        assert (chi_square_tail(statistic, 3), f_tail(statistic, 3, 4)) == (1, 1)


def test_tosses_of_a_coin_are_counted() -> None:
    assert [coin_tail(fewer, 4) for fewer in range(5)] == pytest.approx([1 / 16, 5 / 16, 11 / 16, 15 / 16, 1])


def test_one_toss_more_halves_the_tails_whatever_computes_them() -> None:
    for fewer in (5, 20, 25):
        two_ways = coin_tail(fewer, FEW_TOSSES) + coin_tail(fewer - 1, FEW_TOSSES)
        assert coin_tail(fewer, FEW_TOSSES + 1) == pytest.approx(two_ways / 2)
