"""The map algebra against drawn boards, the published examples and brute force."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from gridjoust.bots.planners.dijkstra_map import DijkstraMap, downhill_path, scan, scan_values, weighted_sum
from gridjoust.bots.planners.graph import Terrain, graph_terrain
from gridjoust.bots.planners.grid import SearchGrid, open_terrain

CORNERS: dict[int, float] = {0: 0, 4: 0, 20: 0, 24: 0}
CENTRE: dict[int, float] = {12: 0}
OPEN_5X5 = open_terrain(5, 5)


def rows(chart: DijkstraMap, width: int) -> list[str]:
    """One character a cell, `#` for the maximum."""
    signs = ["#" if value == chart.maximum else f"{value:g}" for value in chart.values]
    return ["".join(signs[start : start + width]) for start in range(0, len(signs), width)]


def counts(chart: DijkstraMap) -> tuple[int, int, int]:
    return chart.stats.expanded, chart.stats.generated, chart.stats.frontier


def relaxed(terrain: Terrain, sources: list[float], maximum: float) -> list[float]:
    """The published definition, taken literally: lower any cell above its lowest neighbour + cost until stable."""
    values = [maximum if cell in terrain.walls else min(value, maximum) for cell, value in enumerate(sources)]
    stable = False
    while not stable:
        stable = True
        for cell, row in enumerate(terrain.into):
            if cell in terrain.walls:
                continue
            costs = terrain.into_costs[cell] if terrain.into_costs else (1.0,) * len(row)
            for other, cost in zip(row, costs, strict=True):
                if other not in terrain.walls and values[other] > values[cell] + cost:
                    values[other] = values[cell] + cost
                    stable = False
    return values


def priced_terrain(width: int, height: int, *, walls: Iterable[int] = (), **shape: Any) -> Terrain:
    """Of a search grid: diagonals, prices, corners that may be cut."""
    return SearchGrid(width, height, blocked=walls, **{"diagonal_cost": 1} | shape).terrain()


def random_terrains(count: int) -> Iterator[tuple[random.Random, Terrain]]:
    for seed in range(count):
        rng = random.Random(seed)
        width, height = rng.randint(1, 7), rng.randint(1, 7)
        walls = [cell for cell in range(width * height) if rng.random() < 0.3]
        shape: dict[str, Any] = {
            "costs": [rng.choice([1, 2, 5]) for _ in range(width * height)] if seed % 2 else None,
            "connectivity": rng.choice((4, 8)),
            "cut_corners": rng.random() < 0.5,
            "diagonal_cost": rng.choice([1.0, 1.5]),
        }
        yield rng, priced_terrain(width, height, walls=walls, **shape)


def random_goals(rng: random.Random, terrain: Terrain, count: int) -> dict[int, float]:
    return {rng.randrange(terrain.size): rng.choice([-4, -1.5, 0, 0, 2]) for _ in range(count)}


DRAWN: dict[str, tuple[DijkstraMap, list[str]]] = {
    "a centre goal, as published": (scan(OPEN_5X5, CENTRE), ["43234", "32123", "21012", "32123", "43234"]),
    "four corner goals, as published": (scan(OPEN_5X5, CORNERS), ["01210", "12321", "23432", "12321", "01210"]),
    "walls are walked around": (scan(open_terrain(4, 3, walls=[1, 5]), {0: 0}), ["0#67", "1#56", "2345"]),
    "a goal on a wall is dropped": (scan(open_terrain(3, 1, walls=[2]), {2: -5, 0: 0}), ["01#"]),
    "no value exceeds the maximum": (scan(open_terrain(6, 1), {0: 0}, maximum=3), ["012###"]),
    "a lower start value draws from farther away": (scan(open_terrain(5, 1), {0: 0, 4: -3}), ["00-1-2-3"]),
    "entering a costly cell costs its weight": (scan(priced_terrain(4, 1, costs=[1, 5, 1, 1]), {0: 0}), ["0167"]),
    "no diagonal step past a wall": (scan(priced_terrain(2, 2, walls=[1], connectivity=8), {0: 0}), ["0#", "12"]),
    "unless corners may be cut": (
        scan(priced_terrain(2, 2, walls=[1], connectivity=8, cut_corners=True), {0: 0}),
        ["0#", "11"],
    ),
    "a diagonal cost is paid for diagonal steps only": (
        scan(priced_terrain(2, 3, connectivity=8, diagonal_cost=1.5), {0: 0}), ["01", "11.5", "22.5"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("chart", "expected"), DRAWN.values(), ids=DRAWN)
def test_scan_on_a_drawn_board(chart: DijkstraMap, expected: list[str]) -> None:
    width = len(chart.values) // len(expected)
    assert rows(chart, width) == expected


def test_weights_multiply_the_maps_they_belong_to() -> None:
    centre, corners = scan(OPEN_5X5, CENTRE), scan(OPEN_5X5, CORNERS)
    assert weighted_sum([(1, centre), (1, corners)]) == [4] * 25
    assert weighted_sum([(2, centre), (-1, corners)])[:3] == [8 - 0, 6 - 1, 4 - 2]


def test_flee_map_falls_by_one_a_step_and_leads_past_the_threat_by_a_factor_below_minus_one() -> None:
    flee = scan(open_terrain(8, 1), {0: 0}).rescanned(-1.2)
    assert flee.values == pytest.approx([-1.4, -2.4, -3.4, -4.4, -5.4, -6.4, -7.4, -8.4])
    chart = scan(open_terrain(5, 1), {1: 0})
    paths = [downhill_path(chart.rescanned(factor), 0, random.Random(1)) for factor in (-0.9, -2.2)]
    assert paths == [[0], [0, 1, 2, 3, 4]]
    assert scan(open_terrain(4, 1, walls=[2]), {0: 0}).scaled(-2) == (0, -2, 100, 100)  # unreached: the maximum


def test_rolling_stays_where_nothing_is_lower_and_draws_the_same_tie_for_the_same_seed() -> None:
    chart, flat = scan(OPEN_5X5, CENTRE), scan_values(OPEN_5X5, [0.0] * 25)
    assert chart.downhill(12, random.Random(0)) == 12
    assert {chart.downhill(0, random.Random(seed)) for seed in range(20)} == {1, 5}
    drawn, again = ([flat.downhill(12, random.Random(seed)) for seed in range(40)] for _ in range(2))
    assert drawn == again
    assert set(drawn) == {12, 7, 13, 17, 11}


def test_path_downhill_has_the_length_of_the_map_value() -> None:
    chart = scan(open_terrain(5, 5, walls=[6, 7, 8, 11, 16]), {12: 0})
    for cell, value in enumerate(chart.values):
        if value < chart.maximum:
            assert len(downhill_path(chart, cell, random.Random(cell))) == value + 1


LINE = (5, 8, 2)  # each of five cells once, and four steps both ways
COUNTED: dict[str, tuple[Terrain, dict[int, float], tuple[float, ...], tuple[int, int, int]]] = {
    "every cell once and the widest layer": (
        OPEN_5X5, CENTRE, tuple(abs(cell % 5 - 2) + abs(cell // 5 - 2) for cell in range(25)), (25, 80, 8)),
    "reached cells only": (open_terrain(3, 2, walls=[1, 4]), {0: 0}, (0, 100, 100, 1, 100, 100), (2, 2, 1)),
    "no goals": (OPEN_5X5, {}, (100.0,) * 25, (0, 0, 0)),
    "a goal that waits for its layer is part of the frontier": (
        open_terrain(5, 1), {0: 0, 4: 9}, (0, 1, 2, 3, 4), LINE),
    "a goal at the end of the layers": (open_terrain(5, 1), {0: 0, 4: 4}, (0, 1, 2, 3, 4), LINE),
    "a goal before the end": (open_terrain(5, 1), {0: 0, 4: 3}, (0, 1, 2, 3, 3), LINE),
    "two equal goals": (open_terrain(5, 1), {0: 0, 4: 0}, (0, 1, 2, 1, 0), LINE),
    "a goal below zero": (open_terrain(5, 1), {0: 0, 4: -1}, (0, 1, 1, 0, -1), LINE),
    "a goal that undercuts the other": (open_terrain(5, 1), {0: 0, 4: -9}, (-5, -6, -7, -8, -9), LINE),
    "goals of different whole values": (
        open_terrain(9, 1), {0: -6, 8: 0, 4: -1}, (-6, -5, -4, -3, -2, -1, 0, 1, 0), (9, 16, 3)),
    "fractional goals": (open_terrain(5, 1), {0: 0.5, 4: 0}, (0.5, 1.5, 2, 1, 0), LINE),
    "fractional goals, one undercut": (
        open_terrain(3, 3), {0: 0.5, 8: 0, 2: 9.5}, (0.5, 1.5, 2, 1.5, 2, 1, 2, 1, 0), (9, 24, 6)),
    "steps around a costly cell, with a heap": (
        priced_terrain(3, 2, costs=[1, 9, 1, 1, 1, 1]), {0: 0}, (0, 1, 4, 1, 2, 3), (6, 14, 3)),
    "steps beside a costly cell, with a heap": (
        priced_terrain(3, 2, costs=[1, 1, 9, 1, 1, 1]), {0: 0}, (0, 1, 2, 1, 2, 3), (6, 14, 3)),
    "steps with a heap, one goal late": (
        priced_terrain(3, 3, costs=[1, 5, 1, 1, 5, 1, 1, 1, 1]), {0: 0, 2: 4}, (0, 1, 4, 1, 2, 5, 2, 3, 4), (9, 24, 5)),
}  # fmt: skip


@pytest.mark.parametrize(("terrain", "goals", "values", "cost"), COUNTED.values(), ids=COUNTED)
def test_scan_counts(
    terrain: Terrain, goals: dict[int, float], values: tuple[float, ...], cost: tuple[int, int, int]
) -> None:
    chart = scan(terrain, goals)
    assert (chart.values, counts(chart)) == (values, cost)


def test_an_update_counts_what_it_raises_and_what_it_lowers() -> None:
    chart = scan(open_terrain(6, 1), {0: 0, 5: 0})
    assert (chart.values, counts(chart)) == ((0, 1, 2, 2, 1, 0), (6, 10, 2))
    assert counts(chart.updated(chart.terrain)) == (0, 0, 0)
    shut = chart.updated(open_terrain(6, 1, walls=[5]))
    assert (shut.values, counts(shut)) == ((0, 1, 2, 3, 4, 100), (5, 13, 2))
    walled = chart.updated(open_terrain(6, 1, walls=[3]))
    assert (walled.values, counts(walled)) == ((0, 1, 2, 100, 1, 0), (1, 6, 0))
    opened = walled.updated(open_terrain(6, 1))
    assert (opened.values, counts(opened)) == (chart.values, (1, 12, 1))
    assert [each.stats.repaired for each in (chart, shut, walled, opened)] == [0, 5, 1, 1]


def test_an_update_drops_the_start_value_of_a_new_wall_for_good() -> None:
    chart = scan(open_terrain(4, 1, walls=[2]), {0: 0, 1: 3}, maximum=9)
    walled = chart.updated(open_terrain(4, 1, walls=[0, 2]))
    sources = [each.sources for each in (chart, walled, walled.updated(chart.terrain))]
    assert sources == [(0, 3, 9, 9), (9, 3, 9, 9), (9, 3, 9, 9)]


def test_map_over_a_directed_graph_measures_the_way_to_the_goal() -> None:
    roads = {"a": [("b", 1)], "b": [("c", 2)], "c": [("a", 7)]}
    terrain, numbers = graph_terrain(["a"], lambda node: roads[node])
    chart = scan(terrain, {numbers["a"]: 0})
    assert {node: chart.values[number] for node, number in numbers.items()} == {"a": 0, "b": 9, "c": 7}


def test_graph_of_a_grid_gives_the_same_map_as_the_grid() -> None:
    grid = open_terrain(6, 5, walls=[3, 9, 14, 20])
    graph, numbers = graph_terrain([0], lambda cell: [(other, 1.0) for other in grid.neighbours(cell)])
    chart, expected = scan(graph, {numbers[17]: -2, numbers[0]: 0}), scan(grid, {17: -2, 0: 0})
    reached = {cell: value for cell, value in enumerate(expected.values) if value < 100}
    assert {cell: chart.values[number] for cell, number in numbers.items()} == reached


@pytest.mark.parametrize(("count", "goal_count", "maximum"), [(400, 3, 100.0), (100, 1, 3.0)])
def test_scan_equals_the_definition_and_the_minimum_of_single_maps(count: int, goal_count: int, maximum: float) -> None:
    for rng, terrain in random_terrains(count):
        goals = random_goals(rng, terrain, goal_count)
        values = scan(terrain, goals, maximum=maximum).values
        sources = [goals.get(cell, maximum) for cell in range(terrain.size)]
        assert list(values) == relaxed(terrain, sources, maximum)
        singles = [scan(terrain, {cell: value}, maximum=maximum).values for cell, value in goals.items()]
        assert values == tuple(map(min, zip(*singles, strict=True)))


def test_rescan_equals_the_minimum_over_scaled_value_and_distance() -> None:
    for rng, terrain in random_terrains(100):
        chart = scan(terrain, random_goals(rng, terrain, 2))
        flee = chart.rescanned(-1.2)
        scaled = chart.scaled(-1.2)
        distances = [scan(terrain, {cell: 0}, maximum=math.inf).values for cell in range(terrain.size)]
        for cell in set(range(terrain.size)) - terrain.walls:
            best = min(value + distances[goal][cell] for goal, value in enumerate(scaled) if goal not in terrain.walls)
            assert flee.values[cell] == pytest.approx(min(best, 100.0))


def eight_neighbours(width: int, height: int, *, walls: Iterable[int]) -> Terrain:
    return priced_terrain(width, height, walls=walls, connectivity=8)


def eight_priced(width: int, height: int, *, walls: Iterable[int]) -> Terrain:
    costs = [1 + cell % 3 for cell in range(width * height)]
    return priced_terrain(width, height, walls=walls, connectivity=8, diagonal_cost=1.5, costs=costs)


@pytest.mark.parametrize("make", [open_terrain, eight_neighbours, eight_priced])
def test_update_equals_a_fresh_scan_after_every_change(make: Callable[..., Terrain]) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        width, height = rng.randint(1, 7), rng.randint(1, 7)
        cells = range(width * height)
        walls = {cell for cell in cells if rng.random() < 0.25}
        terrain = make(width, height, walls=walls)
        goals: dict[int, float] = {0: 0.0} | random_goals(rng, terrain, 3)
        chart = scan(terrain, goals)
        for _ in range(8):
            goals = {cell: value for cell, value in goals.items() if cell not in walls}
            walls ^= {rng.choice(cells) for _ in range(rng.randint(0, 3))}
            terrain = make(width, height, walls=walls)
            chart = chart.updated(terrain)
            assert chart == scan(terrain, goals)


def test_update_of_a_rescanned_map_equals_a_fresh_rescan() -> None:
    for rng, terrain in random_terrains(60):
        flee = scan(terrain, random_goals(rng, terrain, 2)).rescanned(-1.2)
        walled = replace(terrain, walls=terrain.walls | {rng.randrange(terrain.size)})
        assert flee.updated(walled) == scan_values(walled, flee.sources)


def test_update_far_from_most_cells_expands_few_and_leaves_the_old_map_alone() -> None:
    chart = scan(open_terrain(60, 60), {0: 0})
    before = chart.values
    changed = chart.updated(open_terrain(60, 60, walls=[3599 - 61]))
    assert changed == scan(changed.terrain, {0: 0})
    assert changed.stats.expanded < 20 < chart.stats.expanded
    assert chart.updated(open_terrain(60, 60, walls=[0])).values == (100.0,) * 3600
    assert chart.values == before


def test_layers_give_the_values_of_the_merged_queue() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        terrain = open_terrain(6, 5, walls=[cell for cell in range(30) if rng.random() < 0.3])
        goals = {rng.randrange(30): rng.choice([0, 2, -4]) for _ in range(4)}
        shifted = scan(terrain, {cell: value + 0.5 for cell, value in goals.items()}, maximum=100.5)
        layered = scan(terrain, goals)
        assert tuple(value - 0.5 for value in shifted.values) == layered.values
        assert counts(shifted)[:2] == counts(layered)[:2]
