"""Drawings: what stands where, for situations in sight; every built-in game can be drawn at any time."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gridjoust import games
from gridjoust.games import find_room
from gridjoust.games.api import AnyGame, ParamValue, Turn
from gridjoust.games.drawing import (
    PUBLIC,
    Beside,
    Circle,
    Drawing,
    Icon,
    Ink,
    Layer,
    Line,
    Rect,
    Shape,
    Sign,
    Text,
    trail,
)
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.play import play
from gridjoust.games.ricochet.actions import Pass, Solve
from gridjoust.games.ricochet.board import Colour, slide
from gridjoust.games.ricochet.proof import Move
from gridjoust.games.svg import COLOURS, PATHS, WIDTH_PX, write_svg


def draw(game: AnyGame, state: object, past: list[object] | None = None, *, seat: int | None = None) -> Drawing:
    room = find_room(game.spec.name, "drawing")
    assert room is not None
    drawing: Drawing = room.draw(game, state, past or [], seat=seat)
    return drawing


def shapes(drawing: Drawing, layer: str) -> list[Shape]:
    return [shape for one in drawing.layers if one.name == layer for shape in one.shapes]


def places(drawn: Iterable[Shape]) -> Iterable[tuple[float, float]]:
    for shape in drawn:
        match shape:
            case Line():
                yield from shape.points
            case Rect():
                yield from ((shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height))
            case Circle() | Text() | Icon():
                yield (shape.x, shape.y)


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_every_game_can_be_drawn_within_its_board_from_deal_to_end(name: str) -> None:
    game = games.make(
        name, {"mode": "solve"} if name == "ricochet" else {"max_turns": 60} if name == "navigation" else {}
    )
    end = play(game, lambda state, seat: game.legal_actions(state, seat)[-1], seed=3)
    for state in (game.initial_state(3), end):
        drawing = draw(game, state)
        found = [place for layer in drawing.layers for place in places(layer.shapes)]
        assert len(found) > 20
        assert all(-0.01 <= x <= drawing.width + 0.01 and -0.01 <= y <= drawing.height + 0.01 for x, y in found)
        assert len(drawing.seats) >= game.seats
        assert ET.fromstring(write_svg(drawing)).tag.endswith("svg")


def test_a_figure_a_bomb_with_its_time_and_fire_stand_where_the_state_has_them() -> None:
    game = games.make("bomber", {"map": "0..\n.#.\n..1"})
    state = game.initial_state(1)
    assert [(one.x, one.y) for one in shapes(draw(game, state), "figures") if isinstance(one, Circle)] == [
        (0.5, 0.5),
        (2.5, 2.5),
    ]
    assert Rect(1, 1, 1, 1, Ink.WALL, 0.1) in shapes(draw(game, state), "blocks")
    state = game.apply(state, Turn({0: game.parse_action("bomb"), 1: game.parse_action("wait")}, 0))
    bomb, time = shapes(draw(game, state), "bombs")
    assert isinstance(bomb, Icon)
    assert isinstance(time, Text)
    assert (bomb.sign, bomb.x, bomb.y, bomb.ink) == (Sign.BOMB, 0.5, 0.5, Ink.SEAT_0)
    assert time.text == str(state.bombs[0].fires_tick - state.tick + 1)


SECRETIVE: dict[str, dict[str, ParamValue]] = {
    "bomber": {"hidden": True, "max_ticks": 80},
    "navigation": {"knowledge": "unknown", "max_turns": 40},
    "placement": {"hidden_hands": True, "keep_hand": True},
    "ricochet": {"mode": "solve"},
}


def moments(game: AnyGame, *, seed: int) -> list[Any]:
    """The states of a match of random answers, which lay bombs and open doors."""
    states, rng = [], random.Random(seed)

    def choose(state: Any, seat: int) -> Any:
        if seat == game.seats_to_act(state)[0]:
            states.append(state)
        return rng.choice(game.legal_actions(state, seat))

    states.append(play(game, choose, seed=seed))
    return states


@pytest.mark.default("bomber", "eidolon", "navigation", "placement")
@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_what_a_seat_cannot_know_changes_nothing_in_its_drawing(name: str) -> None:
    game, rng, compared = games.make(name, SECRETIVE.get(name, {})), random.Random(2), 0
    states = moments(game, seed=5)
    for at in range(0, len(states), max(1, len(states) // 8)):
        for seat in range(game.seats):
            twin = game.redeal(states[at], seat, rng)
            assert draw(game, twin, seat=seat) == draw(game, states[at], seat=seat)
            compared += twin != states[at]
    assert compared > 0


@pytest.mark.default("bomber-1", "bomber-2", "eidolon-1", "eidolon-2")
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_what_is_drawn_for_everyone_depends_on_nothing_that_any_seat_cannot_know(name: str, players: int) -> None:
    least = games.load_game(name).spec.min_seats
    game, rng = games.make(name, SECRETIVE.get(name, {}), seats=max(players, least)), random.Random(2)
    states = moments(game, seed=5)
    for at in range(0, len(states), max(1, len(states) // 8)):
        shown = draw(game, states[at], states[:at], seat=PUBLIC)
        for seat in range(game.seats):
            twin = game.redeal(states[at], seat, rng)
            assert draw(game, twin, states[:at], seat=PUBLIC) == shown


@pytest.mark.parametrize("name", ["bomber", "eidolon", "heroquest", "ricochet"])
def test_everyone_sees_figures_on_the_board(name: str) -> None:
    game = games.make(name, SECRETIVE.get(name, {}))
    drawing = draw(game, game.initial_state(3), seat=PUBLIC)
    assert sum(len(layer.shapes) for layer in drawing.layers) > 20
    assert len(drawing.seats) >= game.seats


def test_a_drawn_quest_says_how_many_rounds_the_heroes_have() -> None:
    game = games.make("heroquest", {"quest": "crypt", "max_game_rounds": 12})
    assert draw(game, game.initial_state(3)).title == "heroquest: crypt, round 1 of 12"


def test_everyone_sees_the_known_map_of_a_single_robot_and_of_several_that_explore_nothing() -> None:
    known = games.make("navigation", {"map": "0.#a"})
    assert draw(known, known.initial_state(1), seat=PUBLIC) == draw(known, known.initial_state(1))
    alone = games.make("navigation", {"map": "0.#a", "knowledge": "unknown", "sensor": 1})
    assert draw(alone, alone.initial_state(1), seat=PUBLIC) == draw(alone, alone.initial_state(1), seat=0)
    several = games.make("navigation", {"map": "0.#a\n1..b", "knowledge": "unknown", "sensor": 1}, seats=2)
    shown = draw(several, several.initial_state(1), seat=PUBLIC)
    assert [shapes(shown, layer) for layer in ("blocked", "trails", "robots")] == [[], [], []]


@pytest.mark.parametrize("name", ["bomber", "heroquest", "navigation", "placement"])
def test_those_who_see_everything_see_more_than_a_seat(name: str) -> None:
    game = games.make(name, SECRETIVE.get(name, {}))
    states = moments(game, seed=5)
    assert any(draw(game, state) != draw(game, state, seat=0) for state in states[:: max(1, len(states) // 20)])


def test_a_seat_of_bomber_sees_a_bomb_but_not_whose_it_is_or_its_time_and_no_fire() -> None:
    game = games.make("bomber", {"map": "0..\n.#.\n..1", "bomb_ticks": 3})
    state = game.initial_state(1)
    states = [game.apply(state, Turn({0: game.parse_action("bomb"), 1: game.parse_action("wait")}, 0))]
    assert shapes(draw(game, states[0], seat=1), "bombs") == [Icon(0.5, 0.5, Sign.BOMB, Ink.TEXT, 0.95)]
    wait = Turn(dict.fromkeys((0, 1), game.parse_action("wait")), 0)
    while not states[-1].fires:
        states.append(game.apply(states[-1], wait))
    assert shapes(draw(game, states[-1]), "fire") != []
    assert shapes(draw(game, states[-1], seat=0), "fire") == []
    own, other = draw(game, states[-1], seat=0).seats
    assert (own.score, other.score, other.lives) == ("0 points", "", "")


def test_a_robot_leaves_the_trail_of_the_states_before() -> None:
    game = games.make("navigation", {"map": "0..a"})
    states = [game.initial_state(1)]
    for _ in range(2):
        states.append(game.apply(states[-1], Turn({0: game.parse_action("E")}, len(states))))
    assert shapes(draw(game, states[-1], states[:-1]), "trails") == [
        Line(((0.5, 0.5), (1.5, 0.5), (2.5, 0.5)), Ink.SEAT_0, 0.22)
    ]
    assert shapes(draw(game, states[-1]), "trails") == []


def test_a_long_trail_comes_in_pieces_that_meet_and_only_the_last_one_grows() -> None:
    longer, shorter = (trail([(x, 0) for x in range(cells)], Ink.RED) for cells in (40, 39))
    assert [len(line.points) for line in longer] == [17, 17, 8]
    assert [one.points[-1] for one in longer[:-1]] == [other.points[0] for other in longer[1:]]
    assert longer[:2] == shorter[:2]


def test_a_solution_is_shown_in_the_turn_after_it_and_not_later() -> None:
    game = games.make("ricochet", {"mode": "solve", "positions": 3})
    states = [game.initial_state(2)]
    red, *others = states[0].robots
    side = next(side for side in DIRECTIONS if slide(states[0].board, Colour.RED, red, side, others))
    for answer in (Solve((Move(Colour.RED, side),)), Pass()):
        states.append(game.apply(states[-1], Turn({0: answer}, len(states))))
    way, number = shapes(draw(game, states[1], states[:1]), "solution")
    assert isinstance(way, Line)
    assert isinstance(number, Text)
    assert number.text == "1"
    assert way.points[0] == (red.x + 0.5, red.y + 0.5)
    assert shapes(draw(game, states[2], states[:2]), "solution") == []
    assert draw(game, states[1], states[:1]).seats[0].note.endswith("robot is not on the target at the end")


def test_a_trail_that_leads_nowhere_is_none() -> None:
    assert trail([(1, 1), (1, 1)], Ink.RED) == ()
    assert trail([(0, 0), (0, 0), (1, 0)], Ink.RED)[0].points == ((0.5, 0.5), (1.5, 0.5))


def test_every_colour_and_sign_can_be_written_and_texts_are_escaped() -> None:
    assert set(COLOURS) == set(Ink)
    assert set(PATHS) == set(Sign)
    icons = tuple(Icon(at + 0.5, 0.5, sign, Ink.RED) for at, sign in enumerate(Sign))
    keys = tuple(Beside(Circle(0.5, 0.5, 0.4, ink), "<b>&" * 9) for ink in Ink)
    drawn = ET.fromstring(write_svg(Drawing("a < b", len(icons), 1, (Layer("icons", icons),), legend=keys)))
    tags = [one.tag.rpartition("}")[2] for one in drawn.iter()]
    assert (tags.count("path"), tags.count("circle")) == (len(Sign), len(Ink))
    assert [one.text for one in drawn.iter() if one.tag.endswith("text")] == ["<b>&" * 9] * len(Ink)
    assert int(drawn.attrib["width"]) == WIDTH_PX


def test_cells_of_one_colour_that_follow_each_other_in_a_row_are_written_as_one_rectangle() -> None:
    row = [Rect(at, 0, 1, 1, Ink.FOG) for at in range(4)]
    others = [
        Rect(4, 0, 1, 1, Ink.WALL),
        Rect(5, 0, 1, 1, Ink.WALL, 0.2),
        Rect(0, 1, 1, 1, Ink.FOG),
        Rect(2, 1, 1, 1, Ink.FOG),
    ]
    drawn = ET.fromstring(write_svg(Drawing("rows", 6, 2, (Layer("cells", (*row, *others)),))))
    board = next(one for one in drawn.iter() if one.get("id") == "cells")
    assert [(one.get("x"), one.get("width"), one.get("class")) for one in board] == [
        ("0", "4", "fog"),
        ("4", "1", "wall"),
        ("5", "1", "wall"),
        ("0", "1", "fog"),
        ("2", "1", "fog"),
    ]
