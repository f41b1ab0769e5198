"""What sets beams apart from the other searches: width, depth, deadlines, and looking ahead without a goal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import count, pairwise
from typing import Any

import pytest

from gridjoust.bots.planners.beam import anytime_beam, beam, beam_lookahead
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan, PlanStats
from tests.bots.planners.boards import as_functions, draw, make_search_grid, problems, same
from tests.bots.planners.oracle import INF, dijkstra_to, path_cost

WIDE = 10_000


def on_cells(grid: SearchGrid, goals: Collection[int]) -> dict[str, Any]:
    """The grid as functions, with cost so far + estimate as the rank."""
    estimate = grid.estimate_to(goals)
    return {**as_functions(grid), "rank": lambda cell, so_far: so_far + estimate(cell)}


def grid_beam(grid: SearchGrid, start: int, goal: int, **options: Any) -> Plan[int]:
    return beam(start, {goal}, **on_cells(grid, {goal}), **options)


def grid_anytime_beam(grid: SearchGrid, start: int, goal: int, **options: Any) -> list[Plan[int]]:
    return list(anytime_beam(start, {goal}, **on_cells(grid, {goal}), **options))


def unranked(node: object, cost: float) -> float:
    return 0


def doubled(node: int) -> tuple[int, ...]:
    """A tree without end."""
    return (2 * node, 2 * node + 1)


def test_plans_are_real_paths_that_cost_what_they_say() -> None:
    for board, grid, start, goal in problems("real", 500):
        optimum = dijkstra_to(board, goal)[start]
        for width in (1, 2, 5):
            plan = grid_beam(grid, start, goal, width=width)
            assert plan.cost >= optimum - 1e-6
            if plan.found:
                assert (plan.path[0], plan.path[-1]) == (start, goal)
                assert same(path_cost(board, plan.path), plan.cost)


def test_beams_that_widen_begin_with_one_node_a_depth() -> None:
    grid = make_search_grid(draw("...", "...", "..."))
    narrow = grid_beam(grid, 0, 8, width=1)
    assert grid_anytime_beam(grid, 0, 8)[0].stats.generated == narrow.stats.generated
    assert narrow.stats.generated < grid_beam(grid, 0, 8, width=2).stats.generated


def test_a_wider_plain_beam_can_be_worse() -> None:
    worse = 0
    for _, grid, start, goal in problems("not monotone", 100, largest=20):
        costs = [grid_beam(grid, start, goal, width=width).cost for width in (1, 2, 3, 4)]
        worse += any(wide > narrow for narrow, wide in pairwise(costs))
    assert worse > 0


def test_expansions_stay_below_width_times_depth() -> None:
    for width in (1, 4, 9):
        plan = grid_beam(SearchGrid(30, 30), 0, 899, width=width)
        assert 58 <= plan.stats.expanded <= width * 58
        assert plan.cost == 58


U_TURN, ENCLOSED = ("....#.", ".##.#.", ".#..#.", ".####.", "......"), ("...#.", "...##", ".....")
FOUND: dict[str, tuple[tuple[str, ...], int, dict[str, int], bool]] = {
    "a narrow beam can miss a path that exists": (U_TURN, 5, {"width": 1}, False),
    "a wider one finds it": (U_TURN, 5, {"width": 4}, True),
    "the depth bound counts arcs": (("......",), 5, {"width": 1, "max_depth": 5}, True),
    "one arc too many": (("......",), 5, {"width": 1, "max_depth": 4}, False),
    **{f"unreachable, width {width}": (ENCLOSED, 4, {"width": width}, False) for width in (1, 3, WIDE)},
    **{f"reachable, width {width}": (ENCLOSED, 12, {"width": width}, True) for width in (1, 3, WIDE)},
}


@pytest.mark.parametrize(("rows", "goal", "options", "found"), FOUND.values(), ids=FOUND)
def test_goal_is_found(rows: tuple[str, ...], goal: int, options: dict[str, int], found: bool) -> None:
    assert grid_beam(make_search_grid(draw(*rows)), 0, goal, **options).found == found


def test_an_unreachable_goal_and_an_infinite_graph_come_to_an_end() -> None:
    grid = make_search_grid(draw(*ENCLOSED))
    assert [grid_anytime_beam(grid, 0, 4, width=width) for width in (1, 3, WIDE)] == [[], [], []]
    plan = beam(0, {-1}, neighbours=lambda n: (n + 1, n + 2), rank=lambda n, cost: -n, width=3, max_depth=10)
    assert (plan.found, plan.stats.expanded) == (False, 19)  # two new nodes a layer after the first


def test_a_beam_of_no_width_is_refused() -> None:
    with pytest.raises(ValueError, match="width: expected at least 1, got 0"):
        grid_beam(SearchGrid(2, 1), 0, 1, width=0)


GRAPHS: dict[str, tuple[dict[str, str], str, int, str]] = {  # goals, width, path; ranked by name
    "nothing as dear as the best goal is followed": ({"s": "ag", "a": "b", "b": "c", "c": ""}, "g", 5, "sg"),
    "a dropped node gets another chance": ({"s": "ab", "a": "c", "b": "z", "c": "b"}, "z", 1, "sacbz"),
}


@pytest.mark.parametrize(("arcs", "goals", "width", "path"), GRAPHS.values(), ids=GRAPHS)
def test_path_through_a_graph(arcs: dict[str, str], goals: str, width: int, path: str) -> None:
    plan = beam("s", set(goals), neighbours=arcs.__getitem__, rank=lambda node, cost: ord(node), width=width)
    assert "".join(plan.path) == path
    assert plan.stats.expanded == len(path) - 1


def test_among_equal_ranks_the_first_found_survives() -> None:
    plan = beam(0, {7, 8}, neighbours=lambda n: {0: (1, 2), 1: (8,), 2: (7,)}[n], rank=unranked, width=1)
    assert plan.path == (0, 1, 8)


def milliseconds() -> Callable[[], float]:
    """A clock on which every look takes a quarter of a second."""
    return iter(count(1.0, 0.25)).__next__


def test_stats_count_expansions_successors_the_widest_layer_and_the_time() -> None:
    line = anytime_beam(0, {2}, neighbours=lambda n: (n + 1,), rank=unranked, clock=milliseconds())
    ahead = beam_lookahead(1, neighbours=doubled, rank=lambda n, cost: -n, width=1, depth=2, clock=milliseconds())
    plans = [*(grid_beam(SearchGrid(3, 3), 0, 8, width=width, clock=milliseconds()) for width in (4, 1)), *line, ahead]
    assert [plan.stats for plan in plans] == [
        PlanStats(expanded=8, generated=22, frontier=3, planning_ms=250.0),
        PlanStats(expanded=4, generated=10, frontier=2, planning_ms=250.0),
        PlanStats(expanded=2, generated=2, frontier=1, planning_ms=250.0),
        PlanStats(expanded=2, generated=4, frontier=2, planning_ms=250.0),
    ]


def test_the_deadline_is_asked_every_sixteen_expansions() -> None:
    asked: list[int] = []
    expanded = [0]

    def neighbours(node: int) -> tuple[int, ...]:
        expanded[0] += 1
        return (node + 1,)

    def is_over() -> bool:
        asked.append(expanded[0])
        return False

    beam_lookahead(0, neighbours=neighbours, rank=unranked, width=1, depth=40, is_over=is_over)
    assert asked == [0, 16, 32]


def test_anytime_doubles_its_width_up_to_the_greatest() -> None:
    arcs = {0: (1, 2, 3, 4), 1: (), 2: (), 3: (), 4: (5,), 5: ()}

    def paths(width: int, most: int) -> list[tuple[int, ...]]:
        plans = anytime_beam(0, {5}, neighbours=arcs.__getitem__, rank=lambda n, cost: n, width=width, max_width=most)
        return [plan.path for plan in plans]

    found = {sizes: paths(*sizes) for sizes in [(1, 3), (1, 4), (3, 5), (3, 6), (4, 4)]}
    assert {sizes for sizes, plans in found.items() if plans == [(0, 4, 5)]} == {(1, 4), (3, 6), (4, 4)}
    assert [found[1, 3], found[3, 5]] == [[], []]


def test_anytime_plans_get_strictly_cheaper_end_with_the_optimum_and_count_from_the_first_beam_on() -> None:
    several = 0
    for board, grid, start, goal in problems("anytime", 500):
        plans = grid_anytime_beam(grid, start, goal)
        for earlier, later in pairwise(plans):
            assert (later.cost < earlier.cost, later.stats.expanded > earlier.stats.expanded) == (True, True)
        assert all(same(path_cost(board, plan.path), plan.cost) for plan in plans)
        assert same(plans[-1].cost if plans else INF, dijkstra_to(board, goal)[start])
        several += len(plans) > 1
    assert several > 0


def test_anytime_stops_when_the_deadline_has_come() -> None:
    asked = iter([False, False, True])
    grid = SearchGrid(40, 40, blocked=[40 * 40 - 2, 40 * 39 - 1])
    assert grid_anytime_beam(grid, 0, 40 * 40 - 1, is_over=lambda: next(asked, True)) == []
    assert next(asked, "all were asked") == "all were asked"


def test_anytime_on_a_general_graph_ends_though_the_depth_bound_cuts() -> None:
    plans = anytime_beam(0, {7}, neighbours=lambda n: (n + 1, 2 * n), rank=lambda n, cost: abs(7 - n), max_depth=20)
    assert [plan.path for plan in plans][-1] == (0, 1, 2, 3, 6, 7)
    assert grid_anytime_beam(SearchGrid(9, 1), 0, 8, max_width=64) != []
    assert list(anytime_beam(0, {99}, neighbours=lambda n: (n + 1,), rank=unranked, max_depth=5)) == []


def test_lookahead_returns_the_way_to_the_best_leaf_a_dead_end_included() -> None:
    values = {"": 0, "l": 5, "r": 1, "ll": 2, "lr": 3, "rl": 9, "rr": 0, "win": 100, "go": 1, "go on": 2}

    def path(after: Callable[[str], tuple[str, ...]], depth: int) -> tuple[str, ...]:
        return beam_lookahead(
            "", neighbours=after, rank=lambda state, cost: -values[state], width=2, depth=depth
        ).path  # fmt: skip

    assert path(lambda state: (state + "l", state + "r"), 2) == ("", "r", "rl")
    assert path({"": ("go", "win"), "win": (), "go": ("go on",), "go on": ()}.__getitem__, 5) == ("", "win")
    assert path(lambda state: (), 4) == ("",)


def test_lookahead_asks_each_state_once_for_its_successors() -> None:
    asked: list[int] = []

    def neighbours(state: int) -> tuple[int, ...]:
        asked.append(state)
        return doubled(state)

    plan = beam_lookahead(1, neighbours=neighbours, rank=lambda state, cost: state, width=4, depth=3)
    assert len(asked) == len(set(asked)) == plan.stats.expanded == 7


def test_lookahead_keeps_the_last_complete_layer_at_the_deadline() -> None:
    is_over = iter([False, True]).__next__
    plan = beam_lookahead(1, neighbours=doubled, rank=lambda n, cost: -n, width=64, depth=12, is_over=is_over)
    assert plan.path == (1, 3, 7, 15, 31)
