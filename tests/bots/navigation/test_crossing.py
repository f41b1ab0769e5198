"""Crossings drawn by hand: what the robot senses, when its planner is asked, what is counted."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from gridjoust.bots.navigation.astar import AStarRoute
from gridjoust.bots.navigation.beam import BeamRoute
from gridjoust.bots.navigation.crossing import Problem, cross
from gridjoust.bots.navigation.dijkstra_map import DijkstraMapRoute
from gridjoust.bots.navigation.dstar_lite import DStarLiteRoute
from gridjoust.bots.navigation.route import MakeRoute
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import INF
from gridjoust.games.navigation.board import HEADINGS, MOVES, Moves
from tests.bots.planners.boards import same
from tests.bots.planners.oracle import Board, dijkstra_to

ROUTES: dict[str, MakeRoute] = {
    "dstar_lite": DStarLiteRoute,
    "astar": AStarRoute,
    "astar, eager": partial(AStarRoute, is_eager=True),
    "dijkstra_map": DijkstraMapRoute,
    "beam, as wide as the board": partial(BeamRoute, width=200, max_width=200),
}
EAGER = ROUTES["astar, eager"]
EIGHT = Moves(HEADINGS, 1.0, cut_corners=False)


def drawn(*rows: str) -> Problem:
    """`s` start, `g` goal, `#` blocked."""
    signs = "".join(rows)
    blocked = frozenset(cell for cell, sign in enumerate(signs) if sign == "#")
    ends = signs.index("s"), signs.index("g")
    return Problem(len(rows[0]), len(rows), blocked, *ends)


def random_problem(seed: int, size: int, density: float) -> Problem:
    """From corner to corner, solvable or not."""
    rng = random.Random(f"crossing {seed}")
    blocked = frozenset(cell for cell in range(1, size * size - 1) if rng.random() < density)
    return Problem(size, size, blocked, 0, size * size - 1, EIGHT)


TRAP = drawn(".......", ".####..", "s...#.g", ".####..")
ENCLOSED = drawn("s...#.g", "....#..", "....#..")


@pytest.mark.parametrize("name", ROUTES)
def test_the_goal_is_reached_by_allowed_steps(name: str) -> None:
    crossing = cross(TRAP, ROUTES[name])
    assert crossing.is_done
    assert (crossing.path[0], crossing.path[-1]) == (TRAP.start, TRAP.goal)
    arcs = TRAP.grid(TRAP.blocked).arcs
    assert all(head in dict(arcs[tail]) for tail, head in pairwise(crossing.path))


@pytest.mark.parametrize("name", ROUTES)
def test_an_enclosed_goal_ends_the_walk(name: str) -> None:
    crossing = cross(ENCLOSED, ROUTES[name])
    assert (crossing.is_done, crossing.moves) == (False, crossing.cost)
    assert crossing.moves >= 3  # it has been at the wall


class Circling(AStarRoute):
    """Goes to and fro between the start and the cell beside it."""

    def next_step(self) -> int | None:
        here = self.path()[0]
        return TRAP.start + 1 if here == TRAP.start else TRAP.start


def test_a_robot_that_goes_to_and_fro_is_stopped() -> None:
    crossing = cross(TRAP, Circling)
    assert (crossing.is_done, crossing.is_circling) == (False, True)
    assert 28 < crossing.moves < 35  # the board has 28 cells, and the first steps see new ones


@pytest.mark.parametrize("name", ROUTES)
def test_a_start_at_the_goal_is_done_at_once_and_a_known_map_crossed_on_the_first_plan(name: str) -> None:
    crossing = cross(Problem(3, 1, frozenset(), 1, 1), ROUTES[name])
    assert (crossing.is_done, crossing.path, crossing.cost) == (True, (1,), 0)
    crossing = cross(TRAP, ROUTES[name], known=TRAP.grid(TRAP.blocked))
    assert (crossing.moves, crossing.cost, crossing.replans) == (10, 10, 0)


@pytest.mark.gate
@pytest.mark.parametrize("name", ROUTES)
def test_the_cost_to_go_is_right_at_every_cell(name: str) -> None:
    for seed in range(20):
        problem = random_problem(seed, 12, 0.35)
        wrong: list[int] = []

        def check(
            known: SearchGrid, cell: int, cost: float, problem: Problem = problem, wrong: list[int] = wrong
        ) -> None:
            board = Board(problem.width, problem.height, tuple(known.entry_costs), eight=True, diagonal_cost=1)
            if not same(cost, dijkstra_to(board, problem.goal)[cell]):
                wrong.append(cell)

        cross(problem, ROUTES[name], check=check)
        assert wrong == []


def test_a_planner_that_keeps_its_path_searches_no_more_often_than_an_eager_one() -> None:
    problem = random_problem(3, 24, 0.3)
    assert 0 < cross(problem, ROUTES["astar"]).replans < cross(problem, EAGER).replans


def test_eager_planners_search_once_for_every_discovery_but_not_at_the_goal() -> None:
    problem = drawn("s.....g", ".#.#...", ".......")
    assert len(cross(problem, EAGER).searches) == 3  # the first cell shows nothing, (1, 1) and (3, 1) come later
    assert len(cross(drawn("s..g", "...#"), EAGER).searches) == 1


def test_expansions_of_all_searches_are_counted() -> None:
    crossing = cross(TRAP, EAGER)
    assert crossing.expanded == sum(stats.expanded for stats in crossing.searches) > crossing.searches[0].expanded


def test_planning_is_timed_on_the_given_clock_and_walking_is_not() -> None:
    ticks = iter(range(1000))
    problem = Problem(4, 1, frozenset(), 0, 3)
    crossing = cross(problem, DStarLiteRoute, clock=lambda: float(next(ticks)))
    assert crossing.planning_ms == 4000  # the route is made, then asked at three cells; a second each


@pytest.mark.parametrize(
    ("connectivity", "sensor", "seen"),
    [(4, 1, {7, 11, 13, 17}), (8, 1, {6, 7, 8, 11, 13, 16, 17, 18}), (8, 2, set(range(25)) - {12})],
)
def test_a_sensor_covers_what_is_that_many_moves_away(connectivity: int, sensor: int, seen: set[int]) -> None:
    problem = Problem(5, 5, frozenset(range(25)) - {12}, 12, 12, EIGHT if connectivity == 8 else MOVES["4"])
    assert problem.sense(problem.grid(), 12, sensor) == dict.fromkeys(seen, INF)


def test_a_sensor_does_not_reach_over_the_rim_nor_tell_what_is_known() -> None:
    problem = Problem(3, 2, frozenset(range(6)) - {2}, 2, 2)
    assert set(problem.sense(problem.grid(), 2, 1)) == {1, 5}
    problem = Problem(2, 1, frozenset({1}), 0, 0)
    assert [problem.sense(problem.grid(known), 0, 1) for known in ((), (1,))] == [{1: INF}, {}]


def test_a_step_that_is_not_allowed_makes_the_cost_infinite() -> None:
    class Jumper(AStarRoute):
        def next_step(self) -> int | None:
            return None if super().next_step() is None else self.goal

    assert cross(Problem(5, 1, frozenset(), 0, 4), Jumper).cost == INF
