"""Drawings as pictures of pixels, with letters and icons, and with what a bot showed over them."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("PIL")
pytest.importorskip("fontTools")

from gridjoust.bots.lens import ShownLayer
from gridjoust.drawing.pixels import GROUND, MARGIN_PX, ROW_PX, Picture, colour_of, paint, paint_board
from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Layer, Line, Rect, Shape, Sign, Standing, Text
from gridjoust.viewer.page import static

CELL_PX = 20
FLOOR = colour_of(Ink.FLOOR)


def drawing(*shapes: Shape, width: int = 3, height: int = 2) -> Drawing:
    return Drawing("board", width, height, (Layer("things", shapes),))


def board(*shapes: Shape, shown: tuple[ShownLayer, ...] = ()) -> Picture:
    return paint_board(drawing(*shapes), cell_px=CELL_PX, shown=shown)


def at(picture: Picture, x: float, y: float) -> object:
    """The colour at a place of the board."""
    return picture.getpixel((round(x * CELL_PX), round(y * CELL_PX)))


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        (Rect(1, 0, 1, 1, Ink.RED), (1.5, 0.5), (2.5, 0.5)),
        (Circle(1.5, 0.5, 0.4, Ink.RED), (1.5, 0.5), (1.05, 0.05)),
        (Circle(1.5, 0.5, 0.4, Ink.RED, is_hollow=True), (1.9, 0.5), (1.5, 0.5)),
        (Line(((0.5, 0.5), (2.5, 0.5)), Ink.RED, 0.2), (1.5, 0.5), (1.5, 1)),
        (Icon(1.5, 0.5, Sign.SQUARE, Ink.RED), (1.5, 0.5), (1.05, 0.05)),
        (Icon(1.5, 0.5, Sign.SKULL, Ink.RED), (1.5, 0.2), (1.38, 0.42)),  # through its eye
    ],
)
def test_a_shape_covers_its_place(shape: Shape, inside: tuple[float, float], outside: tuple[float, float]) -> None:
    painted = board(shape)
    assert painted.size == (3 * CELL_PX, 2 * CELL_PX)
    assert (at(painted, *inside), at(painted, *outside)) == (colour_of(Ink.RED), FLOOR)


def test_letters_are_there_and_differ() -> None:
    nothing, one, other = board(), board(Text(1, 1, "A", Ink.TEXT, 1)), board(Text(1, 1, "B", Ink.TEXT, 1))
    assert len({nothing.tobytes(), one.tobytes(), other.tobytes()}) == 3


def test_every_sign_is_another_one() -> None:
    assert len({board(Icon(1, 1, sign, Ink.RED, 1.5)).tobytes() for sign in Sign}) == len(Sign)


def test_a_dashed_line_has_gaps() -> None:
    places = [at(board(Line(((0, 1), (3, 1)), Ink.RED, 0.1, is_dashed=True)), x / 20, 1) for x in range(60)]
    assert {colour_of(Ink.RED), FLOOR} <= set(places)


@pytest.mark.parametrize(
    ("kind", "data", "touched"),
    [
        ("heat", [0, 0, 1.0, 2, 1, 5.0], (2.5, 1.5)),
        ("path", [0, 0, 0, 1, 2, 1], (2.5, 1.5)),
        ("nodes", [0, 0, 2, 1], (2.5, 1.5)),
        ("frontier", [2, 1], (2.15, 1.5)),
        ("arrows", [0, 0, 2, 0], (1.5, 0.5)),
    ],
)
def test_what_a_bot_showed_lies_over_the_board(kind: str, data: list[float], touched: tuple[float, float]) -> None:
    assert at(board(), *touched) == FLOOR
    shown = ShownLayer("thought", kind, data)
    assert at(board(shown=(shown,)), *touched) != FLOOR
    assert board(shown=(ShownLayer("thought", "text", "words"),)).tobytes() == board().tobytes()


def test_what_a_bot_showed_lies_below_what_stands_on_the_ground() -> None:
    ground, figure = Layer("ground", (Rect(0, 0, 1, 1, Ink.FOG),)), Layer("figures", (Circle(0.5, 0.5, 0.3, Ink.RED),))
    heat = (ShownLayer("thought", "heat", [0, 0, 1.0]),)
    bare, shown = (
        paint_board(Drawing("board", 1, 1, (ground, figure)), cell_px=CELL_PX, shown=one) for one in ((), heat)
    )
    assert at(shown, 0.5, 0.5) == at(bare, 0.5, 0.5) == colour_of(Ink.RED)
    assert at(shown, 0.1, 0.1) != at(bare, 0.1, 0.1) == colour_of(Ink.FOG)


def test_pictures_and_pages_take_the_same_layers_for_the_ground() -> None:
    [listed] = re.findall(r"const GROUND = new Set\((.*)\);", static("board.js"))
    assert set(json.loads(listed)) == GROUND


def test_below_the_board_stand_the_seats_and_the_signs() -> None:
    bare = drawing(Rect(0, 0, 1, 1, Ink.RED))
    sign = Circle(0.5, 0.5, 0.4, Ink.BLUE)
    told = Drawing(
        "board", 3, 2, bare.layers, (Standing(seat=0, shape=sign, score="3 points"),), (Beside(sign, "a disc"),)
    )
    [plain, whole] = [paint(one, width_px=3 * CELL_PX + 2 * MARGIN_PX) for one in (bare, told)]
    assert plain.size == (3 * CELL_PX + 2 * MARGIN_PX, 2 * CELL_PX + 2 * MARGIN_PX)
    assert whole.height == plain.height + 2 * ROW_PX + MARGIN_PX
    assert whole.getpixel((MARGIN_PX + 9, plain.height + ROW_PX // 2)) == colour_of(Ink.BLUE)
