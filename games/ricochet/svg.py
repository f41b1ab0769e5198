"""Boards and solutions as SVG pictures. Writes no files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from games.grid import DIRECTIONS, Cell, Direction
from games.ricochet.board import COLOURS, Board, Colour, Diagonal, Robots, Target, slide
from games.ricochet.proof import Move, Position
from games.ricochet.terminal import ROBOT_SIGNS, SYMBOLS, is_wall

CELL_PX = 40
MARGIN_PX = 10
FILLS = {
    Colour.RED: "#c62828",
    Colour.GREEN: "#2e7d32",
    Colour.BLUE: "#1565c0",
    Colour.YELLOW: "#f9a825",
    Colour.SILVER: "#90a4ae",
}
VORTEX_FILL = "#6a1b9a"


def draw_position(position: Position, moves: Sequence[Move] = ()) -> str:
    """A picture; with moves also their ways, numbered where each ends. ValueError if a move cannot be made."""
    board, robots, target = position.board, position.robots, position.target
    width, height = (side * CELL_PX + 2 * MARGIN_PX for side in (board.grid.width, board.grid.height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#fafafa"/>',
        *_svg_ground(board),
        *(_svg_diagonal(cell, diagonal) for cell, diagonal in board.diagonals),
        *(_svg_target(shown, is_wanted=shown == target) for shown in board.targets),
    ]
    if target not in board.targets:
        parts.append(_svg_target(target, is_wanted=True))
    parts += _svg_walls(board)
    parts += _svg_ways(board, robots, moves)
    parts += [_svg_robot(colour, cell) for colour, cell in zip(COLOURS, robots, strict=False)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _corner(cell: Cell) -> tuple[int, int]:
    return MARGIN_PX + cell.x * CELL_PX, MARGIN_PX + cell.y * CELL_PX


def _centre(cell: Cell) -> tuple[int, int]:
    x, y = _corner(cell)
    return x + CELL_PX // 2, y + CELL_PX // 2


def _svg_ground(board: Board) -> list[str]:
    parts: list[str] = []
    for cell in board.grid.cells():
        x, y = _corner(cell)
        fill = "#455a64" if cell in board.grid.blocked else "#ffffff"
        parts.append(f'<rect x="{x}" y="{y}" width="{CELL_PX}" height="{CELL_PX}" fill="{fill}" stroke="#cfd8dc"/>')
    return parts


def _svg_walls(board: Board) -> list[str]:
    edges = [(cell, side) for cell in board.grid.cells() for side in DIRECTIONS if is_wall(board, cell, side)]
    return [_svg_line(*_edge_ends(cell, side), colour="#263238", width_px=4) for cell, side in edges]


def _edge_ends(cell: Cell, side: Direction) -> tuple[tuple[int, int], tuple[int, int]]:
    x, y = _corner(cell)
    north_west, north_east = (x, y), (x + CELL_PX, y)
    south_west, south_east = (x, y + CELL_PX), (x + CELL_PX, y + CELL_PX)
    return {
        Direction.N: (north_west, north_east),
        Direction.E: (north_east, south_east),
        Direction.S: (south_west, south_east),
        Direction.W: (north_west, south_west),
    }[side]


def _svg_line(begin: tuple[int, int], end: tuple[int, int], *, colour: str, width_px: int) -> str:
    ends = f'x1="{begin[0]}" y1="{begin[1]}" x2="{end[0]}" y2="{end[1]}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width_px}" stroke-linecap="round"/>'


def _svg_diagonal(cell: Cell, diagonal: Diagonal) -> str:
    north_west, north_east = _edge_ends(cell, Direction.N)
    south_west, south_east = _edge_ends(cell, Direction.S)
    begin, end = (south_west, north_east) if diagonal.rising else (north_west, south_east)
    return _svg_line(begin, end, colour=FILLS[diagonal.colour], width_px=5)


def _svg_target(shown: Target, *, is_wanted: bool) -> str:
    x, y = _centre(shown.cell)
    fill = VORTEX_FILL if shown.colour is None else FILLS[shown.colour]
    ring = f'<circle cx="{x}" cy="{y}" r="18" fill="none" stroke="{fill}" stroke-width="3"/>' if is_wanted else ""
    size = f'font-size="24" text-anchor="middle" dominant-baseline="central" fill="{fill}"'
    title = f"<title>{escape(str(shown))}</title>"
    sign = f'<text x="{x}" y="{y}" {size}>{SYMBOLS[shown.symbol]}</text>'
    return f'<g opacity="{1 if is_wanted else 0.45}">{title}{ring}{sign}</g>'


def _svg_robot(colour: Colour, cell: Cell) -> str:
    x, y = _centre(cell)
    body = f'<circle cx="{x}" cy="{y}" r="13" fill="{FILLS[colour]}" stroke="#263238" stroke-width="2"/>'
    style = 'font-size="14" font-weight="bold" text-anchor="middle" dominant-baseline="central" fill="#ffffff"'
    return f'<g><title>{colour}</title>{body}<text x="{x}" y="{y}" {style}>{ROBOT_SIGNS[colour]}</text></g>'


def _svg_ways(board: Board, robots: Robots, moves: Sequence[Move]) -> list[str]:
    standing = list(robots)
    parts: list[str] = []
    for number, move in enumerate(moves, start=1):
        robot = COLOURS.index(move.robot)
        others = [cell for other, cell in enumerate(standing) if other != robot]
        path = slide(board, move.robot, standing[robot], move.direction, others)
        if path is None:
            raise ValueError(f"move {number}, {move}: the robot cannot move that way")
        cells = [standing[robot], *path.cells]
        for here, there in pairwise(cells):
            if here.manhattan(there) == 1:  # not through an opening
                parts.append(_svg_line(_centre(here), _centre(there), colour=FILLS[move.robot], width_px=3))
        x, y = _corner(path.stop)
        parts.append(f'<text x="{x + 4}" y="{y + 12}" font-size="11" fill="{FILLS[move.robot]}">{number}</text>')
        standing[robot] = path.stop
    return parts
