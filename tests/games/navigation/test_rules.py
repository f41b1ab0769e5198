"""How a match ends, and what it is worth."""

from __future__ import annotations

import pytest

from games.api import IllegalAction, Turn
from games.navigation import Navigation
from games.navigation.actions import Stay
from tests.games.navigation.scenes import scene

WALLED = ("0#a", ".#.")


def test_the_match_is_over_when_the_goal_is_reached() -> None:
    assert scene("0a", "..").play("E").is_over


def test_it_goes_on_until_every_robot_is_done() -> None:
    shown = scene("0a", "..", seats=2)
    assert not shown.play("E").is_over
    assert shown.play("E", "E").is_over


def test_a_shortest_way_returns_one() -> None:
    assert scene("0..", "..a", connectivity="4").play("E", "E", "S").returns() == (1.0,)


def test_a_longer_way_returns_reference_over_cost() -> None:
    assert scene("0.a", connectivity="4").play("wait", "E", "wait", "E").returns() == (0.5,)


def test_a_right_give_up_returns_one() -> None:
    assert scene(*WALLED).play("give up").returns() == (1.0,)


def test_a_wrong_give_up_loses() -> None:
    shown = scene("0#a", "...", knowledge="unknown").play("give up")
    assert (shown.returns(), shown.is_over) == ((-1.0,), True)


def test_giving_up_is_judged_by_the_moves_of_the_game() -> None:
    assert scene("0#", "#a", connectivity="8-unit").play("give up").returns() == (-1.0,)
    assert scene("0#", "#a", connectivity="8").play("give up").returns() == (1.0,)


def test_giving_up_is_judged_by_the_map_as_it_is_now() -> None:
    assert scene("0.a").flip((1, 0)).play("give up").returns() == (1.0,)
    assert scene(*WALLED).flip((1, 1)).play("give up").returns() == (-1.0,)


def test_other_robots_do_not_make_a_goal_unreachable() -> None:
    shown = scene("01a", "##b", seats=2, shared=True, connectivity="4")
    assert shown.play("give up").returns()[0] == -1.0


def test_a_robot_on_a_cell_that_closed_can_still_reach_its_goal() -> None:
    assert scene("0.a").play("E").flip((1, 0)).play("give up").returns() == (-1.0,)


def test_time_is_up_after_so_many_rounds() -> None:
    shown = scene("0..a", max_turns=3)
    assert not shown.play("wait", "wait").is_over
    assert shown.play("wait", "wait", "wait").is_over


def test_who_still_walks_then_returns_nothing() -> None:
    assert scene("0..a", max_turns=2).play("E", "E").returns() == (0.0,)


def test_the_last_round_still_counts() -> None:
    assert scene("0.a", max_turns=2).play("E", "E").returns() == (1.0,)


def test_a_start_on_the_goal_is_over_at_once() -> None:
    shown = scene("...", start="1,0", goal="1,0")
    assert (shown.is_over, shown.returns()) == (True, (1.0,))


def test_after_the_end_nobody_may_answer() -> None:
    shown = scene("0a").play("E")
    with pytest.raises(IllegalAction):
        shown.game.apply(shown.state, Turn({0: Stay.WAIT}, 9))


def test_the_reference_is_the_shortest_way_on_the_true_map_of_the_start() -> None:
    shown = scene("0#a", "...", connectivity="4", knowledge="unknown").flip((1, 0)).play("E", "E")
    assert (shown.metrics()["reference"], shown.returns()) == (4, (2.0,))


def test_a_goal_that_only_flips_made_reachable_returns_one() -> None:
    shown = scene(*WALLED, connectivity="4").flip((1, 0)).play("E", "E")
    assert (shown.returns(), shown.metrics()["reference"]) == ((1.0,), 0)


def test_metrics_of_a_longer_way() -> None:
    assert scene("0.a", "...", connectivity="4").play("S", "E", "wait", "E", "N").metrics() == {
        "solved": 1,
        "reached": 1,
        "cost": 5,
        "reference": 2,
        "cost_over_reference": 2.5,
        "steps": 4,
        "waits": 1,
        "turns": 5,
    }


def test_a_right_give_up_is_solved_but_not_reached() -> None:
    metrics = scene(*WALLED).play("give up").metrics()
    assert (metrics["solved"], metrics["reached"], metrics["cost_over_reference"]) == (1, 0, 0)


def test_a_wrong_one_is_neither() -> None:
    metrics = scene("0.a").play("give up").metrics()
    assert (metrics["solved"], metrics["reached"]) == (0, 0)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["E", "E"], "reached its goal at a cost of 2 against 2"),
        (["give up"], "gave up although there was a way"),
        (["wait", "wait"], "was still on its way after 2 rounds"),
    ],
)
def test_the_reason_says_what_became_of_the_robot(answers: list[str], expected: str) -> None:
    shown = scene("0.a", max_turns=2).play(*answers)
    assert shown.game.reason(shown.state) == expected


def test_the_reason_names_the_seats_if_there_are_several() -> None:
    shown = scene(*WALLED, seats=2).play("give up", "give up")
    expected = "rightly declared its goal unreachable"
    assert shown.game.reason(shown.state) == f"seat 0 {expected}, seat 1 {expected}"


def test_max_turns_of_the_spec_counts_the_answers_of_all_seats() -> None:
    assert Navigation({"max_turns": 50}, seats=3).spec.max_turns == 150
