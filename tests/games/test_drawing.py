"""Drawings: what stands where, for situations in sight; every built-in game can be drawn at any time."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

import pytest

import games
from games.api import AnyGame, Turn
from games.drawing import Beside, Circle, Drawing, Icon, Ink, Layer, Line, Rect, Shape, Sign, Text, trail
from games.play import play
from games.registry import find_room
from games.svg import COLOURS, PATHS, WIDTH_PX, write_svg


def draw(game: AnyGame, state: object, past: list[object] | None = None) -> Drawing:
    room = find_room(game.spec.name, "drawing")
    assert room is not None
    drawing: Drawing = room.draw(game, state, past or [])
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
    assert Rect(1, 1, 1, 1, Ink.WALL, 0.1) in shapes(draw(game, state), "things")
    state = game.apply(state, Turn({0: game.parse_action("bomb"), 1: game.parse_action("wait")}, 0))
    bomb, time = shapes(draw(game, state), "bombs")
    assert isinstance(bomb, Icon)
    assert isinstance(time, Text)
    assert (bomb.sign, bomb.x, bomb.y, bomb.ink) == (Sign.BOMB, 0.5, 0.5, Ink.SEAT_0)
    assert time.text == str(state.bombs[0].fires_tick - state.tick + 1)


def test_a_robot_leaves_the_trail_of_the_states_before() -> None:
    game = games.make("navigation", {"map": "0..a"})
    states = [game.initial_state(1)]
    for _ in range(2):
        states.append(game.apply(states[-1], Turn({0: game.parse_action("E")}, len(states))))
    assert shapes(draw(game, states[-1], states[:-1]), "trails") == [
        Line(((0.5, 0.5), (1.5, 0.5), (2.5, 0.5)), Ink.SEAT_0, 0.22)
    ]
    assert shapes(draw(game, states[-1]), "trails") == []


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
