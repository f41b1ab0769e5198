"""The four routes on bare grids: right after every change, and idle when nothing concerns them."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from bots.navigation.astar import AStarRoute
from bots.navigation.beam import BeamRoute
from bots.navigation.dijkstra_map import DijkstraMapRoute
from bots.navigation.dstar_lite import DStarLiteRoute
from bots.navigation.route import MakeRoute
from bots.planners.astar import grid_astar
from bots.planners.grid import SQRT2, SearchGrid
from bots.planners.stats import INF

ROUTES: dict[str, MakeRoute] = {
    "astar": AStarRoute,
    "dstar_lite": DStarLiteRoute,
    "dijkstra_map": DijkstraMapRoute,
    "dijkstra_map rebuilt": partial(DijkstraMapRoute, is_rebuilt=True),
    "beam, as wide as the board": partial(BeamRoute, width=200, max_width=200),
}
MOVES = {
    "4": {"connectivity": 4},
    "8": {"connectivity": 8, "diagonal_cost": SQRT2},
    "8-unit": {"connectivity": 8, "diagonal_cost": 1, "cut_corners": True},
}


def drawn_grid(*rows: str, moves: str = "4") -> SearchGrid:
    blocked = [cell for cell, sign in enumerate("".join(rows)) if sign == "#"]
    return SearchGrid(len(rows[0]), len(rows), blocked=blocked, **MOVES[moves])  # type: ignore[arg-type]


def path_cost(grid: SearchGrid, path: list[int]) -> float:
    arcs = [dict(grid.arcs[tail])[head] for tail, head in pairwise(path)]
    return sum(arcs)


@pytest.mark.parametrize("name", ROUTES)
@pytest.mark.parametrize("moves", MOVES)
def test_after_every_change_the_way_is_a_cheapest_one(name: str, moves: str) -> None:
    """Cells open and close while the robot walks; each time the cost is that of A* from scratch."""
    for seed in range(12):
        rng = random.Random(f"{moves}/{seed}")
        grid = SearchGrid(9, 8, blocked=[c for c in range(1, 71) if rng.random() < 0.3], **MOVES[moves])  # type: ignore[arg-type]
        here, goal = 0, 71
        route = ROUTES[name](grid, here, goal)
        route.revise(here, ())
        for _ in range(12):
            expected = grid_astar(grid, here, {goal}).cost
            assert route.cost == expected
            assert path_cost(grid, list(route.path())) == (expected if expected < INF else 0)
            assert route.next_step() == (route.path()[1] if len(route.path()) > 1 else None)
            here = route.next_step() or here
            flips = [cell for cell in rng.sample(range(1, 71), 4) if cell != here]
            route.revise(here, grid.change({cell: 1 if grid.is_blocked(cell) else INF for cell in flips}))


@pytest.mark.parametrize("name", ROUTES)
def test_a_step_along_the_way_needs_no_search(name: str) -> None:
    grid = drawn_grid("....", "....")
    route = ROUTES[name](grid, 0, 7)
    assert route.revise(0, ()) is not None
    step = route.next_step()
    assert step is not None
    assert route.revise(step, ()) is None
    assert route.cost == 3


@pytest.mark.parametrize("name", ROUTES)
def test_off_its_way_a_robot_still_finds_the_goal(name: str) -> None:
    grid = drawn_grid("....", "....", "....")
    route = ROUTES[name](grid, 0, 3)
    route.revise(0, ())
    route.revise(8, ())
    assert (route.cost, len(route.path())) == (5, 6)


@pytest.mark.parametrize("name", ROUTES)
def test_at_the_goal_there_is_no_step(name: str) -> None:
    grid = drawn_grid("..")
    route = ROUTES[name](grid, 1, 1)
    route.revise(1, ())
    assert (route.next_step(), route.cost) == (None, 0)


@pytest.mark.parametrize("name", ROUTES)
def test_no_way_is_proven(name: str) -> None:
    grid = drawn_grid(".#.", ".#.")
    route = ROUTES[name](grid, 0, 2)
    route.revise(0, ())
    assert (route.cost, route.next_step(), list(route.path()), route.is_proven) == (INF, None, [], True)


@pytest.mark.parametrize("name", ROUTES)
def test_a_way_that_opens_is_found(name: str) -> None:
    grid = drawn_grid(".#.", ".#.")
    route = ROUTES[name](grid, 0, 2)
    route.revise(0, ())
    route.revise(0, grid.change({1: 1}))
    assert list(route.path()) == [0, 1, 2]


def planned_astar(*rows: str, goal: int) -> tuple[SearchGrid, AStarRoute]:
    grid = drawn_grid(*rows)
    route = AStarRoute(grid, 0, goal)
    route.revise(0, ())
    return grid, route


def test_a_star_keeps_its_path_when_something_else_closes() -> None:
    grid, route = planned_astar("....", "....", goal=3)
    assert route.revise(0, grid.change({6: INF})) is None


def test_a_star_plans_anew_when_its_path_closes() -> None:
    grid, route = planned_astar("....", "....", goal=3)
    assert route.revise(0, grid.change({2: INF})) is not None
    assert route.cost == 5


def test_a_star_does_not_look_back() -> None:
    grid, route = planned_astar("....", "....", goal=3)
    assert route.revise(2, grid.change({0: INF})) is None


def test_a_star_plans_anew_when_a_shorter_way_may_have_opened() -> None:
    grid, route = planned_astar(".#..", "....", goal=3)
    assert route.cost == 5
    assert route.revise(0, grid.change({1: 1})) is not None
    assert route.cost == 3


def test_a_narrow_beam_proves_nothing() -> None:
    grid = drawn_grid("...........", ".########..", "........#..", ".########..", "...........")
    route = BeamRoute(grid, 22, 32, width=1, max_width=1)
    route.revise(22, ())
    assert (route.cost, route.is_proven) == (INF, False)


def test_a_beam_that_fails_counts_all_widths_it_tried() -> None:
    grid = drawn_grid("...........", ".########..", "........#..", ".########..", "...........")
    spent = {}
    for max_width in (1, 2):
        stats = BeamRoute(grid, 22, 32, width=1, max_width=max_width).revise(22, ())
        assert stats is not None
        spent[max_width] = stats.expanded
    assert spent[2] > spent[1]


def test_a_repaired_map_touches_few_cells() -> None:
    rows = ["." * 30] * 30
    grid = drawn_grid(*rows)
    route = DijkstraMapRoute(grid, 0, 899)
    first = route.revise(0, ())
    again = route.revise(0, grid.change({31: INF}))
    assert first is not None
    assert again is not None
    assert (first.expanded, again.expanded < 40) == (900, True)
