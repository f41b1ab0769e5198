"""D* Lite while prices change and the robot moves, against a search from scratch; every known defect is noticed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.bots.planners.budget import Budget
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.graph import ArcChange
from gridjoust.bots.planners.grid import SearchGrid
from gridjoust.bots.planners.grid_dstar_lite import make_grid_dstar_lite
from tests.bots.planners.boards import draw, make_search_grid
from tests.bots.planners.oracle import INF, Board, dijkstra_to
from tests.bots.planners.replanning import EXPANSIONS, TRIALS, Findings, expansions, is_right, live_through, verdict
from tests.doubles.planners.broken_dstar_lite import (
    DEFECTS,
    ROUNDING_TRUSTED,
    UNSEEN_DEFECTS,
    Defect,
    make_broken,
    make_broken_module,
)


@pytest.mark.gate
@pytest.mark.parametrize("trial", TRIALS)
def test_every_replan_equals_a_search_from_scratch(trial: str) -> None:
    findings = verdict(TRIALS[trial], GridDStarLite)
    assert findings.is_clean, findings


@pytest.mark.gate
def test_expansions_are_what_they_were() -> None:
    assert expansions(GridDStarLite) == EXPANSIONS


@pytest.mark.default(
    "a node that became consistent stays in the queue",
    "keys and plans stay with the first cell of the robot",
    "the search stops as soon as the start has a cost",
    "risen prices are ignored",
)
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.name)
def test_a_trial_notices_the_defect(defect: Defect) -> None:
    trial = TRIALS[defect.trial](make_broken(defect))
    assert any(getattr(findings, defect.finding) for findings in trial)


@pytest.mark.gate
@pytest.mark.parametrize("defect", UNSEEN_DEFECTS, ids=lambda defect: defect.name)
def test_only_the_number_of_expansions_shows_what_costs_do_not_show(defect: Defect) -> None:
    broken = make_broken(defect)
    assert verdict(TRIALS["changing world"], broken).is_clean
    assert expansions(broken) > EXPANSIONS


@pytest.mark.gate
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32), width=st.integers(1, 4), height=st.integers(1, 4), eight=st.booleans())
def test_every_replan_is_right_on_boards_that_shrink(seed: int, width: int, height: int, eight: bool) -> None:
    findings = Findings()
    board = Board(width, height, (1,) * (width * height), eight=eight)
    live_through(board, random.Random(seed), GridDStarLite, findings)
    assert findings.is_clean, findings


Change = dict[int, float]
CHANGES: dict[str, tuple[tuple[str, ...], int, int, list[tuple[Change, tuple[int, ...], float]]]] = {
    "the start is the goal": (("...", "...", "..."), 4, 4, [({}, (4,), 0)]),
    "an enclosed goal opens": (
        ("..#.", "..##", "...."), 0, 3, [({}, (), INF), ({7: 1}, (0, 1, 5, 9, 10, 11, 7, 3), 7)]),
    "a start is walled in and let out": (
        ("....",), 0, 3, [({}, (0, 1, 2, 3), 3), ({1: INF}, (), INF), ({1: 4}, (0, 1, 2, 3), 6)]),
    "the cell under the robot is blocked": (("...",), 0, 2, [({}, (0, 1, 2), 2), ({0: INF}, (), INF)]),
    "the goal is blocked": (("...",), 0, 2, [({}, (0, 1, 2), 2), ({2: INF}, (), INF)]),
    "a freed short cut is taken": (
        ("...", ".#.", ".#.", "..."), 9, 11,
        [({10: INF}, (9, 6, 3, 0, 1, 2, 5, 8, 11), 8), ({7: 1}, (9, 6, 7, 8, 11), 4)]),
    "prices rise and fall": (
        ("...", "..."), 3, 5, [({}, (3, 4, 5), 2), ({4: 9}, (3, 0, 1, 2, 5), 4), ({4: 2}, (3, 4, 5), 3)]),
    "of equal ways the one that is named first": (("...", "...", "..."), 6, 2, [({}, (6, 3, 0, 1, 2), 4)]),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "start", "goal", "turns"), CHANGES.values(), ids=CHANGES)
def test_path_after_every_change(
    rows: tuple[str, ...], start: int, goal: int, turns: list[tuple[Change, tuple[int, ...], float]]
) -> None:
    planner = GridDStarLite(make_search_grid(draw(*rows)), start, goal)
    for change, path, cost in turns:
        planner.change(change)
        plan = planner.plan()
        assert (plan.path, plan.cost) == (path, cost)
        assert planner.next_step() == (path[1] if len(path) > 1 else None)


def test_the_robot_may_be_carried_off_the_path() -> None:
    board = draw(".....", ".###.", ".....", ".###.", ".....")
    planner = GridDStarLite(make_search_grid(board), 0, 24)
    for cell in (0, 4, 10, 14, 20, 2, 24):
        planner.move_start(cell)
        planner.search()
        assert is_right(planner, board, 24)


def test_neither_following_the_path_nor_a_change_far_off_costs_an_expansion() -> None:
    planner = GridDStarLite(SearchGrid(30, 30), 0, 29)
    assert planner.search().expanded > 0
    planner.change({29 * 30: INF})
    assert planner.search().expanded == 0
    while (step := planner.next_step()) is not None:
        planner.move_start(step)
    assert (planner.start, planner.search().expanded) == (29, 0)


def test_asking_before_searching_is_refused() -> None:
    planner = GridDStarLite(SearchGrid(3, 1), 0, 2)
    with pytest.raises(RuntimeError, match="call search"):
        planner.next_step()
    planner.search()
    planner.change({1: INF})
    with pytest.raises(RuntimeError, match="call search"):
        planner.path()


def test_free_arcs_are_refused_where_they_would_lead_in_circles() -> None:
    planner = DStarLite(0, 2, neighbours=lambda node: [(node + 1) % 4, (node - 1) % 4], cost=lambda tail, head: 0)
    planner.search()
    with pytest.raises(ValueError, match="costs: expected all above 0"):
        planner.path()


Prices = dict[tuple[str, str], float]


def on_prices(prices: Prices, start: str, goal: str) -> DStarLite[str]:
    """On a graph of one-way arcs whose prices the test changes."""
    return DStarLite(
        start,
        goal,
        neighbours=lambda node: [head for tail, head in prices if tail == node],
        predecessors=lambda node: [tail for tail, head in prices if head == node],
        cost=lambda tail, head: prices[tail, head],
    )


def test_a_node_that_finds_another_way_of_equal_cost_is_not_expanded() -> None:
    prices: Prices = {("start", "t"): 1, ("t", "a"): 1, ("t", "b"): 1, ("a", "goal"): 1, ("b", "goal"): 5}
    planner = on_prices(prices, "start", "goal")
    assert planner.plan().path == ("start", "t", "a", "goal")
    prices |= {("t", "a"): 9, ("b", "goal"): 1}
    planner.update([ArcChange("t", "a", 1, 9), ArcChange("b", "goal", 5, 1)])
    plan = planner.plan()
    assert plan.path == ("start", "t", "b", "goal")
    assert plan.stats.expanded == 1  # b alone


def test_one_way_arcs_and_prices_that_differ_by_direction() -> None:
    prices: Prices = {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 5.0, ("c", "a"): 1.0, ("b", "a"): 9.0}
    planner = on_prices(prices, "a", "c")
    assert planner.plan().path == ("a", "b", "c")
    del prices["b", "c"]
    planner.update([ArcChange("b", "c", 1, INF)])
    assert planner.plan().path == ("a", "c")
    prices["b", "c"] = 2
    planner.update([ArcChange("b", "c", INF, 2)])
    assert planner.plan().cost == 3


@pytest.mark.gate
def test_outdated_entries_do_not_pile_up() -> None:
    planner = GridDStarLite(SearchGrid(60, 1), 0, 30)
    for turn in range(3000):
        planner.change({30: (1, 2)[turn % 2]})  # renews the key of cell 31, behind the goal, which is never expanded
        planner.search()
    assert len(planner._heap) <= 1001 + 4 * len(planner._queued)
    assert planner.plan().cost == 31


def test_no_node_is_expanded_more_than_twice_in_a_search() -> None:
    rng = random.Random("twice")
    most = 0
    for _ in range(150):
        grid = SearchGrid(7, 7, connectivity=8, diagonal_cost=1, cut_corners=True)
        expanded: Counter[int] = Counter()

        def predecessors(cell: int, grid: SearchGrid = grid, log: Counter[int] = expanded) -> tuple[int, ...]:
            log[cell] += 1  # asked once for each expansion
            return grid.neighbours[cell]

        planner = DStarLite(
            0,
            48,
            neighbours=grid.neighbours.__getitem__,
            predecessors=predecessors,
            heuristic=lambda a, b, grid=grid: grid.estimate_to((a,))(b),  # type: ignore[misc]
        )
        for _ in range(6):
            expanded.clear()
            stats = planner.search()
            assert stats.expanded == expanded.total()
            most = max([most, *expanded.values()])
            step = planner.next_step()
            planner.move_start(planner.start if step is None else step)
            planner.update(grid.change({cell: rng.choice([1, INF]) for cell in rng.sample(range(1, 48), 6)}))
    assert most == 2


class TenthsWorld:
    """A board whose cells cost 0.1, 0.2 or 0.3: equal paths differ in their last digits, and most keys tie."""

    def __init__(self, size: int) -> None:
        self.board = Board(size, size, (0.1,) * (size * size))

    def neighbours(self, cell: int) -> list[int]:
        return [head for head in self.board.cells if self.board.step_cost(cell, head) < INF]

    def cost(self, tail: int, head: int) -> float:
        return self.board.step_cost(tail, head)

    def estimate(self, tail: int, head: int) -> float:
        size = self.board.width
        return 0.1 * (abs(tail % size - head % size) + abs(tail // size - head // size))

    def change(self, costs: dict[int, float]) -> list[ArcChange[int]]:
        before, after = self.board, self.board.with_costs(costs)
        self.board = after
        arcs = [(tail, head) for tail in after.cells for head in after.cells]
        changes = [ArcChange(*arc, before.step_cost(*arc), after.step_cost(*arc)) for arc in arcs]
        return [change for change in changes if change.old != change.new]


def count_wrong_costs(planner_class: type[DStarLite[int]], seed: int) -> int:
    rng = random.Random(f"tenths {seed}")
    world, goal, wrong = TenthsWorld(6), 35, 0
    planner = planner_class(0, goal, neighbours=world.neighbours, cost=world.cost, heuristic=world.estimate)
    for _ in range(8):
        planner.search()
        wrong += planner.cost != pytest.approx(dijkstra_to(world.board, goal)[planner.start])
        step = planner.next_step()
        planner.move_start(planner.start if step is None else step)
        planner.update(world.change({cell: rng.choice([0.1, 0.2, 0.3, INF]) for cell in rng.sample(range(1, goal), 2)}))
    return wrong


@pytest.mark.gate
def test_sums_that_carry_rounding_do_not_stop_it_early_as_they_would_if_they_were_trusted() -> None:
    assert [count_wrong_costs(DStarLite, seed) for seed in range(25)] == [0] * 25
    trusting = make_broken_module(ROUNDING_TRUSTED).DStarLite
    assert sum(count_wrong_costs(trusting, seed) for seed in range(25)) > 0


def test_stats_come_from_the_given_clock() -> None:
    ticks = iter(range(9))
    planner = GridDStarLite(SearchGrid(3, 1), 0, 2, clock=lambda: next(ticks) / 1000)
    assert planner.search().planning_ms == pytest.approx(1.0)


@pytest.mark.parametrize("make", [GridDStarLite, make_grid_dstar_lite])
def test_what_is_expanded_after_the_first_whole_search_mends_it(make: Callable[..., GridDStarLite]) -> None:
    planner = make(make_search_grid(draw(".....", ".###.", ".....")), 0, 14)
    stopped, first = planner.search(budget=Budget(3)), planner.search()
    planner.change({4: INF})
    mended = planner.search()
    assert (stopped.expanded, stopped.repaired, first.repaired) == (2, 0, 0)
    assert first.expanded > 0
    assert mended.repaired == mended.expanded > 0
