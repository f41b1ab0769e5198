"""Weighted A*: how long its paths may be, and what it saves."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.navigation.weighted_astar import WeightedAStar, WeightedAStarRoute
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.grid import SQRT2, SearchGrid

WEIGHTS = (1.0, 1.5, 3.0, 10.0)


def random_grid(seed: int) -> SearchGrid:
    blocked = random.Random(seed).sample(range(1, 24 * 24 - 1), 170)
    return SearchGrid(24, 24, blocked=blocked, connectivity=8, diagonal_cost=SQRT2)


def costs(grid: SearchGrid) -> list[float]:
    """The cost of the paths by each weight."""
    found = []
    for weight in WEIGHTS:
        route = WeightedAStarRoute(grid, 0, grid.size - 1, weight=weight)
        route.revise(0, [])
        assert not route.path() or (route.path()[0], route.path()[-1]) == (0, grid.size - 1)
        found.append(route.cost)
    return found


def test_a_path_costs_at_most_the_weight_times_the_cheapest_and_some_cost_more_than_that() -> None:
    overshoots = []
    for seed in range(20):
        grid = random_grid(seed)
        cheapest = grid_astar(grid, 0, {grid.size - 1}).cost
        for weight, cost in zip(WEIGHTS, costs(grid), strict=True):
            assert cheapest <= cost + 1e-9
            assert cost <= weight * cheapest + 1e-9
            overshoots.append(cost > cheapest + 1e-9)
    assert not any(overshoots[:: len(WEIGHTS)])
    assert any(overshoots)


def test_a_path_is_found_with_work_that_is_too_little_for_the_cheapest() -> None:
    grid, work = random_grid(1), 200
    route = WeightedAStarRoute(grid, 0, grid.size - 1, weight=3.0, budget=Budget(work))
    route.revise(0, [])
    assert route.path()
    assert not grid_astar(grid, 0, {grid.size - 1}, budget=Budget(2 * work)).found


def test_a_weight_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"weight: expected at least 1, got 0\.5"):
        WeightedAStar(weight=0.5)
