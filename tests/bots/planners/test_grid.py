from __future__ import annotations

import random

import pytest

from bots.planners.grid import SQRT2, SearchGrid, exact, open_terrain
from tests.bots.planners.boards import draw, make_search_grid
from tests.bots.planners.oracle import INF, Board, random_board


def arcs_of(board: Board) -> set[tuple[int, int, float]]:
    moves = {(tail, head, board.step_cost(tail, head)) for tail in board.cells for head in board.cells}
    return {(tail, head, exact(cost)) for tail, head, cost in moves if cost < INF}


def test_neighbours_are_named_clockwise_from_north_and_then_the_diagonals() -> None:
    four = SearchGrid(3, 3).neighbours[4]
    eight = SearchGrid(3, 3, connectivity=8).neighbours[4]
    assert four == (1, 5, 7, 3)
    assert eight == (1, 5, 7, 3, 2, 8, 6, 0)


def test_a_diagonal_needs_both_cells_beside_it() -> None:
    grid = make_search_grid(draw(".#", "..", eight=True))
    assert grid.neighbours[2] == (0, 3)


def test_a_diagonal_may_cut_corners_where_that_is_allowed() -> None:
    grid = make_search_grid(draw(".#", "#.", eight=True, cut_corners=True))
    assert grid.neighbours[0] == (3,)


def test_no_move_wraps_round_the_border() -> None:
    grid = SearchGrid(3, 2, connectivity=8, cut_corners=True)
    assert set(grid.neighbours[2]) == {1, 4, 5}


def test_arcs_are_the_moves_that_the_rules_allow_on_any_board() -> None:
    rng = random.Random("arcs")
    for _ in range(400):
        board = random_board(rng)
        grid = make_search_grid(board)
        out = {(tail, head, cost) for tail in board.cells for head, cost in grid.arcs[tail]}
        into = {(tail, head, cost) for head in board.cells for tail, cost in grid.arcs_in[head]}
        near = {(tail, head) for tail in board.cells for head in grid.neighbours[tail]}
        assert out == into == arcs_of(board)
        assert near == {(tail, head) for tail, head, _ in out}


def test_a_change_reports_exactly_the_arcs_whose_price_changed() -> None:
    rng = random.Random("changes")
    for _ in range(400):
        board = random_board(rng, largest=5)
        grid = make_search_grid(board)
        for _ in range(3):
            cells = rng.sample(board.cells, rng.randint(1, min(3, len(board.cells))))
            costs = {cell: rng.choice([1, 2, INF]) for cell in cells}
            before, board = arcs_of(board), board.with_costs(costs)
            after = arcs_of(board)
            changes = grid.change(costs)
            assert {(c.tail, c.head, c.old) for c in changes if c.old < INF} == before - after
            assert {(c.tail, c.head, c.new) for c in changes if c.new < INF} == after - before
            assert {(tail, head, cost) for tail in board.cells for head, cost in grid.arcs[tail]} == after


def test_a_grid_stays_uniform_only_while_every_cell_costs_one() -> None:
    grid = SearchGrid(2, 2)
    grid.change({0: 3, 1: INF})
    assert not grid.is_uniform
    grid.change({0: 1})
    assert grid.is_uniform


def test_sums_of_octile_steps_carry_no_rounding() -> None:
    forwards = sum([SQRT2] * 1000 + [1.0] * 1000)
    mixed = sum([SQRT2, 1.0] * 1000)
    assert forwards == mixed == 1000 * SQRT2 + 1000
    assert abs(SQRT2 - 2**0.5) < 1e-9


def test_estimates_are_consistent_on_any_board() -> None:
    rng = random.Random("estimates")
    for _ in range(200):
        board = random_board(rng)
        grid = make_search_grid(board)
        goals = rng.sample(board.cells, min(2, len(board.cells)))
        estimate = grid.estimate_to(goals)
        assert all(estimate(goal) == 0 for goal in goals)
        assert all(estimate(tail) <= cost + estimate(head) for tail in board.cells for head, cost in grid.arcs[tail])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"connectivity": 6}, "connectivity: expected 4 or 8, got 6"),
        ({"diagonal_cost": 2.5}, "diagonal_cost: expected 1 to 2, got 2.5"),
        ({"costs": [1, 1]}, "costs: expected 4, one for each cell, got 2"),
        ({"costs": [1, 1, 0.5, 1]}, "entry cost: expected at least least_cost = 1 > 0, got 0.5"),
        ({"least_cost": 0}, "entry cost: expected at least least_cost = 0 > 0, got 1"),
    ],
)
def test_an_impossible_grid_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SearchGrid(2, 2, **arguments)  # type: ignore[arg-type]


def test_a_refused_change_changes_nothing() -> None:
    grid = SearchGrid(2, 1)
    with pytest.raises(ValueError, match="entry cost"):
        grid.change({0: INF, 1: -1})
    assert not grid.is_blocked(0)


def test_a_cell_outside_the_board_has_no_number() -> None:
    with pytest.raises(ValueError, match=r"cell: expected one on a 2 x 1 board, got \(2, 0\)"):
        SearchGrid(2, 1).index(2, 0)


def test_the_terrain_of_a_grid_is_that_of_a_new_grid_after_every_change() -> None:
    rng = random.Random("terrain")
    for _ in range(200):
        board = random_board(rng, largest=5)
        grid = make_search_grid(board)
        for _ in range(4):
            assert grid.terrain() == make_search_grid(board).terrain()
            costs = {cell: rng.choice([1, 1, 2, INF]) for cell in rng.sample(board.cells, min(2, len(board.cells)))}
            board = board.with_costs(costs)
            grid.change(costs)


def test_a_terrain_tells_steps_their_costs_and_walls() -> None:
    grid = make_search_grid(draw(".2#", "...", eight=True, diagonal_cost=1.5))
    assert grid.terrain().out == ((1, 3, 4), (4, 0, 3), (), (0, 4, 1), (1, 5, 3, 0), (4,))
    assert grid.terrain().into_costs == ((1, 1, 1.5), (2, 2, 3), (), (1, 1, 1.5), (1, 1, 1, 1.5), (1,))
    assert grid.terrain().walls == {2}
    grid.change({1: 1})
    assert grid.terrain().into_costs is not None  # diagonals still cost more
    assert SearchGrid(2, 1).terrain().into_costs is None


def test_an_open_terrain_is_that_of_a_uniform_grid_with_its_walls_left_in_the_tables() -> None:
    bare = open_terrain(3, 2, walls=[1])
    assert bare.out == ((1, 3), (2, 4, 0), (5, 1), (0, 4), (1, 5, 3), (2, 4))
    assert [bare.neighbours(cell) for cell in (0, 2, 4)] == [[3], [5], [5, 3]]
    assert (bare.walls, bare.into_costs, bare.size) == (frozenset({1}), None, 6)
    assert SearchGrid(3, 2).terrain() == open_terrain(3, 2)
