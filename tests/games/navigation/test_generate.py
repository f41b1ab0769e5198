"""Generated maps: random obstacles, mazes, rooms, caves and streets."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from gridjoust.games.navigation.board import MOVES, Board
from gridjoust.games.navigation.generate import (
    caves_map,
    maze_map,
    random_map,
    rooms_map,
    streets_map,
    with_filled_pockets,
)
from gridjoust.games.navigation.search import reachable_cells

SIZES = [(32, 32), (17, 9), (3, 3), (8, 40)]

Make = Callable[[random.Random, int, int], Board]
KINDS: dict[str, Make] = {
    "random": lambda rng, width, height: random_map(rng, width=width, height=height, density=0.3),
    "maze": lambda rng, width, height: maze_map(rng, width=width, height=height, corridor=2),
    "rooms": lambda rng, width, height: rooms_map(rng, width=width, height=height, room=4),
    "caves": lambda rng, width, height: caves_map(rng, width=width, height=height),
    "streets": lambda rng, width, height: streets_map(rng, width=width, height=height),
}


def drawn(*rows: str) -> Board:
    return Board(len(rows[0]), len(rows), bytes(sign == "@" for row in rows for sign in row))


def column(board: Board, x: int) -> str:
    return "".join(".@"[cell] for cell in board.blocked[x :: board.width])


def free_cells(board: Board) -> set[tuple[int, int]]:
    return {board.place(cell) for cell, is_blocked in enumerate(board.blocked) if not is_blocked}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", SIZES)
def test_maps_have_the_size_asked_for(kind: str, size: tuple[int, int]) -> None:
    board = KINDS[kind](random.Random(1), *size)
    assert (board.width, board.height, len(board.blocked)) == (*size, size[0] * size[1])


@pytest.mark.parametrize("kind", KINDS)
def test_the_generator_decides(kind: str) -> None:
    boards = [KINDS[kind](random.Random(seed), 20, 20) for seed in (1, 1, 2)]
    assert boards[0] == boards[1] != boards[2]


@pytest.mark.parametrize(
    ("side", "density", "expected"), [(20, 0.0, 0), (20, 0.2, 80), (20, 0.375, 150), (20, 0.9, 360), (2, 1.0, 3)]
)
def test_random_maps_have_exactly_their_share_of_blocked_cells_but_keep_a_free_one(
    side: int, density: float, expected: int
) -> None:
    assert sum(random_map(random.Random(1), width=side, height=side, density=density).blocked) == expected


@pytest.mark.parametrize("kind", ["maze", "rooms", "caves", "streets"])
@pytest.mark.parametrize("size", SIZES)
def test_mazes_rooms_caves_and_streets_are_one_region(kind: str, size: tuple[int, int]) -> None:
    for seed in range(10):
        board = KINDS[kind](random.Random(seed), *size)
        assert len(reachable_cells(board, MOVES["4"], board.blocked.index(0))) == board.blocked.count(0) > 0


def test_a_maze_with_corridors_of_one_cell_has_no_loop() -> None:
    for seed in range(10):
        free = free_cells(maze_map(random.Random(seed), width=21, height=21, corridor=1))
        links = sum((x + 1, y) in free for x, y in free) + sum((x, y + 1) in free for x, y in free)
        assert links == len(free) - 1


def test_a_maze_has_walls_of_one_cell_and_corridors_and_ways_as_wide_as_asked_for() -> None:
    board = maze_map(random.Random(1), width=13, height=13, corridor=3)
    free = free_cells(board)
    assert free.isdisjoint((x, y) for x in (0, 4, 8, 12) for y in (0, 4, 8, 12))
    assert free.issuperset((x, y) for x in (1, 2, 3, 5, 6, 7) for y in (1, 2, 3, 5, 6, 7))
    assert column(maze_map(random.Random(1), width=9, height=5, corridor=3), 4) == "@...@"


def test_a_door_between_rooms_is_one_cell_and_rooms_have_more_doors_than_it_takes() -> None:
    board = rooms_map(random.Random(1), width=9, height=5, room=3)
    assert sorted(column(board, 4)) == [".", "@", "@", "@", "@"]
    board = rooms_map(random.Random(1), width=33, height=33, room=3, extra_doors=1.0)
    assert board.blocked.count(0) == 64 * 9 + 2 * 8 * 7


@pytest.mark.parametrize(
    ("connectivity", "board", "expected"),
    [
        ("4", drawn(".@..", ".@@@", "@..."), drawn("@@@@", "@@@@", "@...")),
        ("4", drawn(".@."), drawn(".@@")),  # of equal regions the first is kept
        ("8", drawn(".@", "@."), drawn(".@", "@@")),
        ("8-unit", drawn(".@", "@."), drawn(".@", "@.")),
    ],
)
def test_pockets_are_filled_and_the_moves_say_what_is_one(connectivity: str, board: Board, expected: Board) -> None:
    assert with_filled_pockets(board, MOVES[connectivity]) == expected


def test_a_cave_is_smooth() -> None:
    board = caves_map(random.Random(1), width=40, height=30)
    free = free_cells(board)
    assert len(free) > 200
    around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    lone = [(x, y) for x, y in free if sum((x + dx, y + dy) in free for dx, dy in around) < 3]
    assert lone == []


def test_streets_cross_a_town_from_side_to_side() -> None:
    for seed in range(5):
        board = streets_map(random.Random(seed), width=40, height=40)
        rows = [board.blocked[top : top + 40] for top in range(0, 1600, 40)]
        assert 3 <= sum(not any(row) for row in rows) <= 27
        assert 0.3 < sum(board.blocked) / 1600 < 0.85
