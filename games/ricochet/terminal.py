"""Play ricochet in a terminal: the board in coloured pieces, bids and moves in a few keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gridjoust.games.api import Json
from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.actions import parse_moves
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.board import ANY, COLOURS, Board, Colour, Symbol
from gridjoust.games.ricochet.proof import Move, Position, ways_of
from gridjoust.games.ricochet.view import parse_position

KEYS = "a number bids, rE bN ... are moves (r g b y s and N E S W), p passes, d asks for a new deal"
PICKED = "robots"
"""Layer of the figures that a person picks by their letter or a click; then arrows and clicks add moves to the line."""

SYMBOLS = {Symbol.TRIANGLE: "▲", Symbol.SQUARE: "■", Symbol.CIRCLE: "●", Symbol.HEXAGON: "⬢", Symbol.VORTEX: "◎"}
ROBOT_SIGNS = {Colour.RED: "R", Colour.GREEN: "G", Colour.BLUE: "B", Colour.YELLOW: "Y", Colour.SILVER: "S"}
WALL_COLOUR = "wall"
GROUND_COLOUR = "ground"

# the sign at a corner, by which of the four edges N, E, S, W are walls
_JOINTS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"

_ROBOTS = {colour.value: colour for colour in COLOURS}
_MOVE = re.compile(r"([rgbys])\s*([nesw])", re.IGNORECASE)


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:
    """Draw the board with robots and target, then the bids and the task."""
    position = _position(view, briefing)
    lines = [draw_text(position), f"{view['phase']}: bring {position.target.task}"]
    if "bids" in view:
        bids = ", ".join(f"seat {seat}: {bid or '-'}" for seat, bid in enumerate(view["bids"]))
        lines.append(f"round {view['round']}   chips {view['chips']}   bids {bids}")
    return "\n".join(lines)


def draw_turn(before: Mapping[str, Json], after: Mapping[str, Json], briefing: Mapping[str, Json]) -> list[str]:
    """Draw a solution that was shown: the board before it with the move's number on each cell, then the new board."""
    shown = [draw(after, briefing)]
    proof = after["proof"]
    if proof is None or proof == before["proof"] or not proof["action"].startswith("solve "):
        return shown
    position, moves = _position(before, briefing), parse_moves(proof["action"].removeprefix("solve "))
    said = f"wrong: {proof['fault']}" if proof["fault"] else f"{len(moves)} moves, right"
    return [
        "\n".join((draw_text(position, moves), f"bring {position.target.task}: seat {proof['seat']}, {said}")),
        *shown,
    ]


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:
    """Convert keys, or the text of an action, to the text of the action; ValueError says what is expected now."""
    text = _action_of(line.strip())
    phase, bids = view.get("phase"), sum(action.startswith("bid ") for action in legal)
    if text.startswith("solve ") and phase == "bidding":
        text = f"bid {text.count(',') + 1}"  # the moves stay secret
    if text.startswith("bid ") and phase == "bidding" and legal and text not in legal:
        expected = f"a bid of 1 to {bids}" if bids else "no lower bid"
        raise ValueError(f"expected {expected}, got {text.removeprefix('bid ')}")
    if text.startswith("bid ") and phase in ("proof", "solving"):
        raise ValueError("expected the moves, such as rE bN, or p, got a number")
    if text == "redeal" and text not in legal:
        raise ValueError(
            "a new deal can be asked for once a round, while bids are open, with the parameter redeal=asked"
        )
    return text


def _action_of(word: str) -> str:
    if word.isdecimal():
        return f"bid {int(word)}"
    if word in ("p", "pass"):
        return "pass"
    if word in ("d", "redeal"):
        return "redeal"
    if word.startswith(("bid ", "solve ")):
        return word
    moves, rest = moves_in(word)
    if not moves or rest:
        raise ValueError(f"expected {KEYS}, got {word!r}")
    return "solve " + ", ".join(map(str, moves))


def moves_in(line: str) -> tuple[tuple[Move, ...], str]:
    """Return the moves in a line such as `rE bN`, and what else is in it."""
    found = _MOVE.findall(line)
    moves = tuple(Move(_ROBOTS[robot.lower()], Direction[heading.upper()]) for robot, heading in found)
    return moves, _MOVE.sub("", line).strip(" ,")


