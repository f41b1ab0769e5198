"""ARA*: its bounds hold, it ends with a cheapest path, and it goes on where it was stopped."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.bots.planners.astar import grid_astar, search_arcs
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.replanning.arastar import ARAStar
from gridjoust.bots.planners.stats import INF
from tests.bots.planners.test_kernels import grids

CLOSE = 1e-6
WEIGHTS = (4.0, 2.0, 1.25, 1.0)


def on_grid(grid: SearchGrid, start: int, goal: int, weights: Sequence[float] = WEIGHTS) -> ARAStar[int]:
    return ARAStar(start, goal, arcs=grid.arcs, heuristic=grid.estimate_to((goal,)), weights=weights)


@pytest.mark.gate
@given(grids(), st.data())
def test_every_path_keeps_its_bound_gets_no_dearer_and_ends_cheapest(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goal, most = data.draw(cells), data.draw(cells), data.draw(st.integers(1, 9))
    cheapest, last = grid_astar(grid, start, {goal}).cost, INF
    planner = on_grid(grid, start, goal)
    while not planner.is_finished:
        plan = planner.search(budget=Budget(most))
        assert plan.stats.expanded <= most
        assert plan.cost <= min(last, planner.bound * cheapest + CLOSE)
        if plan.found:
            assert (plan.path[0], plan.path[-1]) == (start, goal)
            assert plan.cost == pytest.approx(sum(dict(grid.arcs[a])[b] for a, b in pairwise(plan.path)))
        last = plan.cost
    assert last == pytest.approx(cheapest)
    assert planner.bound == (INF if cheapest == INF else 1)


@given(grids(), st.data())
def test_a_search_in_parts_expands_what_a_search_in_one_part_expands(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goal = data.draw(cells), data.draw(cells)
    whole, parts = on_grid(grid, start, goal), on_grid(grid, start, goal)
    straight, spent = whole.search(), 0
    while not parts.is_finished:
        plan = parts.search(budget=Budget(3))
        spent += plan.stats.expanded
    assert (spent, plan.path, plan.cost) == (straight.stats.expanded, straight.path, straight.cost)


def maze() -> SearchGrid:
    """Walls with gaps at alternate ends, so that the estimate misleads."""
    walls = [y * 30 + x for x in range(4, 28, 6) for y in range(30) if (y < 25) == (x % 12 == 4)]
    return SearchGrid(30, 30, blocked=walls)


def test_runs_keep_what_earlier_ones_have_found() -> None:
    grid, start, goal = maze(), 0, 29 * 30 + 29
    estimate = grid.estimate_to((goal,))
    anew = [
        search_arcs(start, {goal}, arcs=grid.arcs, heuristic=lambda cell, weight=weight: weight * estimate(cell)).stats  # type: ignore[misc]
        for weight in WEIGHTS
    ]
    kept = on_grid(grid, start, goal).search().stats
    assert kept.expanded < sum(stats.expanded for stats in anew)


def test_the_first_path_takes_less_than_the_cheapest_and_may_cost_more() -> None:
    open_grid = SearchGrid(40, 40, blocked=[y * 40 + 20 for y in range(10, 40)])
    start, goal = open_grid.index(5, 30), open_grid.index(35, 30)
    first, best = on_grid(open_grid, start, goal, [5.0]).search(), grid_astar(open_grid, start, {goal})
    assert first.found
    assert first.stats.expanded < best.stats.expanded


def test_without_a_path_the_search_is_finished_and_has_none() -> None:
    planner = on_grid(SearchGrid(3, 1, blocked=[1]), 0, 2)
    assert (planner.search().found, planner.is_finished, planner.bound) == (False, True, INF)


@pytest.mark.parametrize("weights", [[], [0.5], [2.0, 2.0], [1.0, 2.0]])
def test_weights_that_do_not_fall_to_one_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights: expected numbers that fall to at least 1, got"):
        ARAStar(0, 1, arcs={}, weights=weights)
