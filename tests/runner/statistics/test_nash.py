"""The Nash average: known answers, copies of bots, and the definition itself for any payoffs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from runner.statistics import margins, nash_average
from tests.runner.statistics.cases import PublishedCase, cases

CIRCLE = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]


@st.composite
def _payoffs(draw: st.DrawFn) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    bots = draw(st.integers(1, 7))
    half = np.zeros((bots, bots))
    above = np.triu_indices(bots, 1)
    half[above] = draw(st.lists(st.integers(-4, 4), min_size=len(above[0]), max_size=len(above[0])))
    whole: np.ndarray[tuple[int, int], np.dtype[np.float64]] = half - half.T
    return whole


@cases("nash_average")
def test_weights_are_the_published_ones(case: PublishedCase) -> None:
    assert nash_average(case["payoff"]).weights == pytest.approx(case["expected"], abs=case["tolerance"])


@cases("maximal_lottery")
def test_margins_and_their_lottery_are_the_published_ones(case: PublishedCase) -> None:
    table = margins(case["rankings"], "abc")
    assert table == case["margins"]
    assert nash_average(table).weights == pytest.approx(case["expected"], abs=case["tolerance"])


@given(_payoffs())
@settings(deadline=None)
def test_no_bot_gains_against_the_mixture(payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> None:
    found = nash_average(payoff)
    weights = np.array(found.weights)
    assert weights.sum() == pytest.approx(1)
    assert (payoff @ weights).max() <= 1e-5
    # who has a weight does as well as the mixture
    assert [rating for rating, weight in zip(found.ratings, weights, strict=True) if weight > 1e-3] == pytest.approx(
        [0.0] * int((weights > 1e-3).sum()), abs=1e-4
    )


@given(_payoffs(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_names_and_unit_do_not_matter(payoff: np.ndarray[tuple[int, int], np.dtype[np.float64]], rng) -> None:  # type: ignore[no-untyped-def]
    order = list(range(len(payoff)))
    rng.shuffle(order)
    turned = nash_average(17 * payoff[np.ix_(order, order)])
    assert turned.weights == pytest.approx([nash_average(payoff).weights[at] for at in order], abs=1e-5)


def test_copies_of_a_bot_share_its_weight() -> None:
    twice = np.array(CIRCLE)[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])]
    assert nash_average(twice).weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-6)


def test_of_many_equilibria_the_one_with_the_most_entropy_is_taken() -> None:
    # either of the first two may have all the weight
    assert nash_average([[0, 0, 1], [0, 0, 2], [-1, -2, 0]]).weights == pytest.approx([0.5, 0.5, 0], abs=1e-6)


def test_an_uneven_circle_gives_the_most_weight_to_the_link_that_matters() -> None:
    assert nash_average([[0, 1, -2], [-1, 0, 1], [2, -1, 0]]).weights == pytest.approx([0.25, 0.5, 0.25], abs=1e-6)


def test_it_has_the_most_entropy_that_scipy_finds() -> None:
    for seed in range(5):
        half = np.triu(np.random.default_rng(seed).integers(-2, 3, (6, 6)), 1).astype(float)
        payoff = half - half.T
        ours = np.array(nash_average(payoff).weights)
        found = optimize.minimize(
            lambda p: float((p * np.log(np.maximum(p, 1e-300))).sum()),
            0.99 * ours + 0.01 / 6,
            bounds=[(0, 1)] * 6,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "ineq", "fun": lambda p, payoff=payoff: -(payoff @ p)},
            ],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        assert ours == pytest.approx(found.x, abs=1e-3)


def test_it_reads_as_the_sequence_of_its_weights() -> None:
    found = nash_average(CIRCLE)
    assert list(found) == pytest.approx([1 / 3] * 3)
    assert (len(found), found[1]) == (3, found.weights[1])


@pytest.mark.parametrize("payoff", [[[0, 1]], [[0, 1], [1, 0]], [], [[0, float("nan")], [0, 0]]])
def test_payoffs_that_are_no_game_of_two_are_refused(payoff: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="payoff: expected"):
        nash_average(payoff)
