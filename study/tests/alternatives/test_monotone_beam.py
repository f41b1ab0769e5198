from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise

import pytest

from gridjoust.planners import SearchGrid, grid_beam
from study.alternatives.grid_beam import grid_monotone_beam
from study.alternatives.monotone_beam import monotone_beam
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.oracle import Board, dijkstra_to, path_cost, random_board

WIDE = 10_000


def cases(name: str, count: int, *, largest: int = 7) -> list[tuple[Board, SearchGrid, int, int, float]]:
    """Boards, their grids, a start, a goal and the cost of the cheapest path."""
    rng = random.Random(name)
    made = []
    for _ in range(count):
        board = random_board(rng, largest=largest)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        made.append((board, make_search_grid(board), start, goal, dijkstra_to(board, goal)[start]))
    return made


def test_a_wide_monotone_beam_is_optimal() -> None:
    for _, grid, start, goal, optimum in cases("wide monotone", 300):
        assert same(grid_monotone_beam(grid, start, {goal}, width=WIDE).cost, optimum)


def test_a_wider_monotone_beam_is_never_worse() -> None:
    for board, grid, start, goal, _ in cases("monotone", 400):
        plans = [grid_monotone_beam(grid, start, {goal}, width=width) for width in range(1, 9)]
        assert all(wide.cost <= narrow.cost for narrow, wide in pairwise(plans))
        assert all(same(path_cost(board, plan.path), plan.cost) for plan in plans if plan.found)


def costs_by_width(arcs: Mapping[int, Mapping[int, int]], ranks: list[int], *, goal: int, widest: int) -> list[float]:
    """What beams of every width find on a digraph, from node 0."""
    return [
        monotone_beam(
            0,
            {goal},
            neighbours=arcs.__getitem__,
            cost=lambda tail, head: arcs[tail][head],
            rank=lambda node, cost: ranks[node],
            width=width,
        ).cost
        for width in range(1, widest + 1)
    ]


def test_a_wider_monotone_beam_is_never_worse_on_any_digraph_with_any_rank() -> None:
    rng = random.Random("monotone digraphs")
    for _ in range(500):
        count = rng.randint(3, 14)
        arcs = {a: {b: rng.randint(1, 9) for b in range(count) if rng.random() < 0.25} for a in range(count)}
        ranks = [rng.randint(0, 5) for _ in range(count)]
        costs = costs_by_width(arcs, ranks, goal=count - 1, widest=7)
        assert costs == sorted(costs, reverse=True)


def test_a_good_plan_found_early_does_not_spoil_a_better_one() -> None:
    """If nodes dearer than the best goal were dropped, a beam of 3 would find 9 where a beam of 2 finds 7."""
    arcs: dict[int, dict[int, int]] = {
        0: {5: 2, 6: 2, 10: 2},
        1: {8: 1},
        4: {1: 1, 6: 9},
        5: {9: 2, 10: 1},
        7: {8: 1},
        8: {11: 1},
        9: {6: 20, 10: 1},
        10: {4: 1, 7: 2, 11: 20},
        6: {},
        11: {},
    }
    ranks = [1, 3, 3, 1, 2, 0, 0, 3, 4, 1, 1, 0]
    costs = costs_by_width(arcs, ranks, goal=11, widest=5)
    assert costs == sorted(costs, reverse=True)


def test_an_unreachable_goal_and_the_depth_bound_end_it_and_the_start_may_be_the_goal() -> None:
    grid = make_search_grid(draw("...#.", "...##", "....."))
    for width in (1, 3, WIDE):
        assert not grid_monotone_beam(grid, 0, {4}, width=width).found
        assert grid_monotone_beam(grid, 0, {12}, width=width).cost == 4
    row = SearchGrid(6, 1)
    assert [grid_monotone_beam(row, 0, {5}, width=1, max_depth=depth).found for depth in (5, 4)] == [True, False]
    plan = grid_monotone_beam(SearchGrid(2, 2), 1, {1}, width=1)
    assert (plan.path, plan.cost, plan.stats.expanded) == ((1,), 0.0, 0)
    with pytest.raises(ValueError, match="width: expected at least 1, got 0"):
        grid_monotone_beam(SearchGrid(2, 1), 0, {1}, width=0)


def test_a_plain_beam_on_cells_finds_the_optimum_if_it_is_wide() -> None:
    for _, grid, start, goal, optimum in cases("plain", 100):
        assert same(grid_beam(grid, start, {goal}, width=WIDE).plan.cost, optimum)
