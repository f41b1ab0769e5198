"""The plain scan expands whole layers; what that must not change."""

from __future__ import annotations

import random

from bots.planners.dijkstra_map import scan
from bots.planners.grid import open_terrain


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
