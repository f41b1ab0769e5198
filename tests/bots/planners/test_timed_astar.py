from __future__ import annotations

import random
from itertools import pairwise

from bots.planners.astar import grid_astar
from bots.planners.grid import SearchGrid
from bots.planners.timed_astar import grid_timed_astar
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.oracle import INF, Board, dijkstra_to, random_board

Spots = set[tuple[int, int]]  # (cell, tick) that is forbidden


def cheapest(board: Board, start: int, goal: int, spots: Spots, horizon: int) -> float:
    """Backwards over the ticks: what is left from every cell at the horizon, then at the tick before, and so on."""
    left = dijkstra_to(board, goal)
    for tick in range(horizon - 1, -1, -1):
        now = []
        for cell in board.cells:
            open_now = {head for head in board.cells if tick + 1 >= horizon or (head, tick + 1) not in spots}
            ways = [board.step_cost(cell, head) + left[head] for head in open_now if board.step_cost(cell, head) < INF]
            ways += [1 + left[cell]] if cell in open_now else []
            now.append(0.0 if cell == goal else min(ways, default=INF))
        left = now
    return left[start]


def test_costs_equal_an_oracle_on_any_board_with_any_danger() -> None:
    rng = random.Random("danger")
    for _ in range(300):
        board = random_board(rng, largest=4)
        grid = make_search_grid(board)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        horizon = rng.randint(0, 6)
        spots = {(cell, tick) for cell in board.cells for tick in range(1, 9) if rng.random() < 0.4}
        plan = grid_timed_astar(
            grid,
            start,
            lambda cell, tick, goal=goal: cell == goal,  # type: ignore[misc]
            is_forbidden=lambda cell, tick, spots=spots: (cell, tick) in spots,  # type: ignore[misc]
            horizon=horizon,
            heuristic=grid.estimate_to({goal}),
        )
        assert same(plan.cost, cheapest(board, start, goal, spots, horizon))
        assert all((cell, tick) not in spots for tick, cell in enumerate(plan.path[:horizon]) if tick)
        moves = [1 if tail == head else board.step_cost(tail, head) for tail, head in pairwise(plan.path)]
        assert same(sum(moves), plan.cost if plan.found else 0)


def test_it_waits_until_the_fire_is_out() -> None:
    fire = {(1, 1), (1, 2)}
    plan = grid_timed_astar(
        SearchGrid(3, 1),
        0,
        lambda cell, tick: cell == 2,
        is_forbidden=lambda cell, tick: (cell, tick) in fire,
        horizon=3,
    )
    assert plan.path == (0, 0, 0, 1, 2)
    assert (plan.cost, plan.stats.expanded, plan.stats.generated) == (4, 5, 6)


def test_it_survives_by_being_nowhere_at_the_wrong_time() -> None:
    grid = make_search_grid(draw("...", "#.#"))
    row_burns_at_2 = {(0, 2), (1, 2), (2, 2)}
    plan = grid_timed_astar(
        grid,
        0,
        lambda cell, tick: tick == 4,
        is_forbidden=lambda cell, tick: (cell, tick) in row_burns_at_2,
        horizon=4,
    )
    assert plan.path[2] == 4
    assert len(plan.path) == 5


def test_no_escape_is_no_path_and_a_narrow_one_is_found() -> None:
    plans = [
        grid_timed_astar(
            SearchGrid(2, 1),
            0,
            lambda cell, tick: tick == 3,
            is_forbidden=lambda cell, tick, last=last: tick == 2 and cell <= last,  # type: ignore[misc]
            horizon=3,
        ).path
        for last in (0, 1)
    ]
    assert plans == [(0, 1, 1, 0), ()]  # of equal ways the one to a neighbour is named before waiting


def test_without_danger_it_is_plain_astar() -> None:
    grid = SearchGrid(6, 6)
    plan = grid_timed_astar(
        grid,
        0,
        lambda cell, tick: cell == 35,
        is_forbidden=lambda cell, tick: False,
        horizon=4,
        heuristic=grid.estimate_to({35}),
    )
    assert plan.path == grid_astar(grid, 0, {35}).path


def test_an_unreachable_goal_ends_the_search_after_the_horizon() -> None:
    grid = make_search_grid(draw("..#."))
    plan = grid_timed_astar(
        grid, 0, lambda cell, tick: cell == 3, is_forbidden=lambda cell, tick: False, horizon=10, cost_limit=INF
    )
    assert (plan.found, plan.stats.expanded) == (False, 21)  # the start at tick 0, two cells at each of ten ticks
