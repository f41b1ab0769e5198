"""Formulas for scores against published numbers, and at the edges where they must refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.leaderboard.statistics import (
    EloEstimate,
    Interval,
    elo_from_pairs,
    elo_from_score,
    elo_from_wdl,
    likelihood_of_superiority,
    mean_interval,
    score_from_elo,
    t_critical,
    wilson,
)

CASES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "rating_cases.json").read_text(encoding="utf-8"))


def _check(estimate: EloEstimate, case: dict[str, Any]) -> None:
    for name, expected in case["expected"].items():
        assert getattr(estimate, name) == pytest.approx(expected, abs=case["tolerance"][name]), name


@pytest.mark.parametrize("case", CASES["elo_from_wdl"], ids=lambda case: case["source"])
def test_elo_of_single_matches_is_the_published_one(case: dict[str, Any]) -> None:
    _check(elo_from_wdl(case["wins"], case["draws"], case["losses"]), case)


@pytest.mark.parametrize("case", CASES["elo_from_pairs"], ids=lambda case: case["source"])
def test_elo_of_pairs_is_the_published_one(case: dict[str, Any]) -> None:
    _check(elo_from_pairs(case["pair_counts"]), case)


def test_a_perfect_score_has_no_elo_instead_of_an_infinite_one() -> None:
    assert elo_from_wdl(10, 0, 0) == EloEstimate(1.0, 10, None, None, None, None, None)


def test_elo_is_known_but_not_its_interval_below_five_matches() -> None:
    estimate = elo_from_wdl(2, 1, 1)
    assert estimate.elo == pytest.approx(88.74, abs=0.01)
    assert (estimate.elo_interval, estimate.elo_margin, estimate.nelo_margin) == (None, None, None)


def test_five_pairs_are_enough_for_an_interval_and_four_are_not() -> None:
    assert elo_from_pairs([0, 1, 2, 2, 0]).elo_interval is not None
    assert elo_from_pairs([0, 1, 2, 1, 0]).elo_interval is None


def test_pairs_that_all_came_out_alike_give_no_interval_of_width_zero() -> None:
    estimate = elo_from_pairs([0, 0, 20, 0, 0])
    assert (estimate.elo, estimate.elo_interval, estimate.los) == (0.0, None, None)


def test_pairs_that_cancel_a_seat_bias_are_surer_than_their_single_matches() -> None:
    pairs = elo_from_pairs([0, 10, 80, 10, 0])  # the first seat nearly always wins
    singles = elo_from_wdl(90, 20, 90)
    assert pairs.elo_margin is not None
    assert singles.elo_margin is not None
    assert pairs.elo_margin < singles.elo_margin / 2


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 3, 3)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="expected counts of at least one match"):
        elo_from_wdl(*counts)


def test_four_pair_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 5 counts, got 4"):
        elo_from_pairs([1, 2, 3, 4])


@given(st.floats(-1500, 1500))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_superiority_without_an_error_is_unknown() -> None:
    assert likelihood_of_superiority(0.7, 0.0) is None


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_examples_of_newcombe_1998(successes: int, trials: int, low: float, high: float) -> None:
    """R. G. Newcombe, Statistics in Medicine 17:857, table I, method 3."""
    interval = wilson(successes, trials)
    assert interval is not None
    assert [interval.low, interval.high] == pytest.approx([low, high], abs=5e-5)


def test_wilson_of_no_trials_is_unknown() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (10, 2.2281), (30, 2.0423), (1000, 1.9623)],
)
def test_critical_values_of_t_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert t_critical(degrees) == pytest.approx(expected, abs=5e-5)


def test_series_and_expansion_give_the_same_critical_value(monkeypatch: pytest.MonkeyPatch) -> None:
    expansion = t_critical(200)
    monkeypatch.setattr("runner.leaderboard.statistics._SERIES_LIMIT", 1000)
    assert t_critical(200) == pytest.approx(expansion, abs=1e-8)
    assert t_critical(201) == pytest.approx(expansion, abs=2e-4)  # odd numbers have a series of their own


def test_t_interval_of_five_values() -> None:
    interval = mean_interval([1, 2, 3, 4, 5])
    assert interval is not None
    assert interval.low == pytest.approx(3 - 2.776445 * (2.5 / 5) ** 0.5, abs=1e-5)
    assert interval.high == pytest.approx(3 + 2.776445 * (2.5 / 5) ** 0.5, abs=1e-5)


def test_t_interval_of_four_values_is_refused() -> None:
    assert mean_interval([1, 2, 3, 4]) is None


def test_values_that_are_all_equal_leave_no_doubt() -> None:
    assert mean_interval([7.0] * 6) == Interval(7.0, 7.0)
