"""The map algebra against drawn boards, the published examples and brute force."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from bots.planners.dijkstra_map import (
    DijkstraMap,
    downhill_path,
    scan,
    scan_values,
    weighted_sum,
)
from bots.planners.graph import Terrain, graph_terrain
from bots.planners.grid import SearchGrid, open_terrain

CORNERS = {0: 0, 4: 0, 20: 0, 24: 0}
CENTRE = {12: 0}
OPEN_5X5 = open_terrain(5, 5)


def rows(chart: DijkstraMap, width: int) -> list[str]:
    """One character a cell, `#` for the maximum."""
    signs = ["#" if value == chart.maximum else f"{value:g}" for value in chart.values]
    return ["".join(signs[start : start + width]) for start in range(0, len(signs), width)]


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
        entry = [rng.choice([1, 2, 5]) for _ in range(width * height)] if seed % 2 else None
        connectivity = rng.choice((4, 8))
        yield (
            rng,
            priced_terrain(
                width,
                height,
                walls=walls,
                costs=entry,
                connectivity=connectivity,
                cut_corners=rng.random() < 0.5,
                diagonal_cost=rng.choice([1.0, 1.5]),
            ),
        )


def random_goals(rng: random.Random, terrain: Terrain, count: int) -> dict[int, float]:
    return {rng.randrange(terrain.size): rng.choice([-4, -1.5, 0, 0, 2]) for _ in range(count)}


def test_centre_goal_gives_the_published_map() -> None:
    assert rows(scan(OPEN_5X5, CENTRE), 5) == ["43234", "32123", "21012", "32123", "43234"]


def test_four_corner_goals_give_the_published_map() -> None:
    assert rows(scan(OPEN_5X5, CORNERS), 5) == ["01210", "12321", "23432", "12321", "01210"]


def test_sum_of_centre_and_corners_is_four_everywhere() -> None:
    assert weighted_sum([(1, scan(OPEN_5X5, CENTRE)), (1, scan(OPEN_5X5, CORNERS))]) == [4] * 25


def test_weights_multiply_the_maps_they_belong_to() -> None:
    centre, corners = scan(OPEN_5X5, CENTRE), scan(OPEN_5X5, CORNERS)
    assert weighted_sum([(2, centre), (-1, corners)])[:3] == [8 - 0, 6 - 1, 4 - 2]


def test_flee_map_of_a_corridor_falls_by_one_a_step_and_turns_away_from_the_threat() -> None:
    flee = scan(open_terrain(8, 1), {0: 0}).rescanned(-1.2)
    assert flee.values == pytest.approx([-1.4, -2.4, -3.4, -4.4, -5.4, -6.4, -7.4, -8.4])


def test_flee_map_without_a_factor_below_minus_one_does_not_lead_past_the_threat() -> None:
    chart = scan(open_terrain(5, 1), {1: 0})
    assert downhill_path(chart.rescanned(-0.9), 0, random.Random(1)) == [0]
    assert downhill_path(chart.rescanned(-2.2), 0, random.Random(1)) == [0, 1, 2, 3, 4]


def test_walls_are_walked_around() -> None:
    chart = scan(open_terrain(4, 3, walls=[1, 5]), {0: 0})
    assert rows(chart, 4) == ["0#67", "1#56", "2345"]


def test_goal_on_a_wall_is_dropped() -> None:
    assert scan(open_terrain(3, 1, walls=[2]), {2: -5, 0: 0}).values == (0, 1, 100)


def test_unreached_cells_stay_at_the_maximum_when_scaled() -> None:
    assert scan(open_terrain(4, 1, walls=[2]), {0: 0}).scaled(-2) == (0, -2, 100, 100)


def test_values_never_exceed_the_maximum() -> None:
    assert scan(open_terrain(6, 1), {0: 0}, maximum=3).values == (0, 1, 2, 3, 3, 3)


def test_lower_start_value_draws_from_farther_away() -> None:
    assert scan(open_terrain(5, 1), {0: 0, 4: -3}).values == (0, 0, -1, -2, -3)


def test_entering_a_costly_cell_costs_its_weight() -> None:
    chart = scan(priced_terrain(4, 1, costs=[1, 5, 1, 1]), {0: 0})
    assert chart.values == (0, 1, 6, 7)


def test_diagonal_step_past_a_wall_is_refused() -> None:
    assert scan(priced_terrain(2, 2, walls=[1], connectivity=8), {0: 0}).values == (0, 100, 1, 2)


def test_diagonal_step_past_a_wall_is_allowed_when_corners_may_be_cut() -> None:
    assert scan(priced_terrain(2, 2, walls=[1], connectivity=8, cut_corners=True), {0: 0}).values == (0, 100, 1, 1)


def test_diagonal_cost_is_paid_for_diagonal_steps_only() -> None:
    chart = scan(priced_terrain(2, 3, connectivity=8, diagonal_cost=1.5), {0: 0})
    assert chart.values == (0, 1, 1, 1.5, 2, 2.5)


def test_rolling_stays_where_nothing_is_lower() -> None:
    assert scan(OPEN_5X5, CENTRE).downhill(12, random.Random(0)) == 12


def test_rolling_draws_among_ties() -> None:
    chart = scan(OPEN_5X5, CENTRE)
    assert {chart.downhill(0, random.Random(seed)) for seed in range(20)} == {1, 5}


def test_the_same_seed_draws_the_same_tie() -> None:
    flat = scan_values(OPEN_5X5, [0.0] * 25)
    drawn = [flat.downhill(12, random.Random(seed)) for seed in range(40)]
    assert drawn == [flat.downhill(12, random.Random(seed)) for seed in range(40)]
    assert set(drawn) == {12, 7, 13, 17, 11}


def test_path_downhill_has_the_length_of_the_map_value() -> None:
    chart = scan(open_terrain(5, 5, walls=[6, 7, 8, 11, 16]), {12: 0})
    for cell, value in enumerate(chart.values):
        if value < chart.maximum:
            assert len(downhill_path(chart, cell, random.Random(cell))) == value + 1


def test_scan_counts_every_reached_cell_once_and_the_widest_layer() -> None:
    chart = scan(OPEN_5X5, CENTRE)
    assert (chart.expanded, chart.generated, chart.frontier) == (25, 25, 8)
    behind_walls = scan(open_terrain(3, 2, walls=[1, 4]), {0: 0})
    assert (behind_walls.expanded, behind_walls.generated, behind_walls.frontier) == (2, 2, 1)


def costs(chart: DijkstraMap) -> tuple[int, int, int]:
    return chart.expanded, chart.generated, chart.frontier


def test_a_goal_that_waits_for_its_layer_is_part_of_the_frontier() -> None:
    charts = {far: scan(open_terrain(5, 1), {0: 0, 4: far}) for far in (9, 4, 3, 0, -1, -9)}
    assert {far: chart.values for far, chart in charts.items()} == {
        9: (0, 1, 2, 3, 4),
        4: (0, 1, 2, 3, 4),
        3: (0, 1, 2, 3, 3),
        0: (0, 1, 2, 1, 0),
        -1: (0, 1, 1, 0, -1),
        -9: (-5, -6, -7, -8, -9),
    }
    undercut, reached = (5, 6, 2), (5, 5, 2)  # the undercut goal was put in and lowered before its turn
    assert [costs(chart) for chart in charts.values()] == [undercut, reached, reached, reached, reached, undercut]


def test_a_map_of_fractional_goals_is_counted_like_any_other() -> None:
    chart = scan(open_terrain(3, 3), {0: 0.5, 8: 0, 2: 9.5})
    assert chart.values == (0.5, 1.5, 2, 1.5, 2, 1, 2, 1, 0)
    assert costs(chart) == (9, 10, 6)


def test_a_weighted_map_counts_every_entry_of_its_heap() -> None:
    around = scan(priced_terrain(3, 2, costs=[1, 9, 1, 1, 1, 1]), {0: 0})
    assert (around.values, costs(around)) == ((0, 1, 4, 1, 2, 3), (6, 8, 3))
    straight = scan(priced_terrain(3, 2, costs=[1, 1, 9, 1, 1, 1]), {0: 0})
    assert (straight.values, costs(straight)) == ((0, 1, 2, 1, 2, 3), (6, 7, 3))
    late = scan(priced_terrain(3, 3, costs=[1, 5, 1, 1, 5, 1, 1, 1, 1]), {0: 0, 2: 4})
    assert (late.values, costs(late)) == ((0, 1, 4, 1, 2, 5, 2, 3, 4), (9, 12, 5))


def test_an_update_counts_what_it_raises_and_what_it_lowers() -> None:
    chart = scan(open_terrain(6, 1), {0: 0, 5: 0})
    assert (chart.values, costs(chart)) == ((0, 1, 2, 2, 1, 0), (6, 6, 2))
    assert costs(chart.updated(chart.terrain)) == (0, 0, 0)
    shut = chart.updated(open_terrain(6, 1, walls=[5]))
    assert (shut.values, costs(shut)) == ((0, 1, 2, 3, 4, 100), (5, 5, 2))
    walled = chart.updated(open_terrain(6, 1, walls=[3]))
    assert (walled.values, costs(walled)) == ((0, 1, 2, 100, 1, 0), (1, 1, 0))
    opened = walled.updated(open_terrain(6, 1))
    assert (opened.values, costs(opened)) == (chart.values, (1, 1, 1))


def test_an_update_drops_the_start_value_of_a_new_wall_for_good() -> None:
    chart = scan(open_terrain(4, 1, walls=[2]), {0: 0, 1: 3}, maximum=9)
    walled = chart.updated(open_terrain(4, 1, walls=[0, 2]))
    assert [each.sources for each in (chart, walled, walled.updated(chart.terrain))] == [
        (0, 3, 9, 9),
        *[(9, 3, 9, 9)] * 2,
    ]


def test_goal_that_another_undercuts_is_not_expanded_twice() -> None:
    assert scan(open_terrain(5, 1), {0: 0, 4: -9}).expanded == 5


def test_scan_without_goals_costs_nothing() -> None:
    chart = scan(OPEN_5X5, {})
    assert (set(chart.values), chart.expanded, chart.frontier) == ({100.0}, 0, 0)


def test_map_over_a_directed_graph_measures_the_way_to_the_goal() -> None:
    roads = {"a": [("b", 1)], "b": [("c", 2)], "c": [("a", 7)]}
    terrain, numbers = graph_terrain(["a"], lambda node: roads[node])
    chart = scan(terrain, {numbers["a"]: 0})
    assert {node: chart.values[number] for node, number in numbers.items()} == {"a": 0, "b": 9, "c": 7}


def test_graph_of_a_grid_gives_the_same_map_as_the_grid() -> None:
    grid = open_terrain(6, 5, walls=[3, 9, 14, 20])
    graph, numbers = graph_terrain([0], lambda cell: [(other, 1.0) for other in grid.neighbours(cell)])
    chart = scan(graph, {numbers[17]: -2, numbers[0]: 0})
    expected = scan(grid, {17: -2, 0: 0})
    assert {cell: chart.values[number] for cell, number in numbers.items()} == {
        cell: value for cell, value in enumerate(expected.values) if value < 100
    }


def test_scan_equals_the_definition_on_random_boards() -> None:
    for rng, terrain in random_terrains(400):
        goals = random_goals(rng, terrain, 3)
        sources = [goals.get(cell, 100.0) for cell in range(terrain.size)]
        assert list(scan(terrain, goals).values) == relaxed(terrain, sources, 100.0)


def test_scan_with_a_small_maximum_equals_the_definition() -> None:
    for rng, terrain in random_terrains(100):
        goals = random_goals(rng, terrain, 1)
        sources = [goals.get(cell, 3.0) for cell in range(terrain.size)]
        assert list(scan(terrain, goals, maximum=3.0).values) == relaxed(terrain, sources, 3.0)


def test_rescan_equals_the_minimum_over_scaled_value_and_distance() -> None:
    for rng, terrain in random_terrains(100):
        chart = scan(terrain, random_goals(rng, terrain, 2))
        flee = chart.rescanned(-1.2)
        scaled = chart.scaled(-1.2)
        distances = [scan(terrain, {cell: 0}, maximum=math.inf).values for cell in range(terrain.size)]
        for cell in set(range(terrain.size)) - terrain.walls:
            best = min(value + distances[goal][cell] for goal, value in enumerate(scaled) if goal not in terrain.walls)
            assert flee.values[cell] == pytest.approx(min(best, 100.0))


def test_map_of_many_goals_is_the_minimum_of_single_maps() -> None:
    for rng, terrain in random_terrains(60):
        goals = random_goals(rng, terrain, 3)
        singles = [scan(terrain, {cell: value}).values for cell, value in goals.items()]
        assert scan(terrain, goals).values == tuple(map(min, zip(*singles, strict=True)))


def with_walls(width: int, height: int, walls: set[int], kind: int) -> Terrain:
    if kind == 0:
        return open_terrain(width, height, walls=walls)
    if kind == 1:
        return priced_terrain(width, height, walls=walls, connectivity=8)
    entry = [1 + cell % 3 for cell in range(width * height)]
    return priced_terrain(width, height, walls=walls, connectivity=8, diagonal_cost=1.5, costs=entry)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_update_equals_a_fresh_scan_after_every_change(kind: int) -> None:
    for seed in range(60):
        rng = random.Random(seed)
        width, height = rng.randint(1, 7), rng.randint(1, 7)
        cells = range(width * height)
        walls = {cell for cell in cells if rng.random() < 0.25}
        terrain = with_walls(width, height, walls, kind)
        goals: dict[int, float] = {0: 0.0} | random_goals(rng, terrain, 3)
        chart = scan(terrain, goals)
        for _ in range(8):
            goals = {cell: value for cell, value in goals.items() if cell not in walls}
            walls ^= {rng.choice(cells) for _ in range(rng.randint(0, 3))}
            terrain = with_walls(width, height, walls, kind)
            chart = chart.updated(terrain)
            assert chart == scan(terrain, goals)


def test_update_of_a_rescanned_map_equals_a_fresh_rescan() -> None:
    for rng, terrain in random_terrains(60):
        flee = scan(terrain, random_goals(rng, terrain, 2)).rescanned(-1.2)
        walled = replace(terrain, walls=terrain.walls | {rng.randrange(terrain.size)})
        assert flee.updated(walled) == scan_values(walled, flee.sources)


def test_update_far_from_most_cells_expands_few() -> None:
    terrain = open_terrain(60, 60)
    chart = scan(terrain, {0: 0})
    changed = chart.updated(open_terrain(60, 60, walls=[3599 - 61]))
    assert changed == scan(changed.terrain, {0: 0})
    assert changed.expanded < 20 < chart.expanded


def test_old_map_is_untouched_by_an_update() -> None:
    chart = scan(OPEN_5X5, CENTRE)
    before = chart.values
    assert chart.updated(open_terrain(5, 5, walls=[12])).values == (100.0,) * 25
    assert chart.values == before


def test_goals_of_different_whole_values_expand_every_cell_once() -> None:
    chart = scan(open_terrain(9, 1), {0: -6, 8: 0, 4: -1})
    assert chart.values == (-6, -5, -4, -3, -2, -1, 0, 1, 0)
    assert (chart.expanded, chart.generated) == (9, 10)  # the goal at 4 was put in and lowered before its turn


def test_goals_of_fractional_values_expand_every_cell_once() -> None:
    chart = scan(open_terrain(5, 1), {0: 0.5, 4: 0})
    assert chart.values == (0.5, 1.5, 2, 1, 0)
    assert chart.expanded == 5


def test_layers_give_the_values_of_the_merged_queue() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        terrain = open_terrain(6, 5, walls=[cell for cell in range(30) if rng.random() < 0.3])
        goals = {rng.randrange(30): rng.choice([0, 2, -4]) for _ in range(4)}
        shifted = scan(terrain, {cell: value + 0.5 for cell, value in goals.items()}, maximum=100.5)
        layered = scan(terrain, goals)
        assert tuple(value - 0.5 for value in shifted.values) == layered.values
        assert (shifted.expanded, shifted.generated) == (layered.expanded, layered.generated)
