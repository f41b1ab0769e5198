"""Polyominoes: how many there are, how they turn, where they fit."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.games.bitset import members
from gridjoust.games.grid import Cell
from gridjoust.games.placement.board import make_board
from gridjoust.games.placement.pieces import (
    Shape,
    box,
    coverable,
    fits,
    fixed_polyominoes,
    make_shape,
    orientations,
    piece_set,
    shape_mask,
    turned,
)
from tests.games.placement.boards import mask_of, parse_piece

ALL_PIECES = piece_set(1, 6)


def placements_on_empty(size: int, shapes: Iterable[Shape]) -> int:
    board = make_board(size, size)
    return sum(fits(shape, board.stride, board.inside, board.inside).bit_count() for shape in shapes)


@pytest.mark.parametrize(
    ("cells", "fixed", "on_board_of_15", "pieces"),
    [
        (1, 1, 225, 1),
        (2, 2, 420, 1),
        (3, 6, 1174, 2),
        (4, 19, 3468, 7),
        (5, 63, 10_771, 18),
        (6, 216, 34_676, 59),  # one-sided hexominoes are 60: the straight one is too long
    ],
)
def test_number_of_polyominoes_of_their_placements_and_of_pieces(
    cells: int, fixed: int, on_board_of_15: int, pieces: int
) -> None:
    shapes = fixed_polyominoes(cells)
    assert (len(shapes), placements_on_empty(15, shapes), len(piece_set(cells, cells))) == (
        fixed,
        on_board_of_15,
        pieces,
    )


def test_numbers_of_boxed_hexominoes_and_of_placements_of_one_to_five_cells_on_a_board_of_20() -> None:
    boxed = [shape for shape in fixed_polyominoes(6) if max(box(shape)) <= 5]
    assert (len(boxed), placements_on_empty(15, boxed)) == (214, 34_376)
    assert placements_on_empty(20, chain.from_iterable(map(fixed_polyominoes, range(1, 6)))) == 30_433


def test_no_piece_of_the_set_is_another_one_turned() -> None:
    ways = [lying.shape for piece in ALL_PIECES for lying in orientations(piece, reflect=False)]
    assert len(ways) == len(set(ways))


@pytest.mark.parametrize(
    ("quarters", "mirrored", "rows"),
    [
        pytest.param(1, False, ("##", "#.", "#."), id="clockwise"),
        pytest.param(2, False, ("###", "..#"), id="half a turn"),
        pytest.param(1, True, ("#.", "#.", "##"), id="mirrored before it is turned"),
    ],
)
def test_how_a_piece_lies(quarters: int, mirrored: bool, rows: tuple[str, ...]) -> None:
    assert turned(parse_piece("#..", "###"), quarters, mirrored=mirrored) == parse_piece(*rows)


@given(st.sampled_from(ALL_PIECES), st.integers(0, 3), st.booleans())
def test_turning_four_times_changes_nothing(piece: Shape, quarters: int, mirrored: bool) -> None:
    lying = turned(piece, quarters, mirrored=mirrored)
    assert turned(lying, 4) == lying
    assert turned(turned(lying, 1), 3) == lying


@pytest.mark.parametrize(
    ("rows", "ways", "mirrored_ways"),
    [
        (("##", "##"), 1, 1),
        (("###",), 2, 2),
        ((".##", "##."), 2, 4),
        (("##.", ".#.", ".##"), 2, 4),
        (("#.", "##"), 4, 4),
    ],
)
def test_equal_ways_to_lie_count_once(rows: tuple[str, ...], ways: int, mirrored_ways: int) -> None:
    lying = [orientations(parse_piece(*rows), reflect=reflect) for reflect in (False, True)]
    assert [len(found) for found in lying] == [ways, mirrored_ways]


@pytest.mark.parametrize("cells", [[], [(0, 0), (1, 1)], [(0, 0), (0, 0)], [(0, 0), (2, 0)]])
def test_a_shape_is_moved_to_the_corner_and_hangs_together(cells: list[tuple[int, int]]) -> None:
    assert make_shape([(7, 9), (8, 9)]) == (Cell(0, 0), Cell(1, 0))
    with pytest.raises(ValueError, match="expected distinct connected cells"):
        make_shape(cells)


def naive_fits(shape: Shape, corners: Iterable[Cell], void: set[Cell], beside: set[Cell]) -> set[Cell]:
    covered = {corner: {Cell(corner.x + x, corner.y + y) for x, y in shape} for corner in corners}
    return {corner for corner, cells in covered.items() if cells <= void and cells & beside}


@pytest.mark.gate
def test_fits_are_those_of_a_cell_by_cell_test() -> None:
    for seed in range(6):
        rng = random.Random(seed)
        board = make_board(rng.randint(5, 9), rng.randint(5, 9))
        corners = board.cells(board.inside)
        void = {cell for cell in corners if rng.random() < 0.85}
        beside = {cell for cell in void if rng.random() < 0.1}
        for shape in (lying.shape for piece in ALL_PIECES for lying in orientations(piece, reflect=True)):
            found = fits(shape, board.stride, board.mask(void), board.mask(beside))
            assert set(board.cells(found)) == naive_fits(shape, corners, void, beside)


def test_a_gap_at_the_top_left_of_a_piece_may_lie_over_floor() -> None:
    rows = (".__", "___", "___")
    board = make_board(3, 3)
    void = mask_of(*rows, signs="_")
    found = fits(parse_piece(".#", "##"), board.stride, void, void & board.spread(board.inside & ~void))
    assert Cell(0, 0) in set(board.cells(found))


def test_no_piece_slips_round_the_right_border() -> None:
    board = make_board(6, 6)
    for piece in ALL_PIECES:
        for lying in orientations(piece, reflect=False):
            width, height = box(lying.shape)
            corners = fits(lying.shape, board.stride, board.inside, board.inside)
            assert corners.bit_count() == (7 - width) * (7 - height)


def test_coverable_cells_are_those_that_some_placement_covers() -> None:
    rows = ("__.___", "_..___", "..____", "______", ".....#", "__._._")
    board = make_board(6, 6)
    void = mask_of(*rows, signs="_")
    shapes = [lying.shape for piece in piece_set(3, 3) for lying in orientations(piece, reflect=False)]
    expected = 0
    for shape in shapes:
        for corner in members(fits(shape, board.stride, void, void)):
            expected |= shape_mask(shape, board.stride) << corner
    assert coverable(board, void, shapes) == expected
    assert set(board.cells(void & ~expected)) == {Cell(x, 5) for x in (0, 1, 3, 5)}
