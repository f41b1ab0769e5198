"""Paints drawings as pictures, with letters and icons, by Pillow; a bot's debug layers can lie over the board.

The font comes with Pillow, so a picture is the same on every machine. Needs the extra `pictures`.
"""

from __future__ import annotations

import colorsys
import math
import operator
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, pairwise, takewhile
from typing import Any, assert_never

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from PIL import Image, ImageChops, ImageDraw, ImageFont

from gridjoust.bots.lens import ShownLayer
from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Line, Point, Rect, Shape, Sign, Standing, Text
from gridjoust.games.svg import COLOURS, PATHS

Picture = Image.Image
Colour = tuple[int, ...]

FINER = 3  # painted pixels per final pixel in each direction, for smooth edges
MARGIN_PX, ROW_PX, KEY_PX, LETTER_PX = 8, 24, 18, 14
GROUND = {"ground", "grid", "floor", "built", "tiles", "unseen", "rock", "blocked"}  # layers of the empty board
_DASH, _RING, _FRAME = 0.18, 0.1, 0.12  # of a cell
_MOST_NUMBERS = 400  # cells of a heat map up to which values are printed
_COLD, _HOT = 225 / 360, 5 / 360  # hues of the lowest and the highest value
_NEAREST = {ord("–"): "-", ord("×"): "x", ord("→"): "to"}
_NUMBERS_FROM_PX = 48  # smallest cell with room for a value


def paint_board(drawing: Drawing, *, cell_px: int, shown: Iterable[ShownLayer] = ()) -> Picture:
    """Paint the board alone; `shown`: debug layers, which lie over its ground and below pieces."""
    canvas, thoughts = Canvas(round(drawing.width * cell_px), round(drawing.height * cell_px), cell_px), list(shown)
    ground = list(takewhile(lambda layer: layer.name in GROUND, drawing.layers))
    for shape in chain.from_iterable(layer.shapes for layer in ground):
        canvas.add(shape)
    for one in thoughts:
        canvas.show(one)
    for shape in chain.from_iterable(layer.shapes for layer in drawing.layers[len(ground) :]):
        canvas.add(shape)
    for one in thoughts:
        canvas.show_numbers(one)
    return canvas.picture()


