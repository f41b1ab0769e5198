"""Generated maps: random obstacles, mazes and rooms, in the benchmark's format."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from games.navigation.board import MOVES
from games.navigation.generate import maze_map, random_map, rooms_map, with_filled_pockets
from games.navigation.movingai import MapFile, parse_map
from games.navigation.search import reachable_cells

SIZES = [(32, 32), (17, 9), (3, 3), (8, 40)]

Make = Callable[[random.Random, int, int], MapFile]
KINDS: dict[str, Make] = {
    "random": lambda rng, width, height: random_map(rng, width=width, height=height, density=0.3),
    "maze": lambda rng, width, height: maze_map(rng, width=width, height=height, corridor=2),
    "rooms": lambda rng, width, height: rooms_map(rng, width=width, height=height, room=4),
}


def regions(board: MapFile, connectivity: str = "4") -> list[int]:
    """Sizes of the regions of free cells, the largest first."""
    grid = board.board
    left = {cell for cell in range(grid.size) if not grid.blocked[cell]}
    sizes = []
    while left:
        region = reachable_cells(grid, MOVES[connectivity], min(left))
        left.difference_update(region)
        sizes.append(len(region))
    return sorted(sizes, reverse=True)


def links(board: MapFile) -> int:
    """Pairs of free cells that touch along a side."""
    free = {(x, y) for y, row in enumerate(board.rows) for x, sign in enumerate(row) if sign == "."}
    return sum((x + 1, y) in free for x, y in free) + sum((x, y + 1) in free for x, y in free)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_maps_have_the_size_asked_for(kind: str, size: tuple[int, int]) -> None:
    board = KINDS[kind](random.Random(1), *size)
    assert (board.width, board.height) == size


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_a_map_file(kind: str) -> None:
    board = KINDS[kind](random.Random(1), 20, 15)
    assert parse_map("\n".join(["type octile", "height 15", "width 20", "map", *board.rows])) == board


@pytest.mark.parametrize("kind", KINDS)
def test_the_generator_decides(kind: str) -> None:
    boards = [KINDS[kind](random.Random(seed), 20, 20) for seed in (1, 1, 2)]
    assert boards[0] == boards[1] != boards[2]


@pytest.mark.parametrize(("density", "expected"), [(0.0, 0), (0.2, 80), (0.375, 150), (0.9, 360)])
def test_random_maps_have_exactly_their_share_of_blocked_cells(density: float, expected: int) -> None:
    assert sum(random_map(random.Random(1), width=20, height=20, density=density).blocked) == expected


def test_a_random_map_keeps_a_free_cell() -> None:
    assert sum(random_map(random.Random(1), width=2, height=2, density=1.0).blocked) == 3


@pytest.mark.parametrize("kind", ["maze", "rooms"])
@pytest.mark.parametrize("size", SIZES)
def test_mazes_and_rooms_are_one_region(kind: str, size: tuple[int, int]) -> None:
    for seed in range(10):
        assert len(regions(KINDS[kind](random.Random(seed), *size))) == 1


def test_a_maze_with_corridors_of_one_cell_has_no_loop() -> None:
    for seed in range(10):
        board = maze_map(random.Random(seed), width=21, height=21, corridor=1)
        assert links(board) == sum(1 - cell for cell in board.blocked) - 1


def test_a_maze_has_walls_of_one_cell_and_corridors_as_wide_as_asked_for() -> None:
    board = maze_map(random.Random(1), width=13, height=13, corridor=3)
    assert all(board.rows[y][x] == "@" for x in (0, 4, 8, 12) for y in (0, 4, 8, 12))
    assert all(board.rows[y][x] == "." for x in (1, 2, 3, 5, 6, 7) for y in (1, 2, 3, 5, 6, 7))


def test_a_way_in_a_maze_is_as_wide_as_its_corridors() -> None:
    board = maze_map(random.Random(1), width=9, height=5, corridor=3)
    assert [row[4] for row in board.rows] == ["@", ".", ".", ".", "@"]


def test_a_door_between_rooms_is_one_cell() -> None:
    board = rooms_map(random.Random(1), width=9, height=5, room=3)
    assert sorted(row[4] for row in board.rows) == [".", "@", "@", "@", "@"]


def test_rooms_have_more_doors_than_it_takes() -> None:
    board = rooms_map(random.Random(1), width=33, height=33, room=3, extra_doors=1.0)
    assert sum(1 - cell for cell in board.blocked) == 64 * 9 + 2 * 8 * 7


def test_pockets_are_filled_with_trees() -> None:
    board = MapFile((".@..", ".@@@", "@..."))
    assert with_filled_pockets(board, MOVES["4"]).rows == ("T@TT", "T@@@", "@...")


def test_of_equal_regions_the_first_is_kept() -> None:
    assert with_filled_pockets(MapFile((".@.",)), MOVES["4"]).rows == (".@T",)


def test_what_is_a_pocket_depends_on_the_moves() -> None:
    board = MapFile((".@", "@."))
    assert with_filled_pockets(board, MOVES["8-unit"]) == board
    assert with_filled_pockets(board, MOVES["8"]).rows == (".@", "@T")
