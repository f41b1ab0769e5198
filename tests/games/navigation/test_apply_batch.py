"""Paths as answers: walked until the map contradicts them."""

from __future__ import annotations

import pytest

from games.navigation.actions import MAX_PATH
from tests.games.navigation.scenes import scene


def test_a_path_is_walked_in_one_turn() -> None:
    shown = scene("0..", "..a", batch=True).play("path E E S")
    assert shown.is_over
    assert (shown.metrics()["turns"], shown.metrics()["steps"]) == (1, 3)


def test_each_of_its_steps_takes_a_round() -> None:
    assert scene("0....", "....a", batch=True).play("path E E E").state.step == 3


def test_the_robot_is_asked_again_at_its_end() -> None:
    shown = scene("0....", "....a", batch=True).play("path E E")
    assert (shown.seat, shown.position()) == (0, (2, 0))


def test_a_path_ends_at_the_goal_whatever_follows() -> None:
    assert scene("0a.", batch=True, connectivity="4").play("path E E E").position() == (1, 0)


def test_a_path_stops_before_a_step_that_is_impossible() -> None:
    shown = scene("0..#", "...a", batch=True, connectivity="4").play("path E E E S")
    assert (shown.position(), shown.seat, shown.metrics()["turns"]) == ((2, 0), 0, 1)


def test_what_the_sensor_meets_on_the_way_stops_a_path_that_leads_through_it() -> None:
    shown = scene("0...#", "....a", batch=True, knowledge="unknown", sensor=2, connectivity="4").play("path E E E E S")
    assert shown.position() == (2, 0)


def test_what_does_not_concern_the_path_does_not_stop_it() -> None:
    shown = scene("0....", "..#..", "....a", batch=True, knowledge="unknown").play("path E E E E S")
    assert shown.position() == (4, 1)


def test_a_wall_beside_a_diagonal_stops_it_as_soon_as_it_is_seen() -> None:
    shown = scene("0....", "...#.", "....a", batch=True, knowledge="unknown", sensor=2)
    assert shown.play("path E S E NE").position() == (1, 0)


def test_but_not_where_corners_may_be_cut() -> None:
    shown = scene("0....", "...#.", "....a", batch=True, knowledge="unknown", sensor=2, connectivity="8-unit")
    assert shown.play("path E S E NE").position() == (3, 0)


def test_news_of_all_rounds_are_told_at_the_end() -> None:
    shown = scene("0.#.", "....", "#..a", batch=True, knowledge="unknown", connectivity="4")
    assert shown.play("path S E E").view()["news"] == [[0, 2, 1], [2, 0, 1]]


def test_others_are_asked_while_a_path_is_walked() -> None:
    shown = scene("0....", "....a", batch=True, seats=2).play("path E E E", "wait")
    assert [shown.play(*["wait"] * count).seat for count in range(3)] == [1, 1, 0]
    assert shown.position(0) == (2, 0)


def test_a_robot_in_the_way_stops_a_path() -> None:
    shown = scene("0..1a", "b....", batch=True, shared=True, seats=2, connectivity="4")
    shown = shown.play("path E E E E", "wait", "wait")
    assert (shown.position(0), shown.seat) == ((2, 0), 0)


def test_a_flip_on_a_known_map_stops_a_path_at_once() -> None:
    shown = scene("0.....a", batch=True, changes=1, change_every=1, seed=2).play("path E E E E E E")
    blocked = [x for x in range(7) if shown.state.board.blocked[x]]
    assert blocked
    assert shown.position()[0] < min(blocked)
    assert (shown.state.step, shown.metrics()["turns"]) == (1, 1)


def test_its_first_step_must_be_possible() -> None:
    assert [scene("0#", ".a", batch=True).is_legal(path) for path in ("path E S", "path S E")] == [False, True]


def test_a_later_one_need_not_be() -> None:
    assert scene("0#", ".a", batch=True).is_legal("path S N E")


def test_paths_are_illegal_without_batch() -> None:
    assert [scene("0.", ".a", batch=batch).is_legal("path E S") for batch in (False, True)] == [False, True]


def test_diagonal_paths_are_illegal_with_four_neighbours() -> None:
    shown = {moves: scene("0.", ".a", batch=True, connectivity=moves) for moves in ("4", "8")}
    assert {moves: each.is_legal("path E SW") for moves, each in shown.items()} == {"4": False, "8": True}


@pytest.mark.parametrize(("count", "is_action"), [(MAX_PATH, True), (MAX_PATH + 1, False)])
def test_a_path_has_so_many_steps_at_most(count: int, is_action: bool) -> None:
    shown = scene("0.", ".a", batch=True)
    text = "path" + " NE" * count
    if is_action:
        assert len(str(shown.game.parse_action(text))) < 64_000
    else:
        with pytest.raises(ValueError, match="up to 16000"):
            shown.game.parse_action(text)
