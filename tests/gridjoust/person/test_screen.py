"""What a person sees of a game that brings no drawing, and of one that does."""

from __future__ import annotations

import pytest

from gridjoust.person.screen import Screen, make_screen, turn_drawer

LEGAL = ("take 1", "take 2")


def test_a_game_without_a_drawing_is_shown_as_a_numbered_list() -> None:
    screen = make_screen("pile", {})
    assert type(screen) is Screen
    assert screen.draw({"left": 3}, LEGAL).splitlines() == ["left: 3", "  1 take 1", "  2 take 2"]
    assert [screen.parse(typed, {}, LEGAL) for typed in (" 2 ", "take 1", "other")] == ["take 2", "take 1", "other"]


def test_a_number_that_is_an_action_itself_is_that_action_and_one_beyond_the_list_is_explained() -> None:
    assert Screen().parse("7", {}, ("5", "7")) == "7"
    for typed in ("0", "3"):
        with pytest.raises(ValueError, match=f"expected 1 to 2, got {typed}"):
            Screen().parse(typed, {}, LEGAL)


def test_a_game_with_a_drawing_brings_its_own_keys_and_some_a_drawer_of_turns_step_by_step() -> None:
    screen = make_screen("bomber", {})
    assert screen.keys.startswith("w a s d move")
    assert screen.parse("w", {}, ()) == "up"
    assert [callable(turn_drawer(game)) for game in ("heroquest", "bomber", "pile")] == [True, False, False]
