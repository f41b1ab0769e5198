"""The tally of who met whom, and what a goal may ask."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.schedule.adaptive.goal import Goal, GoalKind
from runner.schedule.adaptive.pairs import PairTally

PAIRS = st.tuples(
    st.sampled_from([("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]), st.sampled_from([0, 0.25, 0.5, 0.75, 1])
)


def test_a_pair_counts_as_two_matches_with_the_points_of_both() -> None:
    tally = PairTally(["a", "b"])
    tally.add("a", "b", 0.75)
    assert (tally.matches()[0, 1], tally.points()[0, 1], tally.points()[1, 0]) == (2, 1.5, 0.5)


def test_a_single_match_counts_as_one() -> None:
    tally = PairTally(["a", "b"])
    tally.add("a", "b", 0.5, matches=1)
    assert (tally.matches()[0, 1], tally.points()[0, 1], tally.units()[0, 1]) == (1, 0.5, 1)


def test_pair_counts_go_from_worst_to_best_for_the_first_bot() -> None:
    tally = PairTally(["a", "b"])
    for score in (0, 0.25, 0.25, 1):
        tally.add("b", "a", score)
    assert tally.pair_counts("b", "a") == (1, 2, 0, 0, 1)
    assert tally.pair_counts("a", "b") == (1, 0, 0, 2, 1)


def test_single_matches_are_not_among_the_pairs() -> None:
    tally = PairTally(["a", "b"])
    tally.add("a", "b", 1, matches=1)
    assert tally.pair_counts("a", "b") == (0, 0, 0, 0, 0)
    assert tally.single_counts("a", "b") == (0, 0, 1)


def test_every_result_is_a_row_of_its_own_for_a_rating_fit() -> None:
    tally = PairTally(["a", "b", "c"])
    for first, second, score in (("a", "b", 1.0), ("b", "a", 0.0), ("c", "a", 0.25)):
        tally.add(first, second, score)
    tally.add("b", "c", 0.5, matches=1)
    rows = [(row.first, row.second, row.score, row.weight) for row in tally.comparisons()]
    assert sorted(rows) == [("a", "b", 1, 2), ("a", "b", 1, 2), ("a", "c", 0.75, 2), ("b", "c", 0.5, 1)]
    assert len({row.pair_id for row in tally.comparisons()}) == 4


@given(st.lists(PAIRS, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(results: list[tuple[tuple[str, str], float]], rng: random.Random) -> None:
    one, other = PairTally("abc"), PairTally("abc")
    for (first, second), score in results:
        one.add(first, second, score)
    rng.shuffle(results)
    for (first, second), score in results:
        other.add(first, second, score)
    assert np.array_equal(one.points(), other.points())
    assert one.comparisons() == other.comparisons()


@given(st.lists(PAIRS, max_size=30))
def test_points_of_both_sides_add_up_to_the_matches(results: list[tuple[tuple[str, str], float]]) -> None:
    tally = PairTally("abc")
    for (first, second), score in results:
        tally.add(first, second, score)
    assert np.array_equal(tally.points() + tally.points().T, tally.matches())


@pytest.mark.parametrize(("score", "matches"), [(0.3, 2), (1.25, 2), (-0.25, 2), (0.25, 1)])
def test_a_score_that_such_matches_cannot_have_is_refused(score: float, matches: int) -> None:
    with pytest.raises(ValueError, match="score: expected a multiple of"):
        PairTally("ab").add("a", "b", score, matches=matches)


def test_three_matches_on_one_seed_are_refused() -> None:
    with pytest.raises(ValueError, match="matches: expected 1 or 2, got 3"):
        PairTally("ab").add("a", "b", 1, matches=3)


def test_a_stranger_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of a, b, got 'x'"):
        PairTally("ab").add("a", "x", 1)


@pytest.mark.parametrize("bots", ["a", "aa"])
def test_a_field_has_at_least_two_different_bots(bots: str) -> None:
    with pytest.raises(ValueError, match="expected at least 2 different names"):
        PairTally(bots)


def test_a_bot_does_not_meet_itself() -> None:
    with pytest.raises(ValueError, match="expected bots that may meet"):
        PairTally("ab").add("a", "a", 1)


def test_challengers_do_not_meet_each_other() -> None:
    tally = PairTally("abcd", challengers="ac")
    assert tally.ranked == (0, 2)
    with pytest.raises(ValueError, match="expected bots that may meet, got 'a' and 'c'"):
        tally.add("a", "c", 1)


@pytest.mark.parametrize(
    ("goal", "cuts"),
    [
        (Goal(GoalKind.TOP, 3), (3,)),
        (Goal(GoalKind.WINNER, 3), (1,)),
        (Goal(GoalKind.ORDER, 2), (1, 2)),
        (Goal(GoalKind.ORDER, None), (1, 2, 3, 4)),
        (Goal(GoalKind.ORDER, 9), (1, 2, 3, 4)),
    ],
)
def test_a_goal_draws_its_lines(goal: Goal, cuts: tuple[int, ...]) -> None:
    assert goal.cuts(5) == cuts


def test_the_top_of_a_field_is_smaller_than_the_field() -> None:
    with pytest.raises(ValueError, match="top 3: expected more than 3 bots, got 3"):
        Goal(GoalKind.TOP, 3).cuts(3)


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        (Goal(GoalKind.TOP, 3), "top 3"),
        (Goal(GoalKind.WINNER), "winner"),
        (Goal(GoalKind.ORDER, None), "full order"),
        (Goal(GoalKind.ORDER, 4), "order of the top 4"),
    ],
)
def test_a_goal_says_what_it_asks(goal: Goal, told: str) -> None:
    assert str(goal) == told
