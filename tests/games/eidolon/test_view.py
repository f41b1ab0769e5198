"""What seats see, how people play and how the board is drawn."""

from __future__ import annotations

import pytest

from gridjoust.games.bitset import members
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.ascii import draw_board, draw_dungeon
from gridjoust.games.eidolon.terminal import RESERVED, parse
from gridjoust.games.eidolon.tiles import TILES
from gridjoust.games.grid import Cell
from tests.games.eidolon.scenes import place, scene

NORTH, EAST = place("minotaur", 0, -1), place("skeletal_guards", 1, 0, 90)


def test_map_is_seen_as_far_as_it_is_known() -> None:
    known, unknown = Eidolon(), Eidolon({"preset": "sim3"})
    view = known.observation(known.initial_state(1), 0)
    assert (len(view["tiles"]), view["stack"]) == (29, [])
    state = unknown.initial_state(1)
    view = unknown.observation(state, 0)
    assert [tile["tile"] for tile in view["tiles"]] == ["vestibule"]
    assert view["stack"] == [TILES[tile].name for tile in members(state.dungeon.stack)]


def test_tile_is_told_with_place_rotation_doors_token_and_cultist() -> None:
    told = scene(EAST, on=("skeletal_guards",)).view()["tiles"][1]
    assert told.pop("tile") == "skeletal_guards"
    assert told == {"at": [1, 0], "turned": 90, "doors": "EW", "token": True, "cultists": 1}


def test_briefing_tells_costs_heroes_and_track_and_roles_are_the_heroes_where_they_differ() -> None:
    game = Eidolon({"preset": "sim4"}, seats=2)
    told = game.briefing(game.initial_state(0), 1)
    assert (told["heroes"], told["costs"]) == (["warrior", "ranger"], [[1, 2, 3], [2, 1, 3]])
    assert told["track"] == [1, 2, 1, 2, 2, 3, 3, 3, 4]
    assert [made.roles for made in (game, Eidolon(seats=2))] == [("warrior", "ranger"), ("", "")]


BOARD = """\
+-- --+
 rc1
+-- --+
+-- --++-----+
 V 0  xxr*
+-- --++-----+"""


def test_board_is_drawn() -> None:
    view = scene(NORTH, EAST, at=((0, 0), (0, -1)), on=("minotaur",), blocked=((0, 0, "E"),)).view()
    assert draw_board(view, path=[Cell(1, 0)]) == BOARD


def test_standing_is_told_below_the_board() -> None:
    here = scene(NORTH, at=((0, 0), (0, -1)), tokens=((0, 0, 0), (2, 0, 1))).play("move N")
    assert draw_dungeon(here.view()).splitlines()[-3:] == [
        "0 warrior at 0,-1: r0 g0 b0, 1 AP spent, its turn, 2 AP left",
        "1 ranger at 0,-1: r2 g0 b1, 0 AP spent",
        "round 1, cost so far 1 AP, seals broken: none",
    ]


def test_render_is_the_drawing_of_the_public_view_and_six_heroes_fit_on_a_tile() -> None:
    here = scene(NORTH, at=((0, 0),) * 6, preset="sim5")
    rendered = here.game.render(here.state)
    assert rendered == draw_dungeon(here.game.public_view(here.state))
    assert "01234" in rendered


LEGAL = ["move N", "explore E", "explore E 90", "break S", "dive W", "grab", "passage", "wait"]
KEYS = [
    *(("w", LEGAL, "move N"), ("d", LEGAL, "explore E"), ("s", LEGAL, "break S"), ("a", LEGAL, "dive W")),
    *(("e", LEGAL, "grab"), ("e", ["break"], "break"), ("e", ["fire"], "fire"), ("e", ["attack"], "attack")),
    *(("q", LEGAL, "passage"), ("l", LEGAL, "wait"), ("explore E 90", LEGAL, "explore E 90")),
    ('w say "this way"', LEGAL, 'move N say "this way"'),
]


@pytest.mark.parametrize(("key", "legal", "text"), KEYS)
def test_keys_stand_for_actions(key: str, legal: list[str], text: str) -> None:
    assert parse(key, {}, legal) == text


def test_keys_without_effect_and_for_other_things_are_refused() -> None:
    assert RESERVED == {"p": "hint", "u": "auto"}
    for key, message in (
        ("p", "expected w a s d move"),
        ("w", "w: expected a key with an effect here, got one for dive N"),
    ):
        with pytest.raises(ValueError, match=message):
            parse(key, {}, ["wait"])
