"""The Nash average: known answers, copies of bots, and the definition itself for any payoffs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from gridjoust.runner.statistics import margins, nash_average
from tests.runner.statistics.cases import PublishedCase, cases

Payoffs = np.ndarray[tuple[int, int], np.dtype[np.float64]]


@st.composite
def _payoffs(draw: st.DrawFn) -> Payoffs:
    bots = draw(st.integers(1, 7))
    half = np.zeros((bots, bots))
    above = np.triu_indices(bots, 1)
    half[above] = draw(st.lists(st.integers(-4, 4), min_size=len(above[0]), max_size=len(above[0])))
    whole: Payoffs = half - half.T
    return whole


@cases("nash_average")
def test_weights_are_the_published_ones(case: PublishedCase) -> None:
    assert nash_average(case["payoff"]).weights == pytest.approx(case["expected"], abs=case["tolerance"])


@cases("maximal_lottery")
def test_margins_and_their_lottery_are_the_published_ones(case: PublishedCase) -> None:
    table = margins(case["rankings"], "abc")
    assert table == case["margins"]
    assert nash_average(table).weights == pytest.approx(case["expected"], abs=case["tolerance"])


@pytest.mark.gate
@given(_payoffs())
@settings(deadline=None)
def test_no_bot_gains_against_the_mixture(payoff: Payoffs) -> None:
    found = nash_average(payoff)
    weights = np.array(found.weights)
    assert weights.sum() == pytest.approx(1)
    assert (payoff @ weights).max() <= 1e-5
    assert max(found.ratings) <= 0
    # who has a weight does as well as the mixture
    assert np.array(found.ratings)[weights > 1e-3] == pytest.approx(0, abs=1e-4)


@pytest.mark.gate
@given(_payoffs(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_names_and_unit_do_not_matter(payoff: Payoffs, rng: random.Random) -> None:
    order = list(range(len(payoff)))
    rng.shuffle(order)
    turned = nash_average(17 * payoff[np.ix_(order, order)])
    assert turned.weights == pytest.approx([nash_average(payoff).weights[at] for at in order], abs=1e-5)


KNOWN: dict[str, tuple[list[list[float]], list[float]]] = {
    "a circle": ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], [1 / 3] * 3),
    "copies of a bot share its weight": (
        [[0, 0, 1, -1], [0, 0, 1, -1], [-1, -1, 0, 1], [1, 1, -1, 0]],
        [1 / 6, 1 / 6, 1 / 3, 1 / 3],
    ),
    # either of the first two may have all the weight
    "of many equilibria the one with the most entropy": ([[0, 0, 1], [0, 0, 2], [-1, -2, 0]], [0.5, 0.5, 0]),
    "rounding is no gain": ([[0, 0, 2], [0, 0, -2], [-2, 2, 0]], [0.5, 0.5, 0]),
    "nobody beats anybody": ([[0, 0], [0, 0]], [0.5, 0.5]),
    "what is lost may differ by rounding": ([[0, 1e6], [-1e6 - 1e-5, 0]], [1, 0]),
    "in an uneven circle the link that matters": ([[0, 1, -2], [-1, 0, 1], [2, -1, 0]], [0.25, 0.5, 0.25]),
}


@pytest.mark.parametrize(("payoff", "weights"), KNOWN.values(), ids=KNOWN)
def test_weights_that_are_known(payoff: list[list[float]], weights: list[float]) -> None:
    found = nash_average(payoff)
    assert list(found) == pytest.approx(weights, abs=1e-6)  # it reads as the sequence of its weights
    assert (len(found), found[1]) == (len(weights), found.weights[1])
    assert max(found.ratings) <= 0


@pytest.mark.gate
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


@pytest.mark.parametrize(
    "payoff", [[[0, 1]], [[0, 1], [1, 0]], [[0, 1], [-0.9, 0]], [], [[]], [[0, float("nan")], [0, 0]]]
)
def test_payoffs_that_are_no_game_of_two_are_refused(payoff: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="payoff: expected"):
        nash_average(payoff)
