"""The stop rule: when a goal is settled, which bots are not, and what people are told."""

from __future__ import annotations

import numpy as np
import pytest

from gridjoust.runner.schedule.adaptive.pairs import FieldEstimate, Goal, GoalKind, PairTally
from gridjoust.runner.schedule.adaptive.resolve import resolve
from tests.runner.schedule.adaptive.fields import Floats, Simulation, circle, ladder, names


def even(bots: int, rounds: int = 24) -> PairTally:
    """Equal bots that have all met so often."""
    return Simulation(np.zeros((bots, bots))).play_rounds(rounds)


def winner(*, confidence: float = 0.95, indifference: float = 0.01) -> Goal:
    return Goal(GoalKind.WINNER, confidence=confidence, indifference=indifference)


FULL_ORDER = Goal(GoalKind.ORDER, None)
UPSET = ladder(5, step_elo=200)
UPSET[0, 4], UPSET[4, 0] = -300, 300  # the worst beats the best
PLAYED: dict[str, tuple[Floats, int, Goal, dict[str, object]]] = {
    "clear gaps": (
        ladder(6, step_elo=150),
        20,
        Goal(GoalKind.TOP, 2),
        {"is_resolved": True, "answer": ("a", "b"), "undecided": ()},
    ),
    "the best first": (ladder(6, step_elo=150)[::-1, ::-1], 20, Goal(GoalKind.TOP, 3), {"answer": ("f", "e", "d")}),
    "all but the last": (ladder(4, step_elo=200), 30, FULL_ORDER, {"is_resolved": True, "answer": ("a", "b", "c")}),
    "no winner in a circle": (circle(5, elo=300), 50, winner(), {"is_resolved": False}),
    "a winner by score need not win every meeting": (UPSET, 60, winner(), {"answer": ("b",)}),
}


@pytest.mark.parametrize(("elo", "rounds", "goal", "expected"), PLAYED.values(), ids=PLAYED)
def test_results_resolve_a_goal(elo: Floats, rounds: int, goal: Goal, expected: dict[str, object]) -> None:
    found = resolve(Simulation(elo).play_rounds(rounds), goal)
    assert {name: getattr(found, name) for name in expected} == expected


# bots with independent errors, in a field in which everybody has played enough
CLOSE = (0.52, 0.48)  # the difference is 0.04 with an error of 0.02 * sqrt 2
ESTIMATED: dict[str, tuple[tuple[float, ...], float | tuple[float, ...], Goal, dict[str, object]]] = {
    "the top may be resolved": ((0.7, 0.69, 0.4, 0.3), 0.02, Goal(GoalKind.TOP, 2), {"is_resolved": True}),
    "before its order is": ((0.7, 0.69, 0.4, 0.3), 0.02, Goal(GoalKind.ORDER, 2), {"is_resolved": False}),
    # 0.04 are 1.29 errors that are 1.1 times as large, since one looks again and again: 0.901 of normal draws
    "the chance of the answer": (CLOSE, 0.02, winner(indifference=0), {"confidence": 0.9015}),
    "indifference is no lead": (CLOSE, 0.02, winner(indifference=0.012), {"confidence": 0.9015}),
    "equal bots are a tie": (
        (0.5, 0.5),
        0.002,
        winner(),
        {
            "is_resolved": True,
            "is_tie": True,
            "reason": "winner: a and b tie (bots that differ by less than 0.01 points a match count as equal)",
        },
    ),
    "a clear winner is none": ((0.52, 0.48), 0.002, winner(), {"is_resolved": True, "is_tie": False}),
    "equal bots that may not": ((0.5, 0.5), 0.002, winner(indifference=0), {"is_resolved": False}),
    "a tie at one line and an open one": (
        (0.5, 0.5, 0.4, 0.396),
        0.002,
        Goal(GoalKind.ORDER, None, indifference=0.005),
        {"is_resolved": False},
    ),
    "sure enough": (CLOSE, 0.02, winner(confidence=0.8, indifference=0), {"is_resolved": True}),
    "not sure enough": (CLOSE, 0.02, winner(confidence=0.95, indifference=0), {"is_resolved": False}),
    "bots around the line": ((0.9, 0.8, 0.51, 0.5, 0.2, 0.1), 0.02, Goal(GoalKind.TOP, 3), {"undecided": ("c", "d")}),
    "two lines of an order": ((0.9, 0.89, 0.5, 0.2, 0.19), 0.02, FULL_ORDER, {"undecided": ("a", "b", "d", "e")}),
    "exactly equal bots": ((0.5, 0.5), 0.0, winner(indifference=0), {"is_resolved": True}),
    "certainty": ((0.9, 0.1), 0.001, winner(confidence=1.0), {"is_resolved": True}),
    "who is wrong in 1 of 25": ((0.9, 0.52, 0.5, 0.4805), 0.02, Goal(GoalKind.TOP, 2), {"undecided": ("b", "c", "d")}),
    "a sure bot between two that are not": (
        (0.9, 0.6, 0.5, 0.45),
        (0.001, 0.001, 0.001, 0.15),
        Goal(GoalKind.TOP, 2),
        {"undecided": ("b", "d")},
    ),
    "almost": (CLOSE, 0.0157, winner(indifference=0), {"reason": "a and b are not separated: about 1 more pair"}),
    "too long": (
        (0.5001, 0.5),
        0.02,
        winner(indifference=0),
        {"reason": "a and b are not separated: more than 1000 more pairs"},
    ),
    "an answer": (
        (0.9, 0.8, 0.1),
        0.01,
        Goal(GoalKind.TOP, 2, indifference=0),
        {"reason": "top 2 resolved at 100.0%: a, b"},
    ),
    "a full order": (
        (0.9, 0.5, 0.1),
        0.01,
        Goal(GoalKind.ORDER, None, indifference=0),
        {"reason": "full order resolved at 100.0%: a, b, c"},
    ),
}