def paint(drawing: Drawing, *, width_px: int = 640) -> Picture:
    """Paint the board, and below it the seats' scores and the legend."""
    cell_px = max(1, int((width_px - 2 * MARGIN_PX) / drawing.width))
    board = paint_board(drawing, cell_px=cell_px)
    rows = paint_rows([*([one] for one in drawing.seats), *_lines_of(drawing.legend, width_px)], width_px=width_px)
    sheet = Image.new("RGB", (width_px, board.height + rows.height + 2 * MARGIN_PX), colour_of(Ink.FLOOR))
    sheet.paste(board, ((width_px - board.width) // 2, MARGIN_PX))
    sheet.paste(rows, (0, board.height + 2 * MARGIN_PX))
    return sheet


def _lines_of(entries: Iterable[Beside], width_px: int) -> Iterable[list[Beside]]:
    """Split the entries of a legend into lines that fit the width."""
    line: list[Beside] = []
    for one in entries:
        if line and sum(map(_width_px, (*line, one))) > width_px - 2 * MARGIN_PX:
            yield line
            line = []
        line.append(one)
    if line:
        yield line


def _width_px(one: Beside | Standing) -> int:
    letters_px: float = _font(LETTER_PX).getlength(_letters(one.text))
    return KEY_PX + 24 + math.ceil(letters_px)


def paint_rows(rows: Sequence[Sequence[Beside | Standing]], *, width_px: int) -> Picture:
    """Paint rows of icons with their texts; long rows are cut at the right edge."""
    sheet = Image.new("RGB", (width_px, ROW_PX * len(rows) + (MARGIN_PX if rows else 0)), colour_of(Ink.FLOOR))
    for row, entries in enumerate(rows):
        left, top = MARGIN_PX, row * ROW_PX
        for one in entries:
            sheet.paste(_key(one.shape), (left, top + (ROW_PX - KEY_PX) // 2))
            write(sheet, (left + KEY_PX + 6, top + ROW_PX // 2), one.text)
            left += _width_px(one)
    return sheet


@lru_cache(maxsize=256)
def _key(shape: Shape) -> Picture:
    """Paint a legend icon; areas get a border, as they may have the background's colour."""
    canvas = Canvas(KEY_PX, KEY_PX, KEY_PX)
    canvas.add(shape)
    picture = canvas.picture()
    if isinstance(shape, Rect):
        ImageDraw.Draw(picture).rectangle((0, 0, KEY_PX - 1, KEY_PX - 1), outline=colour_of(Ink.SOFT))
    return picture


def write(picture: Picture, place: tuple[int, int], text: str, *, ink: Ink = Ink.TEXT) -> None:
    """Write a line of text; `place` is the middle of its left end, in pixels."""
    ImageDraw.Draw(picture).text(place, _letters(text), fill=colour_of(ink), font=_font(LETTER_PX), anchor="lm")


def colour_of(ink: Ink) -> Colour:
    """Return the RGB colour of a named ink in the light theme."""
    text = COLOURS[ink][0]
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


class Canvas:
    """A board that is being painted; coordinates are in cells."""

    def __init__(self, width_px: int, height_px: int, cell_px: int) -> None:
        self._scale = cell_px * FINER
        self._has_numbers = cell_px >= _NUMBERS_FROM_PX
        size = (max(1, width_px) * FINER, max(1, height_px) * FINER)
        self._image = Image.new("RGB", size, colour_of(Ink.FLOOR))
        self._brush = ImageDraw.Draw(self._image, "RGBA")  # RGBA: transparent colours are blended

    def picture(self) -> Picture:
        """Return the painting in its final size."""
        return self._image.reduce(FINER)

    def add(self, shape: Shape) -> None:
        """Paint a shape of a drawing."""
        colour, brush = colour_of(shape.ink), self._brush
        match shape:
            case Rect():
                self._fill_rect(shape.x, shape.y, shape.width, shape.height, colour, rounded=shape.rounded)
            case Line():
                for part in _dashes(shape.points) if shape.is_dashed else [shape.points]:
                    self._line(part, colour, shape.width)
            case Circle(is_hollow=True):
                box = self._around(shape.x, shape.y, shape.radius + _RING / 2)
                brush.ellipse(box, outline=colour, width=round(_RING * self._scale))
            case Circle():
                brush.ellipse(self._around(shape.x, shape.y, shape.radius), fill=colour)
            case Text():
                self._write(shape.x, shape.y, shape.text, colour, shape.size)
            case Icon():
                mask = _icon(shape.sign, max(2, round(shape.size * self._scale)))
                left, top = (round(at * self._scale - mask.width / 2) for at in (shape.x, shape.y))
                self._image.paste(colour, (left, top), mask)
            case _:
                assert_never(shape)

    def show(self, layer: ShownLayer) -> None:
        """Paint a debug layer of a bot, except a text."""
        if isinstance(layer.data, str):
            return
        data, violet = layer.data, colour_of(Ink.VIOLET)
        match layer.kind:
            case "heat":
                self._show_heat(_chunks(data, 3))
            case "path":
                points = [(x + 0.5, y + 0.5) for x, y in _chunks(data, 2)]
                for part in _dashes(points):
                    self._line(part, violet, 0.16)
                if len(points) > 1:
                    self._brush.ellipse(self._around(*points[-1], 0.22), fill=violet)
            case "arrows":
                for tail_x, tail_y, head_x, head_y in _chunks(data, 4):
                    for line in _arrow((tail_x + 0.5, tail_y + 0.5), (head_x + 0.5, head_y + 0.5)):
                        self._line(line, violet, 0.09)
            case _:
                self._show_cells(_chunks(data, 2), is_ordered=layer.kind == "nodes")

    def _show_heat(self, cells: Sequence[Sequence[float]]) -> None:
        ranks = sorted({value for _, _, value in cells})  # by rank, as unreachable cells have extreme values
        share_of = {value: at / max(1, len(ranks) - 1) for at, value in enumerate(ranks)}
        for x, y, value in cells:
            hue = _COLD + share_of[value] * (_HOT - _COLD)
            colour = tuple(round(255 * part) for part in colorsys.hls_to_rgb(hue, 0.5, 0.75))
            self._fill_rect(x, y, 1, 1, (*colour, 128))

    def show_numbers(self, layer: ShownLayer) -> None:
        """Print the values of a heat map if there is room for them."""
        if isinstance(layer.data, str) or layer.kind != "heat" or not self._has_numbers:
            return
        cells, font, edge = _chunks(layer.data, 3), _font(round(0.22 * self._scale)), 0.035 * self._scale
        for x, y, value in cells if len(cells) <= _MOST_NUMBERS else []:
            place, text = ((x + 0.06) * self._scale, (y + 0.87) * self._scale), f"{value:.4g}"
            ink, paper = colour_of(Ink.TEXT), colour_of(Ink.FLOOR)
            self._brush.text(place, text, fill=ink, font=font, anchor="lm", stroke_width=edge, stroke_fill=paper)

    def _show_cells(self, cells: Sequence[Sequence[float]], *, is_ordered: bool) -> None:
        for at, (x, y) in enumerate(cells):
            if is_ordered:
                paint = (*colour_of(Ink.VIOLET), round(255 * (0.2 + 0.6 * at / len(cells))))
                self._fill_rect(x + 0.15, y + 0.15, 0.7, 0.7, paint, rounded=0.15)
            else:
                frame = [
                    (place + 0.5 + side * (0.35 + _FRAME / 2)) * self._scale for side in (-1, 1) for place in (x, y)
                ]
                width = max(1, round(_FRAME * self._scale))
                self._brush.rounded_rectangle(frame, 0.15 * self._scale, outline=colour_of(Ink.GOLD), width=width)

    def _around(self, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        scale = self._scale
        return (x - radius) * scale, (y - radius) * scale, (x + radius) * scale, (y + radius) * scale

    def _fill_rect(
        self, x: float, y: float, width: float, height: float, colour: Colour, *, rounded: float = 0.0
    ) -> None:
        scale = self._scale
        box = (x * scale, y * scale, max(x * scale, (x + width) * scale - 1), max(y * scale, (y + height) * scale - 1))
        self._brush.rounded_rectangle(box, rounded * scale, fill=colour)

    def _line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        places = [(x * self._scale, y * self._scale) for x, y in points]
        self._brush.line(places, fill=colour, width=max(1, round(width * self._scale)), joint="curve")
        for x, y in (points[0], points[-1]):  # round ends, like those of the page
            self._brush.ellipse(self._around(x, y, width / 2), fill=colour)

    def _write(self, x: float, y: float, text: str, colour: Colour, size: float) -> None:
        font = _font(max(1, round(size * self._scale)))
        place = (x * self._scale, y * self._scale)
        self._brush.text(place, _letters(text), fill=colour, font=font, anchor="mm", stroke_width=0.3)


@lru_cache(maxsize=64)
def _font(size_px: int) -> Any:
    return ImageFont.load_default(size_px)


def _letters(text: str) -> str:
    """Replace characters that are missing from the font."""
    return text.translate(_NEAREST)


def _chunks(data: Sequence[float], size: int) -> list[Sequence[float]]:
    return [data[at : at + size] for at in range(0, len(data) - size + 1, size)]


def _dashes(points: Sequence[Point]) -> Iterable[Sequence[Point]]:
    """Yield the dashes of a line, as long as the gaps between them."""
    for (x, y), (to_x, to_y) in pairwise(points):
        length = math.hypot(to_x - x, to_y - y)
        for at in range(math.ceil(length / (2 * _DASH))):
            begin, end = 2 * at * _DASH / length, min(1.0, (2 * at + 1) * _DASH / length)
            yield [(x + (to_x - x) * share, y + (to_y - y) * share) for share in (begin, end)]


def _arrow(tail: Point, head: Point) -> Iterable[Sequence[Point]]:
    """Yield the shaft and the tip of an arrow; nothing for length 0."""
    length = math.dist(tail, head)
    if not length:
        return
    x, y = (head[0] - tail[0]) / length, (head[1] - tail[1]) / length
    tip = (head[0] - 0.2 * x, head[1] - 0.2 * y)
    wings = [(tip[0] - 0.25 * x + side * 0.16 * y, tip[1] - 0.25 * y - side * 0.16 * x) for side in (1, -1)]
    yield [tail, tip]
    yield [wings[0], tip, wings[1]]


class _Outline(BasePen):  # type: ignore[misc]  # the library has no types
    """The path of an icon as polygons; curves become eight segments."""

    def __init__(self) -> None:
        super().__init__(None)
        self.rings: list[list[Point]] = []

    def _moveTo(self, point: Point) -> None:  # noqa: N802 - the library's names
        self.rings.append([point])

    def _lineTo(self, point: Point) -> None:  # noqa: N802
        self.rings[-1].append(point)

    def _curveToOne(self, *controls: Point) -> None:  # noqa: N802
        corners = (self.rings[-1][-1], *controls)
        for share in (step / 8 for step in range(1, 9)):
            weights = [math.comb(3, at) * share**at * (1 - share) ** (3 - at) for at in range(4)]
            x, y = (sum(map(operator.mul, weights, places)) for places in zip(*corners, strict=True))
            self.rings[-1].append((x, y))


@lru_cache(maxsize=256)
def _icon(sign: Sign, side_px: int) -> Picture:
    """Return the mask of an icon in pixels; a ring within another is a hole."""
    outline = _Outline()
    parse_path(PATHS[sign], outline)
    covered = Image.new("L", (side_px, side_px))
    for ring in outline.rings:
        one = Image.new("L", covered.size)
        places = [((x + 1) / 2 * side_px, (y + 1) / 2 * side_px) for x, y in ring]
        ImageDraw.Draw(one).polygon(places, fill=255)
        covered = ImageChops.difference(covered, one)
    return covered
