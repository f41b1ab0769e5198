"""Boards of the oracle as the planners see them, and problems on them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from gridjoust.bots.planners.grid import SearchGrid
from tests.bots.planners.oracle import INF, Board, random_board

CLOSE = 1e-6  # planners round diagonals to 2**-30


def make_search_grid(board: Board) -> SearchGrid:
    """The same board."""
    return SearchGrid(
        board.width,
        board.height,
        costs=board.costs,
        connectivity=8 if board.eight else 4,
        diagonal_cost=board.diagonal_cost,
        cut_corners=board.cut_corners,
    )


def draw(*rows: str, eight: bool = False, cut_corners: bool = False, diagonal_cost: float = 2**0.5) -> Board:
    """`#` blocked, a digit its entry cost, anything else 1."""
    signs = "".join(rows)
    costs = tuple(INF if sign == "#" else float(sign) if sign.isdigit() else 1 for sign in signs)
    return Board(len(rows[0]), len(rows), costs, eight=eight, cut_corners=cut_corners, diagonal_cost=diagonal_cost)


def same(cost: float, expected: float) -> bool:
    """Equal but for rounding."""
    return cost == expected or abs(cost - expected) < CLOSE


def as_functions(grid: SearchGrid) -> dict[str, Any]:
    """The grid as general planners take it."""
    return {"neighbours": grid.neighbours.__getitem__, "cost": lambda tail, head: dict(grid.arcs[tail])[head]}


class Problem(NamedTuple):
    """A way to be found."""

    board: Board
    grid: SearchGrid
    start: int
    goal: int


def problems(name: str, count: int, *, kind: str | None = None, largest: int = 7) -> Iterator[Problem]:
    """On random boards, always the same for the same name."""
    rng = random.Random(name)
    for _ in range(count):
        board = random_board(rng, kind=kind, largest=largest)
        yield Problem(board, make_search_grid(board), rng.choice(board.cells), rng.choice(board.cells))
