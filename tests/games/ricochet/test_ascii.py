"""The drawn form of boards: what it can say, and what it refuses with the place."""

from __future__ import annotations

import random

import pytest

from games.grid import Cell, Direction
from games.ricochet.ascii import format_board, parse_board
from games.ricochet.board import COLOURS, Colour, Diagonal, Symbol, Target
from tests.games.ricochet.boards import random_position

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
    assert board.targets == (
        Target(Cell(1, 0), Colour.RED, Symbol.TRIANGLE),
        Target(Cell(2, 0), None, Symbol.VORTEX),
    )
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
