"""Jump point search: cheapest paths by an oracle, what it passes, and the kernel against the list code."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import pytest

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.budget import ENDLESS, Budget
from gridjoust.bots.planners.grid import SQRT2, SearchGrid
from gridjoust.bots.planners.jps import JumpSearch, grid_jps
from gridjoust.bots.planners.stats import INF, Plan
from tests.bots.planners.boards import draw, make_search_grid, same
from tests.bots.planners.both import by_both, needs_kernels
from tests.bots.planners.oracle import Board, dijkstra_to, path_cost
from tests.bots.planners.test_kernels import plan_of

MOVES = [(cut_corners, cost) for cut_corners in (False, True) for cost in (1, SQRT2, 1.75, 2)]


def random_board(rng: random.Random, largest: int, *, cut_corners: bool, diagonal_cost: float) -> Board:
    width, height, density = rng.randint(1, largest), rng.randint(1, largest), rng.choice([0, 0.1, 0.25, 0.4])
    costs = tuple(INF if rng.random() < density else 1 for _ in range(width * height))
    return Board(width, height, costs, eight=True, cut_corners=cut_corners, diagonal_cost=diagonal_cost)


@pytest.mark.parametrize(("cut_corners", "diagonal_cost"), MOVES)
def test_paths_are_cheapest_whatever_a_diagonal_costs_and_whether_corners_are_cut(
    cut_corners: bool, diagonal_cost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "active", None)
    rng = random.Random(f"jumps {cut_corners} {diagonal_cost}")
    for _ in range(150):
        board = random_board(rng, 9, cut_corners=cut_corners, diagonal_cost=diagonal_cost)
        start, goal = rng.choice(board.cells), rng.choice(board.cells)
        plan, cheapest = grid_jps(make_search_grid(board), start, goal), dijkstra_to(board, goal)[start]
        assert same(plan.cost, cheapest)
        assert plan.found == (cheapest < INF)
        if plan.found:
            assert (plan.path[0], plan.path[-1]) == (start, goal)
            assert same(path_cost(board, plan.path), cheapest)


@needs_kernels
@pytest.mark.parametrize(("cut_corners", "diagonal_cost"), MOVES)
def test_the_kernel_finds_the_plan_of_the_list_code_with_any_budget_while_the_board_changes(
    cut_corners: bool, diagonal_cost: float
) -> None:
    rng = random.Random(f"jumps by kernel {cut_corners} {diagonal_cost}")
    for _ in range(25):
        grid = make_search_grid(random_board(rng, 30, cut_corners=cut_corners, diagonal_cost=diagonal_cost))
        for _ in range(3):
            start, goal, work = rng.randrange(grid.size), rng.randrange(grid.size), rng.choice([ENDLESS, ENDLESS, 0, 6])
            plain, fast = by_both(partial(planned, grid, start, goal, work))
            assert fast == plain
            changed = rng.sample(range(grid.size), min(grid.size, 9))
            grid.change({cell: 1 if grid.is_blocked(cell) else INF for cell in changed})


def planned(grid: SearchGrid, start: int, goal: int, work: int) -> tuple[object, ...]:
    budget = Budget(work)
    return (*plan_of(grid_jps(grid, start, goal, budget=budget)), budget.spent)


def test_an_open_board_is_crossed_in_two_jumps() -> None:
    plan = grid_jps(SearchGrid(20, 12, connectivity=8), 0, 12 * 20 - 1)
    assert (plan.cost, plan.stats.expanded) == (11 * SQRT2 + 8, 2)  # the start, and where the diagonal jump ends
    assert [head - tail for tail, head in pairwise(plan.path)] == [21] * 11 + [1] * 8


def test_a_jump_ends_where_a_wall_makes_paths_turn() -> None:
    drawn = draw("......", ".###..", "......", eight=True)
    search = JumpSearch(make_search_grid(drawn), 13)
    plan: Plan[int] = search.run(4, ENDLESS)
    assert plan.path == (4, 10, 16, 15, 14, 13)
    assert set(search.closed) <= {4, 10, 16}


def test_rooms_are_crossed_with_fewer_nodes_and_fewer_successors_than_astar_needs() -> None:
    walls = [cell for cell in range(900) if cell % 30 in (9, 19) and cell // 30 not in (4, 25)]
    grid = SearchGrid(30, 30, blocked=walls, connectivity=8)
    plan, other = grid_jps(grid, 0, 899), grid_astar(grid, 0, {899})
    assert plan.cost == other.cost
    assert plan.stats.expanded * 5 < other.stats.expanded
    assert plan.stats.generated * 2 < other.stats.generated


@pytest.mark.parametrize("start", [0, 2])
def test_a_blocked_start_reaches_only_itself(start: int) -> None:
    assert grid_jps(make_search_grid(draw("#..", "...", eight=True)), start, 0).path == ((0,) if start == 0 else ())


@pytest.mark.parametrize("shape", [{"connectivity": 4}, {"connectivity": 8, "costs": [1, 2, 1, 1]}])
def test_boards_without_diagonals_or_with_dear_cells_are_refused(shape: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected a grid with 8 neighbours where every free cell costs 1"):
        grid_jps(SearchGrid(2, 2, **shape), 0, 3)  # type: ignore[arg-type]


@needs_kernels
def test_ends_beside_the_board_are_refused() -> None:
    for start, goal in ((6, 0), (0, 6), (-1, 0), (0, 2**40)):
        with pytest.raises(IndexError, match="expected 0 to 5"):
            grid_jps(SearchGrid(3, 2, connectivity=8), start, goal)
