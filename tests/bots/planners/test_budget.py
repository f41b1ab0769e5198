"""Every planner stops at the node with which its budget ends, and by kernels as in the list code."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.bots.planners.astar import grid_astar, grid_timed_astar
from gridjoust.bots.planners.beam import anytime_beam, beam, beam_lookahead, grid_beam
from gridjoust.bots.planners.budget import Budget, OutOfWork
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan, scan_values
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.graph import Terrain
from gridjoust.bots.planners.grid import SearchGrid, open_terrain
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from gridjoust.bots.planners.replanning.arastar import ARAStar
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar
from gridjoust.bots.planners.replanning.mpaastar import MPAAStar
from gridjoust.bots.planners.sipp import grid_sipp
from gridjoust.bots.planners.stats import INF, PlanStats
from tests.bots.planners.both import by_both, needs_kernels
from tests.bots.planners.test_kernels import START_VALUES, everything, grids, plan_of, state_of, terrains

GRID = SearchGrid(9, 9, blocked=[cell for cell in range(81) if cell % 9 == 4 and cell != 76])
START, GOAL = 0, 8
LIMITS = (0, 1, 2, 7, 20)


def estimate(cell: int, _: float = 0) -> float:
    return GRID.estimate_to((GOAL,))(cell)


def by_anytime_beam(budget: Budget) -> PlanStats:
    """Of all beams, those that found nothing better included."""
    near = GRID.neighbours.__getitem__
    for _ in anytime_beam(START, {GOAL}, neighbours=near, rank=estimate, budget=budget, max_width=9):
        pass
    return PlanStats(generated=budget.generated)


SEARCHES: dict[str, Callable[[Budget], PlanStats]] = {
    "A*, one cost": lambda budget: grid_astar(GRID, START, {GOAL}, budget=budget).stats,
    "A*, several goals": lambda budget: grid_astar(GRID, START, {GOAL, 80}, budget=budget).stats,
    "A* in time": lambda budget: (
        grid_timed_astar(
            GRID, START, lambda cell, _: cell == GOAL, is_forbidden=lambda cell, tick: False, horizon=4, budget=budget
        ).stats
    ),
    "ARA*": lambda budget: ARAStar(START, GOAL, arcs=GRID.arcs, heuristic=estimate).search(budget=budget).stats,
    "LPA*": lambda budget: GridLPAStar(GRID, START, GOAL).plan(budget=budget).stats,
    "MPAA*": lambda budget: (
        MPAAStar(GOAL, arcs=GRID.arcs, arcs_in=GRID.arcs_in, heuristic=estimate).search(START, budget=budget).stats
    ),
    "safe intervals": lambda budget: (
        grid_sipp(
            GRID, START, lambda cell, _: cell == GOAL, is_forbidden=lambda cell, tick: False, horizon=4, budget=budget
        ).stats
    ),
    "D* Lite": lambda budget: GridDStarLite(GRID, START, GOAL).plan(budget=budget).stats,
    "D* Lite on a graph": lambda budget: (
        DStarLite(START, GOAL, neighbours=GRID.neighbours.__getitem__).plan(budget=budget).stats
    ),
    "a beam": lambda budget: (
        beam(START, {GOAL}, neighbours=GRID.neighbours.__getitem__, rank=estimate, width=9, budget=budget).stats
    ),
    "wider beams": by_anytime_beam,
    "a beam on a grid": lambda budget: grid_beam(GRID, START, {GOAL}, width=9, budget=budget).plan.stats,
    "a beam to a depth": lambda budget: (
        beam_lookahead(
            START, neighbours=GRID.neighbours.__getitem__, rank=estimate, width=9, depth=9, budget=budget
        ).stats
    ),
    "a map": lambda budget: scan(GRID.terrain(), {GOAL: 0}, budget=budget).stats,
    "a map of parts": lambda budget: scan(GRID.terrain(), {GOAL: 0.5, 80: 0}, budget=budget).stats,
    "a map with prices": lambda budget: scan(SearchGrid(9, 9, costs=[2.5] * 81).terrain(), {8: 0}, budget=budget).stats,
    "a rescan": lambda budget: scan(GRID.terrain(), {GOAL: 0}).rescanned(-1.2, budget=budget).stats,
    "a repair": lambda budget: (
        scan(open_terrain(9, 9), {0: 0}).updated(open_terrain(9, 9, walls=[1, 10]), budget=budget).stats
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_generates_what_it_needs_or_exactly_what_it_may(name: str) -> None:
    needed = SEARCHES[name](Budget()).generated
    assert needed > max(LIMITS)
    for limit in (*LIMITS, needed, needed + 1):
        budget = Budget(limit)
        generated = SEARCHES[name](budget).generated
        assert (generated, budget.spent) == (min(limit, needed),) * 2


def test_what_is_spent_of_a_part_is_spent_of_the_whole_too() -> None:
    budget = Budget(10)
    budget.spend()
    part = budget.part(0.5)
    assert (budget.spent, budget.left, part.left, budget.is_limited) == (1, 9, 4, True)
    part.spend(2)
    part.spend()
    assert (part.left, part.spent, budget.left, part.is_spent) == (1, 3, 6, False)
    budget.spend(6)
    assert (part.left, part.is_spent, budget.is_spent) == (0, True, True)
    budget.refill(None)
    assert (budget.spent, budget.is_limited, Budget().is_limited) == (0, False, False)


def test_tactics_count_up_to_the_limit_and_end_there() -> None:
    budget = Budget(10)
    assert budget.spend(4) == 4
    budget.count_tactics(9)
    assert (budget.generated, budget.tactics, budget.left) == (4, 6, 0)
    budget.count_tactics(0)
    with pytest.raises(OutOfWork):
        budget.count_tactics(1)
    assert budget.spent == 10


def test_what_is_generated_after_the_limit_counts_in_full() -> None:
    budget = Budget(10)
    assert (budget.spend(12), budget.spend(3), budget.spent) == (10, 3, 13)


def test_a_search_leaves_what_is_kept_for_later() -> None:
    budget = Budget(30)
    search = budget.keeping(8)
    assert search.left == 22
    budget.count_tactics(10)
    assert (search.spend(14), search.left, search.is_spent) == (12, 0, True)
    assert (budget.left, budget.is_spent) == (8, False)
    assert (search.spend(3), search.left, budget.left) == (3, -3, 5)  # after the limit, in full
    assert not grid_astar(GRID, START, {GOAL}, budget=search).found
    budget.refill(None)
    assert grid_astar(GRID, START, {GOAL}, budget=search).found


def test_searches_share_a_budget() -> None:
    budget = Budget(150)
    first = grid_astar(GRID, START, {GOAL}, budget=budget)
    second = grid_astar(GRID, START, {GOAL}, budget=budget)
    assert (first.stats.generated + second.stats.generated, second.found, budget.is_spent) == (150, False, True)
    budget.refill(None)
    assert grid_astar(GRID, START, {GOAL}, budget=budget).found


@given(grids(), st.data())
def test_dstar_lite_goes_on_where_its_budget_has_stopped_it(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goal, most = data.draw(cells), data.draw(cells), data.draw(st.integers(1, 9))
    planner, straight = make_grid_dstar_lite(grid, start, goal), GridDStarLite(grid, start, goal)
    needed, spent = straight.search().expanded, 0
    while True:
        spent += planner.search(budget=Budget(most)).expanded
        if not planner.is_stopped:
            break
        assert (planner.cost, planner.next_step(), planner.path()) == (INF, None, ())
    assert (spent, planner.cost, planner.path()) == (needed, straight.cost, straight.path())


@pytest.mark.gate
@given(terrains(), st.data())
def test_a_map_that_was_cut_short_is_nowhere_too_low_and_right_where_it_is_done(
    terrain: Terrain, data: st.DataObject
) -> None:
    goals = data.draw(st.dictionaries(st.integers(0, terrain.size - 1), START_VALUES, max_size=6))
    whole, budget = scan(terrain, goals), Budget(data.draw(st.integers(0, 20)))
    part = scan(terrain, goals, budget=budget)
    assert all(one >= other for one, other in zip(part.values, whole.values, strict=True))
    assert part.stats.generated == budget.spent == min(budget.limit, whole.stats.generated)
    if budget.left:
        assert part.values == whole.values


@pytest.mark.gate
@needs_kernels
@given(terrains(), st.data())
def test_maps_stop_as_those_of_the_list_code(terrain: Terrain, data: st.DataObject) -> None:
    goals = data.draw(st.dictionaries(st.integers(0, terrain.size - 1), START_VALUES, max_size=6))
    most = data.draw(st.integers(0, 20))

    def maps() -> list[tuple[Any, ...]]:
        chart: DijkstraMap = scan(terrain, goals, budget=Budget(most))
        values = scan_values(terrain, chart.sources, budget=Budget(most))
        return [everything(each) for each in (chart, values, chart.rescanned(-1.2, budget=Budget(most)))]

    plain, fast = by_both(maps)
    assert fast == plain


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_astar_and_dstar_lite_stop_as_the_list_code_does(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goals, most = data.draw(cells), data.draw(st.sets(cells, min_size=1, max_size=2)), data.draw(cells)
    plain, fast = by_both(lambda: grid_astar(grid, start, goals, budget=Budget(most)))
    assert plan_of(fast) == plan_of(plain)
    rng, goal = random.Random(most), min(goals)
    searches = make_grid_dstar_lite(grid, start, goal), GridDStarLite(grid, start, goal)
    for _ in range(4):
        spent = [planner.search(budget=Budget(most)) for planner in searches]
        assert len({(stats.expanded, stats.generated, stats.frontier) for stats in spent}) == 1
        assert state_of(searches[0]) == state_of(searches[1])
        here, changes = rng.randrange(grid.size), grid.change({rng.randrange(grid.size): rng.choice([1, 2, INF])})
        for planner in searches:
            planner.move_start(here)
            planner.update(changes)
