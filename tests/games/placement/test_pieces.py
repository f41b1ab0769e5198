"""Polyominoes: how many there are, how they turn, where they fit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bitset import members
from games.grid import Cell
from games.placement.board import make_board
from games.placement.pieces import (
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


def placements_on_empty(size: int, shapes: tuple[Shape, ...]) -> int:
    board = make_board(size, size)
    return sum(fits(shape, board.stride, board.inside, board.inside).bit_count() for shape in shapes)


@pytest.mark.parametrize(("cells", "count"), [(1, 1), (2, 2), (3, 6), (4, 19), (5, 63), (6, 216)])
def test_number_of_fixed_polyominoes(cells: int, count: int) -> None:
    assert len(fixed_polyominoes(cells)) == count


def test_hexominoes_in_a_box_of_five_are_214() -> None:
    assert sum(max(box(shape)) <= 5 for shape in fixed_polyominoes(6)) == 214


@pytest.mark.parametrize(("cells", "count"), [(1, 225), (2, 420), (3, 1174), (4, 3468), (5, 10_771), (6, 34_676)])
def test_placements_of_fixed_polyominoes_on_an_empty_board_of_15(cells: int, count: int) -> None:
    assert placements_on_empty(15, fixed_polyominoes(cells)) == count


def test_placements_of_hexominoes_in_a_box_of_five_on_an_empty_board_of_15() -> None:
    boxed = tuple(shape for shape in fixed_polyominoes(6) if max(box(shape)) <= 5)
    assert placements_on_empty(15, boxed) == 34_376


def test_placements_of_one_to_five_cells_on_an_empty_board_of_20() -> None:
    shapes = tuple(shape for cells in range(1, 6) for shape in fixed_polyominoes(cells))
    assert placements_on_empty(20, shapes) == 30_433


@pytest.mark.parametrize(("cells", "count"), [(1, 1), (2, 1), (3, 2), (4, 7), (5, 18), (6, 59)])
def test_pieces_by_size_with_mirror_images_apart(cells: int, count: int) -> None:
    assert len(piece_set(cells, cells)) == count  # one-sided polyominoes; the straight hexomino is too long


def test_no_piece_of_the_set_is_another_one_turned() -> None:
    ways = [lying.shape for piece in ALL_PIECES for lying in orientations(piece, reflect=False)]
    assert len(ways) == len(set(ways))


def test_pieces_turn_clockwise() -> None:
    assert turned(parse_piece("#..", "###"), 1) == parse_piece("##", "#.", "#.")


def test_half_a_turn() -> None:
    assert turned(parse_piece("#..", "###"), 2) == parse_piece("###", "..#")


def test_mirroring_comes_before_turning() -> None:
    assert turned(parse_piece("#..", "###"), 1, mirrored=True) == parse_piece("#.", "#.", "##")


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
    piece = parse_piece(*rows)
    assert len(orientations(piece, reflect=False)) == ways
    assert len(orientations(piece, reflect=True)) == mirrored_ways


def test_a_shape_is_moved_to_the_corner() -> None:
    assert make_shape([(7, 9), (8, 9)]) == (Cell(0, 0), Cell(1, 0))


@pytest.mark.parametrize("cells", [[], [(0, 0), (1, 1)], [(0, 0), (0, 0)], [(0, 0), (2, 0)]])
def test_what_does_not_hang_together_is_no_piece(cells: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="expected distinct cells that hang together"):
        make_shape(cells)


def naive_fits(shape: Shape, width: int, height: int, void: set[Cell], beside: set[Cell]) -> set[Cell]:
    found = set()
    for y in range(height):
        for x in range(width):
            cells = {Cell(x + dx, y + dy) for dx, dy in shape}
            if cells <= void and cells & beside:
                found.add(Cell(x, y))
    return found


def test_fits_are_those_of_a_cell_by_cell_test() -> None:
    for seed in range(6):
        rng = random.Random(seed)
        width, height = rng.randint(5, 9), rng.randint(5, 9)
        board = make_board(width, height)
        void = {cell for cell in board.cells(board.inside) if rng.random() < 0.85}
        beside = {cell for cell in void if rng.random() < 0.1}
        for shape in (lying.shape for piece in ALL_PIECES for lying in orientations(piece, reflect=True)):
            found = fits(shape, board.stride, board.mask(void), board.mask(beside))
            assert set(board.cells(found)) == naive_fits(shape, width, height, void, beside)


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
