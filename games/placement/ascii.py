"""Boards, pieces and plans as text. Judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.grid import Cell, format_cells
from games.placement.actions import Plan
from games.placement.apply import Position, play
from games.placement.board import Board, Mask
from games.placement.pieces import Shape, box
from games.placement.state import State

WAY_SIGN = "*"
END_SIGN = "@"
PIECE_GAP = "   "


def draw_board(
    board: Board, floor: Mask, walls: Mask = 0, signs: Mapping[Cell, str] | None = None, *, void: str = " "
) -> str:
    """Rows of `.` Floor, `#` Wall and `void`, with other signs on top."""
    drawn = dict.fromkeys(board.cells(floor), ".") | dict.fromkeys(board.cells(walls), "#")
    return format_cells(board.width, board.height, drawn | dict(signs or {}), empty=void)


def draw_pieces(pieces: Sequence[Shape]) -> str:
    """The pieces side by side under their numbers.

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


def draw_plan(position: Position, plan: Plan, goals: Mask = 0) -> str:
    """The board after the plan: pieces by their numbers, the way `*`, its end `@`, goals `g` where nothing else is."""
    played = play(position, plan)
    board = position.board
    signs = dict.fromkeys(board.cells(goals), "g")
    for piece, mask in zip(plan.pieces, played.laid, strict=True):
        signs |= dict.fromkeys(board.cells(mask), str(piece))
    signs |= dict.fromkeys(board.cells(played.visited), WAY_SIGN)
    signs[board.cell(played.cell)] = END_SIGN
    return draw_board(board, played.floor, position.walls, signs, void="_")


def with_axes(drawing: str) -> str:
    """The drawing with column and row numbers, which is what `@x,y` counts."""
    rows = drawing.split("\n")
    width = max(map(len, rows))
    tens = "".join(str(x // 10) if x % 10 == 0 and x else " " for x in range(width)).rstrip()
    ones = "".join(str(x % 10) for x in range(width))
    head = [f"   {tens}"] if tens else []
    return "\n".join([*head, f"   {ones}", *(f"{y:2d} {row}" for y, row in enumerate(rows))])


def render(board: Board, pieces: tuple[Shape, ...], state: State) -> str:
    """Game round, board with figures and goals, a line per player, the hand of the seat in turn."""
    signs: dict[Cell, str] = {}
    for seat, player in enumerate(state.players):
        signs |= dict.fromkeys(board.cells(player.missing), "abcd"[seat])
    signs |= {board.cell(player.cell): str(seat) for seat, player in enumerate(state.players)}
    lines = [f"game round {state.game_round}", draw_board(board, state.floor, state.layout.walls, signs, void="_")]
    for seat, player in enumerate(state.players):
        missing = player.missing.bit_count()
        lines.append(f"seat {seat}: {player.pieces} pieces, {player.steps} steps, {missing} goals missing")
    hand = state.players[state.seat].hand
    lines.append(f"seat {state.seat} to act" + (" with" if hand else ""))
    return "\n".join([*lines, *([draw_pieces([pieces[number] for number in hand])] if hand else [])])
