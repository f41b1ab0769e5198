from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from itertools import count, pairwise
from typing import Any

import pytest

from bots.planners.beam import anytime_beam, beam, beam_lookahead
from bots.planners.grid import SearchGrid
from bots.planners.stats import Plan, PlanStats
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.oracle import INF, Board, dijkstra_to, path_cost, random_board

WIDE = 10_000


def on_cells(grid: SearchGrid, goals: Collection[int]) -> dict[str, Any]:
    """The grid as functions, with cost so far + estimate as the rank."""
    estimate: Callable[[int], float] = grid.estimate_to(goals)
    return {
        "neighbours": grid.neighbours.__getitem__,
        "cost": lambda tail, head: dict(grid.arcs[tail])[head],
        "rank": lambda cell, so_far: so_far + estimate(cell),
    }


def grid_beam(grid: SearchGrid, start: int, goals: Collection[int], **options: Any) -> Plan[int]:
    return beam(start, goals, **on_cells(grid, goals), **options)


def grid_anytime_beam(grid: SearchGrid, start: int, goals: Collection[int], **options: Any) -> Iterator[Plan[int]]:
    return anytime_beam(start, goals, **on_cells(grid, goals), **options)


def cases(name: str, count: int, *, largest: int = 7) -> list[tuple[Board, SearchGrid, int, int, float]]:
    """Boards, their grids, a start, a goal and the cost of the cheapest path."""
    rng = random.Random(name)
    made = []
    for _ in range(count):
        board = random_board(rng, largest=largest)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        made.append((board, make_search_grid(board), start, goal, dijkstra_to(board, goal)[start]))
    return made


def test_plans_are_real_paths_that_cost_what_they_say() -> None:
    for board, grid, start, goal, optimum in cases("real", 500):
        for width in (1, 2, 5):
            plan = grid_beam(grid, start, {goal}, width=width)
            assert plan.cost >= optimum - 1e-6
            if plan.found:
                assert (plan.path[0], plan.path[-1]) == (start, goal)
                assert same(path_cost(board, plan.path), plan.cost)


def test_a_beam_wider_than_every_layer_is_optimal() -> None:
    for _, grid, start, goal, optimum in cases("wide", 500):
        assert same(grid_beam(grid, start, {goal}, width=WIDE).cost, optimum)


def test_a_wider_plain_beam_can_be_worse() -> None:
    worse = 0
    for _, grid, start, goal, _ in cases("not monotone", 100, largest=20):
        costs = [grid_beam(grid, start, {goal}, width=width).cost for width in (1, 2, 3, 4)]
        worse += any(wide > narrow for narrow, wide in pairwise(costs))
    assert worse > 0


def test_a_beam_can_miss_a_path_that_exists() -> None:
    grid = make_search_grid(draw("....#.", ".##.#.", ".#..#.", ".####.", "......"))
    assert not grid_beam(grid, 0, {5}, width=1).found
    assert grid_beam(grid, 0, {5}, width=4).found


def test_expansions_stay_below_width_times_depth() -> None:
    grid = SearchGrid(30, 30)
    for width in (1, 4, 9):
        plan = grid_beam(grid, 0, {899}, width=width)
        assert 58 <= plan.stats.expanded <= width * 58
        assert plan.cost == 58


@pytest.mark.parametrize("width", [1, 3, WIDE])
def test_an_unreachable_goal_ends_every_kind_of_beam(width: int) -> None:
    grid = make_search_grid(draw("...#.", "...##", "....."))
    assert not grid_beam(grid, 0, {4}, width=width).found
    assert grid_beam(grid, 0, {12}, width=width).found
    assert list(grid_anytime_beam(grid, 0, {4}, width=width)) == []


def test_an_infinite_graph_ends_at_the_depth_bound() -> None:
    plan = beam(0, {-1}, neighbours=lambda n: (n + 1, n + 2), rank=lambda n, cost: -n, width=3, max_depth=10)
    assert (plan.found, plan.stats.expanded) == (False, 19)  # two new nodes a layer after the first


