from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.planners.astar import astar, grid_astar, search_arcs
from bots.planners.grid import SearchGrid
from bots.planners.stats import Plan, PlanStats
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.oracle import INF, Board, distances_to, path_cost, random_board


def assert_cheapest(board: Board, plan: Plan[int], start: int, goals: set[int]) -> None:
    expected = distances_to(board, goals)[start]
    assert same(plan.cost, expected)
    if expected < INF:
        assert plan.path[0] == start
        assert plan.path[-1] in goals
        assert same(path_cost(board, plan.path), expected)
    else:
        assert plan.path == ()


@pytest.mark.parametrize("kind", ["four", "octile", "octile cutting", "unit diagonals"])
def test_grid_paths_are_cheapest_on_any_board(kind: str) -> None:
    rng = random.Random(f"cheapest {kind}")
    for _ in range(500):
        board = random_board(rng, kind=kind)
        start = rng.choice(board.cells)
        goals = set(rng.sample(board.cells, rng.choice([1, 1, min(3, len(board.cells))])))
        assert_cheapest(board, grid_astar(make_search_grid(board), start, goals), start, goals)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), width=st.integers(1, 5), height=st.integers(1, 4), eight=st.booleans())
def test_grid_paths_are_cheapest_on_boards_that_shrink(
    data: st.DataObject, width: int, height: int, eight: bool
) -> None:
    costs = data.draw(st.lists(st.sampled_from([1, 1, 2, INF]), min_size=width * height, max_size=width * height))
    board = Board(width, height, tuple(costs), eight=eight)
    start, goal = data.draw(st.sampled_from(board.cells)), data.draw(st.sampled_from(board.cells))
    assert_cheapest(board, grid_astar(make_search_grid(board), start, {goal}), start, {goal})


def outcome(plan: Plan[int]) -> tuple[object, ...]:
    """All but the time and the peak, which counts outdated entries and may see them leave a moment later."""
    return plan.path, plan.cost, plan.stats.expanded, plan.stats.generated


def test_buckets_expand_what_a_heap_would_in_the_same_order() -> None:
    rng = random.Random("buckets")
    for _ in range(400):
        board = random_board(rng, largest=12)
        grid = make_search_grid(board)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        heap = search_arcs(start, {goal}, arcs=grid.arcs, heuristic=grid.estimate_to({goal}))
        assert outcome(grid_astar(grid, start, {goal})) == outcome(heap)


def test_a_general_graph_gives_the_same_plan_as_the_grid() -> None:
    rng = random.Random("general")
    for _ in range(200):
        board = random_board(rng)
        grid = make_search_grid(board)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        plan = astar(
            start,
            {goal},
            neighbours=lambda cell, grid=grid: grid.neighbours[cell],  # type: ignore[misc]
            cost=lambda tail, head, grid=grid: dict(grid.arcs[tail])[head],  # type: ignore[misc]
            heuristic=grid.estimate_to({goal}),
        )
        assert outcome(plan) == outcome(grid_astar(grid, start, {goal}))


def random_digraph(rng: random.Random) -> dict[str, dict[str, int]]:
    nodes = "abcdefg"[: rng.randint(2, 7)]
    return {tail: {head: rng.randint(0, 9) for head in nodes if rng.random() < 0.4} for tail in nodes}


def rest_costs(graph: dict[str, dict[str, int]], goal: str) -> dict[str, float]:
    rest: dict[str, float] = dict.fromkeys(graph, INF) | {goal: 0}
    for _ in graph:
        for tail, arcs in graph.items():
            rest[tail] = min([rest[tail], *(cost + rest[head] for head, cost in arcs.items())])
    return rest


def test_merely_admissible_heuristics_still_give_cheapest_paths() -> None:
    rng = random.Random("admissible")
    reopened = 0
    for _ in range(2000):
        graph = random_digraph(rng)
        rest = rest_costs(graph, "a")
        guess = {node: rng.uniform(0, min(cost, 99)) for node, cost in rest.items()}
        start = rng.choice(list(graph))
        expanded: list[str] = []

        def neighbours(node: str, graph: dict[str, dict[str, int]] = graph, log: list[str] = expanded) -> list[str]:
            log.append(node)
            return list(graph[node])

        plan = astar(
            start,
            {"a"},
            neighbours=neighbours,
            cost=lambda tail, head, graph=graph: graph[tail][head],  # type: ignore[misc]
            heuristic=guess.__getitem__,
        )
        assert plan.cost == rest[start]
        assert plan.stats.expanded == len(expanded)
        reopened += len(expanded) > len(set(expanded))
    assert reopened > 0


