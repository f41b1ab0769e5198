"""Pictures for people: Unicode rows and SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from games.grid import Cell
from games.ricochet.ascii import parse_board
from games.ricochet.board import COLOURS
from games.ricochet.svg import draw_position, draw_svg
from games.ricochet.terminal import draw_rows, draw_text
from games.ricochet.tiles import arrangements, make_board
from tests.games.ricochet.boards import drawn_position, moves

SMALL = """
+---+---+---+
|R    rt    |
+   +---+   +
|   | b/  ##|
+---+---+---+
"""


def test_walls_join_and_signs_stand_in_the_middle() -> None:
    board, robots = parse_board(SMALL)
    assert draw_text(board, tuple(robots.values()), board.targets[0]).splitlines() == [
        "┌───────────┐",
        "│R    ▲     │",
        "│   ┌───┬───┤",
        "│   │ ╱ │▒▒▒│",
        "└───┴───┴───┘",
    ]


def test_the_wanted_target_and_the_robots_are_bold_in_their_colours() -> None:
    board, robots = parse_board(SMALL)
    pieces = [piece for row in draw_rows(board, tuple(robots.values()), board.targets[0]) for piece in row]
    assert [(piece.text, piece.colour) for piece in pieces if piece.is_bold] == [("R", "red"), ("▲", "red")]


def test_every_row_of_every_board_has_the_same_width() -> None:
    for names in list(arrangements())[::200]:
        rows = draw_rows(make_board(names))
        assert {sum(len(piece.text) for piece in row) for row in rows} == {65}


def test_svg_is_well_formed_and_names_robots_and_targets() -> None:
    board = make_board(("1D", "2D", "3D", "4D"))
    robots = (Cell(0, 0), Cell(15, 0), Cell(0, 15), Cell(15, 15))
    tree = ET.fromstring(draw_svg(board, robots, board.targets[0]))
    titles = [title.text for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(titles, key=str) == sorted([*map(str, board.targets), *map(str, COLOURS[:4])])


def test_svg_shows_the_way_of_a_solution_step_by_step() -> None:
    position = drawn_position("+---+---+---+\n|R        rt|\n+---+---+---+")
    without, shown = draw_position(position), draw_position(position, moves("red E"))
    assert shown.count("<line") - without.count("<line") == 2
    assert ">1</text>" in shown


def test_svg_refuses_moves_that_cannot_be_made() -> None:
    position = drawn_position("+---+---+---+\n|R        rt|\n+---+---+---+")
    with pytest.raises(ValueError, match="move 1, red W"):
        draw_position(position, moves("red W"))
