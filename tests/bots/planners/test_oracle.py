from __future__ import annotations

import random

import pytest

from tests.bots.planners.boards import draw
from tests.bots.planners.oracle import INF, dijkstra_to, distances_to, path_cost, random_board


def test_distances_on_a_drawn_board() -> None:
    board = draw("..", "#3")
    assert distances_to(board, {3}) == [4.0, 3.0, INF, 0.0]


def test_a_path_through_a_blocked_cell_costs_infinitely_much() -> None:
    assert path_cost(draw(".#."), (0, 1, 2)) == INF


def test_both_oracles_agree() -> None:
    rng = random.Random("oracles")
    for _ in range(60):
        board = random_board(rng)
        goal = rng.choice(board.cells)
        assert dijkstra_to(board, goal) == pytest.approx(distances_to(board, {goal}))
