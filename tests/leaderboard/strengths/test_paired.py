"""Intervals of values on common seeds: an example worked by its author, and where they are refused."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from gridjoust.leaderboard.strengths.paired import (
    Estimate,
    Series,
    difference,
    difference_p_values,
    mean_of,
    mean_over_games,
    series_by_bot,
)


def test_the_interval_of_the_two_drugs_of_student() -> None:
    """Student (1908), "The probable error of a mean", Biometrika 6:1: the additional hours of sleep of ten patients."""
    first = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    second = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
    found = mean_of(first - second)
    assert found.value == pytest.approx(-1.58)
    assert found.interval == pytest.approx((-2.4599, -0.7001), abs=1e-4)
    assert found.p_value == pytest.approx(0.002833, abs=1e-6)


def test_an_interval_needs_five_values_that_are_not_all_alike() -> None:
    half = 2.776445 * (2.5 / 5) ** 0.5
    assert mean_of(np.arange(1.0, 6.0)).interval == pytest.approx((3 - half, 3 + half), abs=1e-5)
    assert mean_of(np.arange(1.0, 5.0)).interval is None
    found = mean_of(np.full(6, 7.0))
    assert (found.interval, found.is_alike, found.p_value) == (None, True, 0.03125)


def test_a_mean_over_games_has_the_degrees_of_freedom_of_satterthwaite() -> None:
    def over(*games: Sequence[float]) -> Estimate:
        return mean_over_games({at: Series(np.arange(len(own)), np.array(own)) for at, own in enumerate(games)})

    # variances of the means 1 and 0: 1 degree of freedom; 1 and 1/3: (4/3)² / (1 + 1/18) = 1.68, so 1; 1/3 twice: 4
    for games, value, spread, critical in (
        (([1, 3], [5, 5, 5]), 3.5, 1, 12.7062),
        (([1, 3], [4, 5, 6]), 3.5, 4 / 3, 12.7062),
        (([1, 2, 3], [4, 5, 6]), 3.5, 2 / 3, 2.776445),
    ):
        found = over(*games)
        half = critical * spread**0.5 / 2
        assert (found.value, found.units, found.is_alike) == (value, sum(map(len, games)), False)
        assert found.interval == pytest.approx((value - half, value + half), abs=1e-4)
        assert (found.p_value < 0.05) == (value > half)
    assert over([1, 3, 5, 7, 9], [5]).interval is None  # a game of one deal
    assert over([1, 3], [4, 5]).interval is None
    assert mean_of(np.array([0.1, -0.1, 0.2, -0.2, 0.05])).p_value > 0.5


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


def test_the_p_values_of_all_pairs_at_once_are_those_of_each_pair() -> None:
    rng = random.Random(8)
    values = {
        bot: {
            game: Series(np.array(deals), np.array([rng.gauss(bot, 1) for _ in deals]))
            for game in (0, 1)
            if rng.random() < 0.8
            for deals in [sorted(rng.sample(range(12), 8))]
        }
        for bot in range(6)
    } | {6: {0: Series(np.arange(20, 24), np.ones(4))}, 7: {0: Series(np.arange(12), np.full(12, 3.0))}}
    values[8] = {0: Series(np.arange(12), np.full(12, 2.0))}  # all differences to bot 7 are alike
    found = difference_p_values(values, range(9))
    for one, two in combinations(range(9), 2):
        alone = difference(values[one], values[two])
        if alone is None:
            assert np.isnan(found[one, two])
        else:
            assert found[one, two] == pytest.approx(alone.p_value, rel=1e-6)
    assert found[7, 8] == 2.0**-11


def test_a_mean_of_skewed_values_reaches_further_towards_the_long_tail() -> None:
    skewed = np.array([1, 1.2, 1.5, 1.1, 1.3, 1.2, 1.4, 6.0])
    found = mean_over_games({0: Series(np.arange(8), skewed)})
    assert found.interval is not None
    assert found.interval.high - found.value > 1.5 * (found.value - found.interval.low)
    even = mean_over_games({0: Series(np.arange(5), np.arange(1.0, 6.0))})
    assert even.interval == mean_of(np.arange(1.0, 6.0)).interval


def test_the_mean_of_ten_matches_won_has_the_interval_of_a_share() -> None:
    """A. Agresti & B. A. Coull (1998), Amer. Statist. 52:119: Wilson's of 10 of 10 is 0.722 to 1."""
    found = mean_over_games({0: Series(np.arange(10), np.ones(10), is_share=True)})
    assert found.interval == pytest.approx((0.7225, 1), abs=1e-4)


def test_values_of_a_game_are_shares_if_all_bots_have_some_between_none_and_all() -> None:
    def shares(*values: float) -> bool:
        found = series_by_bot(np.array([0, 1]), np.array([0, 0]), np.array([0, 0]), np.array(values))
        return found[0][0].is_share

    assert (shares(0, 1), shares(0.25, 1), shares(0, 2), shares(-1, 0)) == (True, True, False, False)
