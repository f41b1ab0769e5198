"""Drawings as small JSON: what a reader puts together from the changes is what was drawn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Layer, Line, Rect, Shape, Sign, Standing, Text
from gridjoust.viewer.frames import Shapes, Track, changes

PLAIN: tuple[Shape, ...] = (
    Rect(0, 0, 1, 1, Ink.WALL, 0.1),
    Line(((0, 0), (1.005, 2)), Ink.RED, 0.2, is_dashed=True),
    Circle(0.5, 0.5, 1 / 3, Ink.SEAT_0, is_hollow=True),
    Text(0.5, 0.5, "<b>", Ink.TEXT),
    Icon(1.5, 0.5, Sign.BOMB, Ink.GOLD),
)
FEW = st.lists(st.sampled_from(PLAIN), max_size=6, unique=True).map(tuple)


def decoded(track: dict[str, object]) -> list[list[list[int]]]:
    """The shapes of every layer of every frame."""
    frames: list[list[list[int]]] = []
    shown: list[list[int]] = []
    for frame in track["frames"]:  # type: ignore[attr-defined]
        for layer, gone, put in frame:
            while len(shown) <= layer:
                shown.append([])
            kept = [one for one in shown[layer] if one not in gone]
            for at, number in zip(put[::2], put[1::2], strict=True):
                kept.insert(at, number)
            shown[layer] = kept
        frames.append([list(layer) for layer in shown])
    return frames


@pytest.mark.gate
@given(st.lists(st.tuples(FEW, FEW), min_size=1, max_size=6))
def test_the_changes_of_a_match_lead_to_every_drawing_of_it(drawn: list[tuple[tuple[Shape, ...], ...]]) -> None:
    shapes = Shapes()
    track = Track(shapes)
    for low, high in drawn:
        track.add(Drawing("t", 3, 2, (Layer("low", low), Layer("high", high))))
    for frame, (low, high) in zip(decoded(track.as_json()), drawn, strict=True):
        found = [*frame, [], []][:2]
        assert found == [[shapes.number(one) for one in low], [shapes.number(one) for one in high]]


@given(st.lists(st.integers(0, 9), unique=True), st.lists(st.integers(0, 9), unique=True))
def test_nothing_that_stays_in_its_order_is_sent_again(old: list[int], new: list[int]) -> None:
    gone, put = changes(old, new)
    if sorted(new) == new and sorted(old) == old:
        assert (set(gone), set(put[1::2])) == (set(old) - set(new), set(new) - set(old))


def test_every_kind_of_shape_has_its_list_in_hundredths_of_a_cell() -> None:
    shapes = Shapes()
    assert shapes.numbers((*PLAIN, *PLAIN)) == [0, 1, 2, 3, 4]
    assert shapes.listed == [
        ["r", 0, 0, 1, 1, "wall", 0.1],
        ["l", [0, 0, 1, 2], 0.2, "red", True],
        ["c", 0.5, 0.5, 0.33, "seat-0", True],
        ["t", 0.5, 0.5, 0.6, "text", "<b>"],
        ["i", 1.5, 0.5, 0.8, "gold", "bomb"],
    ]


def test_a_board_that_grows_loses_a_layer_and_changes_its_panel_keeps_one_size_and_says_what_changed() -> None:
    shapes = Shapes()
    track = Track(shapes)
    seat = Standing(seat=0, shape=PLAIN[2], score="1 point", resources=("2 ammo",))
    legend = (Beside(PLAIN[0], "metal"),)
    track.add(Drawing("a", 3, 2, (Layer("low", PLAIN[:1]), Layer("high", PLAIN[1:2])), seats=(seat,), legend=legend))
    track.add(Drawing("a", 2, 5, (Layer("low", PLAIN[:1]),), seats=(seat,)))
    made = track.as_json()
    circle = shapes.number(PLAIN[2])
    assert (made["width"], made["height"], made["layers"]) == (3, 5, ["low", "high"])
    assert [len(layer) for layer in decoded(made)[1]] == [1, 0]
    assert made["titles"] == [(0, "a")]
    assert made["panels"] == [(0, [[0, circle, "", "1 point", "", ["2 ammo"], "", False]])]
    assert made["legend"] == [[shapes.number(PLAIN[0]), "metal"]]
