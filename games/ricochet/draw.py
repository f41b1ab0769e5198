"""Boards for people: Unicode rows in coloured pieces, and SVG pictures. Knows no terminal and writes no files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

from games.grid import DIRECTIONS, Cell, Direction
from games.ricochet.board import COLOURS, Board, Colour, Diagonal, Robots, Symbol, Target, slide
from games.ricochet.proof import Move, Position

# ---- Unicode --------------------------------------------------------------------------------------------------------

SYMBOLS = {Symbol.TRIANGLE: "▲", Symbol.SQUARE: "■", Symbol.CIRCLE: "●", Symbol.HEXAGON: "⬢", Symbol.VORTEX: "◎"}
ROBOT_SIGNS = {Colour.RED: "R", Colour.GREEN: "G", Colour.BLUE: "B", Colour.YELLOW: "Y", Colour.SILVER: "S"}
WALL_COLOUR = "wall"
GROUND_COLOUR = "ground"

# what stands where walls meet, by which of the four edges N, E, S, W are walls
_JOINTS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"


@dataclass(frozen=True, slots=True)
class Piece:
    """Text in one colour: a robot's or target's colour name, `any`, `wall` or `ground`. Bold: a robot or the target."""

    text: str
    colour: str
    is_bold: bool = False


def draw_rows(board: Board, robots: Robots = (), target: Target | None = None) -> list[list[Piece]]:
    """The board row by row for a terminal, four columns a cell; the target to be reached and robots are bold."""
    signs = _signs(board, robots, target)
    width, height = board.grid.width, board.grid.height
    rows: list[list[Piece]] = []
    for y in range(height + 1):
        edge: list[Piece] = []
        for x in range(width + 1):
            edge.append(_wall_piece(_JOINTS[_joint(board, x, y)]))
            if x < width:
                edge.append(_wall_piece("───" if is_wall(board, Cell(x, y), Direction.N) else "   "))
        rows.append(edge)
        if y < height:
            line: list[Piece] = []
            for x in range(width + 1):
                line.append(_wall_piece("│" if is_wall(board, Cell(x, y), Direction.W) else " "))
                if x < width:
                    line += signs.get(Cell(x, y), [Piece("   ", GROUND_COLOUR)])
            rows.append(line)
    return rows


def draw_text(board: Board, robots: Robots = (), target: Target | None = None) -> str:
    """The same without colours."""
    rows = draw_rows(board, robots, target)
    return "\n".join("".join(piece.text for piece in row).rstrip() for row in rows)


def is_wall(board: Board, cell: Cell, side: Direction) -> bool:
    """Whether an edge stops robots; `cell` may lie just outside the board. Openings are no walls."""
    inner, heading = cell, side
    if not board.grid.is_inside(cell):
        inner, heading = cell.step(side), side.opposite
        if not board.grid.is_inside(inner):
            return False
    if board.grid.is_inside(inner.step(heading)):
        is_edge_of_block = (inner in board.grid.blocked) != (inner.step(heading) in board.grid.blocked)
        return (inner, heading) in board.grid.walls or is_edge_of_block
    return (inner, heading) not in board.openings


def _joint(board: Board, x: int, y: int) -> int:
    """Which walls meet at the top left corner of a cell: 1 north, 2 east, 4 south, 8 west of the corner."""
    north = is_wall(board, Cell(x, y - 1), Direction.W) if y > 0 else False
    east = is_wall(board, Cell(x, y), Direction.N) if x < board.grid.width else False
    south = is_wall(board, Cell(x, y), Direction.W) if y < board.grid.height else False
    west = is_wall(board, Cell(x - 1, y), Direction.N) if x > 0 else False
    return north + 2 * east + 4 * south + 8 * west


def _wall_piece(text: str) -> Piece:
    return Piece(text, WALL_COLOUR)


def _signs(board: Board, robots: Robots, target: Target | None) -> dict[Cell, list[Piece]]:
    """Three columns a cell: the robot, and what is printed on the cell."""
    signs = {cell: [Piece("▒▒▒", WALL_COLOUR)] for cell in board.grid.blocked}
    printed = {shown.cell: _target_piece(shown, target) for shown in board.targets}
    if target is not None:
        printed[target.cell] = _target_piece(target, target)
    printed |= {cell: Piece("╱" if d.rising else "╲", str(d.colour)) for cell, d in board.diagonals}
    standing = {
        cell: Piece(ROBOT_SIGNS[colour], str(colour), is_bold=True)
        for colour, cell in zip(COLOURS, robots, strict=False)
    }
    blank = Piece(" ", GROUND_COLOUR)
    for cell in [*printed, *standing]:
        signs[cell] = [standing.get(cell, blank), printed.get(cell, blank), blank]
    return signs


def _target_piece(shown: Target, target: Target | None) -> Piece:
    colour = "any" if shown.colour is None else str(shown.colour)
    return Piece(SYMBOLS[shown.symbol], colour, is_bold=shown == target)


# ---- SVG ------------------------------------------------------------------------------------------------------------

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


def draw_svg(board: Board, robots: Robots = (), target: Target | None = None, moves: Sequence[Move] = ()) -> str:
    """A picture; with moves also their ways, numbered where each ends. ValueError if a move cannot be made."""
    width, height = (side * CELL_PX + 2 * MARGIN_PX for side in (board.grid.width, board.grid.height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#fafafa"/>',
        *_svg_ground(board),
        *(_svg_diagonal(cell, diagonal) for cell, diagonal in board.diagonals),
        *(_svg_target(shown, is_wanted=shown == target) for shown in board.targets),
    ]
    if target is not None and target not in board.targets:
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


def draw_position(position: Position, moves: Sequence[Move] = ()) -> str:
    """The picture of a position, with its solution if one is given."""
    return draw_svg(position.board, position.robots, position.target, moves)
