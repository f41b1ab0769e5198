"""How one robot slides: walls, robots, diagonals, openings; and that the fast tables agree with the plain rule."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gridjoust.games.grid import DIRECTIONS, Cell, Direction
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.board import (
    COLOURS,
    Board,
    Colour,
    Diagonal,
    Symbol,
    Target,
    both_sides,
    slide,
    with_openings,
)
from gridjoust.games.ricochet.slides import FAR, Slides
from tests.games.ricochet.boards import random_position

ROOM = Board(5, 3)
OPEN = with_openings(ROOM, [(Cell(4, 1), Direction.E)])
MIRROR, _ = parse_board("""
+---+---+---+---+
|R              |
+   +   +   +   +
|               |
+   +   +   +   +
|         b/    |
+---+---+---+---+
""")
LOOP, _ = parse_board("""
+---+---+---+
|           |
+   +   +   +
|    R    b\\|
+   +   +   +
|     b\\  b/|
+---+---+---+
""")
RED, BLUE, HEX = Colour.RED, Colour.BLUE, Symbol.HEXAGON
HALT, HALT_ANY = (replace(ROOM, halt=Target(Cell(2, 1), colour, HEX)) for colour in (RED, None))
Place = tuple[int, int]
SLIDES: dict[str, tuple[Board, Colour, str, list[Place], Place | None]] = {  # board, robot, move, other robots, stop
    "to the border": (ROOM, RED, "1 1 E", [], (4, 1)),
    "to another robot": (ROOM, RED, "0 1 E", [(3, 1)], (2, 1)),
    "to a blocked cell": (Board(5, 3, frozenset([Cell(3, 1)])), RED, "0 1 E", [], (2, 1)),
    "to a wall": (Board(5, 3, walls=both_sides([(Cell(3, 1), Direction.W)])), RED, "0 1 E", [], (2, 1)),
    "not from the border": (ROOM, RED, "0 1 W", [], None),
    "not from a robot": (ROOM, RED, "0 1 E", [(1, 1)], None),
    "by one cell at least": (ROOM, RED, "0 1 E", [(2, 1)], (1, 1)),
    "past a diagonal of its own colour": (MIRROR, BLUE, "0 2 E", [], (3, 2)),
    "round the corner at another one": (MIRROR, RED, "0 2 E", [], (2, 0)),
    "to that diagonal, if it cannot go on": (MIRROR, RED, "0 2 E", [(2, 1)], (2, 2)),
    "over the cell it came from": (LOOP, RED, "1 1 E", [], (1, 0)),
    "in again on the opposite side": (OPEN, RED, "2 1 E", [(1, 1)], (0, 1)),
    "and the other way": (OPEN, RED, "0 1 W", [(2, 1)], (3, 1)),
    "on its target, where it stops there": (HALT, RED, "0 1 E", [], (2, 1)),
    "from its target to the border": (HALT, RED, "2 1 E", [], (4, 1)),
    "over the target of another": (HALT, BLUE, "0 1 E", [], (4, 1)),
    "on the target of any robot": (HALT_ANY, BLUE, "0 1 E", [], (2, 1)),
    "to a robot before its target": (HALT, RED, "0 1 E", [(2, 1)], (1, 1)),
    "round the corner to its target": (replace(MIRROR, halt=Target(Cell(2, 1), RED, HEX)), RED, "0 2 E", [], (2, 1)),
    "not where it would never come to rest": (OPEN, RED, "2 1 E", [], None),
    "but in the row beside": (OPEN, RED, "2 2 E", [], (4, 2)),
}


@pytest.mark.parametrize(("board", "robot", "move", "others", "stop"), SLIDES.values(), ids=SLIDES)
def test_a_robot_slides(board: Board, robot: Colour, move: str, others: list[Place], stop: Place | None) -> None:
    x, y, side = move.split()
    cell, blockers = Cell(int(x), int(y)), [Cell(*other) for other in others]
    path = slide(board, robot, cell, Direction[side], blockers)
    assert (path and path.stop) == stop
    slides = Slides(board)
    taken = sum(slides.bit[slides.number(other)] for other in blockers)
    arrivals = slides.arrivals(slides.kind_of[COLOURS.index(robot)], slides.number(cell), taken)
    stops = [slides.cell(move.stop) for move in arrivals if DIRECTIONS[move.direction] is Direction[side]]
    assert stops == ([] if stop is None else [stop])


@pytest.mark.parametrize(("rising", "turns"), [(True, "EN NE SW WS"), (False, "ES SE NW WN")])
def test_a_diagonal_turns_a_robot_by_90_degrees(rising: bool, turns: str) -> None:
    for turn in turns.split():
        before, after = map(Direction.__getitem__, turn)
        assert Diagonal(Colour.BLUE, rising=rising).turned(before) is after


def test_a_robot_slides_on_after_the_turn_in_the_same_move() -> None:
    path = slide(MIRROR, RED, Cell(0, 2), Direction.E, ())
    assert path is not None
    assert path.cells == (Cell(1, 2), Cell(2, 2), Cell(2, 1), Cell(2, 0))
    assert path.arrival is Direction.N


def test_an_opening_needs_free_cells_at_both_ends() -> None:
    with pytest.raises(ValueError, match="free cells behind an opening"):
        with_openings(Board(5, 3, frozenset([Cell(0, 1)])), [(Cell(4, 1), Direction.E)])


@pytest.mark.gate
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
    cells = (Cell(3, 0), Cell(2, 0), Cell(2, 2), Cell(0, 2), Cell(0, 0))
    assert [lines[slides.number(cell)] for cell in cells] == [0, 1, 2, 2, 3]
    apart = Slides(Board(2, 1, walls=both_sides([(Cell(0, 0), Direction.E)])))
    assert apart.lines(0, 1) == [FAR, 0]
