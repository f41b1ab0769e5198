"""How one robot slides: walls, robots, diagonals, openings; and that the fast tables agree with the plain rule."""

from __future__ import annotations

import random

import pytest

from games.grid import DIRECTIONS, Cell, Direction
from games.ricochet.ascii import parse_board
from games.ricochet.board import COLOURS, Board, Colour, Diagonal, both_sides, slide, with_openings
from games.ricochet.slides import FAR, Slides
from tests.games.ricochet.boards import random_position

ROOM = Board(5, 3)


def stop(board: Board, cell: Cell, side: Direction, *others: Cell, colour: Colour = Colour.RED) -> Cell | None:
    path = slide(board, colour, cell, side, others)
    return None if path is None else path.stop


def test_slides_to_the_border() -> None:
    assert stop(ROOM, Cell(1, 1), Direction.E) == Cell(4, 1)


def test_stops_before_another_robot() -> None:
    assert stop(ROOM, Cell(0, 1), Direction.E, Cell(3, 1)) == Cell(2, 1)


def test_stops_before_a_blocked_cell() -> None:
    assert stop(Board(5, 3, frozenset([Cell(3, 1)])), Cell(0, 1), Direction.E) == Cell(2, 1)


def test_stops_at_a_wall_between_two_cells() -> None:
    board = Board(5, 3, walls=both_sides([(Cell(3, 1), Direction.W)]))
    assert stop(board, Cell(0, 1), Direction.E) == Cell(2, 1)


def test_a_move_must_change_something() -> None:
    assert stop(ROOM, Cell(0, 1), Direction.W) is None
    blockers = (Cell(1, 1), Cell(2, 1))
    assert [stop(ROOM, Cell(0, 1), Direction.E, cell) for cell in blockers] == [None, Cell(1, 1)]


DIAGONALS = """
+---+---+---+---+
|R              |
+   +   +   +   +
|               |
+   +   +   +   +
|         b/    |
+---+---+---+---+
"""


@pytest.mark.parametrize(
    ("rising", "heading", "after"),
    [
        (True, "E", "N"),
        (True, "N", "E"),
        (True, "S", "W"),
        (True, "W", "S"),
        (False, "E", "S"),
        (False, "S", "E"),
        (False, "N", "W"),
        (False, "W", "N"),
    ],
)
def test_a_diagonal_turns_a_robot_by_90_degrees(rising: bool, heading: str, after: str) -> None:
    assert Diagonal(Colour.BLUE, rising=rising).turned(Direction[heading]) is Direction[after]


def test_a_robot_slides_on_after_the_turn_in_the_same_move() -> None:
    board, _ = parse_board(DIAGONALS)
    path = slide(board, Colour.RED, Cell(0, 2), Direction.E, ())
    assert path is not None
    assert path.cells == (Cell(1, 2), Cell(2, 2), Cell(2, 1), Cell(2, 0))
    assert path.arrival is Direction.N


def test_a_robot_of_the_diagonals_colour_passes() -> None:
    board, _ = parse_board(DIAGONALS)
    assert stop(board, Cell(0, 2), Direction.E, colour=Colour.BLUE) == Cell(3, 2)


def test_a_robot_that_cannot_go_on_behind_a_diagonal_stops_on_it() -> None:
    board, _ = parse_board(DIAGONALS)
    assert stop(board, Cell(0, 2), Direction.E, Cell(2, 1)) == Cell(2, 2)


def test_a_robot_re_enters_on_the_opposite_side() -> None:
    board = with_openings(ROOM, [(Cell(4, 1), Direction.E)])
    assert stop(board, Cell(2, 1), Direction.E, Cell(1, 1)) == Cell(0, 1)
    assert stop(board, Cell(0, 1), Direction.W, Cell(2, 1)) == Cell(3, 1)


def test_a_robot_that_would_never_come_to_rest_does_not_move() -> None:
    board = with_openings(ROOM, [(Cell(4, 1), Direction.E)])
    assert [stop(board, Cell(2, y), Direction.E) for y in (1, 2)] == [None, Cell(4, 2)]


LOOP = """
+---+---+---+
|           |
+   +   +   +
|    R    b\\|
+   +   +   +
|     b\\  b/|
+---+---+---+
"""


def test_a_robot_may_cross_the_cell_it_came_from() -> None:
    board, _ = parse_board(LOOP)
    assert stop(board, Cell(1, 1), Direction.E) == Cell(1, 0)
    slides = Slides(board)
    moves = slides.arrivals(slides.kind_of[0], slides.number(Cell(1, 1)), 0)
    assert slides.cell(next(move.stop for move in moves if DIRECTIONS[move.direction] is Direction.E)) == Cell(1, 0)


def test_an_opening_needs_free_cells_at_both_ends() -> None:
    with pytest.raises(ValueError, match="free cells behind an opening"):
        with_openings(Board(5, 3, frozenset([Cell(0, 1)])), [(Cell(4, 1), Direction.E)])


@pytest.mark.parametrize("extras", [False, True])
def test_the_tables_agree_with_the_plain_rule_move_by_move(extras: bool) -> None:
    rng = random.Random(f"slides/{extras}")
    for _ in range(150):
        position = random_position(rng, robots=5, extras=extras)
        slides = Slides(position.board)
        for robot, cell in enumerate(position.robots):
            others = [other for other in position.robots if other != cell]
            blockers = sum(slides.bit[slides.number(other)] for other in others)
            paths = [slide(position.board, COLOURS[robot], cell, side, others) for side in DIRECTIONS]
            expected = [(n, path.stop, path.arrival) for n, path in enumerate(paths) if path is not None]
            arrivals = slides.arrivals(slides.kind_of[robot], slides.number(cell), blockers)
            assert [(a.direction, slides.cell(a.stop), DIRECTIONS[a.heading]) for a in arrivals] == expected
            stops = slides.stops_from(slides.kind_of[robot], slides.number(cell), blockers)
            assert [slides.cell(number) for number in stops] == list(dict.fromkeys(end for _, end, _ in expected))


def test_lines_count_straight_moves_that_may_stop_anywhere() -> None:
    slides = Slides(Board(4, 3, walls=both_sides([(Cell(1, 0), Direction.E), (Cell(1, 1), Direction.E)])))
    lines = slides.lines(0, slides.number(Cell(3, 0)))
    assert [lines[slides.number(cell)] for cell in (Cell(3, 0), Cell(2, 0), Cell(2, 2), Cell(0, 2), Cell(0, 0))] == [
        0,
        1,
        2,
        2,
        3,
    ]


def test_lines_say_so_where_none_lead_to_the_target() -> None:
    slides = Slides(Board(2, 1, walls=both_sides([(Cell(0, 0), Direction.E)])))
    assert slides.lines(0, 1) == [FAR, 0]
