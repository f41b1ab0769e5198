"""Steps 1 to 6 of the planner: turned pieces, the maps, the placements, and the cache of fit data."""

from __future__ import annotations

import random

import pytest

from benchmarks.alternatives.fit_map import (
    CellType,
    adjacency_map,
    fits_by_board,
    fits_by_rows,
    fits_by_window,
    pathability_map,
    piece_rows,
    piece_word,
    row_fit_map,
    window_fit_map,
)
from benchmarks.placement import island_task
from bots.placement.fit_cache import FitCache, Keys, PlainKeys, ZobristKeys
from bots.placement.potential import Potential, potential_map, potential_placements
from bots.placement.shapes import pre_rotate, unlike
from games.grid import Cell
from games.placement.board import bits
from games.placement.legal import placements
from games.placement.pieces import piece_set, turned
from tests.bots.placement.planning import PlanningCase, planning_cases
from tests.games.placement.boards import parse_piece, parse_position

SQUARE = parse_piece("##", "##")
CORNER = parse_piece("#.", "##")
ROWS = ("S.__", "_#__", "____")


def all_potentials(seed: int) -> tuple[int, list[Potential]]:
    position = island_task(seed).position
    board, void = position.board, position.void
    ways = [way for ways in pre_rotate(position.hand) for way in ways]
    return board.stride, potential_placements(board, void, void & board.spread(position.floor), ways)


def test_a_hand_of_three_lies_in_twelve_ways_at_most() -> None:
    assert [len(ways) for ways in pre_rotate((CORNER, SQUARE, parse_piece("###")))] == [4, 1, 2]
    assert max(len(pre_rotate((piece,))[0]) for piece in piece_set(1, 6)) == 4


def test_pieces_of_one_kind_are_tried_once() -> None:
    assert unlike((CORNER, SQUARE, turned(CORNER, 1)), (0, 1, 2)) == [0, 1]
    assert unlike((CORNER, SQUARE, turned(CORNER, 1)), (1, 2)) == [1, 2]


def test_mirror_images_are_of_one_kind_only_where_mirroring_is_allowed() -> None:
    hand = (parse_piece("##.", ".##"), parse_piece(".##", "##."))
    assert unlike(hand, (0, 1)) == [0, 1]
    assert unlike(hand, (0, 1), reflect=True) == [0]


def test_cell_types_are_single_bits() -> None:
    types = pathability_map(parse_position(*ROWS))
    assert types[0] == [CellType.FLOOR, CellType.FLOOR, CellType.VOID, CellType.VOID]
    assert types[1][1] is CellType.WALL
    assert [kind.bit_count() for kind in CellType] == [1, 1, 1]


def test_adjacent_cells_are_void_beside_floor() -> None:
    touches = adjacency_map(pathability_map(parse_position(*ROWS)))
    assert [[x for x, touch in enumerate(row) if touch] for row in touches] == [[2], [0], []]


def test_a_fit_row_holds_the_next_five_cells() -> None:
    types = pathability_map(parse_position("S_.____"))
    row = row_fit_map(types, adjacency_map(types))[0]
    assert (row[0].free, row[0].adjacent) == (0b11010, 0b01010)
    assert (row[5].free, row[5].adjacent) == (0b00011, 0)  # cells beyond the board are not free


def test_a_window_holds_free_cells_low_and_adjacent_ones_high() -> None:
    types = pathability_map(parse_position("S_", "__"))
    window = window_fit_map(row_fit_map(types, adjacency_map(types)))[0][0]
    assert window == 0b0001100010 | 0b0000100010 << 32
    assert window.bit_length() <= 64


def test_rows_and_word_of_a_piece() -> None:
    assert piece_rows(CORNER) == (0b01, 0b11)
    assert piece_word(CORNER) == 0b00011_00001


@pytest.mark.parametrize("seed", range(5))
def test_the_three_fit_maps_agree(seed: int) -> None:
    task = island_task(seed)
    position, board = task.position, task.position.board
    types = pathability_map(position)
    fit_rows = row_fit_map(types, adjacency_map(types))
    windows = window_fit_map(fit_rows)
    beside = position.void & board.spread(position.floor)
    for way in (way for ways in pre_rotate(position.hand) for way in ways):
        shape = way.lying.shape
        word = piece_word(shape)
        cells = list(board.cells(board.inside))
        by_board = set(board.cells(fits_by_board(board, shape, position.void, beside)))
        assert {cell for cell in cells if fits_by_rows(fit_rows, shape, cell)} == by_board
        assert {cell for cell in cells if fits_by_window(windows, word, cell)} == by_board


@pytest.mark.parametrize("case", planning_cases(), ids=lambda case: case.id)
def test_first_ply_placements_are_counted_exactly(case: PlanningCase) -> None:
    position = case.task.position
    found = tuple(len(placements(position, piece)) for piece in range(len(position.hand)))
    assert found == case.first_placements


def test_potential_placements_are_the_legal_ones() -> None:
    position = island_task(7).position
    _, found = all_potentials(7)
    expected = [place for piece in range(3) for place in placements(position, piece)]
    assert [potential.place(position.board) for potential in found] == expected


def test_the_potential_map_tells_which_placements_cover_a_cell() -> None:
    stride, found = all_potentials(3)
    sets = potential_map(found, stride)
    for cell in bits(island_task(3).position.board.inside):
        covering = sum(1 << number for number, potential in enumerate(found) if potential.mask >> cell & 1)
        assert sets.get(cell, 0) == covering


@pytest.mark.parametrize("keys", [PlainKeys(), ZobristKeys()], ids=["plain", "zobrist"])
def test_keys_do_not_depend_on_the_order_of_placements(keys: Keys) -> None:
    position = island_task(5).position
    _, found = all_potentials(5)
    one = next(potential for potential in found if potential.turned.piece == 0)
    other = next(p for p in found if p.turned.piece == 1 and not p.mask & one.mask)
    floor = position.floor
    begun = keys.first(floor, (0, 1, 2))
    first = keys.after(keys.after(begun, one, floor | one.mask, (1, 2)), other, floor | one.mask | other.mask, (2,))
    second = keys.after(keys.after(begun, other, floor | other.mask, (0, 2)), one, floor | one.mask | other.mask, (2,))
    assert first == second == keys.first(floor | one.mask | other.mask, (2,))


@pytest.mark.parametrize("keys", [PlainKeys(), ZobristKeys()], ids=["plain", "zobrist"])
def test_keys_tell_maps_and_pieces_left_apart(keys: Keys) -> None:
    rng = random.Random(1)
    states = {(rng.getrandbits(240), left) for _ in range(300) for left in ((0, 1), (0,), (1,), ())}
    assert len({keys.first(floor, left) for floor, left in states}) == len(states)


def test_fit_data_is_made_once_and_hits_are_counted() -> None:
    cache: FitCache[list[Cell]] = FitCache()
    made = [cache.look_up("key", lambda: [Cell(1, 2)]) for _ in range(3)]
    assert made[0] is made[1] is made[2]
    assert (cache.hits, cache.misses) == (2, 1)
