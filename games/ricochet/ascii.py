"""Reads and draws boards as text: the format of the board files, of the `map` parameter and of `render`.

A cell is three characters wide, robot then mark; `---` and `|` are walls; a gap in the border is an opening::

    +---+---+---+
    |R   rt |   |      R: the red robot (G B Y S the others)   rt: red triangle
    +   +---+   +      symbols t s c h = triangle square circle hexagon, *v = the vortex
    |    b/  ## |      b/ y\\: diagonals   ##: blocked
    +---+---+---+
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.board import (
    COLOURS,
    Board,
    Colour,
    Diagonal,
    Edge,
    Robots,
    Symbol,
    Target,
    both_sides,
    sorted_edges,
    with_openings,
)
from gridjoust.games.ricochet.state import State

_COLOUR_OF = {colour.value: colour for colour in COLOURS}
_SYMBOL_OF = {symbol.value: symbol for symbol in Symbol}
_ROBOT_OF = {colour.value.upper(): colour for colour in COLOURS}


def parse_board(text: str) -> tuple[Board, dict[Colour, Cell]]:
    """Parse a drawn board and the robots on it; ValueError names row and column of what does not fit."""
    drawn, robots = parse_drawing(text)
    edges = [(Cell(x, y), Direction.N) for y in (0, drawn.height) for x in range(drawn.width)]
    edges += [(Cell(x, y), Direction.W) for x in (0, drawn.width) for y in range(drawn.height)]
    border = both_sides(edges)
    board = replace(drawn, walls=drawn.walls - border)
    return with_openings(board, _open_edges(board, border - drawn.walls)), robots


def parse_drawing(text: str) -> tuple[Board, dict[Colour, Cell]]:
    """Return the board and the robots of a drawing; unlike `parse_board`, accept gaps anywhere in the border."""
    rows = [line.rstrip() for line in text.strip("\n").splitlines()]
    width, height = (max(map(len, rows), default=0) - 1) // 4, (len(rows) - 1) // 2
    if width < 1 or height < 1 or len(rows) != 2 * height + 1:
        raise ValueError(f"board: expected an odd number of rows of 4 n + 1 characters, got {len(rows)} rows")
    rows = [row.ljust(4 * width + 1) for row in rows]
    marks = {Cell(x, y): rows[2 * y + 1][4 * x + 1 : 4 * x + 4] for y in range(height) for x in range(width)}
    blocked = frozenset(cell for cell, mark in marks.items() if mark.strip() == "##")
    targets, diagonals, robots = _parse_marks(marks)
    return Board(width, height, blocked, both_sides(_parse_walls(rows, width, height)), targets, diagonals), robots


def _parse_walls(rows: list[str], width: int, height: int) -> Iterator[Edge]:
    for y, x in product(range(height + 1), range(width)):
        if _is_wall(rows, "---", row=2 * y, column=4 * x + 1):
            yield Cell(x, y), Direction.N
    for y, x in product(range(height), range(width + 1)):
        if _is_wall(rows, "|", row=2 * y + 1, column=4 * x):
            yield Cell(x, y), Direction.W


def _is_wall(rows: list[str], wall: str, *, row: int, column: int) -> bool:
    sign = rows[row][column : column + len(wall)]
    if sign not in (wall, " " * len(wall)):
        raise ValueError(f"board: row {row}, column {column}: expected {wall!r} or blank, got {sign!r}")
    return sign == wall


def _open_edges(board: Board, gaps: frozenset[Edge]) -> list[Edge]:
    """Return the gaps in the border, seen from inside; ValueError if there is no gap opposite to one of them."""
    open_edges = sorted_edges((cell, side) for cell, side in gaps if board.is_inside(cell))
    for cell, side in open_edges:
        if (board.wrapped(cell, side), side.opposite) not in gaps:
            raise ValueError(f"board: expected the opening {cell.x},{cell.y} {side} to have a twin on the other side")
    return open_edges


Marks = tuple[tuple[Target, ...], tuple[tuple[Cell, Diagonal], ...], dict[Colour, Cell]]


def _parse_marks(marks: Mapping[Cell, str]) -> Marks:
    targets: list[Target] = []
    diagonals: list[tuple[Cell, Diagonal]] = []
    robots: dict[Colour, Cell] = {}
    for cell, sign in marks.items():
        robot, mark = sign[0], sign[1:].strip()
        if robot in _ROBOT_OF and _ROBOT_OF[robot] not in robots:
            robots[_ROBOT_OF[robot]] = cell
        elif robot != " ":
            raise ValueError(f"board: cell {cell.x},{cell.y}: expected one robot R, G, B, Y or S, got {robot!r}")
        if mark in ("", "##"):
            continue
        parsed = _parse_mark(cell, mark)
        if isinstance(parsed, Target):
            targets.append(parsed)
        else:
            diagonals.append((cell, parsed))
    return tuple(targets), tuple(sorted(diagonals)), robots


def _parse_mark(cell: Cell, mark: str) -> Target | Diagonal:
    colour, sign = _COLOUR_OF.get(mark[0]), mark[1:]
    if sign in ("/", "\\") and colour is not None:
        return Diagonal(colour, rising=sign == "/")
    symbol = _SYMBOL_OF.get(sign)
    if symbol is None or (colour is None and mark[0] != "*") or colour is Colour.SILVER:
        raise ValueError(f"board: cell {cell.x},{cell.y}: expected a mark such as rt, *v, b/ or ##, got {mark!r}")
    return Target(cell, colour, symbol)


def format_board(board: Board, robots: Robots = ()) -> str:
    """Draw the board with these robots in the format that `parse_board` reads."""
    marks = dict.fromkeys(board.blocked, "##")
    marks |= {shown.cell: (shown.colour.value if shown.colour else "*") + shown.symbol.value for shown in board.targets}
    marks |= {cell: diagonal.colour.value + ("/" if diagonal.rising else "\\") for cell, diagonal in board.diagonals}
    letters = {cell: colour.value.upper() for colour, cell in zip(COLOURS, robots, strict=False)}
    lines: list[str] = []
    for y in range(board.height + 1):
        tops = ["---" if board.has_wall(Cell(x, y), Direction.N) else "   " for x in range(board.width)]
        lines.append("+" + "+".join(tops) + "+")
        if y == board.height:
            break
        sides = ["|" if board.has_wall(Cell(x, y), Direction.W) else " " for x in range(board.width + 1)]
        cells = [letters.get(Cell(x, y), " ") + marks.get(Cell(x, y), "").ljust(2) for x in range(board.width)]
        lines.append("".join(side + cell for side, cell in zip(sides, [*cells, ""], strict=True)))
    return "\n".join(lines)


def render(state: State) -> str:
    """Return one line about the round, then the drawn board."""
    chips = " ".join(f"{seat}:{chips}" for seat, chips in enumerate(state.chips))
    bids = " ".join(str(player.bid or "-") for player in state.players)
    head = f"round {state.round} {state.phase.value}  target {state.target}  chips {chips}  bids {bids}"
    return f"{head}\n{format_board(state.board, state.robots)}"
