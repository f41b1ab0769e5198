"""What a seat knows of the map: all of it, or what its sensor has met."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.navigation.scenes import scene

HIDDEN: dict[str, Any] = {"knowledge": "unknown"}


def test_a_known_map_is_in_the_briefing() -> None:
    shown = scene("0#", ".a")
    assert shown.game.briefing(shown.state, 0)["rows"] == [".@", ".."]


def test_an_unknown_one_is_not() -> None:
    shown = scene("0#", ".a", **HIDDEN)
    assert shown.game.briefing(shown.state, 0)["rows"] is None


def test_no_view_holds_the_text_of_the_map() -> None:
    shown = scene("0#", ".a", **HIDDEN)
    params = shown.game.briefing(shown.state, 0)["params"]
    assert ("map" in params, params["knowledge"]) == (False, "unknown")


def test_the_parameters_for_bots_keep_an_unknown_map_to_themselves() -> None:
    assert scene("0#", ".a", **HIDDEN).game.public_params["map"] == ""
    assert scene("0#", ".a").game.public_params["map"] == "0#\n.a"


def test_the_briefing_names_start_goal_and_size() -> None:
    shown = scene("..a", "0..", **HIDDEN)
    told = shown.game.briefing(shown.state, 0)
    assert (told["start"], told["goal"], told["size"]) == ([0, 1], [2, 0], [3, 2])


def test_the_first_question_brings_the_blocked_neighbours_as_news() -> None:
    assert scene(".#.", ".0.", "#.a", **HIDDEN).view()["news"] == [[1, 0, 1], [0, 2, 1]]


def test_free_cells_are_no_news_since_they_are_taken_for_free() -> None:
    assert scene("...", ".0.", "..a", **HIDDEN).view()["news"] == []


def test_with_four_neighbours_the_sensor_does_not_see_diagonals() -> None:
    assert scene("##.", ".0.", "#.a", connectivity="4", **HIDDEN).view()["news"] == [[1, 0, 1]]


def test_a_step_brings_what_came_into_range() -> None:
    shown = scene("0..#", "...a", **HIDDEN).play("E")
    assert shown.view()["news"] == []
    assert shown.play("E").view()["news"] == [[3, 0, 1]]


def test_what_was_seen_is_told_once() -> None:
    shown = scene("0#", ".a", **HIDDEN)
    assert [each.view()["news"] for each in (shown, shown.play("S"))] == [[[1, 0, 1]], []]


def test_what_is_in_range_is_told_every_time() -> None:
    shown = scene("0#", ".a", **HIDDEN)
    assert shown.play("wait").view()["sensed"] == [[1, 0]]


def test_what_was_seen_stays_known() -> None:
    shown = scene("0#...", "....a", **HIDDEN).play("S", "E", "E", "E")
    assert shown.robot().memory[shown.cell(1, 0)] == 2


@pytest.mark.parametrize(("sensor", "expected"), [(1, []), (2, [[2, 0, 1]]), (3, [[2, 0, 1], [3, 0, 1]])])
def test_the_sensor_reaches_as_many_moves_as_its_radius(sensor: int, expected: list[list[int]]) -> None:
    assert scene("0.##", "...a", sensor=sensor, **HIDDEN).view()["news"] == expected


def test_walls_do_not_shade_the_sensor() -> None:
    assert scene("0##.", "...a", sensor=2, **HIDDEN).view()["news"] == [[1, 0, 1], [2, 0, 1]]


def test_with_four_neighbours_the_sensor_covers_a_diamond() -> None:
    shown = scene("0.##", ".##.", "##..", "...a", sensor=2, connectivity="4", **HIDDEN)
    assert shown.view()["news"] == [[2, 0, 1], [1, 1, 1], [0, 2, 1]]


def test_the_map_beyond_the_sensor_is_hidden() -> None:
    one, other = scene("0..", "..a", **HIDDEN), scene("0.#", "..a", **HIDDEN)
    assert one.view() == other.view()


def test_information_is_perfect_only_if_the_map_is_known() -> None:
    assert scene("0a").game.spec.perfect_information
    assert not scene("0a", **HIDDEN).game.spec.perfect_information
