"""The tally of who met whom, and what a goal may ask."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.schedule.adaptive.pairs import Goal, GoalKind, PairTally

PAIRS = st.tuples(
    st.sampled_from([("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")]), st.sampled_from([0, 0.25, 0.5, 0.75, 1])
)


def test_a_pair_counts_as_two_matches_with_the_points_of_both_and_a_single_match_as_one() -> None:
    pairs, singles = PairTally("ab"), PairTally("ab")
    pairs.add("a", "b", 0.75)
    assert (pairs.matches()[0, 1], pairs.points()[0, 1], pairs.points()[1, 0]) == (2, 1.5, 0.5)
    singles.add("a", "b", 0.5, matches=1)
    assert (singles.matches()[0, 1], singles.points()[0, 1], singles.units()[0, 1]) == (1, 0.5, 1)


def test_counts_go_from_worst_to_best_for_the_first_bot_and_single_matches_are_not_among_the_pairs() -> None:
    tally = PairTally("ab")
    for score in (0, 0.25, 0.25, 1):
        tally.add("b", "a", score)
    tally.add("a", "b", 1, matches=1)
    assert tally.pair_counts("b", "a") == (1, 2, 0, 0, 1)
    assert tally.pair_counts("a", "b") == (1, 0, 0, 2, 1)
    assert tally.single_counts("a", "b") == (0, 0, 1)


def test_every_result_is_a_row_of_its_own_for_a_rating_fit() -> None:
    tally = PairTally(["a", "b", "c"])
    for first, second, score in (("a", "b", 1.0), ("b", "a", 0.0), ("c", "a", 0.25)):
        tally.add(first, second, score)
    tally.add("b", "c", 0.5, matches=1)
    rows = [(row.first, row.second, row.score, row.weight) for row in tally.comparisons()]
    assert sorted(rows) == [("a", "b", 1, 2), ("a", "b", 1, 2), ("a", "c", 0.75, 2), ("b", "c", 0.5, 1)]
    assert len({row.pair_id for row in tally.comparisons()}) == 4


@pytest.mark.gate
@given(st.lists(PAIRS, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter_and_points_of_both_sides_add_up_to_the_matches(
    results: list[tuple[tuple[str, str], float]], rng: random.Random
) -> None:
    one, other = PairTally("abc"), PairTally("abc")
    for (first, second), score in results:
        one.add(first, second, score)
    rng.shuffle(results)
    for (first, second), score in results:
        other.add(first, second, score)
    assert np.array_equal(one.points(), other.points())
    assert one.comparisons() == other.comparisons()
    assert np.array_equal(one.points() + one.points().T, one.matches())


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a score that no pair has": (lambda: PairTally("ab").add("a", "b", 0.3), "score: expected a multiple of"),
    "a score above 1": (lambda: PairTally("ab").add("a", "b", 1.25), "score: expected a multiple of"),
    "a score below 0": (lambda: PairTally("ab").add("a", "b", -0.25), "score: expected a multiple of"),
    "no match's score": (lambda: PairTally("ab").add("a", "b", 0.25, matches=1), "score: expected a multiple of"),
    "three matches": (lambda: PairTally("ab").add("a", "b", 1, matches=3), "matches: expected 1 or 2, got 3"),
    "a stranger": (lambda: PairTally("ab").add("a", "x", 1), "expected one of a, b, got 'x'"),
    "one bot": (lambda: PairTally("a"), "expected at least 2 different names"),
    "one name twice": (lambda: PairTally("aa"), "expected at least 2 different names"),
    "a bot against itself": (lambda: PairTally("ab").add("a", "a", 1), "expected bots that may meet"),
    "two challengers": (
        lambda: PairTally("abcd", challengers="ac").add("a", "c", 1),
        "expected bots that may meet, got 'a' and 'c'",
    ),
    "an order of one": (lambda: Goal(GoalKind.ORDER, None).cuts(1), "full order: expected more than 1 bots, got 1"),
    "a top as large as the field": (lambda: Goal(GoalKind.TOP, 3).cuts(3), "top 3: expected more than 3 bots, got 3"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_challengers_are_ranked_alone() -> None:
    assert PairTally("abcd", challengers="ac").ranked == (0, 2)


@pytest.mark.parametrize(
    ("goal", "cuts", "told"),
    [
        (Goal(), (3,), "top 3"),
        (Goal(GoalKind.WINNER, 3), (1,), "winner"),
        (Goal(GoalKind.ORDER, 2), (1, 2), "order of the top 2"),
        (Goal(GoalKind.ORDER, None), (1, 2, 3, 4), "full order"),
        (Goal(GoalKind.ORDER, 9), (1, 2, 3, 4), "order of the top 9"),
    ],
)
def test_a_goal_draws_its_lines_and_says_what_it_asks(goal: Goal, cuts: tuple[int, ...], told: str) -> None:
    assert (goal.cuts(5), str(goal)) == (cuts, told)
