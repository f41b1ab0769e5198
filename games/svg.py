"""Write drawings as SVG files that follow the reader's light or dark theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never
from xml.sax.saxutils import escape, quoteattr

from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Line, Point, Rect, Shape, Sign, Standing, Text

WIDTH_PX = 440
_MARGIN_PX, _ROW_PX, _KEY_PX, _LETTER_PX = 8, 24, 18, 7.6
_FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"

COLOURS: dict[Ink, tuple[str, str]] = {  # shade on light ground, shade on dark ground
    Ink.FLOOR: ("#ffffff", "#1b222a"),
    Ink.FOG: ("#d5dbe1", "#0b0f13"),
    Ink.GRID: ("#e3e8ed", "#2a333d"),
    Ink.WALL: ("#36424e", "#93a1b0"),
    Ink.TEXT: ("#18212c", "#e5eaf0"),
    Ink.SOFT: ("#b9c4cf", "#56636f"),
    Ink.WOOD: ("#c79a63", "#8a6537"),
    Ink.ROCK: ("#8f7fae", "#75649a"),
    Ink.GOLD: ("#b8860b", "#f2c94c"),
    Ink.FIRE: ("#d9480f", "#ff8c42"),
    Ink.RED: ("#c62828", "#ef6c6c"),
    Ink.GREEN: ("#2e7d32", "#5dbb63"),
    Ink.BLUE: ("#1565c0", "#64a8ff"),
    Ink.YELLOW: ("#b78103", "#f2cf4a"),
    Ink.SILVER: ("#6f7f89", "#b4c2cb"),
    Ink.VIOLET: ("#6a1b9a", "#c792ea"),
    Ink.SEAT_0: ("#114ab7", "#6b9bff"),
    Ink.SEAT_1: ("#a45904", "#f0a355"),
    Ink.SEAT_2: ("#168768", "#56c9a0"),
    Ink.SEAT_3: ("#900d2c", "#f2778f"),
    Ink.SEAT_4: ("#683d7a", "#cf9fe0"),
    Ink.SEAT_5: ("#4b5661", "#c3ced9"),
}
PATHS: dict[Sign, str] = {  # within a square from -1 to 1
    Sign.AMMO: "M-.75-.6H.75V.7H-.75zM-.15-.35V-.1H-.45V.2H-.15V.45H.15V.2H.45V-.1H.15V-.35z",
    Sign.BOMB: "M-.15-.45a.72.72 0 1 0 .3 0L.4-.75.62-.72.62-.95.3-.95 0-.48z",
    Sign.CHEST: "M-.8-.1V.65H.8V-.1zM-.8-.25Q-.8-.7-.4-.7H.4Q.8-.7.8-.25z",
    Sign.DIAMOND: "M0-.85.75 0 0 .85-.75 0z",
    Sign.FLAG: "M-.55-.9H-.35V-.75L.7-.4-.35-.05V.9H-.55z",
    Sign.FLAME: "M0-.95Q.75-.2.7.35A.7.6 0 0 1-.7.35Q-.65-.05-.3-.35-.25 0 0 .05.2-.4 0-.95z",
    Sign.HEXAGON: "M-.45-.8H.45L.9 0 .45.8H-.45L-.9 0z",
    Sign.SKULL: "M-.75-.15A.75.7 0 0 1 .75-.15Q.75.25.45.4V.8H-.45V.4Q-.75.25-.75-.15z"
    "M-.5-.2a.2.2 0 1 0 .4 0a.2.2 0 1 0-.4 0zM.1-.2a.2.2 0 1 0 .4 0a.2.2 0 1 0-.4 0z",
    Sign.SQUARE: "M-.7-.7H.7V.7H-.7z",
    Sign.STAIRS: "M-.85.8V.4H-.4V0H.05V-.4H.5V-.8H.85V.8z",
    Sign.STAR: "M0-.9.25-.3.9-.25.4.15.55.8 0 .45-.55.8-.4.15-.9-.25-.25-.3z",
    Sign.TRAP: "M-.8.7-.55-.6-.3.7zM-.25.7 0-.6.25.7zM.3.7.55-.6.8.7z",
    Sign.TRIANGLE: "M0-.8.85.7H-.85z",
}
_Line = Beside | Standing


def write_svg(drawing: Drawing) -> str:
    """Return the drawing as an SVG file, `WIDTH_PX` wide, with the seats and the legend below the board."""
    scale = (WIDTH_PX - 2 * _MARGIN_PX) / drawing.width
    top = drawing.height * scale + 2 * _MARGIN_PX
    rows: list[Sequence[_Line]] = [*([one] for one in drawing.seats), *_lines_of(drawing.legend)]
    height = top + _ROW_PX * len(rows) + _MARGIN_PX
    board = "\n".join(
        f'<g id="{escape(layer.name)}">{"".join(map(_shape, _joined(layer.shapes)))}</g>' for layer in drawing.layers
    )
    beside = "\n".join(text for at, row in enumerate(rows) for text in _row(row, top + _ROW_PX * (at + 0.5)))
    moved = f"translate({_MARGIN_PX} {_MARGIN_PX}) scale({_number(scale, 3)})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH_PX} {_number(height)}" width="{WIDTH_PX}" '
        f'height="{_number(height)}" role="img">\n<title>{escape(drawing.title)}</title>\n<style>{_style()}</style>\n'
        f'<rect width="{WIDTH_PX}" height="{_number(height)}" rx="6" class="floor"/>\n'
        f'<g transform="{moved}">\n{board}\n</g>\n{beside}\n</svg>\n'
    )


def write_thumbnail(drawing: Drawing) -> str:
    """Return the board of the drawing alone as an SVG file without a size of its own."""
    shapes = "".join(_shape(one) for layer in drawing.layers for one in _joined(layer.shapes))
    box = f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">\n<title>{escape(drawing.title)}</title>\n'
        f"<style>{_style()}</style>\n{shapes}\n</svg>\n"
    )


def _style() -> str:
    """Return the style sheet: for each colour a class for fills, and one with the prefix `l` for lines."""

    def rules(at: int) -> str:
        pairs = ((ink.value, colours[at]) for ink, colours in COLOURS.items())
        each = (f".{name}{{fill:{hexed}}}.l{name}{{stroke:{hexed};fill:none}}" for name, hexed in pairs)
        return "".join(each) + f".key rect{{stroke:{COLOURS[Ink.SOFT][at]}}}"

    base = f"text{{{_FONT};text-anchor:middle;dominant-baseline:central;font-weight:600}}.beside{{text-anchor:start}}"
    key = ".key rect{stroke-width:.06}"
    lines = "polyline{stroke-linecap:round;stroke-linejoin:round}path{fill-rule:evenodd}"
    return f"{base}{lines}{key}.beside{{font-weight:400}}{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}"


def _joined(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Yield the shapes, with one rectangle in place of cells of one colour that follow each other in a row."""
    row: Rect | None = None
    for shape in shapes:
        if (
            row is not None
            and isinstance(shape, Rect)
            and shape == replace(row, x=row.x + row.width, width=shape.width)
        ):
            row = replace(row, width=row.width + shape.width)
            continue
        if row is not None:
            yield row
        row = shape if isinstance(shape, Rect) and not shape.rounded else None
        if row is None:
            yield shape
    if row is not None:
        yield row


