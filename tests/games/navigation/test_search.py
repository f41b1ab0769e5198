"""The rules' own search against brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.navigation.board import MOVES, SQRT2, Board, Moves
from games.navigation.movingai import load_map, load_scen
from games.navigation.search import Length, is_reachable, reachable_cells, shortest
from tests.octile import MAPS, NAMES


def random_boards(count: int) -> Iterator[Board]:
    rng = random.Random("boards")
    for _ in range(count):
        width, height = rng.randint(1, 7), rng.randint(1, 7)
        density = rng.choice((0.1, 0.3, 0.5))
        yield Board(width, height, bytes(rng.random() < density for _ in range(width * height)))


def steps_from(board: Board, moves: Moves, cell: int) -> Iterator[tuple[int, float]]:
    for heading in moves.headings:
        target = board.step(moves, cell, heading)
        if target is not None:
            yield target, moves.diagonal_cost if heading.is_diagonal else 1.0


def relaxed_costs(board: Board, moves: Moves, start: int) -> list[float]:
    """Every cost by Bellman and Ford: relax all steps until nothing falls any more."""
    costs = [float("inf")] * board.size
    costs[start] = 0.0
    is_stable = False
    while not is_stable:
        is_stable = True
        for cell in range(board.size):
            for target, price in steps_from(board, moves, cell):
                if costs[cell] + price < costs[target] - 1e-9:
                    costs[target] = costs[cell] + price
                    is_stable = False
    return costs


@pytest.mark.parametrize("connectivity", MOVES)
def test_lengths_are_those_of_brute_force(connectivity: str) -> None:
    moves = MOVES[connectivity]
    for board in random_boards(150):
        start = board.size // 2
        for goal, expected in enumerate(relaxed_costs(board, moves, start)):
            found = shortest(board, moves, start, goal)
            cost = float("inf") if found is None else moves.cost(*found)
            assert cost == pytest.approx(expected), (board, start, goal)


@pytest.mark.parametrize("connectivity", MOVES)
def test_reachable_cells_are_those_of_brute_force(connectivity: str) -> None:
    moves = MOVES[connectivity]
    for board in random_boards(150):
        costs = relaxed_costs(board, moves, 0)
        assert reachable_cells(board, moves, 0) == [cell for cell, cost in enumerate(costs) if cost < float("inf")]


@pytest.mark.parametrize("connectivity", MOVES)
def test_a_goal_is_reachable_iff_it_is_among_them(connectivity: str) -> None:
    moves = MOVES[connectivity]
    for board in random_boards(50):
        reached = reachable_cells(board, moves, 0)
        assert [cell for cell in range(board.size) if is_reachable(board, moves, 0, cell)] == reached


def test_a_length_tells_steps_of_each_kind() -> None:
    assert shortest(Board(4, 2, bytes(8)), MOVES["8"], 0, 7) == Length(straight=2, diagonal=1)
    assert MOVES["8"].cost(2, 1) == 2 + SQRT2


@pytest.mark.parametrize("name", NAMES)
def test_lengths_are_those_that_the_queries_of_a_map_say(name: str) -> None:
    drawn = load_map(MAPS / f"{name}.map")
    board = drawn.board
    for row in load_scen(MAPS / f"{name}.map.scen"):
        start, goal = (cell.y * board.width + cell.x for cell in (row.start, row.goal))
        found = shortest(board, MOVES["8"], start, goal)
        assert (found is not None) == row.is_reachable
        assert MOVES["8"].cost(*(found or (0, 0))) == pytest.approx(row.length)
        assert is_reachable(board, MOVES["4"], start, goal) == row.is_reachable