def _position(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> Position:
    pass_goal = bool(briefing["params"]["pass_goal"]) if "params" in briefing else True
    return parse_position(view, _board(view.get("board") or briefing["board"], pass_goal=pass_goal))


@lru_cache(maxsize=8)
def _board(text: str, *, pass_goal: bool) -> Board:
    return replace(parse_board(text)[0], pass_goal=pass_goal)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text in one colour: a robot's or target's colour name, `any`, `wall` or `ground`; robots and target are bold."""

    text: str
    colour: str
    is_bold: bool = False


def draw_rows(position: Position, moves: Sequence[Move] = ()) -> list[list[Piece]]:
    """Return the rows of the board for a terminal, four columns a cell; the robots and the target in play are bold.

    A cell on the path of `moves` shows the number of the last move over it.
    """
    board, signs = position.board, _signs(position, _way(position, moves))
    columns, blank = range(board.width), [Piece("   ", GROUND_COLOUR)]
    corners = (*columns, board.width)
    rows: list[list[Piece]] = []
    for y in range(board.height + 1):
        tops = ["───" if is_wall(board, Cell(x, y), Direction.N) else "   " for x in columns]
        joints = [_JOINTS[_joint(board, x, y)] for x in corners]
        rows.append([Piece("".join(map("".join, zip(joints, [*tops, ""], strict=True))), WALL_COLOUR)])
        if y < board.height:
            sides = [Piece("│" if is_wall(board, Cell(x, y), Direction.W) else " ", WALL_COLOUR) for x in corners]
            rows.append([piece for x in columns for piece in (sides[x], *signs.get(Cell(x, y), blank))] + sides[-1:])
    return rows


def draw_text(position: Position, moves: Sequence[Move] = ()) -> str:
    """Return the board of `draw_rows` as text without colours."""
    return "\n".join("".join(piece.text for piece in row).rstrip() for row in draw_rows(position, moves))


def _way(position: Position, moves: Sequence[Move]) -> dict[Cell, Piece]:
    return {
        cell: Piece(str(number % 10), str(move.robot))
        for number, (move, cells) in enumerate(zip(moves, ways_of(position, moves), strict=False), start=1)
        for cell in cells[1:]
    }


def is_wall(board: Board, cell: Cell, side: Direction) -> bool:
    """Return True if the edge on that side of the cell is drawn: a wall, closed border, or edge of a blocked cell."""
    is_edge_of_block = (cell in board.blocked) != (cell.step(side) in board.blocked)
    return is_edge_of_block or board.has_wall(cell, side)


def _joint(board: Board, x: int, y: int) -> int:
    """Return a bit set of the walls that leave the top left corner of a cell: 1 north, 2 east, 4 south, 8 west."""
    north = y > 0 and is_wall(board, Cell(x, y - 1), Direction.W)
    east = x < board.width and is_wall(board, Cell(x, y), Direction.N)
    south = y < board.height and is_wall(board, Cell(x, y), Direction.W)
    west = x > 0 and is_wall(board, Cell(x - 1, y), Direction.N)
    return north + 2 * east + 4 * south + 8 * west


def _signs(position: Position, way: Mapping[Cell, Piece]) -> dict[Cell, list[Piece]]:
    """Return what fills the three columns of each cell that is not empty: robot, printed sign, number of a move."""
    board, target = position.board, position.target
    signs = {cell: [Piece("▒▒▒", WALL_COLOUR)] for cell in board.blocked}
    printed = {
        shown.cell: Piece(SYMBOLS[shown.symbol], str(shown.colour or ANY), is_bold=shown == target)
        for shown in (*board.targets, target)
    }
    printed |= {cell: Piece("╱" if d.rising else "╲", str(d.colour)) for cell, d in board.diagonals}
    standing = {
        cell: Piece(ROBOT_SIGNS[colour], str(colour), is_bold=True)
        for colour, cell in zip(COLOURS, position.robots, strict=False)
    }
    blank = Piece(" ", GROUND_COLOUR)
    for cell in [*printed, *standing, *way]:
        signs[cell] = [standing.get(cell, blank), printed.get(cell, blank), way.get(cell, blank)]
    return signs