def test_the_depth_bound_counts_arcs() -> None:
    grid = SearchGrid(6, 1)
    assert grid_beam(grid, 0, {5}, width=1, max_depth=5).found
    assert not grid_beam(grid, 0, {5}, width=1, max_depth=4).found


def test_nothing_as_dear_as_the_best_goal_is_followed() -> None:
    arcs = {0: (1, 9), 1: (2,), 2: (3,), 3: ()}
    plan = beam(0, {9}, neighbours=arcs.__getitem__, rank=lambda n, cost: n, width=5)
    assert plan.path == (0, 9)
    assert plan.stats.expanded == 1


def test_a_beam_of_no_width_is_refused() -> None:
    with pytest.raises(ValueError, match="width: expected at least 1, got 0"):
        grid_beam(SearchGrid(2, 1), 0, {1}, width=0)


def test_start_at_the_goal_is_a_path_of_one_node() -> None:
    plan = grid_beam(SearchGrid(2, 2), 1, {1}, width=1)
    assert (plan.path, plan.cost, plan.stats.expanded) == ((1,), 0.0, 0)


def milliseconds() -> Callable[[], float]:
    """A clock on which every look takes a quarter of a second."""
    return iter(count(1.0, 0.25)).__next__


def test_stats_count_expansions_entries_the_widest_layer_and_the_time() -> None:
    four = grid_beam(SearchGrid(3, 3), 0, {8}, width=4, clock=milliseconds())
    assert four.stats == PlanStats(expanded=8, generated=9, frontier=3, planning_ms=250.0)
    one = grid_beam(SearchGrid(3, 3), 0, {8}, width=1, clock=milliseconds())
    assert one.stats == PlanStats(expanded=4, generated=7, frontier=2, planning_ms=250.0)
    plans = list(anytime_beam(0, {2}, neighbours=lambda n: (n + 1,), rank=lambda n, cost: 0, clock=milliseconds()))
    assert [plan.stats for plan in plans] == [PlanStats(expanded=2, generated=3, frontier=1, planning_ms=250.0)]
    leaf = beam_lookahead(
        1, neighbours=lambda n: (2 * n, 2 * n + 1), rank=lambda n, cost: -n, width=1, depth=2, clock=milliseconds()
    )
    assert leaf.stats == PlanStats(expanded=2, generated=5, frontier=2, planning_ms=250.0)


def test_the_deadline_is_asked_every_sixteen_expansions() -> None:
    asked: list[int] = []
    expanded = [0]

    def neighbours(node: int) -> tuple[int, ...]:
        expanded[0] += 1
        return (node + 1,)

    def is_over() -> bool:
        asked.append(expanded[0])
        return False

    beam_lookahead(0, neighbours=neighbours, rank=lambda node, cost: 0, width=1, depth=40, is_over=is_over)
    assert asked == [0, 16, 32]


def test_anytime_doubles_its_width_up_to_the_greatest() -> None:
    arcs = {0: (1, 2, 3, 4), 1: (), 2: (), 3: (), 4: (5,), 5: ()}
    found = {
        (width, most): [
            plan.path
            for plan in anytime_beam(
                0, {5}, neighbours=arcs.__getitem__, rank=lambda n, cost: n, width=width, max_width=most
            )
        ]
        for width, most in [(1, 3), (1, 4), (3, 5), (3, 6), (4, 4)]
    }
    assert {sizes for sizes, paths in found.items() if paths == [(0, 4, 5)]} == {(1, 4), (3, 6), (4, 4)}
    assert [found[1, 3], found[3, 5]] == [[], []]


def test_anytime_plans_get_strictly_cheaper_and_end_with_the_optimum() -> None:
    several = 0
    for board, grid, start, goal, optimum in cases("anytime", 500):
        plans = list(grid_anytime_beam(grid, start, {goal}))
        assert all(later.cost < earlier.cost for earlier, later in pairwise(plans))
        assert all(same(path_cost(board, plan.path), plan.cost) for plan in plans)
        assert same(plans[-1].cost if plans else INF, optimum)
        several += len(plans) > 1
    assert several > 0


