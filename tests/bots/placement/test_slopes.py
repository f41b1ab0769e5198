"""A* without pruning, and pieces fitted along the ways of Dijkstra maps and D* Lite."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from gridjoust.bots.placement.astar import plan_astar
from gridjoust.bots.placement.potential import Potential, placements_left
from gridjoust.bots.placement.slopes import MapSlope, RepairedSlope, Slope, entry_costs, lay_along, plan_dstar, plan_map
from gridjoust.bots.placement.task import VOID_COST, Found, Task, toll_distance
from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.stats import INF, PlanStats
from gridjoust.games.bitset import members
from gridjoust.games.placement.apply import Position, play
from gridjoust.games.placement.board import Mask
from tests.bots.placement.planning import best_by_brute_force, draw_task, island_task, planning_cases
from tests.games.placement.boards import parse_piece

TRIPLE = parse_piece("###")
DOMINO = parse_piece("##")

MakeSlope = Callable[[Task], Slope]
SLOPES = pytest.mark.parametrize(
    "make", [MapSlope, lambda task: RepairedSlope(task, members(task.goals)[0])], ids=["map", "dstar"]
)
PLANS = pytest.mark.parametrize("plan", [plan_map, plan_dstar], ids=["map", "dstar"])


@pytest.mark.gate
def test_astar_finds_the_fewest_steps_wherever_its_budget_lasts() -> None:
    solvable = [case for case in planning_cases() if case.best[0] == 0]
    solved = 0
    for case in planning_cases():
        found = plan_astar(case.task)
        assert found.key >= case.best
        play(case.task.position, found.plan)
        if case in solvable and not found.is_stopped:
            assert found.key[:2] == case.best[:2]
            solved += 1
    assert solved == len(solvable)


def test_astar_looks_at_everything_where_there_is_no_way() -> None:
    task = draw_task("S____", "#####", "____G", hand=(DOMINO, DOMINO), moves=9)
    found = plan_astar(task)
    assert not found.is_stopped
    assert found.key == best_by_brute_force(task)


def test_astar_stops_at_its_budget_with_the_nearest_state_and_when_the_time_is_up() -> None:
    task = planning_cases("islands")[0].task
    found = plan_astar(task, node_budget=300)
    assert found.is_stopped
    assert 300 <= found.cost.generated < 1000
    assert 0 < found.cost.reused < found.cost.generated
    play(task.position, found.plan)
    late = plan_astar(island_task(1), is_over=lambda: True)
    assert (late.is_stopped, late.cost.expanded) == (True, 0)


def test_astar_lists_the_placements_of_equal_states_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[tuple[Mask, Sequence[int], Mask]] = []

    def list_them(position: Position, *state: *tuple[Mask, Sequence[int], Mask]) -> list[Potential]:
        listed.append(state)
        return placements_left(position, *state)

    monkeypatch.setattr("gridjoust.bots.placement.astar.placements_left", list_them)
    assert plan_astar(planning_cases("islands")[2].task).cost.expanded > len(listed) == len(set(listed))


def test_void_costs_its_share_of_a_piece_and_walls_and_what_no_piece_will_cover_are_closed() -> None:
    task = draw_task("S_#G")
    assert entry_costs(task) == [1, VOID_COST, INF, VOID_COST, INF]  # the last is the board's extra column
    assert entry_costs(Task(task.position, task.goals, dead=1 << 1))[1] == INF


@SLOPES
def test_the_way_prefers_floor_to_void_and_walks_round_a_cell_to_avoid(make: MakeSlope) -> None:
    for rows, ahead in ((("S_____g", "._____.", "......."), (0, 1)), (("S_g", "._.", "..."), (1, 0))):
        task = draw_task(*rows)
        assert task.position.board.cell(make(task).way(0)[0]) == ahead
    task = draw_task("S..g", "....")
    slope = make(task)
    slope.avoid(1)
    assert task.position.board.cell(slope.way(0)[0]) == (0, 1)
    assert make(draw_task("S#g")).way(0) == []


@SLOPES
@pytest.mark.parametrize("seed", range(8))
def test_ways_are_cheapest(make: MakeSlope, seed: int) -> None:
    task = island_task(seed)
    position = task.position
    paid = sum(1 if position.floor >> cell & 1 else VOID_COST for cell in make(task).way(position.cell))
    assert paid == toll_distance(position.board, position.floor, position.void, position.cell, task.goals, Budget())


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
    laid, stuck = lay_along(task, [1, 2, 3], PlanStats())
    assert stuck is None
    assert [str(placement.place(task.position.board)) for placement in laid] == ["place 1 @1,0"]


def test_the_cell_that_no_piece_covers_is_named() -> None:
    assert lay_along(draw_task("S_.g", "#.##", hand=(TRIPLE,)), [1, 2], PlanStats()) == ([], 1)


@PLANS
def test_where_no_piece_fits_another_way_is_found(plan: Callable[[Task], Found]) -> None:
    task = draw_task("S_.g#", ".#___", ".___.", hand=(TRIPLE,), moves=12)
    found = plan(task)
    assert str(found.plan) == "place 0 @1,2; walk S S E E E"
    assert found.key == best_by_brute_force(task) == (2, 5, 1)


@PLANS
def test_plans_along_slopes_are_legal_and_never_better_than_the_optimum(plan: Callable[[Task], Found]) -> None:
    equal = 0
    for case in planning_cases():
        found = plan(case.task)
        play(case.task.position, found.plan)
        assert found.key >= case.best
        equal += found.key == case.best
    assert equal >= 15


@PLANS
def test_the_goal_with_the_cheapest_way_is_taken(plan: Callable[[Task], Found]) -> None:
    assert str(plan(draw_task("g..S_g", moves=6)).plan) == "walk W W W"
