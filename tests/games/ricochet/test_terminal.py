"""Ricochet in a terminal: what is drawn, what may be typed."""

from __future__ import annotations

import pytest

from games.ricochet import Ricochet
from games.ricochet.ascii import parse_board
from games.ricochet.proof import Position
from games.ricochet.terminal import draw, draw_rows, draw_text, parse
from games.ricochet.tiles import arrangements, make_board

BOARD, ROBOTS = parse_board("""
+---+---+---+
|R    rt    |
+   +---+   +
|   | b/  ##|
+---+---+---+
""")
SMALL = Position(BOARD, tuple(ROBOTS.values()), BOARD.targets[0])


def test_walls_join_and_signs_stand_in_the_middle() -> None:
    assert draw_text(SMALL).splitlines() == [
        "┌───────────┐",
        "│R    ▲     │",
        "│   ┌───┬───┤",
        "│   │ ╱ │▒▒▒│",
        "└───┴───┴───┘",
    ]


def test_the_wanted_target_and_the_robots_are_bold_in_their_colours() -> None:
    pieces = [piece for row in draw_rows(SMALL) for piece in row]
    assert [(piece.text, piece.colour) for piece in pieces if piece.is_bold] == [("R", "red"), ("▲", "red")]


def test_every_row_of_every_board_has_the_same_width() -> None:
    for names in list(arrangements())[::200]:
        board = make_board(names)
        rows = draw_rows(Position(board, (), board.targets[0]))
        assert {sum(len(piece.text) for piece in row) for row in rows} == {65}


def test_below_the_board_stands_what_is_asked_and_bid() -> None:
    game = Ricochet(seats=2)
    state = game.initial_state(7)
    *board, asked, bids = draw(game.observation(state, 0), game.briefing(state, 0)).splitlines()
    assert board == draw_text(state.position).splitlines()
    colour, symbol = str(state.target).split()
    assert asked == f"bidding: bring {colour} to {colour} {symbol}"
    assert bids == "round 1   chips [0, 0]   bids seat 0: -, seat 1: -"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("7", "bid 7"),
        ("p", "pass"),
        ("rE bn", "solve red E, blue N"),
        ("r e,sW", "solve red E, silver W"),
        ("solve red E", "solve red E"),
    ],
)
def test_a_few_keys_are_an_action(line: str, action: str) -> None:
    assert parse(line, {}, []) == action


@pytest.mark.parametrize("line", ["", "x", "rE bX"])
def test_other_keys_are_explained(line: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a number bids, rE bN \.\.\. solves"):
        parse(line, {}, [])
