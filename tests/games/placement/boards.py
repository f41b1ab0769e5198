"""Drawn boards of placement as positions and as matches. Asserts nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gridjoust.games.api import ParamValue
from gridjoust.games.grid import Cell, format_cells
from gridjoust.games.placement import Placement
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import Board, Mask, make_board
from gridjoust.games.placement.pieces import Shape, make_shape
from gridjoust.games.placement.state import Player, State
from tests import scene as shared


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
    drawn = dict.fromkeys(board.cells(position.walls), "#") | dict.fromkeys(board.cells(floor), ".")
    return tuple(format_cells(board.width, board.height, drawn, empty="_").split("\n"))


@dataclass(frozen=True)
class Scene(shared.Scene[Placement, State]):
    """A game of placement and a situation in it."""

    @property
    def size(self) -> tuple[int, int]:
        return self.game.board.stride, self.game.board.height

    def hold(self, *shapes: Shape) -> Scene:
        """These pieces in the hand of the seat in turn, each as it lies in the piece set."""
        return self.change_one("players", self.state.seat, hand=tuple(self.game.pieces.index(one) for one in shapes))

    @property
    def players(self) -> tuple[Player, ...]:
        return self.state.players

    @property
    def positions(self) -> list[tuple[int, int]]:
        return self.places(player.cell for player in self.players)

    @property
    def built(self) -> list[tuple[int, int]]:
        return self.places(self.state.built)

    def is_floor(self, cells: Iterable[tuple[int, int]]) -> bool:
        return all(self.state.floor >> self.cell(x, y) & 1 for x, y in cells)

    def reason(self) -> str:
        return self.game.reason(self.state)


def scene(*rows: str, seats: int = 2, **params: ParamValue) -> Scene:
    """A match by the article's rules on a map drawn with the signs of `gridjoust.games.placement.maps`, seed 1."""
    game = Placement({"preset": "article", "map": "\n".join(rows), **params}, seats=seats)
    return Scene(game, game.initial_state(1))
