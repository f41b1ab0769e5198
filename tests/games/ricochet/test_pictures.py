"""Boards for people: in a terminal with what may be typed there, and as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from gridjoust.games.api import Turn
from gridjoust.games.drawing import Drawing, Line
from gridjoust.games.grid import Cell
from gridjoust.games.ricochet import Ricochet
from gridjoust.games.ricochet.actions import Solve, parse_moves
from gridjoust.games.ricochet.ascii import parse_board
from gridjoust.games.ricochet.board import COLOURS
from gridjoust.games.ricochet.drawing import draw as drawing_of
from gridjoust.games.ricochet.drawing import draw_line
from gridjoust.games.ricochet.pictures import picture, rows
from gridjoust.games.ricochet.proof import Position
from gridjoust.games.ricochet.state import Proof
from gridjoust.games.ricochet.terminal import draw, draw_rows, draw_text, draw_turn, parse
from gridjoust.games.ricochet.tiles import arrangements, make_board
from tests.games.ricochet.boards import drawn_position, solve

BOARD, ROBOTS = parse_board("""
+---+---+---+
|R    rt    |
+   +---+   +
|   | b/  ##|
+---+---+---+
""")
SMALL = Position(BOARD, tuple(ROBOTS.values()), BOARD.targets[0])
DRAWN = """\
┌───────────┐
│R    ▲     │
│   ┌───┬───┤
│   │ ╱ │▒▒▒│
└───┴───┴───┘"""


def test_walls_join_signs_stand_in_the_middle_and_what_is_wanted_is_bold_in_its_colour() -> None:
    assert draw_text(SMALL) == DRAWN
    pieces = [piece for row in rows(SMALL) for piece in row]
    assert [piece for piece in pieces if "bold" in piece[1]] == [
        ("R", "bold red"),
        ("▲", "bold red"),
        (f"wanted: red to red triangle at {SMALL.target.cell.x},{SMALL.target.cell.y}", "bold"),
    ]
    assert {style for text, style in pieces if text in ("▒▒▒", "   ")} == {"white", "bright_black"}


def test_a_solution_typed_while_bids_are_open_is_a_bid_and_taken_when_it_is_asked_for() -> None:
    assert parse("2", {"phase": "bidding"}, []) == parse("rE bN", {"phase": "bidding"}, []) == "bid 2"
    assert parse("rE bN", {"phase": "proof"}, []) == "solve red E, blue N"


@pytest.mark.parametrize(
    ("line", "phase", "legal", "answer"),
    [
        ("7", "bidding", ["pass", "bid 1", "bid 2"], "expected a bid of 1 to 2, got 7"),
        ("7", "bidding", ["pass"], "expected no lower bid, got 7"),
        ("7", "proof", ["pass"], "expected the moves, such as rE bN, or p, got a number"),
        ("d", "bidding", ["pass"], "a new deal can be asked for once a round, while bids are open"),
    ],
)
def test_what_is_not_due_is_answered_in_a_line(line: str, phase: str, legal: list[str], answer: str) -> None:
    with pytest.raises(ValueError, match=f"^{answer}"):
        parse(line, {"phase": phase}, legal)


def test_every_row_of_every_board_has_the_same_width() -> None:
    for names in list(arrangements())[::200]:
        board = make_board(names)
        drawn = draw_rows(Position(board, (), board.targets[0]))
        assert {sum(len(piece.text) for piece in row) for row in drawn} == {65}


def test_below_the_board_stands_what_is_asked_and_bid() -> None:
    game = Ricochet(seats=2)
    state = game.initial_state(7)
    *board, asked, bids = draw(game.observation(state, 0), game.briefing(state, 0)).splitlines()
    assert board == draw_text(state.position).splitlines()
    assert asked == f"bidding: bring {state.target.task}"
    assert bids == "round 1   chips [0, 0]   bids seat 0: -, seat 1: -"


def test_a_replay_shows_the_way_of_a_solution_with_the_number_of_each_move_on_its_cells() -> None:
    game = Ricochet({"mode": "solve", "tiles": "1A 3B 4A 2A", "optima": "4"}, seats=1)
    state = game.initial_state(7)
    moves = solve(state.position).moves or ()
    later = game.apply(state, Turn({0: Solve(moves)}, 1))
    before, after = draw_turn(game.public_view(state), game.public_view(later), game.briefing(state, 0))
    assert before.splitlines()[-1] == f"bring {state.target.task}: seat 0, 4 moves, right"
    assert before.splitlines()[:-1] == draw_text(state.position, moves).splitlines()
    drawn = before.removesuffix(before.splitlines()[-1])
    assert [str(number) in drawn for number in (4, 5)] == [True, False]
    assert after.splitlines()[:-2] == draw_text(later.position).splitlines()
    assert draw_turn(game.public_view(later), game.public_view(later), game.briefing(later, 0))[0] == after


KEYS = {
    "7": "bid 7",
    "p": "pass",
    "rE bn": "solve red E, blue N",
    "r e,sW": "solve red E, silver W",
    "solve red E": "solve red E",
    "bid 3": "bid 3",
}


@pytest.mark.parametrize(("line", "action"), KEYS.items())
def test_a_few_keys_are_an_action(line: str, action: str) -> None:
    assert parse(line, {}, []) == action


@pytest.mark.parametrize("line", ["", "x", "rE bX"])
def test_other_keys_are_explained(line: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a number bids, rE bN \.\.\. are moves"):
        parse(line, {}, [])


def test_svg_is_well_formed_and_names_robots_and_targets() -> None:
    board = make_board(("1D", "2D", "3D", "4D"))
    robots = (Cell(0, 0), Cell(15, 0), Cell(0, 15), Cell(15, 15))
    tree = ET.fromstring(picture(Position(board, robots, board.targets[0]), ""))
    titles = [title.text for title in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(titles, key=str) == sorted([*map(str, board.targets), *map(str, COLOURS[:4])])


def test_svg_shows_the_way_of_a_solution_step_by_step_and_refuses_moves_that_cannot_be_made() -> None:
    row = drawn_position("+---+---+---+\n|R        rt|\n+---+---+---+")
    without, shown = picture(row, ""), picture(row, "red E")
    assert shown.count("<line") - without.count("<line") == 2
    assert ">1</text>" in shown
    for move in ("red W", "silver N"):
        with pytest.raises(ValueError, match=f"move 1, {move}: the robot cannot move that way"):
            picture(row, move)


def test_moves_that_a_person_types_are_drawn_and_other_lines_are_not() -> None:
    game = Ricochet(seats=1)
    state = game.initial_state(3)
    red = state.robots[0]
    tried = draw_line(game, state, (), "rN rE b", seat=0)
    names = {layer.name: layer.shapes for layer in tried.layers}
    [start, *_] = [shape.points[0] for shape in names["solution"] if isinstance(shape, Line)]
    assert start == (red.x + 0.5, red.y + 0.5)
    assert [one.score for one in tried.seats] == ["0 chips"]
    for line in ("", "pass", "redeal", "rN rE bid"):
        assert draw_line(game, state, (), line, seat=0) == drawing_of(game, state)


def test_a_seat_sees_the_last_solution_until_it_bids() -> None:
    game = Ricochet()
    state = game.initial_state(3)
    shown = replace(state, proof=Proof(1, parse_moves("red N, red E"), ""))
    bidding = replace(shown, clock_ms=5)
    player, other = shown.players
    has_bid = replace(bidding, players=(player._replace(bid=4), other))

    def paths(drawing: Drawing) -> int:
        return sum(layer.name == "solution" and bool(layer.shapes) for layer in drawing.layers)

    past = (state, shown)
    assert [paths(draw_line(game, now, past, "", seat=0)) for now in (bidding, has_bid)] == [1, 0]
    assert paths(drawing_of(game, bidding, past, seat=0)) == 0
