"""Several seats: ghosts that do not meet, or robots that are obstacles to each other."""

from __future__ import annotations

import random

import pytest

from games.api import IllegalAction, ParamValue, Turn
from games.navigation import Navigation
from games.navigation.state import State
from games.play import play
from tests.games.navigation.scenes import scene

SMALL = {"width": 8, "height": 8, "max_turns": 40}


def play_at_random(game: Navigation, seed: int) -> State:
    """Every seat draws from a generator of its own, so that it answers the same whoever else plays."""
    rngs = [random.Random(f"seat {seat}") for seat in range(game.seats)]
    return play(game, lambda state, seat: rngs[seat].choice(game.legal_actions(state, seat)), seed=seed)


def test_seats_are_asked_one_after_another() -> None:
    shown = scene("0..", "..a", seats=3)
    assert [shown.play(*["wait"] * count).seat for count in range(5)] == [0, 1, 2, 0, 1]


def test_a_round_is_over_when_all_have_answered() -> None:
    shown = scene("0..", "..a", seats=2)
    assert [shown.play(*["wait"] * count).state.step for count in range(5)] == [0, 0, 1, 1, 2]


def test_who_is_done_is_not_asked_any_more() -> None:
    shown = scene("0a.", "...", seats=2).play("E", "wait")
    assert shown.seat == 1


def test_another_seat_may_not_answer() -> None:
    shown = scene("0..", "..a", seats=2)
    with pytest.raises(IllegalAction, match="answer of seats"):
        shown.game.apply(shown.state, Turn({1: shown.game.parse_action("wait")}, 0))


def test_ghosts_share_map_start_and_goal() -> None:
    game = Navigation(SMALL, seats=3)
    robots = game.initial_state(4).robots
    assert len({(robot.start, robot.goal) for robot in robots}) == 1


def test_ghosts_may_be_in_the_same_cell() -> None:
    shown = scene("0..", "..a", seats=2).play("E", "E")
    assert shown.position(0) == shown.position(1)


@pytest.mark.parametrize(
    "params", [{}, {"knowledge": "unknown"}, {"knowledge": "unknown", "changes": 6, "change_every": 2}]
)
def test_a_ghost_fares_as_it_would_alone(params: dict[str, ParamValue]) -> None:
    alone = play_at_random(Navigation({**SMALL, **params}, seats=1), seed=5)
    among = play_at_random(Navigation({**SMALL, **params}, seats=4), seed=5)
    assert among.robots[0] == alone.robots[0]


def test_ghosts_do_not_see_each_other() -> None:
    shown = scene("0..", "..a", seats=2)
    assert shown.view(1)["robots"] == []
    assert shown.play("E").view(1) == shown.view(1)


def test_shared_robots_have_tasks_of_their_own() -> None:
    robots = Navigation({**SMALL, "shared": True}, seats=4).initial_state(4).robots
    assert len({robot.start for robot in robots}) == 4
    assert len({robot.goal for robot in robots}) == 4


def test_drawn_boards_give_each_shared_robot_its_signs() -> None:
    shown = scene("0.b", "1.a", seats=2, shared=True)
    assert [shown.robot(seat).goal for seat in (0, 1)] == [shown.cell(2, 1), shown.cell(2, 0)]


def test_a_robot_stands_in_the_way_of_another() -> None:
    shown = scene("01a", "..b", seats=2, shared=True, connectivity="4")
    assert shown.legal(0) == ["wait", "S"]
    assert not shown.is_legal("E")


def test_a_cell_is_free_as_soon_as_its_robot_has_left() -> None:
    shown = scene("0.a", "1.b", seats=2, shared=True, connectivity="4")
    assert shown.play("E").legal(1) == ["wait", "N", "E"]


def test_two_robots_cannot_change_places() -> None:
    shown = scene("#01#", "a..b", seats=2, shared=True, connectivity="4")
    assert shown.legal(0) == ["wait", "S"]
    assert shown.play("wait").legal(1) == ["wait", "S"]


def test_a_diagonal_past_a_robot_cuts_no_corner() -> None:
    assert scene("01", ".a", "b.", seats=2, shared=True).is_legal("SE")


def test_a_robot_that_has_arrived_leaves_the_board() -> None:
    shown = scene("0a.", ".1b", seats=2, shared=True, connectivity="4").play("E")
    assert shown.legal(1) == ["wait", "N", "E", "W"]


def test_a_robot_that_gave_up_leaves_the_board() -> None:
    shown = scene("0.a", "1.b", seats=2, shared=True, connectivity="4").play("give up")
    assert shown.legal(1) == ["wait", "N", "E"]


def test_on_a_known_map_all_other_robots_are_seen() -> None:
    assert scene("0...a", "b...1", seats=2, shared=True).view(0)["robots"] == [[4, 1]]


def test_on_an_unknown_map_only_those_in_range() -> None:
    shown = scene("0...a", "b...1", seats=2, shared=True, knowledge="unknown")
    assert shown.view(0)["robots"] == []
    assert shown.play("E", "W", "E").view(1)["robots"] == [[2, 0]]


def test_there_may_be_no_room_for_so_many() -> None:
    with pytest.raises(ValueError, match="map: expected 8 different starts"):
        Navigation({"map": "...\n...", "shared": True}, seats=8).initial_state(1)
