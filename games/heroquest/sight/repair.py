"""Repair the sight tables of a board after a door opens or a block falls.

If a straight line passes an edge or a square, a staircase of open steps passes it too. So only pairs with one end in
each of two opposite floods from that place are checked. Only tables of `exact` are carried over, and only rows that
exist; the others are cheap to make again or depend on figures in ways that are not local.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.sight.board import OPPOSITE, Board, Square, make_edge
from gridjoust.games.heroquest.sight.lines import (
    EAST,
    NORTH,
    QUARTERS,
    SOUTH,
    WEST,
    directions_of,
    flood,
    is_clear,
    line_between,
    line_steps,
)

Rows = list[int | None]


def open_door(board: Board, one: Square, other: Square) -> Board:
    """Return the board with a door open in the wall between two squares; ValueError if there is no wall."""
    edge = make_edge(one, other)
    if not board.is_wall(*edge) or any(place not in board.index for place in edge):
        raise ValueError(f"door: expected a wall between {tuple(edge[0])} and {tuple(edge[1])}, got none")
    opened = replace(board, open_doors=board.open_doors | {edge})
    near, far = (board.number(place) for place in edge)
    along = EAST if far == near + 1 else SOUTH
    aslant = (NORTH, SOUTH) if along == EAST else (WEST, EAST)
    for key, rows in _exact_tables(board):
        fresh = rows.copy()
        for aside in aslant:
            _look_through(opened, fresh, (near, far), (along, aside))
        opened.tables.rows[key] = fresh
    return opened


def block(board: Board, square: Square) -> Board:
    """Return the board with one more square blocked."""
    number, square = board.number(square), Cell(*square)
    blocked = replace(board, blocked=board.blocked | {square})
    for key, rows in _exact_tables(board):
        fresh = rows.copy()
        if not board.tables.solid[number]:
            for quarter in QUARTERS[:2]:
                _look_past(board, blocked, fresh, number, quarter)
        blocked.tables.rows[key] = fresh
    return blocked


def _exact_tables(board: Board) -> Iterable[tuple[tuple[str, int], Rows]]:
    """Return (key, rows) of the board's tables that can be repaired; none if figures stand on it."""
    return [] if board.figures else [(key, rows) for key, rows in board.tables.rows.items() if key[0] == "exact"]


def _look_through(board: Board, rows: Rows, edge: tuple[int, int], quarter: tuple[int, int]) -> None:
    """Note in the rows each pair of squares that now see each other through the edge.

    `quarter`: the two sides, such as east and south, between which the lines from one to the other run.
    """
    sides, solid, width = board.tables.sides, board.tables.solid, board.width
    doubled_x, doubled_y = 2 * (edge[0] % width) + 1, 2 * (edge[0] // width) + 1  # lower right end of the edge
    is_upright = edge[1] == edge[0] + 1
    beyond = [(end, end % width, end // width) for end in flood(sides, solid, edge[1], directions_of(width, quarter))]
    for start in _behind(board, edge[0], quarter):
        start_x, start_y = start % width, start // width
        x, y = doubled_x - 2 * start_x, doubled_y - 2 * start_y
        for end, end_x, end_y in beyond:
            dx, dy = end_x - start_x, end_y - start_y
            turn = dx * y - dy * x
            other = turn - 2 * dx if is_upright else turn + 2 * dy  # the same for the edge's upper or left end
            if turn * other > 0 or _is_seen(rows, start, end):  # both ends on one side: the line misses the edge
                continue
            if is_clear(sides, solid, start, line_steps(width, dx, dy)):
                _note(rows, start, end, 1)


def _look_past(board: Board, blocked: Board, rows: Rows, number: int, quarter: tuple[int, int]) -> None:
    """Note in the rows each pair of squares that the newly blocked square hides from each other.

    `quarter`: the two sides, such as east and south, between which the lines from one to the other run.
    """
    width = board.width
    solid, sides = blocked.tables.solid, blocked.tables.sides
    beyond = flood(board.tables.sides, board.tables.solid, number, directions_of(width, quarter))[1:]
    for start in _behind(board, number, quarter)[1:]:
        for end in beyond:
            if not _is_seen(rows, start, end):
                continue
            if not is_clear(sides, solid, start, line_between(width, start, end)):
                _note(rows, start, end, 0)


def _behind(board: Board, number: int, quarter: tuple[int, int]) -> list[int]:
    """Return the squares from which steps in the two directions of the quarter lead to this square."""
    back = (OPPOSITE[quarter[0]], OPPOSITE[quarter[1]])
    return flood(board.tables.sides, board.tables.solid, number, directions_of(board.width, back))


def _is_seen(rows: Rows, start: int, end: int) -> bool:
    """Return True if the rows say that the two squares see each other, or if neither has a row to repair."""
    row = rows[start]
    if row is not None:
        return bool(row >> end & 1)
    row = rows[end]
    return row is None or bool(row >> start & 1)


def _note(rows: Rows, start: int, end: int, is_seen: int) -> None:
    """Note in both rows whether the two squares see each other: 1 = yes, 0 = no."""
    for one, other in ((start, end), (end, start)):
        row = rows[one]
        if row is not None:
            rows[one] = row & ~(1 << other) | is_seen << other
