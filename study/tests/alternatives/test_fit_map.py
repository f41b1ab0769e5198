from __future__ import annotations

import pytest

from gridjoust.bots.placement.potential import pre_rotate
from study.alternatives.fit_map import (
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
from tests.bots.placement.planning import island_task
from tests.games.placement.boards import parse_piece, parse_position

CORNER = parse_piece("#.", "##")
ROWS = ("S.__", "_#__", "____")


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
