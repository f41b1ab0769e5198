"""Corrected ratings: what strengths are, given lucky estimates of them."""

from __future__ import annotations

import numpy as np
import pytest

from gridjoust.leaderboard.strengths.analysis import analyse
from gridjoust.leaderboard.strengths.strengths import SeedStrengths, corrected, shrink
from tests.leaderboard.seats_builder import met, seats_of_rows
from tests.runner.results.records.records_builder import rows_of


def _centring(bots: int) -> np.ndarray:
    return np.eye(bots) - 1 / bots


@pytest.mark.gate
def test_of_many_equal_errors_an_estimate_keeps_the_share_of_its_variance_that_is_true() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 100, 400)
    seen = truth + rng.normal(0, 100, 400)
    seen -= seen.mean()
    means, covariance = shrink(seen, 100**2 * _centring(400))
    assert means == pytest.approx(seen / 2, abs=60)  # half of the variance is luck
    assert np.sqrt(covariance.diagonal()).mean() == pytest.approx(100 / 2**0.5, rel=0.1)


def test_two_bots_have_the_mean_and_variance_of_bayes_rule_on_a_grid() -> None:
    seen, variance = 150.0, 90.0**2  # of the strength along (1, -1) / sqrt(2)
    true = np.linspace(-4000, 4000, 4001)
    spreads = np.linspace(2, 1000, 250)[:, None]
    before = (np.exp(-0.5 * (true / spreads) ** 2) / spreads).sum(axis=0)
    after = before * np.exp(-0.5 * (true - seen) ** 2 / variance)
    after /= after.sum()
    mean = (after * true).sum()
    along = np.array([1, -1]) / 2**0.5
    means, covariance = shrink(seen * along, variance * _centring(2))
    assert means == pytest.approx(mean * along, rel=1e-3)
    assert covariance == pytest.approx((after * (true - mean) ** 2).sum() * np.outer(along, along), rel=1e-3)


def test_the_leader_of_lucky_estimates_is_not_overstated() -> None:
    rng = np.random.default_rng(2)
    plain, own = [], []
    for _ in range(300):
        truth = rng.normal(0, 100, 8)
        truth -= truth.mean()
        seen = truth + rng.normal(0, 60, 8)
        seen -= seen.mean()
        leader = int(seen.argmax())
        plain.append(seen[leader] - truth[leader])
        own.append(shrink(seen, 60**2 * _centring(8))[0][leader] - truth[leader])
    assert np.mean(plain) > 15
    assert abs(np.mean(own)) < 12


def test_estimates_without_error_stay() -> None:
    seen = np.array([-100.0, 0.0, 100.0])
    assert shrink(seen, 1e-6 * _centring(3))[0] == pytest.approx(seen, abs=0.1)


def test_corrected_ratings_lie_between_the_plain_ones_and_the_mean_and_say_the_score_against_all() -> None:
    strengths = analyse(
        seats_of_rows(rows_of(*met(ab=[1, 1, 1, 0] * 3, bc=[1, 1, 1, 0] * 3, ac=[1, 1, 0, 1])))
    ).strengths
    found = corrected(strengths)
    assert 0 < found[0].rating < (strengths.value(0) or 0)
    assert found[0].interval.low < found[0].rating < found[0].interval.high
    assert sum(one.score for one in found.values()) == pytest.approx(1.5)  # every match gives a point
    assert found[0].score > 0.5 > found[2].score


def test_bots_that_are_not_rated_have_none() -> None:
    assert corrected(SeedStrengths({})) == {}
    assert corrected(analyse(seats_of_rows(rows_of(*met(ab=[1, 0])))).strengths) == {}
