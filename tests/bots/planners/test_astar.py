"""What sets A* apart from the other searches, and A* through space and time."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.astar import astar, grid_astar, grid_timed_astar, search_arcs
from gridjoust.bots.planners.graph import no_estimate
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.stats import Plan, PlanStats
from tests.bots.planners.boards import as_functions, draw, make_search_grid, problems, same
from tests.bots.planners.oracle import INF, Board, dijkstra_to, path_cost


def assert_cheapest(board: Board, plan: Plan[int], start: int, goals: set[int]) -> None:
    expected = dijkstra_to(board, *goals)[start]
    assert same(plan.cost, expected)
    if expected < INF:
        assert (plan.path[0], plan.path[-1] in goals) == (start, True)
        assert same(path_cost(board, plan.path), expected)
    else:
        assert plan.path == ()


@pytest.mark.gate
def test_path_to_the_nearest_of_several_goals_is_cheapest() -> None:
    rng = random.Random("several goals")
    for board, grid, start, _ in problems("several goals", 600):
        goals = set(rng.sample(board.cells, min(rng.choice([2, 3]), len(board.cells))))
        assert_cheapest(board, grid_astar(grid, start, goals), start, goals)


@pytest.mark.parametrize("goals", [{2}, {2, 5}])
def test_a_path_may_cost_as_much_as_the_limit_and_no_more(monkeypatch: pytest.MonkeyPatch, goals: set[int]) -> None:
    monkeypatch.setattr(kernels, "active", None)
    found = [grid_astar(SearchGrid(3, 2), 0, goals, cost_limit=limit).cost for limit in (2, 1.5)]
    assert found == [2, INF]


@pytest.mark.gate
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


def logged(grid: SearchGrid, start: int, goal: int) -> tuple[Plan[int], list[int]]:
    """A* on the grid as functions, and the cells that it expands."""
    expanded: list[int] = []

    def neighbours(cell: int) -> tuple[int, ...]:
        expanded.append(cell)
        return grid.neighbours[cell]

    functions = as_functions(grid) | {"neighbours": neighbours}
    plan = astar(start, {goal}, **functions, heuristic=grid.estimate_to({goal}))
    return plan, expanded


def test_buckets_a_heap_and_functions_give_the_same_plan_by_the_same_expansions() -> None:
    for _, grid, start, goal in problems("buckets", 400, largest=12):
        heap = search_arcs(start, {goal}, arcs=grid.arcs, heuristic=grid.estimate_to({goal}))
        functions, _ = logged(grid, start, goal)
        assert outcome(grid_astar(grid, start, {goal})) == outcome(heap) == outcome(functions)


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
    for _, grid, start, goal in problems("consistent", 300):
        plan, expanded = logged(grid, start, goal)
        estimate = grid.estimate_to({goal})
        from_start = {cell: grid_astar(grid, start, {cell}).cost for cell in expanded}
        assert len(expanded) == len(set(expanded))
        assert all(from_start[cell] + estimate(cell) <= plan.cost for cell in expanded)


def test_larger_g_first_walks_straight_over_an_open_board() -> None:
    plan = grid_astar(SearchGrid(64, 64), 0, {64 * 64 - 1})
    assert plan.stats.expanded == 126  # one for each step; with smaller g first all 4095


def test_no_goal_means_no_path() -> None:
    plan = grid_astar(SearchGrid(2, 2), 0, set())
    assert (plan.path, plan.cost, plan.stats.expanded) == ((), INF, 4)


def test_the_cost_limit_is_inclusive_and_saves_work() -> None:
    for _, grid, start, goal in problems("limit", 200):
        plan = grid_astar(grid, start, {goal})
        if plan.found:
            assert grid_astar(grid, start, {goal}, cost_limit=plan.cost).path == plan.path
            assert not grid_astar(grid, start, {goal}, cost_limit=plan.cost - 0.1).found
    walled = make_search_grid(draw("........#.", "........##"))
    assert grid_astar(walled, 0, {9}, cost_limit=9).stats.expanded < grid_astar(walled, 0, {9}).stats.expanded
    on_a_line = [astar(0, {5}, neighbours=lambda node: [node + 1], cost_limit=limit).cost for limit in (5, 4)]
    assert on_a_line == [5, INF]


def test_stats_count_expansions_successors_and_the_largest_frontier_and_add_up() -> None:
    ticks = iter([1.0, 1.25])
    plan = grid_astar(SearchGrid(3, 1), 0, {2}, clock=lambda: next(ticks))
    assert plan.stats == PlanStats(expanded=2, generated=3, frontier=1, planning_ms=250.0)
    total = plan.stats + PlanStats(10, 20, 2, 40.0)
    assert total == PlanStats(expanded=12, generated=23, frontier=2, planning_ms=290.0)
    assert total + PlanStats(0, 0, 1, 0.0) == total
    assert PlanStats(repaired=1, reused=2) + PlanStats(repaired=3, reused=4) == PlanStats(repaired=4, reused=6)


Spots = set[tuple[int, int]]  # (cell, tick) that is forbidden


def timed(
    grid: SearchGrid, is_goal: Callable[[int, int], bool], spots: Spots, *, horizon: int, start: int = 0, goal: int = -1
) -> Plan[int]:
    """The plan from the start, estimated if a single goal is given."""
    heuristic = no_estimate if goal < 0 else grid.estimate_to({goal})
    return grid_timed_astar(
        grid,
        start,
        is_goal,
        is_forbidden=lambda cell, tick: (cell, tick) in spots,
        horizon=horizon,
        heuristic=heuristic,
    )


def cheapest(board: Board, start: int, goal: int, spots: Spots, horizon: int) -> float:
    """Backwards over the ticks: what is left from every cell at the horizon, then at the tick before, and so on."""
    left = dijkstra_to(board, goal)
    for tick in range(horizon - 1, -1, -1):
        now = []
        for cell in board.cells:
            open_now = {head for head in board.cells if tick + 1 >= horizon or (head, tick + 1) not in spots}
            ways = [board.step_cost(cell, head) + left[head] for head in open_now if board.step_cost(cell, head) < INF]
            ways += [1 + left[cell]] if cell in open_now else []
            now.append(0.0 if cell == goal else min(ways, default=INF))
        left = now
    return left[start]


def test_timed_costs_equal_an_oracle_on_any_board_with_any_danger() -> None:
    rng = random.Random("danger")
    for board, grid, start, goal in problems("danger", 300, largest=4):
        horizon = rng.randint(0, 6)
        spots = {(cell, tick) for cell in board.cells for tick in range(1, 9) if rng.random() < 0.4}
        plan = timed(grid, lambda cell, _, to=goal: cell == to, spots, horizon=horizon, start=start, goal=goal)  # type: ignore[misc]
        assert same(plan.cost, cheapest(board, start, goal, spots, horizon))
        assert all((cell, tick) not in spots for tick, cell in enumerate(plan.path[:horizon]) if tick)
        moves = [1 if tail == head else board.step_cost(tail, head) for tail, head in pairwise(plan.path)]
        assert same(sum(moves), plan.cost if plan.found else 0)


def test_it_waits_until_the_fire_is_out() -> None:
    plan = timed(SearchGrid(3, 1), lambda cell, _: cell == 2, {(1, 1), (1, 2)}, horizon=3)
    assert plan.path == (0, 0, 0, 1, 2)
    assert (plan.cost, plan.stats.expanded, plan.stats.generated) == (4, 5, 7)


def test_it_survives_by_being_nowhere_at_the_wrong_time() -> None:
    row_burns_at_2 = {(0, 2), (1, 2), (2, 2)}
    plan = timed(make_search_grid(draw("...", "#.#")), lambda _, tick: tick == 4, row_burns_at_2, horizon=4)
    assert (plan.path[2], len(plan.path)) == (4, 5)


@pytest.mark.parametrize(
    ("spots", "path"),
    [({(0, 2)}, (0, 1, 1, 0)), ({(0, 2), (1, 2)}, ())],
    ids=["of equal ways the one to a neighbour is named before waiting", "no escape is no path"],
)
def test_escape(spots: Spots, path: tuple[int, ...]) -> None:
    assert timed(SearchGrid(2, 1), lambda _, tick: tick == 3, spots, horizon=3).path == path


def test_an_unreachable_goal_ends_the_search_after_the_horizon() -> None:
    plan = timed(make_search_grid(draw("..#.")), lambda cell, _: cell == 3, set(), horizon=10)
    assert (plan.found, plan.stats.expanded) == (False, 21)  # the start at tick 0, two cells at each of ten ticks


def test_the_oracle_measures_a_drawn_board() -> None:
    assert dijkstra_to(draw("..", "#3"), 3) == [4.0, 3.0, INF, 0.0]
    assert dijkstra_to(draw("...", ".#.", eight=True), 3, 2) == [1.0, 1.0, 0.0, 0.0, INF, 1.0]
    assert path_cost(draw(".#."), (0, 1, 2)) == INF
