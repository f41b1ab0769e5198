"""The numpy frontier against the plain scan, value by value."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridjoust.planners import SearchGrid, open_terrain, scan
from study.alternatives.dijkstra_numpy import scan_board

STARTS = ([0], [0, 0, -3, 2], [0, -1.5, 2.25], [5, 99, 100, 400], [0.1, 0.7])


def random_case(seed: int, largest: int) -> tuple[np.ndarray, dict[int, float]]:
    rng = random.Random(seed)
    height, width = rng.randint(1, largest), rng.randint(1, largest)
    density = rng.choice([0.0, 0.2, 0.4])
    blocked = np.array([rng.random() < density for _ in range(width * height)], dtype=bool).reshape(height, width)
    starts = rng.choice(STARTS)
    return blocked, {rng.randrange(blocked.size): rng.choice(starts) for _ in range(rng.randint(0, 5))}


@pytest.mark.parametrize(("connectivity", "cut_corners"), [(4, False), (8, False), (8, True)])
def test_values_are_those_of_the_plain_scan(connectivity: int, cut_corners: bool) -> None:
    for seed in range(600):
        blocked, goals = random_case(seed, 8)
        height, width = blocked.shape
        grid = SearchGrid(
            width,
            height,
            blocked=np.flatnonzero(blocked).tolist(),
            connectivity=connectivity,
            diagonal_cost=1,
            cut_corners=cut_corners,
        )
        found = scan_board(blocked, goals, connectivity=connectivity, cut_corners=cut_corners)
        assert found.shape == blocked.shape
        assert tuple(found.ravel().tolist()) == scan(grid.terrain(), goals).values, seed


def test_values_of_a_large_board_are_those_of_the_plain_scan() -> None:
    rng = random.Random("large")
    walls = [cell for cell in range(1, 200 * 150) if rng.random() < 0.25]
    blocked = np.zeros(200 * 150, dtype=bool)
    blocked[walls] = True
    found = scan_board(blocked.reshape(150, 200), {0: 0, 29_999: -7}, maximum=1e6)
    plain = scan(open_terrain(200, 150, walls=walls), {0: 0, 29_999: -7}, maximum=1e6)
    assert tuple(found.ravel().tolist()) == plain.values


def test_the_maximum_ends_the_spread_and_another_connectivity_is_refused() -> None:
    assert scan_board(np.zeros((1, 5), dtype=bool), {0: 0}, maximum=3).tolist() == [[0, 1, 2, 3, 3]]
    with pytest.raises(ValueError, match="connectivity: expected 4 or 8, got 6"):
        scan_board(np.zeros((2, 2), dtype=bool), {}, connectivity=6)
