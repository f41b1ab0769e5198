"""Fixed action sets and typed arrays of the games: what an index does, what a mark in a plane means."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from gridjoust import games
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame, ParamValue
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon import arrays as eidolon
from gridjoust.games.eidolon.tiles import NUMBERS as TILES
from gridjoust.games.heroquest import arrays as heroquest
from gridjoust.games.placement import arrays as placement
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet import arrays as ricochet
from gridjoust.games.ricochet.actions import Solve
from tests.games.heroquest.scenes import quest, scene

pytest.importorskip("gymnasium")

from gridjoust.adapters.table import LearningMatch

BOARD = """
+---+---+---+---+---+---+
|R    rt|               |
+   +---+   +   +   +   +
|B                      |
+   +   +   +   +   +   +
|G                      |
+   +   +   +   +   +   +
|                       |
+   +   +   +   +   +   +
|Y                      |
+---+---+---+---+---+---+
"""


def table(game: str, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> LearningMatch:
    """A match of seed 1 for learners."""
    made = LearningMatch(game, params, seats=seats, observe="arrays")
    made.reset(1)
    return made


def marked(found: LearningMatch, seat: int = 0) -> dict[int, str]:
    """Index -> action, of what the mask marks."""
    indices = map(int, np.flatnonzero(found.mask(seat)))
    return dict(zip(indices, found.info(seat)["legal"], strict=True))


def cells(board: Any, plane: int) -> list[list[int]]:
    """`[x, y]` of the marks in a plane."""
    return [[int(x), int(y)] for y, x in np.argwhere(board[plane])]


def test_a_solution_of_ricochet_is_chosen_move_by_move_and_handed_in_as_soon_as_it_is_right() -> None:
    solving = table("ricochet", {"map": BOARD, "optima": "2", "positions": 2}, seats=1)
    legal, target = marked(solving), solving.view(0)["target"]["cell"]
    assert legal[20] == "pass"
    red = ricochet.PLANES.index("red robot")
    shown = solving.encoded(0)["board"]
    assert cells(shown, ricochet.PLANES.index("target of the red robot")) == [target]
    assert cells(shown, red) == [solving.view(0)["robots"]["red"]]
    first, second = solution(solving)
    solving.answer(0, first)
    assert not solving.play()
    assert solving.encoded(0)["numbers"].tolist() == pytest.approx([0, 1 / 99])
    assert cells(solving.encoded(0)["board"], red) == [solving.view(0)["robots"]["red"]]
    solving.answer(0, second)
    assert solving.play()
    assert solving.match.state.players[0].answers[0].moves == 2


def solution(solving: LearningMatch) -> tuple[int, int]:
    """Two indices that solve the position."""
    game, state = solving.game, solving.match.state
    assert isinstance(game, Ricochet)
    for first, choice in ricochet.choices(game, state, 0, None).items():
        if isinstance(choice.action, Solve) and not choice.is_whole:
            for second, last in ricochet.choices(game, state, 0, choice.action).items():
                if last.is_whole and str(last.action) != "pass":
                    return first, second
    raise AssertionError("no solution of two moves")


def test_walls_of_ricochet_are_seen_from_both_sides_and_the_border_from_within() -> None:
    board = table("ricochet", {"map": BOARD, "optima": "2"}, seats=1).encoded(0)["board"]
    north, east, south, west = (cells(board, plane) for plane in range(4))
    assert [1, 0] in south
    assert [1, 1] in north
    assert [1, 0] in east
    assert [2, 0] in west
    assert [one for one in ([0, 0], [5, 0], [0, 4], [5, 4]) if one in north + south] == [[0, 0], [5, 0], [0, 4], [5, 4]]
    assert [3, 2] not in north + east + south + west


def test_parts_of_a_placement_turn_change_what_the_seat_sees_and_the_last_index_ends_it() -> None:
    params: dict[str, ParamValue] = {"map": "0.. A\n#   \n1   B", "min_cells": 1, "max_cells": 1, "hand": 2}
    building = table("placement", params)
    size, end = 5 * 3, 2 * 4 * 5 * 3 + 4
    assert {index: marked(building)[index] for index in (3, 4 * size + 3, end - 3, end)} == {
        3: "place 0 @3,0",
        4 * size + 3: "place 1 @3,0",
        end - 3: "walk E",
        end: "pass",
    }
    building.answer(0, 3)
    assert not building.play()
    shown = building.encoded(0)
    assert [3, 0] in cells(shown["board"], placement.PLANES.index("floor"))
    assert shown["hands"].sum(axis=(2, 3)).tolist() == [[0, 1], [0, 0]]
    for _ in range(3):
        building.answer(0, end - 3)
    assert marked(building)[end] == "place 0 @3,0; walk E E E"
    assert cells(building.encoded(0)["board"], placement.PLANES.index("self")) == [[3, 0]]
    assert building.encoded(0)["numbers"].tolist() == [0, 5, 1]
    building.answer(0, end)
    assert building.play()
    assert building.to_act == (1,)
    assert cells(building.encoded(1)["board"], placement.PLANES.index("others")) == [[3, 0]]


def test_an_index_that_is_not_marked_ends_a_placement_turn_with_the_default_action() -> None:
    building = table("placement", {"map": "0.. A\n1   B", "min_cells": 1, "max_cells": 1, "hand": 1})
    building.answer(0, 0)
    assert building.play()
    assert building.info(0)["illegal"]
    assert building.match.state.players[0].passes == 1


@pytest.mark.parametrize(
    ("game", "params", "seats"),
    [
        ("eidolon", {"preset": "published"}, 6),
        ("heroquest", {"quest": "random", "board": "random", "equipment": "elf: crossbow"}, 5),
    ],
)
def test_every_offered_action_has_an_index_of_its_own(game: str, params: dict[str, ParamValue], seats: int) -> None:
    made = table(game, params, seats=seats)
    room, most = find_room(game, "arrays"), 0
    for turn in range(120):
        if made.is_over:
            made.reset(turn)
        (seat,) = made.to_act
        legal = {str(action) for action in made.game.legal_actions(made.match.state, seat)}
        assert legal <= set(marked(made, seat).values())
        assert room is not None
        assert max(marked(made, seat)) < room.action_count(made.game)
        most = max(most, len(legal))
        made.answer(seat, [*marked(made, seat)][turn * 7919 % len(marked(made, seat))])
        assert made.play()
    assert most > 15


def test_tiles_of_eidolon_have_a_row_each_and_cells_go_by_the_names_of_tiles() -> None:
    exploring = table("eidolon", {"preset": "published", "heroes": "sage warrior"}, seats=2)
    assert isinstance(exploring.game, Eidolon)
    texts = eidolon.action_texts(exploring.game)
    assert len(texts) == len(set(texts)) == eidolon.action_count(exploring.game)
    assert {"master mindeater vestibule N 90", "redirect minotaur", "attack W", "trade 1 give b7"} <= set(texts)
    tiles = exploring.encoded(0)["tiles"]
    assert tiles[TILES["vestibule"]].tolist() == [1, 0, 0, 1, 1, 1, 1, *[0] * 11]
    assert tiles[TILES["minotaur"], eidolon.TILE_COLUMNS.index("in the stack")] == 1
    exploring.answer(0, texts.index("explore E"))
    exploring.play()
    state = exploring.match.state
    assert exploring.encoded(1)["heroes"][0, 1:3].tolist() == [1, 0]
    named = eidolon.choices(exploring.game, state, 0, None)
    assert str(named[texts.index("move W")].action) == "move W"


def test_indices_of_heroquest_say_where_a_walk_ends_and_who_strikes_whom() -> None:
    hall = scene(doors="[[4, 2, 5, 2]]")
    walk = row(hall.game, "walk")
    found = heroquest.choices(hall.game, hall.state, 0, None)
    assert str(found[walk + 1 * 10 + 4].action) == "move E E E"
    assert str(found[0].action) == "end"
    beside = scene().with_monster("orc", 2, 1)
    found = heroquest.choices(beside.game, beside.state, 0, None)
    assert str(found[row(beside.game, "attack") + 2].action) == "attack E"
    zargon = beside.play("end")
    found = heroquest.choices(zargon.game, zargon.state, 1, None)
    assert str(found[row(zargon.game, "strike") + 4 * (1 * 10 + 2) + 3].action) == "attack 0 W"


def row(game: AnyGame, name: str) -> int:
    """The first index of a row."""
    board = game.initial_state(0).dungeon.board
    starts: dict[str, int] = heroquest.row_starts(board.width * board.height)
    return starts[name]


def test_only_zargon_sees_the_planes_of_hidden_things() -> None:
    lurking = table("heroquest", {"map": quest()}, seats=2)
    hidden = heroquest.PLANES.index("hidden gargoyle")
    hero, zargon = lurking.encoded(0)["board"], lurking.encoded(1)["board"]
    assert cells(zargon, hidden) == [[8, 3]]
    assert not hero[hidden:].any()
    assert cells(hero, heroquest.PLANES.index("barbarian")) == [[1, 1]]
    assert hero[heroquest.PLANES.index("barbarian"), 1, 1] == 8


def test_arrays_have_the_types_and_columns_that_are_documented() -> None:
    for name in games.GAMES:
        made = table(name)
        space = made.view_space
        assert space.contains(made.encoded(0)), name
    assert len(eidolon.TILE_COLUMNS) == table("eidolon").encoded(0)["tiles"].shape[1] == 18
    assert len(heroquest.HERO_COLUMNS) == table("heroquest").encoded(0)["heroes"].shape[1] == 48
