"""Draw boards and pieces as text."""

from __future__ import annotations

from collections.abc import Sequence

from gridjoust.games.grid import Cell, format_cells
from gridjoust.games.placement.board import Board
from gridjoust.games.placement.pieces import Shape, box
from gridjoust.games.placement.state import State

PIECE_GAP = "   "


def draw_pieces(pieces: Sequence[Shape]) -> str:
    """Draw the pieces side by side below their numbers.

    >>> print(draw_pieces([(Cell(0, 0), Cell(0, 1), Cell(1, 1)), (Cell(0, 0), Cell(1, 0), Cell(2, 0))]))
    0    1
    #    ###
    ##
    """
    height = max((box(piece)[1] for piece in pieces), default=0)
    columns = []
    for number, piece in enumerate(pieces):
        width, _ = box(piece)
        rows = ["".join("#" if Cell(x, y) in piece else " " for x in range(width)) for y in range(height)]
        columns.append([str(number).ljust(width), *rows])
    return "\n".join(PIECE_GAP.join(row).rstrip() for row in zip(*columns, strict=True))


def with_axes(drawing: str) -> str:
    """Return the drawing with column and row numbers, to which the `@x,y` of an action refers."""
    rows = drawing.split("\n")
    width = max(map(len, rows))
    tens = "".join(str(x // 10) if x % 10 == 0 and x else " " for x in range(width)).rstrip()
    ones = "".join(str(x % 10) for x in range(width))
    head = [f"   {tens}"] if tens else []
    return "\n".join([*head, f"   {ones}", *(f"{y:2d} {row}" for y, row in enumerate(rows))])


def render(board: Board, pieces: tuple[Shape, ...], state: State) -> str:
    """Draw the game round, the board with figures and goals, a line per player, and the hand of the seat in turn."""
    signs = dict.fromkeys(board.cells(state.floor), ".") | dict.fromkeys(board.cells(state.walls), "#")
    for seat, player in enumerate(state.players):
        signs |= dict.fromkeys(board.cells(player.missing), "abcd"[seat])
    signs |= {board.cell(player.cell): str(seat) for seat, player in enumerate(state.players)}
    lines = [f"game round {state.game_round}", format_cells(board.width, board.height, signs, empty="_")]
    for seat, player in enumerate(state.players):
        missing = player.missing.bit_count()
        lines.append(f"seat {seat}: {player.pieces} pieces, {player.steps} steps, {missing} goals missing")
    hand = state.players[state.seat].hand
    lines.append(f"seat {state.seat} to act" + (" with" if hand else ""))
    return "\n".join([*lines, *([draw_pieces([pieces[number] for number in hand])] if hand else [])])
