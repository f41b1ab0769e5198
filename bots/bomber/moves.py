"""Cells and action texts: which cells are neighbours, which action leads where. Knows no danger and no goals."""

from __future__ import annotations

from functools import lru_cache

from games.bomber.actions import MOVES, Action
from games.bomber.board import make_board
from games.bomber.params import Rules


def neighbour_table(rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Per cell its neighbours, in the order up, down, left, right."""
    return _neighbour_table(rules.width, rules.height)


def action_to(rules: Rules, here: int, there: int) -> str:
    """The text of the action that leads from a cell to a neighbour, or of waiting for the cell itself."""
    steps = make_board(rules.width, rules.height).steps
    return next((move.value for move in MOVES if steps[move][here] == there), Action.WAIT.value)


@lru_cache(maxsize=64)
def _neighbour_table(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    board = make_board(width, height)
    return tuple(tuple(board.neighbours(cell)) for cell in range(width * height))
