"""Pictures for people: Unicode rows and SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from games.grid import Cell
from games.ricochet.board import COLOURS
from games.ricochet.pictures import picture
from games.ricochet.proof import Position
from games.ricochet.tiles import make_board
from tests.games.ricochet.boards import drawn_position


def test_svg_is_well_formed_and_names_robots_and_targets() -> None:
    board = make_board(("1D", "2D", "3D", "4D"))
    robots = (Cell(0, 0), Cell(15, 0), Cell(0, 15), Cell(15, 15))
    tree = ET.fromstring(picture(Position(board, robots, board.targets[0]), ""))
    titles = [title.text for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(titles, key=str) == sorted([*map(str, board.targets), *map(str, COLOURS[:4])])


ROW = drawn_position("+---+---+---+\n|R        rt|\n+---+---+---+")


def test_svg_shows_the_way_of_a_solution_step_by_step() -> None:
    without, shown = picture(ROW, ""), picture(ROW, "red E")
    assert shown.count("<line") - without.count("<line") == 2
    assert ">1</text>" in shown


def test_svg_refuses_moves_that_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="move 1, red W"):
        picture(ROW, "red W")
