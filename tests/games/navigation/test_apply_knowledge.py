"""What a seat knows of the map: all of it, or what its sensor has met."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.navigation.scenes import scene

HIDDEN: dict[str, Any] = {"knowledge": "unknown"}
SMALL = ("0#", ".a")


def test_a_known_map_is_in_the_briefing_and_an_unknown_one_is_not() -> None:
    known, hidden = (shown.game.briefing(shown.state, 0) for shown in (scene(*SMALL), scene(*SMALL, **HIDDEN)))
    assert (known["rows"], hidden["rows"]) == ([".@", ".."], None)
    assert ("map" in hidden["params"], hidden["params"]["knowledge"]) == (False, "unknown")


def test_the_parameters_for_bots_keep_an_unknown_map_to_themselves() -> None:
    assert scene("0#", ".a", **HIDDEN).game.public_params["map"] == ""
    assert scene("0#", ".a").game.public_params["map"] == "0#\n.a"


def test_the_briefing_names_start_goal_and_size() -> None:
    shown = scene("..a", "0..", **HIDDEN)
    told = shown.game.briefing(shown.state, 0)
    assert (told["start"], told["goal"], told["size"]) == ([0, 1], [2, 0], [3, 2])


NEWS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[list[int]]]] = {
    "blocked neighbours": ({}, (".#.", ".0.", "#.a"), [[1, 0, 1], [0, 2, 1]]),
    "no free cells, which they are taken for": ({}, ("...", ".0.", "..a"), []),
    "no diagonals with four neighbours": ({"connectivity": "4"}, ("##.", ".0.", "#.a"), [[1, 0, 1]]),
    "nothing beyond the radius": ({"sensor": 1}, ("0.##", "...a"), []),
    "what is two moves away": ({"sensor": 2}, ("0.##", "...a"), [[2, 0, 1]]),
    "what is three moves away": ({"sensor": 3}, ("0.##", "...a"), [[2, 0, 1], [3, 0, 1]]),
    "what stands behind a wall": ({"sensor": 2}, ("0##.", "...a"), [[1, 0, 1], [2, 0, 1]]),
    "a diamond with four neighbours": (
        {"sensor": 2, "connectivity": "4"},
        ("0.##", ".##.", "##..", "...a"),
        [[2, 0, 1], [1, 1, 1], [0, 2, 1]],
    ),
}


@pytest.mark.parametrize(("params", "rows", "expected"), NEWS.values(), ids=NEWS)
def test_the_first_question_brings(params: dict[str, Any], rows: tuple[str, ...], expected: list[list[int]]) -> None:
    assert scene(*rows, **params, **HIDDEN).view()["news"] == expected


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


def test_the_map_beyond_the_sensor_is_hidden() -> None:
    one, other = scene("0..", "..a", **HIDDEN), scene("0.#", "..a", **HIDDEN)
    assert one.view() == other.view()


def test_information_is_perfect_only_if_the_map_is_known() -> None:
    assert scene("0a").game.spec.perfect_information
    assert not scene("0a", **HIDDEN).game.spec.perfect_information
