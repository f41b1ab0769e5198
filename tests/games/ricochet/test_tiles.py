"""The standard board, every arrangement of the tiles, and the drawn form of boards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from gridjoust.games.grid import Cell, Direction
from gridjoust.games.ricochet.ascii import format_board, parse_board
from gridjoust.games.ricochet.board import COLOURS, Board, Colour, Diagonal, Symbol, Target
from gridjoust.games.ricochet.tiles import FACES, PLAIN_FACES, arrangements, load_tiles, make_board, parse_arrangement
from tests.games.ricochet.boards import random_position

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


@pytest.mark.gate
def test_there_are_1536_boards_and_486_without_diagonals(boards: list[Board]) -> None:
    assert len(set(boards)) == 1536
    assert len(list(arrangements(PLAIN_FACES))) == 486


@pytest.mark.gate
def test_every_board_has_the_17_targets_each_once_in_a_corner_that_stops_robots(boards: list[Board]) -> None:
    kinds = [*product(COLOURS[:4], list(Symbol)[:4]), (None, Symbol.VORTEX)]
    for board in boards:
        assert Counter((target.colour, target.symbol) for target in board.targets) == Counter(kinds)
        for target in board.targets:
            closed = [side for side in Direction if board.next_cell(target.cell, side) is None]
            assert len({side.dx == 0 for side in closed}) == 2


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


DRAWN = """
+---+---+   +
|R    rt| *v|
+   +---+   +
      b/
+---+---+   +
| ##        |
+---+---+   +
"""


def test_robots_marks_walls_and_openings_are_read() -> None:
    board, robots = parse_board(DRAWN)
    assert robots == {Colour.RED: Cell(0, 0)}
    assert board.targets == (Target(Cell(1, 0), Colour.RED, Symbol.TRIANGLE), Target(Cell(2, 0), None, Symbol.VORTEX))
    assert board.diagonals == ((Cell(1, 1), Diagonal(Colour.BLUE, rising=True)),)
    assert board.blocked == {Cell(0, 2)}
    assert (Cell(1, 0), Direction.S) in board.walls
    assert board.openings == {
        (Cell(2, 0), Direction.N),
        (Cell(2, 2), Direction.S),
        (Cell(0, 1), Direction.W),
        (Cell(2, 1), Direction.E),
    }


@pytest.mark.parametrize("extras", [False, True])
def test_drawing_and_reading_are_inverse(extras: bool) -> None:
    rng = random.Random(f"drawing/{extras}")
    for _ in range(50):
        position = random_position(rng, robots=5, extras=extras)
        board, robots = parse_board(format_board(position.board, position.robots))
        assert board == position.board
        assert tuple(robots[colour] for colour in COLOURS) == position.robots


def test_every_board_survives_being_drawn(boards: list[Board]) -> None:
    for board in boards[::50]:
        assert parse_board(format_board(board))[0] == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "odd number of rows"),
        ("+---+\n|   |", "odd number of rows"),
        ("+---+\n|   |\n+-x-+", "row 2, column 1"),
        ("+---+\n!   |\n+---+", "row 1, column 0"),
        ("+---+\n|Q  |\n+---+", "cell 0,0: expected one robot"),
        ("+---+---+\n|R   R  |\n+---+---+", "cell 1,0: expected one robot"),
        ("+---+\n| zz|\n+---+", "cell 0,0: expected a mark"),
        ("+---+\n| sc|\n+---+", "cell 0,0: expected a mark"),
        ("+   +\n|   |\n+---+", "twin on the other side"),
    ],
)
def test_what_is_no_board_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_board(text)