def _shape(shape: Shape) -> str:
    match shape:
        case Rect():
            corner = f' rx="{_number(shape.rounded)}"' if shape.rounded else ""
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
            return f'<rect {place} {size}{corner} class="{shape.ink.value}"/>'
        case Line():
            dashes = ' stroke-dasharray=".18 .18"' if shape.is_dashed else ""
            width = f'stroke-width="{_number(shape.width)}"'
            return f'<polyline points="{_points(shape.points)}" {width}{dashes} class="l{shape.ink.value}"/>'
        case Circle():
            look = f'stroke-width=".1" class="l{shape.ink.value}"' if shape.is_hollow else f'class="{shape.ink.value}"'
            return f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}" {look}/>'
        case Text():
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}" font-size="{_number(shape.size)}"'
            return f'<text {place} class="{shape.ink.value}">{escape(shape.text)}</text>'
        case Icon():
            moved = f"translate({_number(shape.x)} {_number(shape.y)}) scale({_number(shape.size / 2)})"
            return f'<path d={quoteattr(PATHS[shape.sign])} transform="{moved}" class="{shape.ink.value}"/>'
        case _:
            assert_never(shape)


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float, places: int = 2) -> str:
    return f"{value:.{places}f}".rstrip("0").rstrip(".") or "0"


def _width_px(one: _Line) -> float:
    return _KEY_PX + 6 + len(one.text) * _LETTER_PX + 14


def _lines_of(entries: Iterable[Beside]) -> Iterator[list[Beside]]:
    """Yield the legend's entries in lines that fit the width of the picture."""
    line: list[Beside] = []
    for one in entries:
        if line and sum(map(_width_px, (*line, one))) > WIDTH_PX - 2 * _MARGIN_PX:
            yield line
            line = []
        line.append(one)
    if line:
        yield line


def _row(row: Sequence[_Line], level: float) -> Iterator[str]:
    left: float = _MARGIN_PX
    for one in row:
        moved = f"translate({_number(left)} {_number(level - _KEY_PX / 2)}) scale({_KEY_PX})"
        yield f'<g transform="{moved}" class="key">{_shape(one.shape)}</g>'
        place = f'x="{_number(left + _KEY_PX + 6)}" y="{_number(level)}"'
        yield f'<text {place} font-size="14" class="beside text">{escape(one.text)}</text>'
        left += _width_px(one)
