"""Draw situations of placement, for people who may see everything or for one seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridjoust.games.api import Seat
from gridjoust.games.drawing import (
    SEATS,
    Beside,
    Drawing,
    Ink,
    Layer,
    Shape,
    Sign,
    Standing,
    figure,
    fill,
    grid,
    ground,
    signs,
)
from gridjoust.games.placement.rules import Placement
from gridjoust.games.placement.state import State

SEATS_SEE_ALIKE = True  # if nothing is hidden by the rules, as the drawing does not depend on the seat then


def draw(game: Placement, state: State, past: Sequence[State] = (), *, seat: Seat | None = None) -> Drawing:  # noqa: ARG001 - placement draws no trails
    """Return a drawing of Floor, laid Floor, Void, goals and figures, and of the hand in play if it is visible."""
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
    is_seen = seat in (None, state.seat) or not game.rules.hidden_hands
    hand = tuple(_hand(game, state, below=board.height + 1)) if is_seen else ()
    return Drawing(
        title=f"placement, game round {state.game_round}",
        width=board.width,
        height=board.height + (_hand_rows(game, state) + 2 if hand else 0),
        layers=(
            ground(board.width, board.height, Ink.FOG),
            Layer("floor", fill(board.cells(layout.floor), Ink.FLOOR)),
            Layer("built", fill(board.cells(state.floor & ~layout.floor), Ink.WOOD)),
            Layer("walls", fill(board.cells(state.walls), Ink.WALL)),
            grid(board.width, board.height),
            Layer("goals", tuple(goals)),
            Layer("figures", tuple(figures)),
            Layer("hand", hand),
        ),
        seats=tuple(_standing(state, number) for number in range(len(state.players))),
        legend=(
            Beside(fill([(0, 0)], Ink.FOG)[0], "void"),
            Beside(fill([(0, 0)], Ink.FLOOR)[0], "floor"),
            Beside(fill([(0, 0)], Ink.WOOD)[0], "built floor, and pieces in hand"),
            Beside(signs([(0, 0)], Sign.FLAG, Ink.SEAT_0)[0], "goal"),
        ),
    )


def _hand(game: Placement, state: State, *, below: int) -> Iterable[Shape]:
    """Draw the pieces of the hand side by side."""
    left = 0
    for number in state.players[state.seat].hand:
        cells = game.pieces[number]
        yield from fill([(left + cell.x, below + cell.y) for cell in cells], Ink.WOOD, inset=0.04)
        left += max(cell.x for cell in cells) + 2


def _hand_rows(game: Placement, state: State) -> int:
    return max((cell.y for number in state.players[state.seat].hand for cell in game.pieces[number]), default=0)


def _standing(state: State, seat: Seat) -> Standing:
    player = state.players[seat]
    of = len(state.layout.goals[seat])
    shape, *_ = figure((0, 0), str(seat), SEATS[seat])
    return Standing(
        seat=seat,
        shape=shape,
        score=f"{of - player.missing.bit_count()} of {of} goals",
        resources=(f"{player.pieces} pieces laid",),
        note="in turn" if seat == state.seat else "",
    )
