"""Every planner reports as `generated` what its tables and functions have yielded, as counted by wrappers of these."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from gridjoust.bots.planners import kernels, sipp
from gridjoust.bots.planners.astar import grid_astar, grid_timed_astar
from gridjoust.bots.planners.beam import beam, beam_lookahead, grid_beam
from gridjoust.bots.planners.dijkstra_map import DijkstraMap, scan
from gridjoust.bots.planners.dstar_lite import DStarLite, GridDStarLite
from gridjoust.bots.planners.graph import ArcChange, Terrain
from gridjoust.bots.planners.grid import SearchGrid, open_terrain
from gridjoust.bots.planners.replanning.lpastar import GridLPAStar
from gridjoust.bots.planners.replanning.mpaastar import MPAAStar
from gridjoust.bots.planners.stats import INF

BLOCKED = [cell for cell in range(81) if cell % 9 == 4 and cell != 76]
START, GOAL = 0, 8


@pytest.fixture(autouse=True)
def list_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the list code: `test_kernels` shows that the kernels count alike."""
    monkeypatch.setattr(kernels, "active", None)


class Yields:
    """The number of nodes that wrapped tables and functions have yielded."""

    def __init__(self) -> None:
        self.count = 0

    def function(self, function: Callable[..., Iterable[Any]]) -> Callable[..., list[Any]]:
        def counted(*arguments: object) -> list[Any]:
            found = list(function(*arguments))
            self.count += len(found)
            return found

        return counted

    def grid(self, grid: SearchGrid) -> SearchGrid:
        for name in ("neighbours", "arcs", "arcs_in"):
            table = getattr(grid, name)
            setattr(grid, name, _Table(self.function(table.__getitem__), table))
        return grid

    def terrain(self, terrain: Terrain) -> Terrain:
        into = _Rows(terrain.into)
        into.note = self._note_row(terrain.walls)
        return Terrain(terrain.out, into, terrain.walls, terrain.into_costs)

    def _note_row(self, walls: frozenset[int]) -> Callable[[tuple[int, ...]], None]:
        def note(row: tuple[int, ...]) -> None:
            self.count += sum(cell not in walls for cell in row)

        return note


class _Table:
    def __init__(self, read: Callable[[int], list[Any]], table: Any) -> None:
        self._read = read
        self.pop = table.pop

    def __getitem__(self, cell: int) -> list[Any]:
        return self._read(cell)


class _Rows(tuple[tuple[int, ...], ...]):
    """Rows of links that note every row read by its number."""

    note: Callable[[tuple[int, ...]], None]

    def __getitem__(self, cell: Any) -> Any:
        row = super().__getitem__(cell)
        self.note(row)
        return row


def estimate(cell: int, _: float = 0) -> float:
    return abs(cell % 9 - GOAL % 9) + abs(cell // 9 - GOAL // 9)


def by_functions(yields: Yields) -> Callable[[int], list[int]]:
    return yields.function(SearchGrid(9, 9, blocked=BLOCKED).neighbours.__getitem__)


def on_grid(yields: Yields, **shape: Any) -> SearchGrid:
    return yields.grid(SearchGrid(9, 9, blocked=BLOCKED, **shape))


def learnt(grid: SearchGrid) -> int:
    """By MPAA*, with a second search after an arc got cheaper and another dearer."""
    planner = MPAAStar(GOAL, arcs=grid.arcs, arcs_in=grid.arcs_in, heuristic=estimate)
    first = planner.search(START).stats.generated
    planner.update([ArcChange(66, 67, INF, 1), ArcChange(75, 76, 1, INF)])
    second = planner.search(START).stats.generated
    assert second > 0
    return first + second


SEARCHES: dict[str, Callable[[Yields], int]] = {
    "A*, one cost": lambda y: grid_astar(on_grid(y), START, {GOAL}).stats.generated,
    "A*, several goals": lambda y: grid_astar(on_grid(y), START, {GOAL, 80}).stats.generated,
    "A*, diagonals": lambda y: grid_astar(on_grid(y, connectivity=8), START, {GOAL}).stats.generated,
    "D* Lite on a graph": lambda y: DStarLite(START, GOAL, neighbours=by_functions(y)).search().generated,
    "D* Lite": lambda y: GridDStarLite(on_grid(y), START, GOAL).search().generated,
    "LPA*": lambda y: GridLPAStar(on_grid(y), START, GOAL).search().generated,
    "MPAA*": lambda y: learnt(on_grid(y)),
    "a beam": lambda y: beam(START, {GOAL}, neighbours=by_functions(y), rank=estimate, width=9).stats.generated,
    "a beam on a grid": lambda y: grid_beam(on_grid(y), START, {GOAL}, width=9).plan.stats.generated,
    "a beam to a depth": lambda y: (
        beam_lookahead(START, neighbours=by_functions(y), rank=estimate, width=9, depth=9).stats.generated
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_reports_the_successors_that_it_has_read(name: str) -> None:
    yields = Yields()
    assert SEARCHES[name](yields) == yields.count > 50


def test_a_search_in_time_reports_its_states_without_the_forbidden_ones() -> None:
    plan = grid_timed_astar(
        SearchGrid(3, 1),
        0,
        lambda cell, _: cell == 2,
        is_forbidden=lambda cell, tick: (cell, tick) == (1, 1),
        horizon=2,
    )
    assert (plan.path, plan.stats.expanded, plan.stats.generated) == ((0, 0, 1, 2), 4, 6)  # 1 + 2 + 2 + 1


def maps(yields: Yields, rng: random.Random) -> Iterator[DijkstraMap]:
    """A scan by each of its three ways and a rescan, with every terrain read through a wrapper."""
    walls = [cell for cell in range(81) if rng.random() < 0.2]
    terrain = yields.terrain(open_terrain(9, 9, walls=walls))
    yield scan(terrain, {0: 0, 80: 3})
    chart = scan(terrain, {0: 0.5, 80: 0})
    yield chart
    yield chart.rescanned(-1.2)
    yield scan(yields.terrain(SearchGrid(9, 9, costs=[rng.choice([1, 2.5]) for _ in range(81)]).terrain()), {0: 0})


def test_a_search_over_safe_intervals_reports_those_that_it_can_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    yields = Yields()
    monkeypatch.setattr(sipp, "_successors", yields.function(sipp._successors))
    plan = sipp.grid_sipp(
        SearchGrid(3, 1),
        0,
        lambda cell, _: cell == 2,
        is_forbidden=lambda cell, tick: (cell, tick) == (1, 1),
        horizon=2,
    )
    assert (plan.path, plan.stats.expanded, plan.stats.generated, yields.count) == ((0, 0, 1, 2), 2, 3, 3)


@pytest.mark.parametrize("seed", range(5))
def test_maps_report_the_steps_that_they_have_read(seed: int) -> None:
    yields, before = Yields(), 0
    for chart in maps(yields, random.Random(seed)):
        assert (chart.stats.expanded > 0, chart.stats.generated) == (True, yields.count - before)
        before = yields.count


def test_dstar_lite_reports_what_news_have_made_it_read_with_the_next_search() -> None:
    yields = Yields()
    arcs: dict[tuple[int, int], float] = {}
    near = SearchGrid(9, 9, blocked=BLOCKED).neighbours.__getitem__
    planner = DStarLite(START, GOAL, neighbours=yields.function(near), cost=lambda *arc: arcs.get(arc, 1))
    first = planner.search().generated
    assert first == yields.count
    arcs[75, 76] = INF
    planner.update([(75, 76, 1, INF)])  # type: ignore[list-item]
    assert planner.search().generated == yields.count - first > 2
    assert planner.search().generated == 0