def test_consistent_heuristics_never_expand_a_node_twice_nor_above_the_optimum() -> None:
    rng = random.Random("consistent")
    for _ in range(300):
        board = random_board(rng)
        grid = make_search_grid(board)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        estimate = grid.estimate_to({goal})
        expanded: list[int] = []

        def neighbours(cell: int, grid: SearchGrid = grid, log: list[int] = expanded) -> tuple[int, ...]:
            log.append(cell)
            return grid.neighbours[cell]

        plan = astar(
            start,
            {goal},
            neighbours=neighbours,
            cost=lambda tail, head, grid=grid: dict(grid.arcs[tail])[head],  # type: ignore[misc]
            heuristic=estimate,
        )
        from_start = {cell: grid_astar(grid, start, {cell}).cost for cell in expanded}
        assert len(expanded) == len(set(expanded))
        assert all(from_start[cell] + estimate(cell) <= plan.cost for cell in expanded)


def test_larger_g_first_walks_straight_over_an_open_board() -> None:
    plan = grid_astar(SearchGrid(64, 64), 0, {64 * 64 - 1})
    assert plan.stats.expanded == 126  # one for each step; with smaller g first all 4095


def test_equal_paths_go_the_way_that_is_named_first() -> None:
    plan = grid_astar(SearchGrid(3, 3), 0, {8})
    assert plan.path == (0, 1, 2, 5, 8)


def test_start_at_a_goal_is_a_path_of_one_node() -> None:
    plan = grid_astar(SearchGrid(2, 2), 1, {1})
    assert (plan.path, plan.cost, plan.stats.expanded) == ((1,), 0.0, 0)


def test_an_enclosed_goal_has_no_path() -> None:
    grid = make_search_grid(draw("..#.", "..##", "...."))
    plan = grid_astar(grid, 0, {3})
    assert not plan.found
    assert plan.cost == INF


def test_a_blocked_start_reaches_only_itself() -> None:
    grid = make_search_grid(draw("#.."))
    assert grid_astar(grid, 0, {0}).path == (0,)
    assert not grid_astar(grid, 0, {2}).found


def test_no_goal_means_no_path() -> None:
    plan = grid_astar(SearchGrid(2, 2), 0, set())
    assert (plan.path, plan.cost, plan.stats.expanded) == ((), INF, 4)


def test_the_cost_limit_is_inclusive_and_saves_work() -> None:
    rng = random.Random("limit")
    for _ in range(200):
        board = random_board(rng)
        grid = make_search_grid(board)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        plan = grid_astar(grid, start, {goal})
        if plan.found:
            assert grid_astar(grid, start, {goal}, cost_limit=plan.cost).path == plan.path
            assert not grid_astar(grid, start, {goal}, cost_limit=plan.cost - 0.1).found
    walled = make_search_grid(draw("........#.", "........##"))
    assert grid_astar(walled, 0, {9}, cost_limit=9).stats.expanded < grid_astar(walled, 0, {9}).stats.expanded


def test_the_cost_limit_holds_on_a_general_graph() -> None:
    def line(node: int) -> Iterator[int]:
        yield node + 1

    assert astar(0, {5}, neighbours=line, cost_limit=5).cost == 5
    assert not astar(0, {5}, neighbours=line, cost_limit=4).found


def test_stats_count_expansions_entries_and_the_largest_frontier() -> None:
    ticks = iter([1.0, 1.25])
    plan = grid_astar(SearchGrid(3, 1), 0, {2}, clock=lambda: next(ticks))
    assert plan.stats == PlanStats(expanded=2, generated=3, frontier=1, planning_ms=250.0)


def test_stats_add_up() -> None:
    total = PlanStats(1, 2, 3, 4.0) + PlanStats(10, 20, 2, 40.0)
    assert total == PlanStats(expanded=11, generated=22, frontier=3, planning_ms=44.0)
