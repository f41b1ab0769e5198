"""The compiled kernels against the list code: the same plans, the same counts, the same ties."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import zlib
from copy import deepcopy
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.bots.planners import kernels
from gridjoust.bots.planners.astar import grid_astar
from gridjoust.bots.planners.beam import grid_beam
from gridjoust.bots.planners.budget import ENDLESS, Budget
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan, scan_values
from gridjoust.bots.planners.dstar_lite import GridDStarLite
from gridjoust.bots.planners.graph import Terrain, directed_terrain
from gridjoust.bots.planners.grid import SQRT2, SearchGrid, open_terrain
from gridjoust.bots.planners.grid_dstar_lite import CompiledDStarLite, make_grid_dstar_lite
from gridjoust.bots.planners.stats import INF, Plan
from tests.bots.planners.both import by_both, needs_kernels

ROOT = Path(__file__).parents[3]
START_VALUES = st.sampled_from([-4, -1.5, 0, 0.0, 0.25, 2, 7])


@st.composite
def terrains(draw: st.DrawFn) -> Terrain:
    """Lattices, boards of a search grid of any kind, and graphs whose steps cannot be taken back."""
    width, height = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    size = width * height
    rng = random.Random(draw(st.integers(0, 2**32)))
    walls = [cell for cell in range(size) if rng.random() < rng.choice([0, 0.2, 0.5])]
    match draw(st.sampled_from(["lattice", "grid", "priced", "directed"])):
        case "lattice":
            return open_terrain(width, height, walls=walls)
        case "directed":
            return directed_terrain(
                tuple(tuple(rng.sample(range(size), rng.randint(0, min(4, size)))) for _ in range(size))
            )
        case kind:
            costs = [rng.choice([1, 2, 1.5, 5]) for _ in range(size)] if kind == "priced" else None
            shape: dict[str, Any] = {"connectivity": rng.choice([4, 8]), "cut_corners": rng.random() < 0.5}
            shape["diagonal_cost"] = rng.choice([1, 2**0.5])
            return SearchGrid(width, height, blocked=walls, costs=costs, **shape).terrain()


@st.composite
def grids(draw: st.DrawFn) -> SearchGrid:
    """Of any shape, density, connectivity and pricing."""
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    rng = random.Random(draw(st.integers(0, 2**32)))
    density = rng.choice([0, 0.2, 0.4])
    costs = [rng.choice([1, 2, 1.5, 2.7]) for _ in range(width * height)]
    return SearchGrid(
        width,
        height,
        blocked=[cell for cell in range(width * height) if rng.random() < density],
        costs=draw(st.sampled_from([None, None, costs])),
        connectivity=draw(st.sampled_from([4, 8])),
        cut_corners=rng.random() < 0.5,
        diagonal_cost=rng.choice([1, 1.5, SQRT2, 2]),
        least_cost=rng.choice([1, 1, 0.7]),
    )


def everything(chart: DijkstraMap) -> tuple[Any, ...]:
    return chart.sources, chart.values, chart.maximum, chart.stats


@pytest.mark.gate
@needs_kernels
@given(terrains(), st.data())
def test_a_map_and_its_rescan_are_those_of_the_list_code(terrain: Terrain, data: st.DataObject) -> None:
    goals = data.draw(st.dictionaries(st.integers(0, terrain.size - 1), START_VALUES, max_size=6))
    maximum = data.draw(st.sampled_from([100.0, 5, 3.5]))
    plain, fast = by_both(lambda: scan(terrain, goals, maximum=maximum))
    assert everything(fast) == everything(plain)
    factor = data.draw(st.sampled_from([-1.2, -2, 0.5]))
    assert everything(fast.rescanned(factor)) == everything(by_both(lambda: plain.rescanned(factor))[0])


@pytest.mark.gate
@needs_kernels
@given(terrains(), st.data())
def test_a_map_of_start_values_is_that_of_the_list_code(terrain: Terrain, data: st.DataObject) -> None:
    sources = data.draw(st.lists(st.one_of(START_VALUES, st.just(100.0)), min_size=terrain.size, max_size=terrain.size))
    plain, fast = by_both(lambda: scan_values(terrain, sources))
    assert everything(fast) == everything(plain)


@needs_kernels
def test_a_map_with_as_many_start_values_as_cells_is_that_of_the_list_code_large_and_small_by_turns() -> None:
    for width in (60, 3, 90):
        terrain = open_terrain(width, width)
        goals = {cell: float(2 * cell) for cell in range(terrain.size)}  # each is reached before its turn
        plain, fast = by_both(partial(scan, terrain, goals, maximum=1e6))
        assert everything(fast) == everything(plain)


@pytest.mark.gate
@needs_kernels
@given(terrains(), st.data())
def test_a_map_is_repaired_as_by_the_list_code(terrain: Terrain, data: st.DataObject) -> None:
    cells = st.integers(0, terrain.size - 1)
    goals = data.draw(st.dictionaries(cells, START_VALUES, max_size=4))
    chart = scan(terrain, goals, maximum=data.draw(st.sampled_from([100.0, 5])))
    for _ in range(3):
        terrain = replace(terrain, walls=terrain.walls ^ data.draw(st.frozensets(cells, max_size=3)))
        most = data.draw(st.sampled_from([ENDLESS, ENDLESS, 1, 4]))
        plain, fast = by_both(partial(repaired, chart, terrain, most))
        assert [(everything(made), spent) for made, spent in (plain, fast)] == [(everything(plain[0]), plain[1])] * 2
        chart = fast[0]


def repaired(chart: DijkstraMap, terrain: Terrain, most: int) -> tuple[DijkstraMap, int]:
    budget = Budget(most)
    return chart.updated(terrain, budget=budget), budget.spent


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_a_map_of_a_grid_is_repaired_as_by_the_list_code_while_prices_stay_and_walls_come_and_go(
    grid: SearchGrid, data: st.DataObject
) -> None:
    cells = st.integers(0, grid.size - 1)
    free = {cell: cost if cost < INF else 1 for cell, cost in enumerate(grid.entry_costs)}
    chart = scan(grid.terrain(), {data.draw(cells): 0})
    for _ in range(3):
        walls = data.draw(st.sets(cells, max_size=3))
        grid.change({cell: free[cell] if grid.is_blocked(cell) else INF for cell in walls})
        plain, fast = by_both(partial(chart.updated, grid.terrain()))
        assert everything(fast) == everything(plain)
        chart = fast


@needs_kernels
def test_a_goal_beside_the_board_is_refused_and_not_written_to() -> None:
    for cell in (6, -1, 2**40):
        with pytest.raises(IndexError, match="expected 0 to 5"):
            scan(open_terrain(3, 2), {cell: 0})
    with pytest.raises(IndexError, match="expected 6, got 5"):
        scan_values(open_terrain(3, 2), [0.0] * 5)


@needs_kernels
def test_maps_leave_no_reference_behind_and_take_none_too_many() -> None:
    terrain, maximum, start = open_terrain(40, 40, walls=[5]), 1e6 + 0.5, 2.5
    before = sys.getrefcount(maximum), sys.getrefcount(start), sys.getrefcount(None)
    for _ in range(50):
        scan(terrain, {0: start, 7: start}, maximum=maximum).rescanned(-1.2)
    after = sys.getrefcount(maximum), sys.getrefcount(start), sys.getrefcount(None)
    assert all(abs(now - then) < 20 for now, then in zip(after, before, strict=True))


def test_a_module_of_other_sources_is_stale(tmp_path: Path) -> None:
    folder = tmp_path / "gridjoust" / "bots" / "planners" / "_kernels"
    folder.mkdir(parents=True)
    source, module = folder / "heap.py", ModuleType("_compiled")
    source.write_bytes(b"a = 1\n")
    assert not kernels.is_fresh(module, tmp_path, "planners")
    module.SOURCES = {"gridjoust/bots/planners/_kernels/heap.py": zlib.crc32(b"a = 1\n")}  # type: ignore[attr-defined]
    assert kernels.is_fresh(module, tmp_path, "planners")
    source.write_bytes(b"a = 2\n")
    assert not kernels.is_fresh(module, tmp_path, "planners")
    source.write_bytes(b"a = 1\n")
    (folder / "more.py").write_bytes(b"b = 1\n")
    assert not kernels.is_fresh(module, tmp_path, "planners")


@pytest.mark.parametrize(
    ("built", "said"),
    [
        (kernels.ROOMS, "compiled"),
        (
            ("bomber", "planners"),
            "pure Python (not built from this source: bots/placement/_compiled, bots/ricochet/_compiled)",
        ),
    ],
)
def test_what_runs_is_said_with_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, built: tuple[str, ...], said: str
) -> None:
    module = ModuleType("_compiled")
    made = {f"gridjoust.bots.{room}._compiled" for room in built}
    monkeypatch.delenv("JOUST_PURE", raising=False)
    monkeypatch.setattr(kernels, "import_module", lambda name: module if name in made else import_module("no.such"))
    monkeypatch.setattr(kernels, "is_fresh", lambda found, root, room: (found, root) == (module, ROOT) and room)
    assert kernels.describe_kernels() == said
    assert kernels.compiled_kernels(built[0]) is module
    monkeypatch.setattr(kernels, "is_fresh", lambda found, root, room: False)
    assert kernels.compiled_kernels(built[0]) is None
    for switch, is_wanted in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv("JOUST_PURE", switch)
        assert kernels.is_pure_wanted() is is_wanted
    monkeypatch.setenv("JOUST_PURE", "1")
    monkeypatch.setattr(kernels, "is_fresh", lambda found, root, room: True)
    assert kernels.compiled_kernels(built[0]) is None
    assert kernels.describe_kernels() == "pure Python (JOUST_PURE is set)"


@pytest.mark.gate
def test_a_switch_in_the_environment_keeps_to_the_list_code_and_the_command_says_so() -> None:
    code = "from gridjoust.commands import main; main()"
    for switch, said in (("1", "pure Python (JOUST_PURE is set)"), ("0", kernels.describe_kernels())):
        if "JOUST_PURE" in os.environ and switch == "0":
            continue
        done = subprocess.run(
            [sys.executable, "-c", code, "--version", "-v"],
            check=True, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "JOUST_PURE": switch},
        )  # fmt: skip
        assert done.stdout.splitlines()[1:] == [f"planners: {said}"]


def plan_of(plan: Plan[int]) -> tuple[Any, ...]:
    return plan.path, plan.cost, plan.stats.expanded, plan.stats.generated, plan.stats.frontier


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_astar_finds_the_plan_of_the_list_code_at_the_same_cost_while_the_board_changes(
    grid: SearchGrid, data: st.DataObject
) -> None:
    cells = st.integers(0, grid.size - 1)
    for _ in range(3):
        start, goals = data.draw(cells), data.draw(st.sets(cells, min_size=1, max_size=3))
        cost_limit = data.draw(st.sampled_from([INF, INF, 9.3, 4]))
        plain, fast = by_both(partial(grid_astar, grid, start, goals, cost_limit=cost_limit))
        assert plan_of(fast) == plan_of(plain)
        grid.change({data.draw(cells): data.draw(st.sampled_from([1, 3, INF]))})


@needs_kernels
@pytest.mark.parametrize("cut_corners", [False, True])
@pytest.mark.parametrize("diagonal_cost", [1, SQRT2, 1.75, 2])
def test_astar_with_eight_neighbours_finds_the_plan_of_the_list_code_on_large_boards_with_any_budget(
    cut_corners: bool, diagonal_cost: float
) -> None:
    size, rng = 48, random.Random(f"eight {cut_corners} {diagonal_cost}")
    for density in (0, 0.1, 0.25, 0.35):
        walls = [cell for cell in range(size**2) if rng.random() < density]
        grid = SearchGrid(
            size, size, blocked=walls, connectivity=8, cut_corners=cut_corners, diagonal_cost=diagonal_cost
        )
        for _ in range(8):
            start, goal, work = rng.randrange(size**2), rng.randrange(size**2), rng.choice([ENDLESS, ENDLESS, 0, 60])
            plain, fast = by_both(lambda: grid_astar(grid, start, {goal}, budget=Budget(work)))  # noqa: B023
            assert plan_of(fast) == plan_of(plain)
            grid.change({cell: 1 if grid.is_blocked(cell) else INF for cell in rng.sample(range(size**2), 9)})


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_a_beam_finds_the_plan_of_the_list_code_at_the_same_cost(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goals = data.draw(cells), data.draw(st.sets(cells, max_size=3))
    limits: dict[str, Any] = {
        "width": data.draw(st.sampled_from([1, 2, 3, 5, 2**40])),
        "max_depth": data.draw(st.sampled_from([INF, INF, 0, 1, 7])),
    }
    work = data.draw(st.sampled_from([ENDLESS, 0, 1, 9, 30]))
    plain, fast = by_both(
        lambda: (grid_beam(grid, start, goals, budget=(budget := Budget(work)), **limits), budget.spent)
    )
    assert plan_of(fast[0].plan) == plan_of(plain[0].plan)
    assert (fast[0][1:], fast[1]) == (plain[0][1:], plain[1])


@needs_kernels
def test_astar_and_beams_refuse_ends_beside_the_board() -> None:
    for connectivity in (4, 8):
        grid = SearchGrid(3, 2, connectivity=connectivity)
        for start, goal in ((6, 0), (0, 6), (-1, 0), (0, 2**40)):
            with pytest.raises(IndexError, match="expected 0 to 5"):
                grid_astar(grid, start, {goal})
            with pytest.raises(IndexError, match="expected 0 to 5"):
                grid_beam(grid, start, {goal}, width=1)


def state_of(planner: GridDStarLite) -> tuple[Any, ...]:
    """All that a search leaves behind that can be seen, g and rhs too."""
    if isinstance(planner, CompiledDStarLite):
        g, rhs = (kernels.active.dstar_values(planner._state, which) for which in (1, 2))
    else:
        g, rhs = planner._g, planner._rhs
    return planner.cost, planner.next_step(), planner.path(), list(g), list(rhs)


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_dstar_lite_repairs_as_the_list_code_does(grid: SearchGrid, data: st.DataObject) -> None:
    cells = st.integers(0, grid.size - 1)
    start, goal = data.draw(cells), data.draw(cells)
    fast, plain = make_grid_dstar_lite(deepcopy(grid), start, goal), GridDStarLite(grid, start, goal)
    assert type(fast) is CompiledDStarLite
    for _ in range(data.draw(st.integers(1, 8))):
        costs = [planner.search() for planner in (fast, plain)]
        one, other = ((cost.expanded, cost.generated, cost.frontier) for cost in costs)
        assert one == other
        assert state_of(fast) == state_of(plain)
        step, elsewhere = plain.next_step(), data.draw(cells)
        here = elsewhere if step is None or elsewhere % 3 == 0 else step
        changes = data.draw(st.dictionaries(cells, st.sampled_from([1, 1.5, 2, INF, INF]), max_size=6))
        for planner in (fast, plain):
            planner.move_start(here)
            planner.change(changes)


@pytest.mark.gate
@needs_kernels
@given(grids(), st.data())
def test_the_prices_of_arcs_change_as_in_the_list_code_and_in_its_order(grid: SearchGrid, data: st.DataObject) -> None:
    twin, cells = deepcopy(grid), st.integers(0, grid.size - 1)
    for _ in range(3):
        costs = data.draw(st.dictionaries(cells, st.sampled_from([1, 1.5, 2, INF, INF]), max_size=6))
        assert grid.change(costs) == by_both(partial(deepcopy(twin).change, costs))[0]
        twin.change(costs)
        assert [grid.arcs[cell] for cell in range(grid.size)] == [twin.arcs[cell] for cell in range(grid.size)]


@needs_kernels
def test_a_long_life_keeps_the_queue_of_dstar_lite_small() -> None:
    planner = make_grid_dstar_lite(SearchGrid(40, 40), 0, 1599)
    for turn in range(400):
        planner.change({820 + turn % 3: INF if turn % 2 else 1})
        planner.move_start(turn % 40)
        planner.search()
    assert isinstance(planner, CompiledDStarLite)
    assert len(planner._state[4]) <= 4 * 2**14
