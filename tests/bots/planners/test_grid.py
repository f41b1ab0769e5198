"""Graphs as the planners see them: arcs out and in, paths from parents, terrains of any graph, and grids."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from gridjoust.bots import planners
from gridjoust.bots.planners.graph import (
    FunctionArcs,
    FunctionArcsIn,
    Terrain,
    directed_terrain,
    graph_terrain,
    no_estimate,
    trace,
    unit_cost,
)
from gridjoust.bots.planners.grid import SQRT2, SearchGrid, exact, open_terrain
from tests.bots.planners.boards import draw, make_search_grid, problems
from tests.bots.planners.oracle import INF, Board

PRICES = {("a", "b"): 1, ("a", "c"): 5, ("b", "c"): 2}


def cost(tail: str, head: str) -> float:
    return PRICES[tail, head]


def test_arcs_out_and_in_keep_the_order_of_the_function_and_the_direction_of_the_price() -> None:
    out = FunctionArcs({"a": "cb", "b": "c"}.__getitem__, cost)
    into = FunctionArcsIn({"c": "ab", "b": "a"}.__getitem__, cost)
    assert [out["a"], out["b"]] == [[("c", 5), ("b", 1)], [("c", 2)]]
    assert [into["c"], into["b"]] == [[("a", 5), ("b", 2)], [("a", 1)]]


def test_a_step_costs_one_and_nothing_is_estimated_unless_said() -> None:
    assert (unit_cost("a", "b"), no_estimate("a")) == (1, 0)


def test_a_path_is_traced_from_the_node_that_is_its_own_parent() -> None:
    parent_of = [1, 1, 0, 2].__getitem__
    assert [trace(parent_of, node) for node in (3, 1, 2)] == [(1, 0, 2, 3), (1,), (1, 0, 2)]


def test_steps_to_walls_are_left_out_and_steps_may_lead_one_way() -> None:
    one_way = directed_terrain(((1, 2), (2,), ()))
    assert (one_way.out, one_way.into) == (((1, 2), (2,), ()), ((), (0,), (0, 1)))
    terrain = Terrain(((1, 2), (0,), (1,)), ((1,), (0, 2), (0,)), walls=frozenset({2}))
    assert (terrain.size, terrain.neighbours(0), terrain.neighbours(1)) == (3, [1], [0])


def test_a_graph_is_numbered_in_the_order_in_which_it_is_reached() -> None:
    steps = {"b": [("c", 2)], "a": [("b", 1), ("c", 5)], "c": []}
    terrain, numbers = graph_terrain(["a", "a"], lambda node: steps[node])
    assert numbers == {"a": 0, "b": 1, "c": 2}
    assert (terrain.out, terrain.into) == (((1, 2), (2,), ()), ((), (0,), (0, 1)))
    assert terrain.into_costs == ((), (1,), (5, 2))
    cheap, _ = graph_terrain(["a"], lambda node: [("a", 0.5)])
    assert cheap.into_costs == ((0.5,),)
    with pytest.raises(ValueError, match="step 'a' to 'b': expected a cost above 0, got 0"):
        graph_terrain(["a"], lambda node: [("b", 0)])


def test_planners_load_without_numpy() -> None:
    """A bot process pays for its imports before every first clock."""
    files = sorted(Path(planners.__file__).parent.glob("*.py"))
    names = [f"gridjoust.bots.planners.{file.stem}" for file in files if file.stem != "__init__"]
    code = f"import sys, {', '.join(names)}; print(*(name for name in {[*names, 'numpy']} if name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert loaded.split() == names


def arcs_of(board: Board) -> set[tuple[int, int, float]]:
    moves = {(tail, head, board.step_cost(tail, head)) for tail in board.cells for head in board.cells}
    return {(tail, head, exact(cost)) for tail, head, cost in moves if cost < INF}


def test_neighbours_are_named_clockwise_from_north_and_then_the_diagonals() -> None:
    assert SearchGrid(3, 3).neighbours[4] == (1, 5, 7, 3)
    assert SearchGrid(3, 3, connectivity=8).neighbours[4] == (1, 5, 7, 3, 2, 8, 6, 0)


def test_a_diagonal_needs_both_cells_beside_it_unless_corners_may_be_cut_and_never_wraps_round_the_border() -> None:
    assert make_search_grid(draw(".#", "..", eight=True)).neighbours[2] == (0, 3)
    assert make_search_grid(draw(".#", "#.", eight=True, cut_corners=True)).neighbours[0] == (3,)
    assert set(SearchGrid(3, 2, connectivity=8, cut_corners=True).neighbours[2]) == {1, 4, 5}


def test_arcs_are_the_moves_that_the_rules_allow_on_any_board() -> None:
    for board, grid, _, _ in problems("arcs", 400):
        out = {(tail, head, cost) for tail in board.cells for head, cost in grid.arcs[tail]}
        into = {(tail, head, cost) for head in board.cells for tail, cost in grid.arcs_in[head]}
        near = {(tail, head) for tail in board.cells for head in grid.neighbours[tail]}
        assert out == into == arcs_of(board)
        assert near == {(tail, head) for tail, head, _ in out}


@pytest.mark.gate
def test_a_change_reports_exactly_the_arcs_whose_price_changed() -> None:
    rng = random.Random("changes")
    for board, grid, _, _ in problems("changes", 400, largest=5):
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
    for board, grid, *goals in problems("estimates", 200):
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
    for board, grid, _, _ in problems("terrain", 200, largest=5):
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
