"""The standard board and every arrangement of the tiles."""

from __future__ import annotations

from collections import Counter

import pytest

from games.grid import Cell, Direction
from games.ricochet.ascii import format_board, parse_board
from games.ricochet.board import COLOURS, Board, Colour, Diagonal, Symbol
from games.ricochet.tiles import FACES, PLAIN_FACES, arrangements, load_tiles, make_board, parse_arrangement

STANDARD = """
+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+
|       |                               |                       |
+   +   +   +   +---+   +   +   +   +   +   +   +   +   +---+   +
|               | rc                                    | rt    |
+   +---+   +   +   +   +   +   +   +   +   +   +   +   +   +   +
|     gt|                                   | bh                |
+   +   +   +   +   +   +   +   +   +   +   +---+   +   +   +   +
|                         yh|                                   |
+   +   +   +   +   +   +---+   +   +   +   +   +   +   +   +---+
|                                                               |
+   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +
|                                                               |
+---+   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +
|           | bs                                      gc|       |
+   +   +   +---+   +   +   +   +   +   +---+   +   +---+   +   +
|                             ##  ##      ys|                   |
+   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +
|                             ##  ##                            |
+   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +---+
|               | yc                                            |
+   +---+   +   +---+   +   +   +---+   +   +   +   +---+   +   +
|     gh|                       | *v                | rh        |
+   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +   +
|                                         gs|                   |
+---+   +   +   +   +   +   +   +   +   +---+   +   +   +   +   +
|                                                       | yt    |
+   +   +   +   +   +   +---+   +   +   +   +   +   +   +---+   +
|                       | bt                                    |
+   +   +   +   +   +   +   +   +   +---+   +   +   +   +   +   +
|         rs|                         bc|                       |
+   +   +---+   +   +   +   +   +   +   +   +   +   +   +   +   +
|               |                               |               |
+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+
"""


def test_the_standard_board_is_the_one_everybody_knows() -> None:
    assert make_board(("1A", "3B", "4A", "2A")) == parse_board(STANDARD)[0]


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    return [make_board(names) for names in arrangements()]


def test_there_are_1536_boards_and_486_without_diagonals(boards: list[Board]) -> None:
    assert len(set(boards)) == 1536
    assert len(list(arrangements(PLAIN_FACES))) == 486


def test_every_board_has_the_17_targets_each_once(boards: list[Board]) -> None:
    expected: Counter[tuple[Colour | None, Symbol]] = Counter(
        (colour, symbol) for colour in COLOURS[:4] for symbol in list(Symbol)[:4]
    )
    expected[None, Symbol.VORTEX] = 1
    for board in boards:
        assert Counter((target.colour, target.symbol) for target in board.targets) == expected


def test_every_target_stands_in_a_corner_that_stops_robots(boards: list[Board]) -> None:
    for board in boards[::5]:
        for target in board.targets:
            closed = [side for side in Direction if board.next_cell(target.cell, side) is None]
            assert any((a.dx == 0) != (b.dx == 0) for a in closed for b in closed)


def test_only_the_d_faces_have_diagonals_two_each() -> None:
    assert {name: len(tile.diagonals) for name, tile in load_tiles().items()} == {
        number + face: 2 if face == "D" else 0 for number in "1234" for face in FACES
    }


def test_a_quarter_turn_swaps_the_diagonals() -> None:
    in_north_west = dict(make_board(("1D", "2A", "3A", "4A")).diagonals)
    in_north_east = dict(make_board(("4A", "1D", "2A", "3A")).diagonals)
    assert in_north_west[Cell(4, 1)] == Diagonal(Colour.GREEN, rising=True)
    assert in_north_east[Cell(14, 4)] == Diagonal(Colour.GREEN, rising=False)


def test_turning_all_four_tiles_together_turns_the_board() -> None:
    straight = make_board(("1B", "2D", "3C", "4A"))
    turned = make_board(("4A", "1B", "2D", "3C"))
    cells = {Cell(15 - target.cell.y, target.cell.x) for target in straight.targets}
    assert {target.cell for target in turned.targets} == cells


def test_a_wall_on_a_tiles_edge_stands_on_the_neighbour_too() -> None:
    board = make_board(("4A", "1A", "2A", "3A"))
    assert (Cell(8, 5), Direction.W) in board.walls


@pytest.mark.parametrize("text", ["", "1A 2A 3A", "1A 1B 2A 3A", "1A 2A 3A 4E", "1 2 3 4", "1A 2A 3A 4AB"])
def test_other_arrangements_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="one tile of each number"):
        parse_arrangement(text)


def test_every_board_survives_being_drawn(boards: list[Board]) -> None:
    for board in boards[::50]:
        assert parse_board(format_board(board))[0] == board
