"""Estimates of scores against the field: dispersion, per-pair posteriors, the pooled model, the guard of the race."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from gridjoust.runner.schedule.adaptive.pairs import (
    DISPERSION_LOW,
    Goal,
    GoalKind,
    PairTally,
    dispersion,
    per_pair_estimate,
)
from gridjoust.runner.schedule.adaptive.pooled import (
    EXPECTED_ELO,
    NO_EFFECTS_ELO,
    RATING_NATS,
    _fit,
    _gains,
    _with_pair,
    assess,
    pooled_field,
    telling_meetings,
)
from gridjoust.runner.schedule.adaptive.resolve import fit_power, next_pairs_safe
from gridjoust.runner.statistics import ELO_PER_NAT, bradley_terry, bradley_terry_fit
from tests.runner.schedule.adaptive.fields import Simulation, circle, ladder, names

FULL_ORDER = Goal(GoalKind.ORDER, None)


def tally_of(scores: Iterable[float], *, matches: int = 2) -> PairTally:
    """What a scored against b."""
    tally = PairTally("ab")
    for score in scores:
        tally.add("a", "b", score, matches=matches)
    return tally


ALIKE = {
    "like coin tosses": (Simulation(ladder(6, step_elo=60)).play_rounds(60), pytest.approx(1.0, abs=0.06)),
    "less, where seeds decide pairs": (tally_of((0.5, 0.5, 0.5, 0.75, 0.25) * 400), pytest.approx(0.2, abs=0.01)),
    "always alike is not taken for certain": (tally_of([0.5] * 1000), DISPERSION_LOW),
    "few results weigh less than ten coin tosses": (tally_of((1, 0.75, 0.5)), pytest.approx(0.934058, abs=1e-6)),
    "single matches": (tally_of((1, 0, 0, 0.5), matches=1), pytest.approx(0.932846, abs=1e-6)),
    "without repeats like coin tosses": (tally_of([0.5]), 1.0),
}


@pytest.mark.parametrize(("tally", "expected"), ALIKE.values(), ids=ALIKE)
def test_how_much_results_vary(tally: PairTally, expected: object) -> None:
    assert dispersion(tally) == expected


def test_the_per_pair_posterior_is_that_of_the_beta_distribution() -> None:
    found = per_pair_estimate(tally_of((1, 1, 0, 0, 1), matches=1))  # 3 wins of 5: Beta(4, 3)
    assert found.mean == pytest.approx([4 / 7, 3 / 7], abs=0.003)
    assert found.covariance[0, 0] == pytest.approx(4 * 3 / (49 * 8), rel=0.05)
    assert found.covariance[0, 1] == -found.covariance[0, 0]  # what one bot scores the other does not


@pytest.mark.gate
def test_errors_of_a_full_field_are_those_of_repeated_tournaments() -> None:
    tables = [Simulation(ladder(5, step_elo=80), seed=seed).play_rounds(12) for seed in range(300)]
    found = np.array([per_pair_estimate(tally).mean for tally in tables])
    claimed = np.array([np.diag(per_pair_estimate(tally).covariance) for tally in tables]).mean(axis=0)
    assert claimed == pytest.approx(found.var(axis=0), rel=0.25)
    assert per_pair_estimate(tables[0]).covariance.sum(axis=1) == pytest.approx(0)  # the mean of all is always 0.5


def test_without_effects_the_pooled_model_is_bradley_terry() -> None:
    tally = Simulation(ladder(6, step_elo=80)).play_rounds(10)
    ratings = bradley_terry(tally.comparisons(), prior=0.01).ratings
    elo = np.array([ratings[bot] for bot in tally.bots])
    expected = 1 / (1 + 10 ** ((elo[None, :] - elo[:, None]) / 400))
    np.fill_diagonal(expected, 0)
    field = pooled_field(tally, effects_elo=NO_EFFECTS_ELO)
    assert field.estimate.mean == pytest.approx(expected.sum(axis=1) / 5, abs=0.003)


def test_with_large_effects_every_meeting_stands_for_itself() -> None:
    tally = Simulation(circle(5, elo=200)).play_rounds(40)
    scores = (tally.points() / np.maximum(tally.matches(), 1)).sum(axis=1) / 4
    assert pooled_field(tally, effects_elo=(2000.0,)).estimate.mean == pytest.approx(scores, abs=0.003)


@pytest.mark.parametrize(
    ("tally", "least", "most"),
    [
        (Simulation(ladder(8, step_elo=60)).play_rounds(30), 0, 35),
        (Simulation(circle(7, elo=150)).play_rounds(15), 110, 220),
        (PairTally(names(6)), 0, 1.5 * EXPECTED_ELO),
    ],
    ids=["little from a line", "much from a circle", "not much expected from few results"],
)
def test_the_size_of_effects_is_learnt(tally: PairTally, least: float, most: float) -> None:
    assert least < pooled_field(tally).model.effect * ELO_PER_NAT < most


def test_the_size_of_effects_is_close_to_the_one_that_made_the_results() -> None:
    rng = np.random.default_rng(3)
    learnt = []
    for seed in range(12):
        effects = np.triu(rng.normal(0, 90, (10, 10)), 1)
        tally = Simulation(ladder(10, step_elo=30) + effects - effects.T, seed=seed).play_rounds(12)
        learnt.append(pooled_field(tally).model.effect * ELO_PER_NAT)
    assert 75 < np.mean(learnt) < 105


def test_a_small_table_has_these_estimates_and_next_meetings() -> None:
    tally = PairTally("abcd")
    results = (("ab", (1, 0.5, 0.75)), ("ac", (0.5, 1, 1, 0.25)), ("ad", (1, 1)), ("bc", (0.75, 0.5, 0.5)))
    for duo, scores in (*results, ("bd", (0, 0.5, 0.25, 0)), ("cd", (1, 0.75, 0.5))):
        for score in scores:
            tally.add(duo[0], duo[1], score)
    field = pooled_field(tally)
    assert field.estimate.mean == pytest.approx([0.785985, 0.325319, 0.496289, 0.392407], abs=1e-5)
    assert np.diag(field.estimate.covariance) == pytest.approx(
        [0.00731103, 0.00847675, 0.00932045, 0.00876256], abs=1e-7
    )
    assert field.estimate.covariance[0] @ [0, 1, 2, 3] == pytest.approx(-0.01508705, abs=1e-7)
    assert field.model.effect * ELO_PER_NAT == pytest.approx(129.5778, abs=1e-3)
    for goal, met in (
        (Goal(GoalKind.WINNER), "ac ac ac ac ac bc ac ac cd"),
        (FULL_ORDER, "bd cd bd cd bd bd cd bd bc"),
    ):
        planned = telling_meetings(tally, field, goal, pairs=9)
        assert " ".join(pair.first + pair.second for pair in planned) == met
    assert planned[0].reason == "safe: tells most about d and b for full order"


@pytest.mark.parametrize("wins", [20, 17, 10])
def test_evidence_of_a_size_is_the_marginal_likelihood(wins: int) -> None:
    matches = np.array([[0.0, 20.0], [20.0, 0.0]])
    points = np.array([[0.0, wins], [20.0 - wins, 0.0]])
    sizes = np.array([0.1, 3.0])
    odds = np.linspace(-60, 60, 200_001)
    likelihood = -wins * np.logaddexp(0, -odds) - (20 - wins) * np.logaddexp(0, odds)
    exact = []
    for size in sizes:  # of the two ratings and the effect together
        variance = 2 * RATING_NATS**2 + size**2
        exact.append(np.log(np.exp(likelihood - odds**2 / (2 * variance)).sum() / np.sqrt(variance)))
    _, evidence = _fit(matches, points, sizes)
    assert evidence[1] - evidence[0] == pytest.approx(exact[1] - exact[0], abs=0.03)


def test_nine_tenths_of_true_scores_are_within_ninety_percent_intervals() -> None:
    rng = np.random.default_rng(4)
    inside = []
    for seed in range(60):
        effects = np.triu(rng.normal(0, 90, (8, 8)), 1)
        elo = ladder(8, step_elo=40) + effects - effects.T
        truth = ((1 / (1 + 10 ** (-elo / 400))).sum(axis=1) - 0.5) / 7
        found = pooled_field(Simulation(elo, seed=seed).play_rounds(6)).estimate
        inside += list(np.abs(found.mean - truth) < 1.645 * np.sqrt(np.diag(found.covariance)))
    assert np.mean(inside) == pytest.approx(0.9, abs=0.05)


def test_bots_that_never_lose_have_finite_estimates_and_an_empty_table_has_even_ones() -> None:
    tally = PairTally("abc")
    assert pooled_field(tally).estimate.mean == pytest.approx([0.5, 0.5, 0.5])
    for first, second in ("ab", "ac", "bc") * 20:
        tally.add(first, second, 1)
    found = pooled_field(tally).estimate
    assert np.isfinite(found.covariance).all()
    assert found.mean[0] > 0.95


@pytest.mark.parametrize("effects_elo", [NO_EFFECTS_ELO, (30.0, 90.0, 180.0)])
def test_the_gain_of_a_meeting_is_what_it_lowers_the_variance_by(effects_elo: tuple[float, ...]) -> None:
    tally = Simulation(ladder(6, step_elo=70)).play_rounds(4)
    field = pooled_field(tally, effects_elo=effects_elo)
    difference = np.array([0, 1, -1, 0, 0, 0])
    known = assess(tally, field.model)
    before = difference @ known.scores @ difference
    gains = _gains(tally, field.model, known, (1, 2), noise=field.dispersion)
    for first, second in zip(*np.triu_indices(6, 1), strict=True):
        model = _with_pair(field.model, int(first), int(second), noise=field.dispersion)
        after = difference @ assess(tally, model).scores @ difference
        assert gains[first, second] == pytest.approx(before - after, rel=0.02), (first, second)


def test_a_field_in_a_line_fits_and_one_in_a_circle_does_not() -> None:
    fields = (Simulation(ladder(8, step_elo=60)), Simulation(circle(7, elo=150)))
    line, round_ = (bradley_terry_fit(field.play_rounds(12).comparisons()).p_value or 0.0 for field in fields)
    assert line > 0.05
    assert round_ < 1e-6


def test_the_guard_sees_nothing_before_bots_have_met_twice_and_nothing_in_two_bots_that_always_fit() -> None:
    assert fit_power(Simulation(ladder(8, step_elo=60)).play_rounds(1)) == 0.0
    assert fit_power(Simulation(ladder(2, step_elo=60)).play_rounds(50)) == 0.0


@pytest.mark.gate
def test_the_power_that_the_guard_claims_is_that_of_simulated_fields() -> None:
    rng = np.random.default_rng(5)
    claimed, rejected = [], []
    for seed in range(60):
        effects = np.triu(rng.normal(0, 87, (10, 10)), 1)
        tally = Simulation(ladder(10, step_elo=30) + effects - effects.T, seed=seed).play_rounds(6)
        p_value = bradley_terry_fit(tally.comparisons()).p_value
        assert p_value is not None
        claimed.append(fit_power(tally))
        rejected.append(p_value < 0.1)
    assert np.mean(rejected) == pytest.approx(np.mean(claimed), abs=0.12)


@pytest.mark.parametrize(
    ("effects_elo", "opponents"),
    [(NO_EFFECTS_ELO, "b"), ((350.0,), "bcdefgh")],
    ids=["in a line the best of it", "in what may be a circle the whole field"],
)
def test_two_that_may_be_the_best_are_told_apart_by_meeting(effects_elo: tuple[float, ...], opponents: str) -> None:
    elo = ladder(8, step_elo=70)
    elo[0, 1], elo[1, 0] = 0, 0
    tally = Simulation(elo).play_rounds(20)
    field = pooled_field(tally, effects_elo=effects_elo)
    planned = next_pairs_safe(tally, Goal(GoalKind.WINNER), field, pairs=200)
    assert {bot for pair in planned for bot in (pair.first, pair.second) if "a" in (pair.first, pair.second)} == {
        "a",
        *opponents,
    }


def test_the_power_of_the_first_test_grows_with_repeats() -> None:
    powers = [fit_power(Simulation(ladder(5, step_elo=60)).play_rounds(rounds)) for rounds in (2, 3, 10)]
    assert powers == pytest.approx([0.1571, 0.2044, 0.5493], abs=1e-4)


def test_one_repeat_and_one_spare_meeting_are_enough_for_some_power() -> None:
    tally = PairTally("abc")
    for first, second, matches in (("a", "b", 2), ("a", "b", 2), ("a", "c", 2), ("b", "c", 1)):
        tally.add(first, second, 0.5, matches=matches)
    assert fit_power(tally) == pytest.approx(0.107794, abs=1e-6)
