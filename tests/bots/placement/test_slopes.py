"""A* without pruning, and pieces fitted along the ways of Dijkstra maps and D* Lite."""

from __future__ import annotations

import random

import pytest

from bots.placement.slopes import (
    MapSlope,
    RepairedSlope,
    Slope,
    entry_costs,
    lay_along,
    plan_down,
    plan_dstar,
    plan_map,
)
from bots.placement.task import Task, toll_distance
from bots.placement.unpruned import plan_astar
from games.bitset import members
from games.grid import Cell
from games.placement.apply import Position, play
from tests.bots.placement.planning import best_by_brute_force, draw_task, island_task, planning_cases
from tests.games.placement.boards import parse_piece

TRIPLE = parse_piece("###")
DOMINO = parse_piece("##")


def map_slope(task: Task) -> Slope:
    return MapSlope(task)


def repaired_slope(task: Task) -> Slope:
    return RepairedSlope(task, members(task.goals)[0])


def way_of(task: Task, slope: Slope) -> list[Cell]:
    return [task.position.board.cell(cell) for cell in slope.way(task.position.cell)]


SLOPES = pytest.mark.parametrize("make", [map_slope, repaired_slope], ids=["map", "dstar"])


def test_astar_finds_the_fewest_steps_wherever_its_budget_lasts() -> None:
    solved = 0
    for case in planning_cases():
        found = plan_astar(case.task)
        assert found.key >= case.best
        play(case.task.position, found.plan)
        if case.best[0] == 0 and not found.is_stopped:
            assert found.key[:2] == case.best[:2]
            solved += 1
    assert solved == sum(case.best[0] == 0 for case in planning_cases())


def test_astar_looks_at_everything_where_there_is_no_way() -> None:
    task = draw_task("S____", "#####", "____G", hand=(DOMINO, DOMINO), moves=9)
    found = plan_astar(task)
    assert not found.is_stopped
    assert found.key == best_by_brute_force(task)


def test_astar_stops_at_its_budget_with_the_nearest_state() -> None:
    task = planning_cases("islands")[0].task
    found = plan_astar(task, node_budget=300)
    assert found.is_stopped
    assert 300 <= found.cost.generated < 1000
    play(task.position, found.plan)


def test_astar_stops_when_the_time_is_up() -> None:
    found = plan_astar(island_task(1), is_over=lambda: True)
    assert found.is_stopped
    assert found.cost.expanded == 0


def test_astar_finds_fit_data_of_equal_states_in_the_cache() -> None:
    assert plan_astar(planning_cases("islands")[2].task).cost.fit_hits > 0


def test_void_costs_its_share_of_a_piece_and_walls_are_closed() -> None:
    assert entry_costs(draw_task("S_#G")) == [1, 2, float("inf"), 2]


def test_void_that_no_piece_will_cover_is_closed() -> None:
    task = draw_task("S_#G")
    dead = Task(task.position, task.goals, dead=1 << 1)
    assert entry_costs(dead)[1] == float("inf")


@SLOPES
def test_the_way_prefers_floor_to_void(make: object) -> None:
    task = draw_task("S_____g", "._____.", ".......")
    assert callable(make)
    assert way_of(task, make(task))[0] == Cell(0, 1)
    shorter = draw_task("S___g", ".___.", ".....")
    assert way_of(shorter, make(shorter))[0] == Cell(1, 0)


@SLOPES
@pytest.mark.parametrize("seed", range(8))
def test_ways_are_cheapest(make: object, seed: int) -> None:
    task = island_task(seed)
    position = task.position
    assert callable(make)
    way = make(task).way(position.cell)
    paid = sum(1 if position.floor >> cell & 1 else 2 for cell in way)
    assert paid == toll_distance(position.board, position.floor, position.void, position.cell, task.goals)


@SLOPES
def test_a_cell_to_avoid_is_walked_round(make: object) -> None:
    task = draw_task("S..g", "....")
    assert callable(make)
    slope = make(task)
    slope.avoid(task.position.board.bit(Cell(1, 0)))
    assert way_of(task, slope)[0] == Cell(0, 1)


@SLOPES
def test_without_a_way_there_is_none(make: object) -> None:
    task = draw_task("S#g")
    assert callable(make)
    assert make(task).way(task.position.cell) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_repaired_search_equals_a_fresh_one_after_every_change(seed: int) -> None:
    rng = random.Random(seed)
    task = island_task(seed)
    goal = members(task.goals)[0]
    kept = RepairedSlope(task, goal)
    board = task.position.board
    for _ in range(12):
        floor = task.position.floor ^ board.mask(rng.sample(list(board.cells(board.inside)), 6))
        start = rng.choice(members(floor))
        task = Task(Position(board, floor, 0, start, task.position.hand, 6), task.goals)
        kept.repair(task)
        assert kept.price(start) == RepairedSlope(task, goal).price(start)


def test_the_piece_that_covers_most_of_the_way_is_laid_and_of_those_the_smallest() -> None:
    task = draw_task("S__.G", "_____", hand=(parse_piece("##", "##"), DOMINO, TRIPLE), moves=9)
    board = task.position.board
    laid, stuck = lay_along(task, [board.bit(Cell(x, 0)) for x in (1, 2, 3)])
    assert stuck is None
    assert [str(placement.place(board)) for placement in laid] == ["place 1 @1,0"]


def test_the_cell_that_no_piece_covers_is_named() -> None:
    task = draw_task("S_.g", "#.##", hand=(TRIPLE,))
    board = task.position.board
    assert lay_along(task, [board.bit(Cell(1, 0)), board.bit(Cell(2, 0))]) == ([], board.bit(Cell(1, 0)))


@pytest.mark.parametrize("plan", [plan_map, plan_dstar], ids=["map", "dstar"])
def test_where_no_piece_fits_another_way_is_found(plan: object) -> None:
    rows = ("S_.g#", ".#___", ".___.")
    task = draw_task(*rows, hand=(TRIPLE,), moves=12)
    assert callable(plan)
    found = plan(task)
    assert str(found.plan) == "place 0 @1,2; walk S S E E E"
    assert found.key == best_by_brute_force(task) == (2, 5, 1)


@pytest.mark.parametrize("plan", [plan_map, plan_dstar], ids=["map", "dstar"])
def test_plans_along_slopes_are_legal_and_never_better_than_the_optimum(plan: object) -> None:
    assert callable(plan)
    equal = 0
    for case in planning_cases():
        found = plan(case.task)
        play(case.task.position, found.plan)
        assert found.key >= case.best
        equal += found.key == case.best
    assert equal >= 15


def test_dstar_goes_to_the_goal_with_the_cheapest_way() -> None:
    task = draw_task("g..S_g", moves=6)
    assert str(plan_dstar(task).plan) == "walk W W W"
    assert str(plan_down(task, MapSlope(task)).plan) == "walk W W W"
