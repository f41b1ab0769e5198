"""Drawn boards of placement as positions, layouts and states. Asserts nothing."""

from __future__ import annotations

from games.api import ParamValue, Turn
from games.grid import Cell
from games.placement import Placement
from games.placement.apply import Position
from games.placement.board import Board, Mask, make_board
from games.placement.pieces import Shape, make_shape, piece_set
from games.placement.state import Player, State

VOID_SIGNS = "_GX"


def parse_piece(*rows: str) -> Shape:
    """`#` is a cell."""
    return make_shape((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#")


def cells_of(rows: tuple[str, ...], signs: str) -> list[Cell]:
    return [Cell(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in signs]


def board_of(*rows: str) -> Board:
    return make_board(len(rows[0]), len(rows))


def mask_of(*rows: str, signs: str) -> Mask:
    """The cells with one of the signs."""
    return board_of(*rows).mask(cells_of(rows, signs))


def parse_position(*rows: str, hand: tuple[Shape, ...] = (), moves: int = 6, reflect: bool = False) -> Position:
    """`S` the figure on Floor, `.` and `g` Floor, `_` and `G` Void, `#` Wall."""
    board = board_of(*rows)
    floor = mask_of(*rows, signs="S.g")
    start = board.bit(cells_of(rows, "S")[0])
    return Position(board, floor, mask_of(*rows, signs="#"), start, hand, moves, reflect)


def draw_floor(position: Position, floor: Mask) -> tuple[str, ...]:
    """`.` Floor, `#` Wall, `_` Void."""
    board = position.board

    def sign(x: int, y: int) -> str:
        bit = 1 << board.bit(Cell(x, y))
        return "." if floor & bit else "#" if position.walls & bit else "_"

    return tuple("".join(sign(x, y) for x in range(board.width)) for y in range(board.height))


def make_game(*rows: str, seats: int = 2, **params: ParamValue) -> Placement:
    """A game on a map drawn with the signs of `games.placement.maps`."""
    return Placement({"map": "\n".join(rows), **params}, seats=seats)


def with_hand(game: Placement, state: State, *shapes: Shape) -> State:
    """The state with these pieces in the hand of the seat in turn, turned as they are in the piece set."""
    pieces = piece_set(game.rules.min_cells, game.rules.max_cells)
    hand = tuple(pieces.index(shape) for shape in shapes)
    return with_player(state, state.seat, hand=hand)


def with_player(state: State, seat: int, **changes: object) -> State:
    """The state with one player changed."""
    players = list(state.players)
    fields = {**players[seat]._asdict(), **changes}
    players[seat] = Player(**fields)
    return State(state.seed, state.layout, state.game_round, state.seat, state.floor, tuple(players), state.built)


def play_texts(game: Placement, state: State, *texts: str) -> State:
    """The state after these plans, one seat after the other."""
    for text in texts:
        turn = (state.game_round - 1) * game.seats + state.seat + 1
        state = game.apply(state, Turn({state.seat: game.parse_action(text)}, turn))
    return state
