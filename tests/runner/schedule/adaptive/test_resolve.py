"""The stop rule: when a goal is settled, which bots are not, and what people are told."""

from __future__ import annotations

import numpy as np
import pytest

from runner.schedule.adaptive.goal import Goal, GoalKind
from runner.schedule.adaptive.pairs import FieldEstimate, PairTally
from runner.schedule.adaptive.resolve import resolve
from tests.runner.schedule.adaptive.fields import Simulation, circle, ladder, names


def estimate(*means: float, error: float) -> tuple[PairTally, FieldEstimate]:
    """A field with independent errors, in which everybody has played enough."""
    tally = Simulation(np.zeros((len(means), len(means)))).play_rounds(5)
    return tally, FieldEstimate(np.array(means), np.eye(len(means)) * error**2)


def test_clear_gaps_resolve_the_top() -> None:
    found = resolve(Simulation(ladder(6, step_elo=150)).play_rounds(20), Goal(GoalKind.TOP, 2))
    assert (found.is_resolved, found.answer, found.undecided) == (True, ("a", "b"), ())


def test_the_answer_is_best_first() -> None:
    elo = ladder(6, step_elo=150)[::-1, ::-1]
    assert resolve(Simulation(elo).play_rounds(20), Goal(GoalKind.TOP, 3)).answer == ("f", "e", "d")


def test_the_full_order_names_everybody_but_the_last() -> None:
    found = resolve(Simulation(ladder(4, step_elo=200)).play_rounds(30), Goal(GoalKind.ORDER, None))
    assert (found.is_resolved, found.answer) == (True, ("a", "b", "c"))


def test_the_top_may_be_resolved_before_its_order_is() -> None:
    tally, field = estimate(0.7, 0.69, 0.4, 0.3, error=0.02)
    assert resolve(tally, Goal(GoalKind.TOP, 2), estimate=field).is_resolved
    assert not resolve(tally, Goal(GoalKind.ORDER, 2), estimate=field).is_resolved


def test_the_confidence_is_the_probability_of_the_answer() -> None:
    tally, field = estimate(0.52, 0.48, error=0.02)  # the difference is 0.04 with an error of 0.02 * sqrt 2
    assert resolve(tally, Goal(GoalKind.WINNER, indifference=0), estimate=field).confidence == pytest.approx(
        0.921, abs=0.01
    )


def test_indifference_counts_as_a_lead() -> None:
    tally, field = estimate(0.52, 0.48, error=0.02)  # as 0.052 with an error of 0.02 * sqrt 2
    assert resolve(tally, Goal(GoalKind.WINNER, indifference=0.012), estimate=field).confidence == pytest.approx(
        0.967, abs=0.01
    )


def test_equal_bots_resolve_when_their_difference_cannot_matter() -> None:
    tally, field = estimate(0.5, 0.5, error=0.002)
    assert resolve(tally, Goal(GoalKind.WINNER), estimate=field).is_resolved
    assert not resolve(tally, Goal(GoalKind.WINNER, indifference=0), estimate=field).is_resolved


@pytest.mark.parametrize(("confidence", "is_resolved"), [(0.9, True), (0.95, False)])
def test_a_goal_is_resolved_at_its_confidence(confidence: float, *, is_resolved: bool) -> None:
    tally, field = estimate(0.52, 0.48, error=0.02)
    goal = Goal(GoalKind.WINNER, confidence=confidence, indifference=0)
    assert resolve(tally, goal, estimate=field).is_resolved == is_resolved


def test_undecided_are_the_bots_around_the_line() -> None:
    tally, field = estimate(0.9, 0.8, 0.51, 0.5, 0.2, 0.1, error=0.02)
    assert resolve(tally, Goal(GoalKind.TOP, 3), estimate=field).undecided == ("c", "d")


def test_every_line_of_an_order_may_be_undecided() -> None:
    tally, field = estimate(0.9, 0.89, 0.5, 0.2, 0.19, error=0.02)
    assert resolve(tally, Goal(GoalKind.ORDER, None), estimate=field).undecided == ("a", "b", "d", "e")


def test_nothing_is_resolved_by_four_results() -> None:
    tally = PairTally("ab")
    for _ in range(4):
        tally.add("a", "b", 1)
    found = resolve(tally, Goal(GoalKind.WINNER, confidence=0.6))
    assert (found.is_resolved, found.reason) == (False, "not every bot has 5 results yet")


def test_undecided_are_two_even_where_only_results_are_missing() -> None:
    tally = PairTally("ab")
    for _ in range(4):
        tally.add("a", "b", 1)
    assert resolve(tally, Goal(GoalKind.WINNER, confidence=0.6)).undecided == ("a", "b")


def test_bots_in_a_circle_have_no_winner() -> None:
    found = resolve(Simulation(circle(5, elo=300)).play_rounds(50), Goal(GoalKind.WINNER))
    assert not found.is_resolved


def test_a_winner_by_score_need_not_win_every_meeting() -> None:
    elo = ladder(5, step_elo=200)
    elo[0, 4], elo[4, 0] = -300, 300  # the worst beats the best
    assert resolve(Simulation(elo).play_rounds(60), Goal(GoalKind.WINNER)).answer == ("b",)


def test_people_are_told_who_is_not_separated_and_how_many_pairs_it_may_take() -> None:
    tally = Simulation(np.zeros((4, 4))).play_rounds(10)
    field = FieldEstimate(np.array([0.9, 0.53, 0.5, 0.1]), np.eye(4) * 0.02**2)
    # 51 pairs of b and c give 1.06 errors of the 1.64 that are wanted: 2.4 times as many
    assert resolve(tally, Goal(GoalKind.TOP, 2, indifference=0), estimate=field).reason == (
        "b and c are not separated: about 70 more pairs"
    )


def test_people_are_told_when_it_would_take_too_long() -> None:
    tally, field = estimate(0.5001, 0.5, error=0.02)
    reason = resolve(tally, Goal(GoalKind.WINNER, indifference=0), estimate=field).reason
    assert reason == "a and b are not separated: more than 1000 more pairs"


def test_people_are_told_the_answer() -> None:
    tally, field = estimate(0.9, 0.8, 0.1, error=0.01)
    reason = resolve(tally, Goal(GoalKind.TOP, 2), estimate=field).reason
    assert reason == "top 2 resolved at 100.0%: a, b"


def test_challengers_are_ranked_by_their_results_against_the_others() -> None:
    tally = PairTally("abxyz", challengers="ab")
    for _ in range(20):
        for other in "xyz":
            tally.add("a", other, 0.25)
            tally.add("b", other, 0.75)
    found = resolve(tally, Goal(GoalKind.WINNER))
    assert (found.is_resolved, found.answer) == (True, ("b",))


def test_the_same_results_in_another_order_give_the_same_resolution() -> None:
    one = Simulation(ladder(6, step_elo=40)).play_rounds(10)
    other = PairTally(names(6))
    for row in reversed(one.comparisons()):
        other.add(row.first, row.second, row.score)
    assert resolve(one, Goal()) == resolve(other, Goal())


def test_a_field_too_small_for_the_goal_is_refused() -> None:
    with pytest.raises(ValueError, match="top 3: expected more than 3 bots, got 3"):
        resolve(PairTally("abc"), Goal(GoalKind.TOP, 3))
