"""The routes of optimal planners on bare grids: right after every change, and idle when nothing concerns them."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from gridjoust.bots.navigation.arastar import ARAStarRoute
from gridjoust.bots.navigation.astar import AStarRoute
from gridjoust.bots.navigation.beam import BeamRoute
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapRoute
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.mpaastar import MPAAStarRoute
from gridjoust.bots.navigation.route import MakeRoute, Route
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.grid import SQRT2, SearchGrid
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar
from gridjoust.bots.planners.stats import INF

ROUTES: dict[str, MakeRoute] = {
    "arastar": ARAStarRoute,
    "astar": AStarRoute,
    "dstar_lite": DStarLiteRoute,
    "lpastar": partial(DStarLiteRoute, make_planner=GridLPAStar),
    "mpaastar": MPAAStarRoute,
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


def revised(name: str, *rows: str, here: int, goal: int) -> tuple[SearchGrid, Route]:
    grid = drawn_grid(*rows)
    route = ROUTES[name](grid, here, goal)
    assert route.revise(here, ()) is not None
    return grid, route


@pytest.mark.parametrize("name", ROUTES)
def test_a_step_along_the_way_needs_no_search_and_off_it_the_goal_is_still_found(name: str) -> None:
    _, route = revised(name, "....", "....", here=0, goal=7)
    step = route.next_step()
    assert step is not None
    assert (route.revise(step, ()), route.cost) == (None, 3)
    _, route = revised(name, "....", "....", "....", here=0, goal=3)
    route.revise(8, ())
    assert (route.cost, len(route.path())) == (5, 6)


@pytest.mark.parametrize("name", ROUTES)
def test_at_the_goal_there_is_no_step(name: str) -> None:
    _, route = revised(name, "..", here=1, goal=1)
    assert (route.next_step(), route.cost) == (None, 0)


@pytest.mark.parametrize("name", ROUTES)
def test_no_way_is_proven_and_a_way_that_opens_is_found(name: str) -> None:
    grid, route = revised(name, ".#.", ".#.", here=0, goal=2)
    assert (route.cost, route.next_step(), list(route.path()), route.is_proven) == (INF, None, [], True)
    route.revise(0, grid.change({1: 1}))
    assert list(route.path()) == [0, 1, 2]


OPEN = ("....", "....")
KEPT: dict[str, tuple[tuple[str, ...], int, int, float, float | None]] = {
    "kept when something else closes": (OPEN, 0, 6, INF, None),
    "and when it closes behind the robot": (OPEN, 2, 0, INF, None),
    "left when it closes": (OPEN, 0, 2, INF, 5),
    "left when a shorter way may have opened": ((".#..", "...."), 0, 1, 1, 3),
}


@pytest.mark.parametrize(("rows", "here", "cell", "price", "cost"), KEPT.values(), ids=KEPT)
def test_a_path_of_a_star_is(rows: tuple[str, ...], here: int, cell: int, price: float, cost: float | None) -> None:
    """A cell has another price now; the cost of the new path, None if the old one stays."""
    grid, route = revised("astar", *rows, here=0, goal=3)
    assert route.cost == (3 if rows == OPEN else 5)
    is_new = route.revise(here, grid.change({cell: price})) is not None
    assert (is_new, route.cost if is_new else None) == (cost is not None, cost)


CUL_DE_SAC = ("...........", ".########..", "........#..", ".########..", "...........")


def test_a_narrow_beam_proves_nothing_and_a_wider_one_counts_all_widths_it_tried() -> None:
    narrow, wider = (BeamRoute(drawn_grid(*CUL_DE_SAC), 22, 32, width=1, max_width=most) for most in (1, 2))
    spent = [route.revise(22, ()) for route in (narrow, wider)]
    assert [(route.cost, route.is_proven) for route in (narrow, wider)] == [(INF, False), (14, False)]
    assert spent[0] is not None
    assert spent[1] is not None
    assert spent[1].expanded > spent[0].expanded


def test_a_repaired_map_touches_few_cells() -> None:
    rows = ["." * 30] * 30
    grid = drawn_grid(*rows)
    route = DijkstraMapRoute(grid, 0, 899)
    first = route.revise(0, ())
    again = route.revise(0, grid.change({31: INF}))
    assert first is not None
    assert again is not None
    assert (first.expanded, again.expanded < 40) == (900, True)
