"""Situations of placement as drawings for those who may see everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.drawing import SEATS, Beside, Drawing, Ink, Layer, Rect, Shape, Sign, figure, fill, grid, signs
from games.placement.rules import Placement
from games.placement.state import State


def draw(game: Placement, state: State, past: Sequence[State] = ()) -> Drawing:  # noqa: ARG001 - nothing leaves a trail
    """Floor that was there, floor that was built, void, goals, figures; below, the hand of the seat in turn."""
    board, layout = game.board, state.layout
    goals = [
        shape
        for seat, player in enumerate(state.players)
        for shape in signs(board.cells(player.missing), Sign.FLAG, SEATS[seat], size=0.9)
    ]
    figures = [
        shape
        for seat, player in enumerate(state.players)
        for shape in figure(board.cell(player.cell), str(seat), SEATS[seat])
    ]
    hand = tuple(_hand(game, state, below=board.height + 1))
    return Drawing(
        title=f"placement, game round {state.game_round}",
        width=board.width,
        height=board.height + (_hand_rows(game, state) + 2 if hand else 0),
        layers=(
            Layer("void", (Rect(0, 0, board.width, board.height, Ink.FOG),)),
            Layer("floor", fill(board.cells(layout.floor), Ink.FLOOR)),
            Layer("built", fill(board.cells(state.floor & ~layout.floor), Ink.WOOD)),
            Layer("walls", fill(board.cells(layout.walls), Ink.WALL)),
            grid(board.width, board.height),
            Layer("goals", tuple(goals)),
            Layer("figures", tuple(figures)),
            Layer("hand", hand),
        ),
        seats=tuple(_seat(state, seat) for seat in range(len(state.players))),
        legend=(
            Beside(fill([(0, 0)], Ink.FOG)[0], "void"),
            Beside(fill([(0, 0)], Ink.FLOOR)[0], "floor"),
            Beside(fill([(0, 0)], Ink.WOOD)[0], "built floor, and pieces in hand"),
            Beside(signs([(0, 0)], Sign.FLAG, Ink.SEAT_0)[0], "goal"),
        ),
    )


def _hand(game: Placement, state: State, *, below: int) -> Iterable[Shape]:
    """The pieces side by side."""
    left = 0
    for number in state.players[state.seat].hand:
        cells = game.pieces[number]
        yield from fill([(left + cell.x, below + cell.y) for cell in cells], Ink.WOOD, inset=0.04)
        left += max(cell.x for cell in cells) + 2


def _hand_rows(game: Placement, state: State) -> int:
    return max((cell.y for number in state.players[state.seat].hand for cell in game.pieces[number]), default=0)


def _seat(state: State, seat: int) -> Beside:
    player = state.players[seat]
    missing = player.missing.bit_count()
    turn = ", in turn" if seat == state.seat else ""
    shape, *_ = figure((0, 0), str(seat), SEATS[seat])
    goals = "its goal" if missing == 1 else f"{missing} goals"
    return Beside(shape, f"seat {seat}: {player.pieces} pieces, {goals if missing else 'no goal'} missing{turn}")
