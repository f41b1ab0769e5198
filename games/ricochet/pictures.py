"""Positions as pictures for `joust draw`: from a seed or from JSON, as rows of coloured text or as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.ricochet.actions import parse_moves
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Diagonal, Target, slide
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.games.ricochet.proof import Move, Position
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.games.ricochet.terminal import (
    GROUND_COLOUR,
    ROBOT_SIGNS,
    SYMBOLS,
    WALL_COLOUR,
    Piece,
    draw_rows,
    is_wall,
)

_COLOURS = {
    WALL_COLOUR: "white",
    GROUND_COLOUR: "bright_black",
    "any": "magenta",
    "silver": "bright_white",
}  # colours of a terminal; the other pieces have the terminal's colour of their name

CELL_PX = 40
MARGIN_PX = 10
FILLS = {
    Colour.RED: "#c62828",
    Colour.GREEN: "#2e7d32",
    Colour.BLUE: "#1565c0",
    Colour.YELLOW: "#f9a825",
    Colour.SILVER: "#90a4ae",
    None: "#6a1b9a",  # the vortex
}
_CENTRED = 'text-anchor="middle" dominant-baseline="central"'

Point = tuple[int, int]


def deal(seed: int) -> Position:
    """Return the first position of a match with this seed."""
    return Ricochet().initial_state(seed).position


def read(text: str) -> dict[str, Position]:
    """Parse positions in JSON by name; ValueError says what is wrong with the text."""
    return dict(parse_positions(text))


def rows(position: Position, moves: str = "") -> list[list[tuple[str, str]]]:
    """Return the rows of the board as (text, style), with the task as the last row.

    A style is a terminal colour, with `bold` in front of pieces that matter. The paths of moves such as `red N, blue E`
    are shown by their numbers on the cells.
    """
    way = parse_moves(moves) if moves else ()
    board = [[(piece.text, _style(piece)) for piece in row] for row in draw_rows(position, way)]
    return [*board, [(f"wanted: {position.target.task}", "bold")]]


def _style(piece: Piece) -> str:
    colour = _COLOURS.get(piece.colour, piece.colour)
    return f"bold {colour}" if piece.is_bold else colour


def picture(position: Position, moves: str) -> str:
    """Return an SVG picture with the paths of moves such as `red N, blue E`, numbered where each ends.

    ValueError if a move is impossible.
    """
    board, target = position.board, position.target
    width, height = (side * CELL_PX + 2 * MARGIN_PX for side in (board.width, board.height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#fafafa"/>',
        *(_svg_ground(board, cell) for cell in board.cells()),
        *(_svg_diagonal(cell, diagonal) for cell, diagonal in board.diagonals),
        *(_svg_target(shown, is_wanted=shown == target) for shown in dict.fromkeys((*board.targets, target))),
        *_svg_walls(board),
        *_svg_ways(position, parse_moves(moves) if moves else ()),
        *(_svg_robot(colour, cell) for colour, cell in zip(COLOURS, position.robots, strict=False)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _corners(cell: Cell) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a cell, clockwise from the north-west."""
    west, north = MARGIN_PX + cell.x * CELL_PX, MARGIN_PX + cell.y * CELL_PX
    east, south = west + CELL_PX, north + CELL_PX
    return (west, north), (east, north), (east, south), (west, south)


def _centre(cell: Cell) -> Point:
    (x, y), *_ = _corners(cell)
    return x + CELL_PX // 2, y + CELL_PX // 2


def _svg_ground(board: Board, cell: Cell) -> str:
    (x, y), *_ = _corners(cell)
    fill = "#455a64" if cell in board.blocked else "#ffffff"
    return f'<rect x="{x}" y="{y}" width="{CELL_PX}" height="{CELL_PX}" fill="{fill}" stroke="#cfd8dc"/>'


def _svg_line(begin: Point, end: Point, *, colour: str, width_px: int) -> str:
    ends = f'x1="{begin[0]}" y1="{begin[1]}" x2="{end[0]}" y2="{end[1]}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width_px}" stroke-linecap="round"/>'


def _svg_walls(board: Board) -> Iterator[str]:
    for cell in board.cells():
        corners = _corners(cell)
        for side, begin, end in zip(DIRECTIONS, corners, (*corners[1:], corners[0]), strict=True):
            if is_wall(board, cell, side):
                yield _svg_line(begin, end, colour="#263238", width_px=4)


def _svg_diagonal(cell: Cell, diagonal: Diagonal) -> str:
    north_west, north_east, south_east, south_west = _corners(cell)
    begin, end = (south_west, north_east) if diagonal.rising else (north_west, south_east)
    return _svg_line(begin, end, colour=FILLS[diagonal.colour], width_px=5)


def _svg_target(shown: Target, *, is_wanted: bool) -> str:
    (x, y), fill = _centre(shown.cell), FILLS[shown.colour]
    ring = f'<circle cx="{x}" cy="{y}" r="18" fill="none" stroke="{fill}" stroke-width="3"/>' if is_wanted else ""
    sign = f'<text x="{x}" y="{y}" font-size="24" {_CENTRED} fill="{fill}">{SYMBOLS[shown.symbol]}</text>'
    return f'<g opacity="{1 if is_wanted else 0.45}"><title>{escape(str(shown))}</title>{ring}{sign}</g>'


def _svg_robot(colour: Colour, cell: Cell) -> str:
    x, y = _centre(cell)
    body = f'<circle cx="{x}" cy="{y}" r="13" fill="{FILLS[colour]}" stroke="#263238" stroke-width="2"/>'
    style = f'font-size="14" font-weight="bold" {_CENTRED} fill="#ffffff"'
    return f'<g><title>{colour}</title>{body}<text x="{x}" y="{y}" {style}>{ROBOT_SIGNS[colour]}</text></g>'


def _svg_ways(position: Position, moves: Sequence[Move]) -> Iterator[str]:
    standing = dict(zip(COLOURS, position.robots, strict=False))
    for number, (robot, direction) in enumerate(moves, start=1):
        here, fill = standing.pop(robot, None), FILLS[robot]
        path = slide(position.board, robot, here, direction, standing.values()) if here else None
        if here is None or path is None:
            raise ValueError(f"move {number}, {robot} {direction.name}: the robot cannot move that way")
        for tail, head in pairwise((here, *path.cells)):
            if tail.manhattan(head) == 1:  # not through an opening
                yield _svg_line(_centre(tail), _centre(head), colour=fill, width_px=3)
        (x, y), *_ = _corners(path.stop)
        yield f'<text x="{x + 4}" y="{y + 12}" font-size="11" fill="{fill}">{number}</text>'
        standing[robot] = path.stop
