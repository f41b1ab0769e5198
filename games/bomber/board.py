"""Geometry of one board size, computed once: cells as numbers, steps and rays as tables. Blocks play no part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from games.bomber.actions import MOVES, Action

OFF_BOARD = -1
OFFSETS: Mapping[Action, tuple[int, int]] = {
    Action.UP: (0, -1),
    Action.DOWN: (0, 1),
    Action.LEFT: (-1, 0),
    Action.RIGHT: (1, 0),
}


@dataclass(frozen=True, slots=True)
class Board:
    """Width, height and what follows from them. Make it with `make_board`."""

    width: int
    height: int
    steps: Mapping[Action, tuple[int, ...]]  # [move][cell] -> next cell or OFF_BOARD
    places: tuple[tuple[int, int], ...]  # [cell] -> (x, y)

    def cell(self, x: int, y: int) -> int:
        """The number of the cell in column x, row y."""
        return y * self.width + x

    def ray(self, cell: int, move: Action, length: int) -> tuple[int, ...]:
        """The cells at distance 1, 2 … `length` from `cell`; shorter where the board ends."""
        cells: list[int] = []
        for _ in range(length):
            cell = self.steps[move][cell]
            if cell == OFF_BOARD:
                break
            cells.append(cell)
        return tuple(cells)

    def neighbours(self, cell: int) -> list[int]:
        """Cells one step away, in the order up, down, left, right."""
        return [self.steps[move][cell] for move in MOVES if self.steps[move][cell] != OFF_BOARD]


@lru_cache(maxsize=64)
def make_board(width: int, height: int) -> Board:
    """The board of that size."""
    places = tuple((x, y) for y in range(height) for x in range(width))

    def number(x: int, y: int) -> int:
        return y * width + x if 0 <= x < width and 0 <= y < height else OFF_BOARD

    steps = {move: tuple(number(x + dx, y + dy) for x, y in places) for move, (dx, dy) in OFFSETS.items()}
    return Board(width, height, steps, places)


@lru_cache(maxsize=64)
def make_rays(board_size: tuple[int, int], radius: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Per cell the four rays of a blast, each from distance 1 outwards."""
    board = make_board(*board_size)
    return tuple(tuple(board.ray(cell, move, radius) for move in MOVES) for cell in range(len(board.places)))
