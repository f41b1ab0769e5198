"""Drawings in a terminal: one or two characters per cell, with colours, and walls as box-drawing characters.

If a drawing has lines between its cells, they get rows and columns of their own. Colours are bright on dark in every
terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from rich.text import Text as Printed

from gridjoust.games.drawing import Beside, Circle, Drawing, Icon, Ink, Line, Point, Rect, Shape, Sign, Standing, Text
from gridjoust.games.svg import COLOURS

_GLYPHS = {
    Sign.AMMO: "+", Sign.BOMB: "◉", Sign.CHEST: "$", Sign.DIAMOND: "♦", Sign.FLAG: "⚑", Sign.FLAME: "*",
    Sign.HEXAGON: "⬢", Sign.SKULL: "x", Sign.SQUARE: "■", Sign.STAIRS: "<", Sign.STAR: "★", Sign.TRAP: "^",
    Sign.TRIANGLE: "▲",
}  # fmt: skip
_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by which of the four edges N, E, S, W that meet are walls
_QUIET = {Ink.GRID, Ink.FLOOR}  # lines that are not shown in a terminal
_FEWEST, _DARK = 2, 1  # columns of a cell; index in COLOURS
_WIDEST, _GAP = 79, "   "  # of a legend's line, and between what it explains
_SAME = 0.05  # shapes of a cell with a smaller horizontal distance are on top of each other
Place = tuple[int, int]  # of a lattice: odd numbers are cells, even ones the edges between them


@dataclass(slots=True)
class _Spot:
    """What is drawn in one character position: a cell, or an edge or corner between cells."""

    ground: Ink = Ink.FOG
    glyphs: list[tuple[float, str, Ink, Ink | None]] = field(default_factory=list)  # where, sign, its ink, behind it
    wall: Ink | None = None


def board_text(drawing: Drawing, *, hides: str = "") -> Printed:
    """Return the board as text, with seats and legend below it, without the layer named `hides`."""
    board, seats, legend = _parts(drawing, hides)
    return Printed("\n").join([*board, Printed(), *seats, Printed(), *legend])


def fitted_text(
    drawing: Drawing, *, hides: str = "", rows: int, columns: int, follow: int | None = None, down: int = 0
) -> tuple[Printed, int]:
    """Return at most `rows` lines of `columns` characters: seats, the board and as much of the legend as there is room.

    If the board is larger, the text shows the part around the figure of seat `follow`, or the part `down` rows further
    down. The number is how many rows the whole board and the seats need; 0 if the text shows the whole board.
    """
    board, seats, legend = _parts(drawing, hides)
    has_edges = len(board) > round(drawing.height)
    room, width = max(1, rows - len(seats)), max(line.cell_len for line in board)
    x, y = figure_of(drawing, follow) or (0.0, 0.0)
    middle = (int(2 * y) if has_edges else int(y), round(x / drawing.width * width))
    top, left = _start(middle[0] + down, len(board), room), _start(middle[1], width, columns)
    shown = [line[left : left + columns] for line in board[top : top + room]]
    text = Printed("\n").join([*shown, *seats, *legend[: max(0, rows - len(shown) - len(seats))]])
    return text, len(board) + len(seats) if len(board) > room else 0


def figure_of(drawing: Drawing, seat: int | None) -> tuple[float, float] | None:
    """Return the place of a seat's figure in cells: the last disc in the seat's colour; None without one."""
    inks = [standing.shape.ink for standing in drawing.seats if standing.seat == seat]
    discs = [
        shape
        for layer in drawing.layers
        for shape in layer.shapes
        if isinstance(shape, Circle) and shape.ink in inks and shape.y < drawing.height
    ]
    return (discs[-1].x, discs[-1].y) if discs else None


def _start(middle: int, size: int, room: int) -> int:
    """Return where a window of `room` out of `size` rows begins; it is centred on `middle` as far as the ends allow."""
    return min(max(0, middle - room // 2), max(0, size - room))


def _parts(drawing: Drawing, hides: str) -> tuple[list[Printed], list[Printed], list[Printed]]:
    """Return the lines of the board, of its seats and of the legend."""
    spots = _spots(drawing, hides)
    for (x, y), spot in spots.items():
        if not (x % 2 and y % 2):
            spot.ground = _ground_between(spots, (x, y)) or spot.ground
    has_edges = any(spot.wall is not None for (x, y), spot in spots.items() if not (x % 2 and y % 2))
    columns = max(_FEWEST, *(len({round(at, 1) for at, *_ in spot.glyphs}) for spot in spots.values()))
    first, step = (0, 1) if has_edges else (1, 2)
    board = []
    for y in range(first, round(2 * drawing.height) + 1, step):
        line = Printed()
        for x in range(first, round(2 * drawing.width) + 1, step):
            _print_spot(line, spots, (x, y), columns if x % 2 else 1)
        board.append(line)
    seats = []
    for standing in drawing.seats:
        seats.append(Printed())
        _print_beside(seats[-1], standing)
    return board, seats, _legend_lines(drawing)


def _legend_lines(drawing: Drawing) -> list[Printed]:
    """Return the lines of the legend, with as many entries per line as fit."""
    lines: list[Printed] = []
    for beside in drawing.legend:
        piece = Printed()
        _print_beside(piece, beside)
        if lines and lines[-1].cell_len + len(_GAP) + piece.cell_len <= _WIDEST:
            lines[-1].append(_GAP)
            lines[-1].append_text(piece)
        else:
            lines.append(piece)
    return lines


def _spots(drawing: Drawing, hides: str) -> dict[Place, _Spot]:
    size = (round(2 * drawing.width) + 1, round(2 * drawing.height) + 1)
    spots = {(x, y): _Spot() for y in range(size[1]) for x in range(size[0])}
    for layer in drawing.layers:
        for shape in layer.shapes if layer.name != hides else ():
            _put(spots, shape)
    return spots


def _ground_between(spots: dict[Place, _Spot], place: Place) -> Ink | None:
    """Return the background colour of the cells around an edge or a corner; None if they differ."""
    x, y = place
    sides = [(x + dx, y + dy) for dx in ((0,) if x % 2 else (-1, 1)) for dy in ((0,) if y % 2 else (-1, 1))]
    grounds = {spots[side].ground for side in sides if side in spots}
    return grounds.pop() if len(grounds) == 1 else None


def _put(spots: dict[Place, _Spot], shape: Shape) -> None:
    match shape:
        case Rect():
            for place in _inside(shape):
                if place in spots:
                    spots[place].ground = shape.ink
                    spots[place].glyphs.clear()
        case Line() if shape.ink not in _QUIET:
            for place in _along(shape.points):
                if place in spots:
                    _lay(spots[place], place, shape)
        case Circle() | Text() | Icon():
            spot = spots.get((2 * int(shape.x) + 1, 2 * int(shape.y) + 1))
            if spot is not None:
                _stand(spot, shape)


def _inside(rect: Rect) -> Iterator[Place]:
    """Yield the positions (cells, edges, corners) whose centres are strictly inside the rectangle."""
    left, top = int(2 * rect.x) + 1, int(2 * rect.y) + 1
    right, bottom = 2 * (rect.x + rect.width), 2 * (rect.y + rect.height)
    for y in range(top, round(bottom + 0.49)):
        yield from ((x, y) for x in range(left, round(right + 0.49)) if x < right and y < bottom)


def _along(points: tuple[Point, ...]) -> Iterator[Place]:
    """Yield the positions on a line, every half cell; a short line has one, at its centre."""
    for (x, y), (i, j) in pairwise(points):
        steps = max(1, round(2 * max(abs(i - x), abs(j - y))))
        if max(abs(i - x), abs(j - y)) < 0.5:
            yield round(x + i), round(y + j)
            continue
        for step in range(steps + 1):
            at = step / steps
            yield round(2 * (x + at * (i - x))), round(2 * (y + at * (j - y)))


def _lay(spot: _Spot, place: Place, line: Line) -> None:
    """Add a line to a position: a wall between cells, a path in the centre of a cell."""
    if not (place[0] % 2 and place[1] % 2):
        if line.width < 0.2 or line.ink is Ink.FIRE:
            spot.wall = line.ink
    elif not spot.glyphs:
        spot.glyphs.append((0.5, "·", line.ink, None))


def _stand(spot: _Spot, shape: Circle | Text | Icon) -> None:
    """Add a shape to a cell; letters on a disc get its colour as background, and a path below the shape is hidden."""
    spot.glyphs = [one for one in spot.glyphs if one[1] != "·"]
    at = shape.x % 1
    below = next((one for one in reversed(spot.glyphs) if abs(one[0] - at) < _SAME), None)
    match shape:
        case Text():
            is_label = below is not None and below[1] in ("●", "○")
            if below is not None and is_label:
                spot.glyphs.remove(below)
                behind = below[2] if below[1] == "●" else None
                spot.glyphs.append((at, shape.text[:2], Ink.FLOOR if behind else below[2], behind))
            else:
                spot.glyphs.append((at, shape.text[:2], below[2] if below else shape.ink, None))
        case Circle():
            if below is not None and shape.is_hollow:  # a ring around a shape: its colour becomes the background
                spot.glyphs[spot.glyphs.index(below)] = (below[0], below[1], Ink.FLOOR, shape.ink)
            else:  # a disc hides shapes below it
                spot.glyphs = [one for one in spot.glyphs if abs(one[0] - at) >= _SAME]
                spot.glyphs.append((at, "○" if shape.is_hollow else "●", shape.ink, None))
        case Icon():
            if below is not None and below[1] == "○":
                spot.glyphs.remove(below)
            spot.glyphs.append((at, _GLYPHS[shape.sign], shape.ink, None))


def _print_spot(printed: Printed, spots: dict[Place, _Spot], place: Place, columns: int) -> None:
    spot = spots[place]
    if spot.wall is not None or not (place[0] % 2 or place[1] % 2):
        sign, ink = _wall_sign(spots, place)
        printed.append(sign * columns if sign == "─" else sign.ljust(columns), _style(ink, spot))
        return
    shown = sorted(spot.glyphs, key=lambda one: one[0])
    while sum(len(glyph) for _, glyph, _, _ in shown) > columns:
        shown.pop(0)  # a bomb is hidden by its number
    used = sum(len(glyph) for _, glyph, _, _ in shown)
    for _, glyph, ink, behind in shown:
        colour = COLOURS[behind or spot.ground][_DARK]
        printed.append(glyph, f"bold {COLOURS[ink][_DARK]} on {colour}")
    behind = shown[0][3] if len(shown) == 1 else None  # a single disc fills its cell
    printed.append(" " * (columns - used), f"on {COLOURS[behind or spot.ground][_DARK]}")


def _wall_sign(spots: dict[Place, _Spot], place: Place) -> tuple[str, Ink]:
    x, y = place
    if x % 2 or y % 2:
        wall = spots[place].wall or Ink.WALL
        return ("─" if x % 2 else "│") if wall is not Ink.RED else "x", wall
    near = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
    edges = [spots[one].wall is not None if one in spots else False for one in near]
    return _JOINTS[sum(1 << bit for bit, is_wall in enumerate(edges) if is_wall)], Ink.WALL


def _style(ink: Ink, spot: _Spot) -> str:
    return f"{COLOURS[ink][_DARK]} on {COLOURS[spot.ground][_DARK]}"


def _print_beside(printed: Printed, beside: Beside | Standing) -> None:
    """Print a shape as on the board, then its text."""
    spots = {(x, y): _Spot(ground=Ink.FLOOR) for x in range(3) for y in range(3)}
    _put(spots, beside.shape)
    if any(spots[place].wall is not None for place in ((1, 0), (1, 2), (0, 1), (2, 1))) or not _is_seen(spots[1, 1]):
        ink = beside.shape.ink
        printed.append(
            "─" if isinstance(beside.shape, Line) else " ", f"{COLOURS[ink][_DARK]} on {COLOURS[Ink.FLOOR][_DARK]}"
        )
        printed.append(" ")
    else:
        _print_spot(printed, spots, (1, 1), _FEWEST)
    printed.append(f" {beside.text}")


def _is_seen(spot: _Spot) -> bool:
    return bool(spot.glyphs) or spot.ground is not Ink.FLOOR
