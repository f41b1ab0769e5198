"""Elo from counted results: published numbers, symmetry, and where it must refuse."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gridjoust.runner.statistics import (
    EloEstimate,
    elo_from_pairs,
    elo_from_score,
    elo_from_wdl,
    likelihood_of_superiority,
    score_from_elo,
)
from tests.runner.statistics.cases import PublishedCase, cases, check

_COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5)


@cases("elo")
def test_elo_is_the_published_one(case: PublishedCase) -> None:
    counts = case["counts_worst_to_best"]
    check(elo_from_pairs(*counts) if len(counts) == 5 else elo_from_wdl(*reversed(counts)), case)


@given(_COUNTS)
def test_swapping_the_bots_turns_the_sign_and_leaves_the_rest_of_certainty(counts: list[int]) -> None:
    assume(any(counts))
    one, other = elo_from_pairs(*counts), elo_from_pairs(*reversed(counts))
    assert [other.elo, other.nelo] == pytest.approx([None if x is None else -x for x in (one.elo, one.nelo)], abs=1e-6)
    assert [other.elo_error, other.nelo_error] == pytest.approx([one.elo_error, one.nelo_error], abs=1e-6)
    assert other.los == pytest.approx(None if one.los is None else 1 - one.los)


@given(_COUNTS, st.integers(2, 9))
def test_more_of_the_same_is_the_same_strength_and_surer(counts: list[int], times: int) -> None:
    once = elo_from_pairs(*counts) if any(counts) else None
    assume(once is not None and once.elo_error)
    assert once is not None
    more = elo_from_pairs(*(times * count for count in counts))
    assert [more.elo, more.nelo] == pytest.approx([once.elo, once.nelo])
    assert more.nelo_error == pytest.approx((once.nelo_error or 0) / times**0.5)


def test_points_count_matches_and_not_pairs_and_who_lost_none_has_no_ratio() -> None:
    estimate = elo_from_pairs(1, 2, 3, 4, 5)
    assert (estimate.units, estimate.points, estimate.pairs_ratio, estimate.even_share) == (15, 20.0, 3.0, 0.2)
    assert elo_from_pairs(0, 0, 3, 2, 1).pairs_ratio is None


def test_an_interval_needs_five_units_that_differ() -> None:
    four, alike = elo_from_wdl(2, 1, 1), elo_from_pairs(0, 0, 20, 0, 0)
    assert four.elo == pytest.approx(88.74, abs=0.01)
    assert (four.elo_interval, four.elo_error, four.nelo_error) == (None, None, None)
    assert (alike.elo, alike.elo_interval, alike.los) == (0.0, None, None)
    assert elo_from_pairs(0, 1, 2, 2, 0).elo_interval is not None
    assert elo_from_pairs(0, 1, 2, 1, 0).elo_interval is None
    # an interval that reaches a perfect score has no end
    assert [elo_from_wdl(*counts).elo_interval for counts in ((9, 0, 1), (1, 0, 9))] == [None, None]
    assert elo_from_wdl(0, 1, 0).elo == 0
    # a perfect score has no Elo instead of an infinite one
    assert elo_from_wdl(10, 0, 0) == EloEstimate(1.0, (0, 0, 10), None, None, None, None, None)
    assert likelihood_of_superiority(0.7, 0.0) is None


def test_pairs_that_cancel_a_seat_bias_are_surer_than_their_single_matches() -> None:
    pairs = elo_from_pairs(0, 10, 80, 10, 0)  # the first seat nearly always wins
    singles = elo_from_wdl(90, 20, 90)
    assert pairs.elo_error is not None
    assert singles.elo_error is not None
    assert pairs.elo_error < singles.elo_error / 2


@pytest.mark.parametrize("counts", [(0, 0, 0), (-1, 3, 3)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="expected counts of at least one match"):
        elo_from_wdl(*counts)


@given(st.floats(-1500, 1500))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)
