"""Boards as text with their walls: one sign a square, walls and doors between the signs. Chooses no signs itself."""

from __future__ import annotations

from collections.abc import Container, Mapping

from games.heroquest.sight.board import Board, Edge, Square, make_edge

WALL_ACROSS, WALL_UPRIGHT, CORNER = "-", "|", "+"
CLOSED_DOOR, OPEN_DOOR = "=", "'"


def draw_board(board: Board, signs: Mapping[Square, str], *, doors: Container[Edge] = (), empty: str = " ") -> str:
    """The board with a sign on each square; `doors` are closed ones, open ones are the board's own."""
    lines = []
    for y in range(board.height + 1):
        lines.append(_edge_line(board, y, doors))
        if y < board.height:
            lines.append(_square_line(board, y, signs, doors, empty))
    return "\n".join(line.rstrip() for line in lines)


def _square_line(board: Board, y: int, signs: Mapping[Square, str], doors: Container[Edge], empty: str) -> str:
    parts = []
    for x in range(board.width):
        parts += [_between(board, (x - 1, y), (x, y), doors, WALL_UPRIGHT), signs.get((x, y), empty)]
    return "".join([*parts, WALL_UPRIGHT])


def _edge_line(board: Board, y: int, doors: Container[Edge]) -> str:
    parts = []
    for x in range(board.width):
        parts += [_corner(board, x, y), _between(board, (x, y - 1), (x, y), doors, WALL_ACROSS)]
    return "".join([*parts, _corner(board, board.width, y)])


def _between(board: Board, one: Square, other: Square, doors: Container[Edge], wall: str) -> str:
    if one not in board.index or other not in board.index:
        return wall
    edge = make_edge(one, other)
    if edge in board.open_doors:
        return OPEN_DOOR
    if edge in doors:
        return CLOSED_DOOR
    return wall if board.is_wall(one, other) else " "


def _corner(board: Board, x: int, y: int) -> str:
    """A sign where walls meet; the upper left corner of square (x, y)."""
    upright = (((x - 1, y - 1), (x, y - 1)), ((x - 1, y), (x, y)))
    across = (((x - 1, y - 1), (x - 1, y)), ((x, y - 1), (x, y)))
    is_upright = any(_is_drawn(board, *pair) for pair in upright)
    is_across = any(_is_drawn(board, *pair) for pair in across)
    if is_upright and is_across:
        return CORNER
    return WALL_UPRIGHT if is_upright else WALL_ACROSS if is_across else " "


def _is_drawn(board: Board, one: Square, other: Square) -> bool:
    """Whether there is a wall or door to draw between two squares, of which at least one is on the board."""
    if one not in board.index and other not in board.index:
        return False
    if one not in board.index or other not in board.index:
        return True
    return board.region(one) != board.region(other)
