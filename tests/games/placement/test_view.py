"""What seats and spectators see, and what hidden hands hide."""

from __future__ import annotations

import random

from games.placement import Placement
from games.placement.state import State
from tests.games.placement.boards import make_game, parse_piece, play_texts, with_hand

ROWS = ("0__a", "_#__", "1__b")


def begun(**params: bool | int) -> tuple[Placement, State]:
    game = make_game(*ROWS, max_cells=3, hand=2, **params)
    return game, with_hand(game, game.initial_state(1), parse_piece("#.", "##"), parse_piece("#", "#", "#"))


def test_the_briefing_tells_what_stays_true() -> None:
    game, state = begun()
    briefing = game.briefing(state, 1)
    assert briefing["size"] == [4, 3]
    assert briefing["walls"] == [[1, 1]]
    assert briefing["goals"] == [[[3, 0]], [[3, 2]]]
    assert briefing["pieces"] == [[[0, 0], [0, 1], [0, 2]], [[0, 0], [0, 1], [1, 1]]]
    assert briefing["params"]["hand"] == 2


def test_an_observation_shows_everything_with_open_hands() -> None:
    game, state = begun()
    assert game.observation(state, 1) == {
        "seat": 1,
        "game_round": 1,
        "turn_of": 0,
        "moves": 6,
        "board": [".  .", " #  ", ".  ."],
        "positions": [[0, 0], [0, 2]],
        "missing": [[[3, 0]], [[3, 2]]],
        "hands": [[[[0, 0], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 2]]], []],
        "bags": [[0, 0], [0, 0]],
        "oldest": [],
    }


def test_the_public_view_is_the_observation_without_a_seat() -> None:
    game, state = begun()
    seen = game.observation(state, 0)
    del seen["seat"]
    assert game.public_view(state) == seen


def test_hidden_hands_are_seen_by_their_owner_alone() -> None:
    game, state = begun(hidden_hands=True)
    assert game.observation(state, 1)["hands"] == [None, []]
    assert game.observation(state, 1)["bags"][0] is None
    assert game.observation(state, 0)["hands"] == [[[[0, 0], [0, 1], [1, 1]], [[0, 0], [0, 1], [0, 2]]], None]
    assert game.public_view(state)["hands"] == [None, None]


def test_information_is_perfect_unless_hands_are_hidden() -> None:
    assert begun()[0].spec.perfect_information
    assert not begun(hidden_hands=True)[0].spec.perfect_information


def test_a_redeal_of_open_hands_changes_only_what_is_to_come() -> None:
    game, state = begun()
    twin = game.redeal(state, 0, random.Random(1))
    assert twin.players == state.players
    assert twin.seed != state.seed


def test_a_redeal_of_hidden_hands_changes_the_others_only() -> None:
    game = Placement({"hidden_hands": True, "keep_hand": True})
    state = play_texts(game, game.initial_state(1), "pass")
    twin = game.redeal(state, 1, random.Random(1))
    assert twin.players[1] == state.players[1]
    assert twin.players[0].hand != state.players[0].hand
    assert len(twin.players[0].hand) == len(state.players[0].hand)
    assert len(twin.players[0].bag) == len(state.players[0].bag)
    assert not set(twin.players[0].hand) & set(twin.players[0].bag)


def test_cells_that_may_collapse_are_shown_oldest_first() -> None:
    game, state = begun(collapse=1)
    after = play_texts(game, state, "place 0 r180 @1,0")
    assert game.observation(after, 0)["oldest"] == [[1, 0], [2, 0], [2, 1]]


def test_the_drawing_shows_figures_goals_and_the_hand() -> None:
    game, state = begun()
    assert game.render(state).split("\n") == [
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


def test_goals_that_are_collected_are_not_drawn() -> None:
    game = make_game("0a.a", "1__b", moves=2)
    state = play_texts(game, game.initial_state(1), "walk E E", "pass")
    assert game.render(state).split("\n")[1] == "..0a"
