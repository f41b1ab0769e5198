"""What seats and spectators see, and what hidden hands hide."""

from __future__ import annotations

import random
from typing import Any

from gridjoust.games.placement import Placement
from tests.games.placement.boards import Scene, parse_piece, scene


def begun(**params: Any) -> Scene:
    shown = scene("0__a", "_#__", "1__b", max_cells=3, hand=2, **params)
    return shown.hold(parse_piece("#.", "##"), parse_piece("#", "#", "#"))


def test_the_briefing_says_what_stays_true() -> None:
    shown = begun()
    assert shown.game.briefing(shown.state, 1) == {
        "params": dict(shown.game.params),
        "size": [4, 3],
        "walls": [[1, 1]],
        "goals": [[[3, 0]], [[3, 2]]],
        "pieces": [[[0, 0], [0, 1], [0, 2]], [[0, 0], [0, 1], [1, 1]]],
    }


def test_with_open_hands_the_public_view_shows_everything_and_an_observation_also_the_seat() -> None:
    shown = begun()
    public = {
        "game_round": 1,
        "turn_of": 0,
        "moves": 6,
        "board": [".  .", " #  ", ".  ."],
        "positions": [[0, 0], [0, 2]],
        "missing": [[[3, 0]], [[3, 2]]],
        "hands": [[[[0, 0], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 2]]], []],
        "bags": [[0, 0], [0, 0]],
        "barriers": [0, 0],
        "oldest": [],
    }
    assert shown.game.public_view(shown.state) == public
    assert shown.view(1) == {"seat": 1, **public}


def test_hidden_hands_are_seen_by_their_owner_alone_and_make_information_imperfect() -> None:
    shown = begun(hidden_hands=True)
    assert shown.view(1)["hands"] == [None, []]
    assert shown.view(1)["bags"][0] is None
    assert shown.view(0)["hands"] == [[[[0, 0], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 2]]], None]
    assert shown.game.public_view(shown.state)["hands"] == [None, None]
    assert [begun(hidden_hands=hidden).game.spec.perfect_information for hidden in (False, True)] == [True, False]


def test_a_redeal_of_open_hands_changes_only_what_is_to_come_one_of_hidden_hands_also_the_others() -> None:
    shown = begun()
    twin = shown.game.redeal(shown.state, 0, random.Random(1))
    assert (twin.players, twin.seed == shown.state.seed) == (shown.state.players, False)
    game = Placement({"hidden_hands": True, "keep_hand": True})
    shown = Scene(game, game.initial_state(1)).play("pass")
    other, own = game.redeal(shown.state, 1, random.Random(1)).players
    before = shown.players[0]
    assert own == shown.players[1]
    assert other.hand != before.hand
    assert (len(other.hand), len(other.bag)) == (len(before.hand), len(before.bag))
    assert not set(other.hand) & set(other.bag)


def test_the_drawing_shows_figures_missing_goals_and_the_hand() -> None:
    shown = begun()
    assert shown.game.render(shown.state).split("\n") == [
        "game round 1",
        "0__a",
        "_#__",
        "1__b",
        "seat 0: 0 pieces, 0 steps, 1 goals missing",
        "seat 1: 0 pieces, 0 steps, 1 goals missing",
        "seat 0 to act with",
        "0    1",
        "#    #",
        "##   #",
        "     #",
    ]
    after = scene("0a.a", "1__b", moves=2).play("walk E E", "pass")
    assert after.game.render(after.state).split("\n")[1] == "..0a", "goals that are collected are gone"