def test_anytime_stats_count_from_the_first_beam_on() -> None:
    counts = [
        [plan.stats.expanded for plan in grid_anytime_beam(grid, start, {goal})]
        for _, grid, start, goal, _ in cases("anytime stats", 200)
    ]
    assert all(later > earlier for plans in counts for earlier, later in pairwise(plans))


def test_anytime_stops_when_the_deadline_has_come() -> None:
    asked = iter([False, False, True])
    grid = SearchGrid(40, 40, blocked=[40 * 40 - 2, 40 * 39 - 1])
    assert list(grid_anytime_beam(grid, 0, {40 * 40 - 1}, is_over=lambda: next(asked, True))) == []
    assert next(asked, "all were asked") == "all were asked"


def test_anytime_on_a_general_graph() -> None:
    plans = anytime_beam(0, {7}, neighbours=lambda n: (n + 1, 2 * n), rank=lambda n, cost: abs(7 - n), max_depth=20)
    assert [plan.path for plan in plans][-1] == (0, 1, 2, 3, 6, 7)


def test_anytime_ends_though_the_depth_bound_cuts() -> None:
    assert list(grid_anytime_beam(SearchGrid(9, 1), 0, {8}, max_width=64)) != []
    plans = anytime_beam(0, {99}, neighbours=lambda n: (n + 1,), rank=lambda n, cost: 0, max_depth=5)
    assert list(plans) == []


def test_a_dropped_node_gets_another_chance() -> None:
    arcs = {"s": "ab", "a": "c", "b": "z", "c": "b"}
    plan = beam("s", {"z"}, neighbours=arcs.__getitem__, rank=lambda node, cost: ord(node), width=1)
    assert plan.path == ("s", "a", "c", "b", "z")


def test_among_equal_ranks_the_first_found_survives() -> None:
    plan = beam(0, {7, 8}, neighbours=lambda n: {0: (1, 2), 1: (8,), 2: (7,)}[n], rank=lambda n, cost: 0, width=1)
    assert plan.path == (0, 1, 8)


def test_lookahead_returns_the_way_to_the_best_leaf() -> None:
    values = {"": 0, "l": 5, "r": 1, "ll": 2, "lr": 3, "rl": 9, "rr": 0}
    plan = beam_lookahead(
        "",
        neighbours=lambda state: (state + "l", state + "r"),
        rank=lambda state, cost: -values[state],
        width=2,
        depth=2,
    )
    assert plan.path == ("", "r", "rl")


def test_lookahead_counts_a_dead_end_as_a_leaf() -> None:
    values = {"": 0, "win": 100, "go": 1, "go on": 2}
    after = {"": ("go", "win"), "win": (), "go": ("go on",), "go on": ()}
    plan = beam_lookahead("", neighbours=after.__getitem__, rank=lambda state, cost: -values[state], width=2, depth=5)
    assert plan.path == ("", "win")


def test_lookahead_without_any_move_stays_where_it_is() -> None:
    plan = beam_lookahead("only", neighbours=lambda state: (), rank=lambda state, cost: 0, width=3, depth=4)
    assert plan.path == ("only",)


def test_lookahead_asks_each_state_once_for_its_successors() -> None:
    asked: list[int] = []

    def neighbours(state: int) -> tuple[int, ...]:
        asked.append(state)
        return (2 * state, 2 * state + 1)

    plan = beam_lookahead(1, neighbours=neighbours, rank=lambda state, cost: state, width=4, depth=3)
    assert len(asked) == len(set(asked)) == plan.stats.expanded == 7


def test_lookahead_keeps_the_last_complete_layer_at_the_deadline() -> None:
    plan = beam_lookahead(
        1,
        neighbours=lambda state: (2 * state, 2 * state + 1),
        rank=lambda state, cost: -state,
        width=64,
        depth=12,
        is_over=iter([False, True]).__next__,
    )
    assert plan.path == (1, 3, 7, 15, 31)
