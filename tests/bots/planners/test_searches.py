"""What holds of every search for a cheapest path: the same problems are put to all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gridjoust.bots.planners.astar import astar, grid_astar, grid_timed_astar, search_arcs
from gridjoust.bots.planners.beam import anytime_beam, beam
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan, PlanStats
from tests.bots.planners.boards import Problem, as_functions, draw, make_search_grid, problems, same
from tests.bots.planners.oracle import INF, dijkstra_to, path_cost

Search = Callable[[SearchGrid, int, int], Plan[int]]
WIDE = 10_000
NO_PLAN: Plan[int] = Plan((), INF, PlanStats())


def ranked(grid: SearchGrid, goal: int) -> dict[str, Any]:
    """The grid as functions, with cost so far + estimate as the rank."""
    estimate = grid.estimate_to({goal})
    return {**as_functions(grid), "rank": lambda cell, far: far + estimate(cell)}


def dstar_on_functions(grid: SearchGrid, start: int, goal: int) -> Plan[int]:
    estimates = [grid.estimate_to({cell}) for cell in range(grid.size)]
    return DStarLite(start, goal, **as_functions(grid), heuristic=lambda a, b: estimates[a](b)).plan()


def through_time(grid: SearchGrid, start: int, goal: int) -> Plan[int]:
    options: dict[str, Any] = {"horizon": 4, "heuristic": grid.estimate_to({goal})}
    return grid_timed_astar(grid, start, lambda cell, _: cell == goal, is_forbidden=lambda cell, tick: False, **options)


SEARCHES: dict[str, Search] = {
    "A*": lambda grid, start, goal: grid_astar(grid, start, {goal}),
    "A* with a heap": lambda grid, start, goal: search_arcs(
        start, {goal}, arcs=grid.arcs, heuristic=grid.estimate_to({goal})
    ),
    "A* on functions": lambda grid, start, goal: astar(
        start, {goal}, **as_functions(grid), heuristic=grid.estimate_to({goal})
    ),
    "A* through time": through_time,
    "D* Lite": lambda grid, start, goal: GridDStarLite(grid, start, goal).plan(),
    "D* Lite on functions": dstar_on_functions,
    "a wide beam": lambda grid, start, goal: beam(start, {goal}, **ranked(grid, goal), width=WIDE),
    "the last of an anytime beam": lambda grid, start, goal: [
        NO_PLAN,
        *anytime_beam(start, {goal}, **ranked(grid, goal)),
    ][-1],
}
ALL = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
SOLVED: list[tuple[Problem, float]] = [
    (problem, dijkstra_to(problem.board, problem.goal)[problem.start])
    for kind in ("four", "octile", "octile cutting", "unit diagonals")
    for problem in problems(f"cheapest {kind}", 125, kind=kind)
]


@ALL
def test_plan_is_a_cheapest_path_on_any_board(search: Search) -> None:
    for (board, grid, start, goal), cheapest in SOLVED:
        plan = search(grid, start, goal)
        assert same(plan.cost, cheapest)
        assert (plan.found, plan.path == ()) == (cheapest < INF, cheapest == INF)
        if plan.found:
            assert (plan.path[0], plan.path[-1]) == (start, goal)
            assert same(path_cost(board, plan.path), cheapest)


DRAWN: dict[str, tuple[tuple[str, ...], int, int, tuple[int, ...]]] = {
    "the start is the goal": (("..", ".."), 1, 1, (1,)),
    "a blocked start is the goal": (("#..",), 0, 0, (0,)),
    "a blocked start": (("#..",), 0, 2, ()),
    "an enclosed goal": (("..#.", "..##", "...."), 0, 3, ()),
    "of equal ways the one that is named first": (("...", "...", "..."), 0, 8, (0, 1, 2, 5, 8)),
}


@ALL
@pytest.mark.parametrize(("rows", "start", "goal", "path"), DRAWN.values(), ids=DRAWN)
def test_plan_on_a_drawn_board(
    search: Search, rows: tuple[str, ...], start: int, goal: int, path: tuple[int, ...]
) -> None:
    plan = search(make_search_grid(draw(*rows)), start, goal)
    assert (plan.path, plan.cost) == (path, len(path) - 1 if path else INF)
    assert start != goal or plan.stats.expanded == 0
