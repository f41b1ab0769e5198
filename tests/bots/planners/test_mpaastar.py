"""MPAA*: cheapest after every change by an oracle, estimates that stay consistent, and less work than A*."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.replanning.mpaastar import MPAAStar
from gridjoust.bots.planners.stats import INF, Plan
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.oracle import Board, dijkstra_to, path_cost, random_board
from tests.bots.planners.replanning import board_of, random_turn


def on_grid(grid: SearchGrid, goal: int, kind: type[MPAAStar[int]] = MPAAStar) -> MPAAStar[int]:
    return kind(goal, arcs=grid.arcs, arcs_in=grid.arcs_in, heuristic=grid.estimate_to((goal,)))


def is_consistent(planner: MPAAStar[int], grid: SearchGrid) -> bool:
    estimates = planner._estimates
    arcs = [(tail, head, price) for tail in range(grid.size) for head, price in grid.arcs[tail]]
    return all(estimates[tail] <= price + estimates[head] for tail, head, price in arcs)


def wrong_plans(rounds: int, *, largest: int, kind: type[MPAAStar[int]] = MPAAStar, most: int | None = None) -> int:
    """Plans that an oracle denies, on boards that change while the robot walks or is carried off."""
    rng, wrong = random.Random("a robot that learns"), 0
    for _ in range(rounds):
        board = random_board(rng, largest=largest)
        grid = make_search_grid(board)
        here, goal = rng.choice(board.cells), rng.choice(board.cells)
        planner = on_grid(grid, goal, kind)
        for _ in range(10):
            plan = planner.search(here) if most is None else searched_in_parts(planner, here, most)
            left = dijkstra_to(board_of(grid), goal)[here]
            is_right = same(plan.cost, left) and same(path_cost(board_of(grid), plan.path), left if plan.found else 0)
            is_right &= plan.path[:1] + plan.path[-1:] == ((here, goal) if plan.found else ())
            wrong += not (is_right and (is_consistent(planner, grid) or kind is not MPAAStar))
            changes, jump = random_turn(board, rng)
            here = jump if jump is not None else plan.path[1] if len(plan.path) > 1 else here
            planner.update(grid.change(changes))
    return wrong


def searched_in_parts(planner: MPAAStar[int], here: int, most: int) -> Plan[int]:
    """The plan of a search that is stopped a few times before it may end; each part may do more than the last."""
    for work in range(0, most, 4):
        if (plan := planner.search(here, budget=Budget(work))).found:
            return plan
    return planner.search(here)


def test_plans_are_cheapest_after_every_change_and_estimates_stay_consistent() -> None:
    assert wrong_plans(40, largest=5) == 0


@pytest.mark.gate
def test_plans_are_cheapest_after_many_changes_on_larger_boards() -> None:
    assert wrong_plans(400, largest=8) == 0


def test_searches_that_run_out_of_work_spoil_nothing() -> None:
    assert wrong_plans(25, largest=5, most=40) == 0


class Unlowered(MPAAStar[int]):
    """Keeps estimates that a cheaper arc has made too high."""

    def _lower_one(self, node: int, most: float) -> None:
        return


class Unaware(MPAAStar[int]):
    """Keeps paths over arcs that became dearer."""

    def update(self, changes: Iterable[ArcChange[int]]) -> None:
        kept = dict(self._next)
        super().update(changes)
        self._next = kept


@pytest.mark.parametrize("kind", [Unlowered, Unaware])
def test_a_planner_that_forgets_a_change_is_noticed(kind: type[MPAAStar[int]]) -> None:
    assert wrong_plans(60, largest=6, kind=kind) > 0


DEAD_END: Board = draw(
    "...........",
    ".########..",
    "........#..",
    ".########..",
    "...........",
)  # fmt: skip


def test_the_first_search_is_that_of_a_star_and_the_next_ends_on_the_known_path() -> None:
    grid, start, goal = make_search_grid(DEAD_END), 22, 32
    planner = on_grid(grid, goal)
    first, plain = planner.search(start), grid_astar(grid, start, {goal})
    assert (first.cost, first.stats.expanded) == (plain.cost, plain.stats.expanded)
    again = planner.search(start)
    assert (again.path, again.cost, again.stats.expanded) == (first.path, first.cost, 0)
    beside = next(cell for cell in grid.neighbours[start] if cell not in first.path)
    assert planner.search(beside).stats.expanded < grid_astar(grid, beside, {goal}).stats.expanded


def test_without_a_path_the_next_search_ends_at_once_until_one_opens() -> None:
    grid = make_search_grid(draw("..#.", "..#."))
    planner = on_grid(grid, 3)
    assert (planner.search(0).found, planner.search(0).stats.generated) == (False, 0)
    planner.update(grid.change({6: 1}))
    assert (planner.search(0).cost, planner.search(0).path[-1]) == (5, 3)
    assert planner.search(0).cost < INF