@pytest.mark.parametrize(("means", "error", "goal", "expected"), ESTIMATED.values(), ids=ESTIMATED)
def test_estimates_resolve_a_goal(
    means: tuple[float, ...], error: float | tuple[float, ...], goal: Goal, expected: dict[str, object]
) -> None:
    field = FieldEstimate(np.array(means), np.diag(np.broadcast_to(error, len(means)) ** 2))
    found = resolve(even(len(means)), goal, estimate=field)
    assert {name: getattr(found, name) for name in expected} == expected


def test_people_are_told_who_is_not_separated_and_how_many_pairs_it_may_take() -> None:
    field = FieldEstimate(np.array([0.9, 0.53, 0.51, 0.1]), np.eye(4) * 0.0005 - 0.0001)
    # a lead of 0.02 with an error of 1.1 sqrt 0.001: 50 pairs of b and c give 0.57 errors of the 1.64 that are wanted
    found = resolve(even(4, rounds=10), Goal(GoalKind.TOP, 2), estimate=field)
    assert found.reason == "b and c are not separated: about 359 more pairs"


def test_nothing_is_resolved_by_four_results_and_two_bots_are_undecided() -> None:
    tally = PairTally("ab")
    for _ in range(4):
        tally.add("a", "b", 1)
    found = resolve(tally, winner(confidence=0.6))
    assert (found.is_resolved, found.undecided) == (False, ("a", "b"))
    assert found.reason == "not every bot has 12 results yet"


@pytest.mark.parametrize(("rounds", "is_resolved"), [(23, False), (24, True)])
def test_a_line_needs_24_results_of_the_bots_next_to_it(rounds: int, is_resolved: bool) -> None:
    tally = PairTally("ab")
    for _ in range(rounds):
        tally.add("a", "b", 1)
    found = resolve(tally, winner(indifference=0))
    assert found.is_resolved is is_resolved
    assert found.reason == ("winner resolved at 100.0%: a" if is_resolved else "a has fewer than 24 results yet")


def test_other_bots_need_no_more_than_12() -> None:
    tally = PairTally("abc")
    for score, one, other, rounds in ((1, "a", "b", 18), (1, "a", "c", 6), (1, "b", "c", 6)):
        for _ in range(rounds):
            tally.add(one, other, score)
    assert resolve(tally, winner()).is_resolved


def test_the_place_in_the_file_does_not_change_the_chance_of_an_answer() -> None:
    chances = []
    for order in ("ab", "ba"):
        tally = PairTally(order)
        for score in (1, 0.5, 0.5, 0.5, 0.5, 0.5) * 4:
            tally.add("a", "b", score)
        chances.append(resolve(tally, winner()).confidence)
    assert 0.8 < chances[0] < 0.999
    assert chances[0] == chances[1]


@pytest.mark.parametrize(("bots", "is_tie"), [(2, True), (6, False)])
def test_the_indifference_counts_twice_between_two_bots_that_only_meet_each_other(bots: int, is_tie: bool) -> None:
    # two equal bots with an error of 0.011 * 1.1 * sqrt 2 = 0.017; they may lie 0.04 apart of 2 bots, and 0.024 of 6
    field = FieldEstimate(np.array([0.5, 0.5, *[0.1] * (bots - 2)]), np.eye(bots) * 0.011**2)
    assert resolve(even(bots), winner(indifference=0.02), estimate=field).is_tie is is_tie


def test_before_enough_results_the_two_around_the_least_clear_line_are_undecided() -> None:
    field = FieldEstimate(np.array([0.9, 0.7, 0.67, 0.1]), np.eye(4) * 0.008**2)
    found = resolve(even(4, rounds=1), FULL_ORDER, estimate=field)
    assert found.confidence > FULL_ORDER.confidence
    assert (found.is_resolved, found.undecided) == (False, ("b", "c"))


def test_challengers_are_ranked_by_their_results_against_the_others() -> None:
    tally = PairTally("abxyz", challengers="ab")
    for other in "xyz" * 20:
        tally.add("a", other, 0.25)
        tally.add("b", other, 0.75)
    found = resolve(tally, winner())
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
