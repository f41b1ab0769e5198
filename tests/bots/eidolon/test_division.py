"""Shares of the dungeon: connected, each with its hero, equal where that is promised."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from bots.eidolon.division import divide, equalised, is_connected, voronoi
from bots.eidolon.roads import Roads
from games.eidolon import generate
from games.grid import Cell


def line(length: int) -> dict[Cell, list[Cell]]:
    cells = [Cell(x, 0) for x in range(length)]
    return {c: [o for o in (Cell(c.x - 1, 0), Cell(c.x + 1, 0)) if o in cells] for c in cells}


def field(width: int, height: int) -> dict[Cell, list[Cell]]:
    cells = [Cell(x, y) for y in range(height) for x in range(width)]
    return {c: [o for o in cells if abs(o.x - c.x) + abs(o.y - c.y) == 1] for c in cells}


def sizes(parts: dict[Cell, int], heroes: int) -> list[int]:
    return [list(parts.values()).count(hero) for hero in range(heroes)]


def test_voronoi_gives_every_cell_to_the_nearest_hero() -> None:
    roads = Roads(generate(1))
    heroes = random.Random(2).sample(list(roads.arcs), 4)
    spread = [Roads(generate(1)).distances(hero) for hero in heroes]
    for cell, owner in voronoi(roads.neighbours, heroes).items():
        assert spread[owner][cell] == min(distances[cell] for distances in spread)


def test_voronoi_ties_go_to_the_smaller_part() -> None:
    parts = voronoi(line(5).__getitem__, [Cell(0, 0), Cell(4, 0)])
    assert sizes(parts, 2) == [3, 2]


def test_cells_that_no_hero_reaches_belong_to_nobody() -> None:
    graph = line(3) | {Cell(9, 9): []}
    assert divide(graph.__getitem__, [Cell(0, 0)], method="equal") == dict.fromkeys(line(3), 0)


def test_equal_division_of_a_line() -> None:
    parts = divide(line(10).__getitem__, [Cell(0, 0), Cell(1, 0)], method="equal")
    assert sizes(parts, 2) == [1, 9]  # the second hero stands in the way: no hand-over, so Voronoi's parts stay
    parts = divide(line(10).__getitem__, [Cell(2, 0), Cell(3, 0)], method="voronoi")
    assert sizes(parts, 2) == [3, 7]


def test_equal_division_of_an_open_field() -> None:
    heroes = [Cell(0, 0), Cell(1, 1), Cell(2, 2)]
    graph = field(6, 6)
    parts = divide(graph.__getitem__, heroes, method="equal")
    assert sorted(sizes(parts, 3)) == [12, 12, 12]


@pytest.mark.parametrize("method", ["voronoi", "equal"])
@pytest.mark.parametrize("seed", range(25))
def test_parts_are_connected_and_each_holds_its_hero(method: str, seed: int) -> None:
    roads = Roads(generate(seed))
    heroes = random.Random(seed).sample(list(roads.arcs), 1 + seed % 6)
    parts = divide(roads.neighbours, heroes, method=method)
    assert all(parts[cell] == hero for hero, cell in enumerate(heroes))
    assert all(is_connected(roads.neighbours, heroes, parts, hero) for hero in range(len(heroes)))
    assert set(parts) == set(roads.arcs)


@pytest.mark.parametrize("seed", range(25))
def test_equal_parts_differ_by_one_cell_where_the_iteration_converges(seed: int) -> None:
    roads = Roads(generate(seed))
    heroes = random.Random(seed).sample(list(roads.arcs), 2 + seed % 3)
    start = voronoi(roads.neighbours, heroes)
    equal = equalised(roads.neighbours, heroes, start)
    parts = divide(roads.neighbours, heroes, method="equal")
    assert parts == (start if equal is None else equal)
    if equal is not None:
        assert max(sizes(equal, len(heroes))) - min(sizes(equal, len(heroes))) <= 1


def test_iteration_converges_on_most_maps() -> None:
    converged = 0
    for seed in range(40):
        roads = Roads(generate(seed))
        heroes = random.Random(seed).sample(list(roads.arcs), 2)
        converged += equalised(roads.neighbours, heroes, voronoi(roads.neighbours, heroes)) is not None
    assert converged >= 10  # trees of tiles often cannot be cut evenly


def test_components_are_divided_each_for_itself() -> None:
    far = {Cell(c.x + 20, c.y): [Cell(o.x + 20, o.y) for o in beside] for c, beside in field(4, 4).items()}
    graph: dict[Cell, Iterable[Cell]] = {**field(4, 4), **far}
    heroes = [Cell(0, 0), Cell(20, 0), Cell(21, 0)]
    parts = divide(lambda cell: graph[cell], heroes, method="equal")
    assert sizes(parts, 3) == [16, 8, 8]


def test_heroes_on_one_cell_share_its_surroundings() -> None:
    parts = divide(field(5, 5).__getitem__, [Cell(2, 2), Cell(2, 2)], method="voronoi")
    assert sorted(sizes(parts, 2)) == [12, 13]
