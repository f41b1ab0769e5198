"""Shares of the dungeon: connected, each with its hero, equal where that is promised."""

from __future__ import annotations

import random

import pytest

from gridjoust.bots.eidolon.division import divide, equalised, is_connected, voronoi
from gridjoust.bots.eidolon.roads import Roads
from gridjoust.games.eidolon import generate
from gridjoust.games.grid import Cell
from tests.bots.eidolon.matches import MEASURE

Graph = dict[Cell, list[Cell]]


def field(width: int, height: int) -> Graph:
    cells = [Cell(x, y) for y in range(height) for x in range(width)]
    return {c: [o for o in cells if abs(o.x - c.x) + abs(o.y - c.y) == 1] for c in cells}


def line(length: int) -> Graph:
    return field(length, 1)


def sizes(parts: dict[Cell, int], heroes: int) -> list[int]:
    return [list(parts.values()).count(hero) for hero in range(heroes)]


def test_voronoi_gives_every_cell_to_the_nearest_hero() -> None:
    roads = Roads(generate(1), MEASURE)
    heroes = random.Random(2).sample(list(roads.arcs), 4)
    spread = [Roads(generate(1), MEASURE).distances(hero) for hero in heroes]
    for cell, owner in voronoi(roads.neighbours, heroes).items():
        assert spread[owner][cell] == min(distances[cell] for distances in spread)


FAR = {Cell(c.x + 20, c.y): [Cell(o.x + 20, o.y) for o in beside] for c, beside in field(4, 4).items()}
SHARES: dict[str, tuple[Graph, list[tuple[int, int]], str, list[int]]] = {  # the heroes' cells, sizes of their parts
    "ties go to the smaller part": (line(5), [(0, 0), (4, 0)], "voronoi", [3, 2]),
    "every cell to the nearest": (line(10), [(2, 0), (3, 0)], "voronoi", [3, 7]),
    "a hero in the way leaves the parts as they are": (line(10), [(0, 0), (1, 0)], "equal", [1, 9]),
    "an open field is cut evenly": (field(6, 6), [(0, 0), (1, 1), (2, 2)], "equal", [12, 12, 12]),
    "components are divided each for itself": (field(4, 4) | FAR, [(0, 0), (20, 0), (21, 0)], "equal", [16, 8, 8]),
    "heroes on one cell share its surroundings": (field(5, 5), [(2, 2), (2, 2)], "voronoi", [13, 12]),
    "what no hero reaches belongs to nobody": (line(3) | {Cell(9, 9): []}, [(0, 0)], "equal", [3]),
}


@pytest.mark.parametrize(("graph", "heroes", "method", "expected"), SHARES.values(), ids=SHARES)
def test_shares(graph: Graph, heroes: list[tuple[int, int]], method: str, expected: list[int]) -> None:
    parts = divide(graph.__getitem__, [Cell(*hero) for hero in heroes], method=method)
    assert sizes(parts, len(heroes)) == expected


@pytest.mark.parametrize("method", ["voronoi", "equal"])
@pytest.mark.parametrize("seed", range(25))
def test_parts_are_connected_and_each_holds_its_hero(method: str, seed: int) -> None:
    roads = Roads(generate(seed), MEASURE)
    heroes = random.Random(seed).sample(list(roads.arcs), 1 + seed % 6)
    parts = divide(roads.neighbours, heroes, method=method)
    assert all(parts[cell] == hero for hero, cell in enumerate(heroes))
    assert all(is_connected(roads.neighbours, heroes, parts, hero) for hero in range(len(heroes)))
    assert set(parts) == set(roads.arcs)


@pytest.mark.gate
def test_equal_parts_differ_by_one_cell_where_the_iteration_converges_as_on_most_maps() -> None:
    converged = 0
    for seed in range(60):
        roads = Roads(generate(seed), MEASURE)
        heroes = random.Random(seed).sample(list(roads.arcs), 2 + (seed % 3 if seed < 25 else 0))
        start = voronoi(roads.neighbours, heroes)
        equal = equalised(roads.neighbours, heroes, start)
        assert divide(roads.neighbours, heroes, method="equal") == (start if equal is None else equal)
        if equal is not None:
            assert max(sizes(equal, len(heroes))) - min(sizes(equal, len(heroes))) <= 1
            converged += len(heroes) == 2
    assert converged >= 10  # trees of tiles often cannot be cut evenly
