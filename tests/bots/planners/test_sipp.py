"""SIPP: quickest paths by an oracle that looks at every tick, and fewer states than a search over ticks."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from gridjoust.bots.planners.astar import grid_timed_astar
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.sipp import grid_sipp
from gridjoust.bots.planners.stats import Plan
from tests.bots.planners.boards import make_search_grid
from tests.bots.planners.oracle import INF, Board
from tests.bots.planners.test_astar import Spots, cheapest

Search = Callable[..., Plan[int]]


def planned(search: Search, grid: SearchGrid, goal: int, spots: Spots, horizon: int, *, start: int = 0) -> Plan[int]:
    return search(
        grid,
        start,
        lambda cell, _: cell == goal,
        is_forbidden=lambda cell, tick: (cell, tick) in spots,
        horizon=horizon,
        heuristic=grid.estimate_to({goal}),
    )


def test_paths_are_quickest_on_any_board_with_any_danger() -> None:
    rng = random.Random("safe intervals")
    for _ in range(150):
        width, height, density = rng.randint(1, 4), rng.randint(1, 4), rng.choice([0, 0.2, 0.4])
        costs = tuple(INF if rng.random() < density else 1 for _ in range(width * height))
        board, horizon = Board(width, height, costs), rng.randint(0, 7)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        spots = {(cell, tick) for cell in board.cells for tick in range(1, 9) if rng.random() < 0.5}
        plan = planned(grid_sipp, make_search_grid(board), goal, spots, horizon, start=start)
        assert plan.cost == cheapest(board, start, goal, spots, horizon)
        assert all((cell, tick) not in spots for tick, cell in enumerate(plan.path[:horizon]) if tick)
        steps = [1 if tail == head else board.step_cost(tail, head) for tail, head in pairwise(plan.path)]
        assert sum(steps) == (plan.cost if plan.found else 0)
        assert plan.path[:1] == ((start,) if plan.found else ())


def test_waiting_for_a_long_fire_to_pass_costs_one_state_and_not_one_for_each_tick() -> None:
    corridor, fire = SearchGrid(3, 1), {(1, tick) for tick in range(1, 9)}
    plans = [planned(search, corridor, 2, fire, 9) for search in (grid_sipp, grid_timed_astar)]
    assert [plan.path for plan in plans] == [(0,) * 9 + (1, 2)] * 2
    assert [(plan.stats.expanded, plan.stats.generated) for plan in plans] == [(2, 3), (10, 12)]


def test_the_limits_of_cost_and_work_end_the_search_without_a_path() -> None:
    def searched(cost_limit: float, work: int) -> float:
        return grid_sipp(
            SearchGrid(9, 1), 0, lambda cell, _: cell == 8, is_forbidden=lambda cell, tick: False, horizon=0,
            cost_limit=cost_limit, budget=Budget(work),
        ).cost  # fmt: skip

    assert [searched(8, 15), searched(7, 15), searched(8, 13)] == [8, INF, INF]


def test_steps_that_take_longer_than_a_tick_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a grid where every step costs 1"):
        planned(grid_sipp, SearchGrid(2, 1, costs=[1, 2]), 1, set(), 0)
