"""The rules' own search against brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridjoust.games.grid import Cell
from gridjoust.games.navigation.board import MOVES, SQRT2, Board
from gridjoust.games.navigation.movingai import check_fits, load_map, load_scen
from gridjoust.games.navigation.search import Length, is_reachable, reachable_cells, shortest
from tests.octile import MAPS, NAMES, brute_force_costs


def random_boards(count: int) -> Iterator[Board]:
    rng = random.Random("boards")
    for _ in range(count):
        width, height = rng.randint(1, 7), rng.randint(1, 7)
        density = rng.choice((0.1, 0.3, 0.5))
        yield Board(width, height, bytes(rng.random() < density for _ in range(width * height)))


@pytest.mark.default("4", "8")
@pytest.mark.parametrize("connectivity", MOVES)
def test_lengths_and_reachable_cells_are_those_of_brute_force(connectivity: str) -> None:
    moves = MOVES[connectivity]
    for board in random_boards(150):
        start = board.size // 2
        found_costs = brute_force_costs(board, Cell(*board.place(start)), connectivity)
        costs = {board.number(*cell): cost for cell, cost in found_costs.items()}
        for goal in range(board.size):
            found = shortest(board, moves, start, goal)
            assert (found is not None) == (goal in costs), (board, start, goal)
            assert found is None or moves.cost(*found) == pytest.approx(costs[goal])
            assert is_reachable(board, moves, start, goal) == (goal in costs)
        assert reachable_cells(board, moves, start) == sorted(costs)


def test_a_length_tells_steps_of_each_kind() -> None:
    assert shortest(Board(4, 2, bytes(8)), MOVES["8"], 0, 7) == Length(straight=2, diagonal=1)
    assert MOVES["8"].cost(2, 1) == 2 + SQRT2


SHIPPED = Path(__file__).parents[3] / "configs" / "navigation-maps"
QUERIES = {
    path.name: (load_map(path), load_scen(path.with_name(f"{path.name}.scen")))
    for path in (*(MAPS / f"{name}.map" for name in NAMES), *sorted(SHIPPED.glob("*.map")))
}


@pytest.mark.parametrize("name", QUERIES)
def test_lengths_are_those_that_the_queries_of_a_map_say(name: str) -> None:
    board, rows = QUERIES[name]
    assert len(rows) >= (20 if name.removesuffix(".map") in NAMES else 10)
    assert sum(not row.is_reachable for row in rows) == (2 if name == "cave.map" else 0)
    for row in rows:
        check_fits(row, board)
        start, goal = board.number(*row.start), board.number(*row.goal)
        found = shortest(board, MOVES["8"], start, goal)
        assert (found is not None) == row.is_reachable
        assert MOVES["8"].cost(*(found or (0, 0))) == pytest.approx(row.length)
        assert is_reachable(board, MOVES["4"], start, goal) == row.is_reachable
