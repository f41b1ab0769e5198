"""One turn: where pieces may lie, where the figure may walk, and that an illegal part voids the whole plan."""

from __future__ import annotations

import pytest

from gridjoust.games.api import IllegalAction
from gridjoust.games.placement.actions import parse_plan
from gridjoust.games.placement.apply import Played, Position, play
from gridjoust.games.placement.legal import placements, sample_plans
from gridjoust.games.placement.pieces import Shape
from tests.games.placement.boards import draw_floor, mask_of, parse_piece, parse_position

TRIPLE = parse_piece("###")
CORNER = parse_piece("#.", "##")
POINT = parse_piece("#")


def played(position: Position, text: str) -> Played:
    return play(position, parse_plan(text))


@pytest.mark.parametrize(
    ("rows", "hand", "text", "floor"),
    [
        pytest.param(("S____", "_____"), (CORNER,), "place 0 @1,0", ("..___", "_..__"), id="a piece becomes floor"),
        pytest.param(("S____", "_____"), (CORNER,), "place 0 r90 @1,0", ("...__", "_.___"), id="turned clockwise"),
        pytest.param(("S______.",), (TRIPLE,), "place 0 @4,0", (".___....",), id="far from the figure"),
        pytest.param(("S______",), (TRIPLE, TRIPLE), "place 0 @1,0; place 1 @4,0", (".......",), id="floor at once"),
        pytest.param(("S_____",), (TRIPLE, POINT), "place 0 @1,0; place 1 @4,0", ("....._",), id="numbers stay fixed"),
        pytest.param(("S_.",), (TRIPLE,), "pass", ("._.",), id="pass changes nothing"),
    ],
)
def test_pieces_become_floor(rows: tuple[str, ...], hand: tuple[Shape, ...], text: str, floor: tuple[str, ...]) -> None:
    position = parse_position(*rows, hand=hand)
    end = played(position, text)
    assert draw_floor(position, end.floor) == floor
    assert end.cell == position.cell
    assert len(end.laid) == text.count("place")


@pytest.mark.parametrize(
    ("rows", "text", "expected"),
    [
        pytest.param(("S.___",), "place 0 @1,0", "only Void below the piece", id="over floor"),
        pytest.param(("S__#_",), "place 0 @1,0", "only Void below the piece", id="over a wall"),
        (("S____", "_____"), "place 0 @3,0", "expected a place on the board of 5 x 2"),
        (("S____", "_____"), "place 0 @4,0", "expected a place on the board of 5 x 2"),
        (("S____", "_____"), "place 0 @0,5", "expected a place on the board of 5 x 2"),
        (("S____", "_____"), "place 0 @63,63", "expected a place on the board of 5 x 2"),
        pytest.param(("S_____",), "place 0 @2,0", "expected a piece that touches Floor", id="apart"),
        pytest.param(("S____", "_____"), "place 0 @1,1", "expected a piece that touches Floor", id="a corner"),
        pytest.param(("S_#___",), "place 0 @3,0", "expected a piece that touches Floor", id="a wall"),
        pytest.param(
            ("S______",), "place 0 @1,0; place 0 @4,0", "part 2, .*: expected a piece that is left", id="again"
        ),
        pytest.param(("S______",), "place 1 @1,0", "expected a piece below 1, got 1", id="not in the hand"),
        pytest.param(("S___", "____"), "place 0 m @1,0", "a piece that is not mirrored", id="mirrored"),
        (("S_", "#_"), "walk E", "expected a step to Floor, got E to 1,0"),
        (("S_", "#_"), "walk N", "expected a step to Floor, got N to 0,-1"),
        (("S_", "#_"), "walk W", "expected a step to Floor, got W to -1,0"),
        pytest.param(("S#.",), "walk E", "expected a step to Floor", id="into a wall"),
        pytest.param(("_S", ".."), "walk E", "expected a step to Floor, got E to 2,0", id="not into the next row"),
        pytest.param(("S____",), "walk E; place 0 @1,0", "part 1", id="before the piece is laid"),
        pytest.param(("S____",), "place 0 @1,0; walk E W N; walk E", "part 2, 'walk E W N':", id="the first is named"),
    ],
)
def test_what_does_not_go_is_refused(rows: tuple[str, ...], text: str, expected: str) -> None:
    with pytest.raises(IllegalAction, match=expected):
        played(parse_position(*rows, hand=(TRIPLE,)), text)


def test_pieces_are_mirrored_where_the_parameter_allows_it() -> None:
    mirrored = parse_position("S___", "____", hand=(CORNER,), reflect=True)
    assert draw_floor(mirrored, played(mirrored, "place 0 m r90 @1,0").floor) == ("..__", "_.._")


WALKED = {
    "a walk ends where its steps lead": (("S..", "__."), 6, "walk E E S", (2, 1)),
    "all walks of a turn together are limited": (("S....",), 3, "walk E; walk E E", (3, 0)),
    "laying costs no moves": (("S___",), 3, "place 0 @1,0; walk E E E", (3, 0)),
    "walking and laying in any order": (
        ("S._______",), 6, "place 1 @2,0; walk E E E; place 0 @5,0; walk E E E", (6, 0)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "moves", "text", "end"), WALKED.values(), ids=WALKED)
def test_where_the_figure_ends(rows: tuple[str, ...], moves: int, text: str, end: tuple[int, int]) -> None:
    position = parse_position(*rows, hand=(TRIPLE, TRIPLE), moves=moves)
    assert position.board.cell(played(position, text).cell) == end


def test_cells_stood_in_are_visited_and_more_steps_than_a_turn_has_are_refused() -> None:
    assert played(parse_position("S..", "__."), "walk E E S").visited == mask_of("S..", "__.", signs="S.")
    with pytest.raises(IllegalAction, match="part 2, 'walk E E': expected at most 3 steps in a turn, got 4"):
        played(parse_position("S....", moves=3), "walk E E; walk E E")


def test_placements_list_legal_ones_every_one_once() -> None:
    position = parse_position("S__", "___", "___", hand=(parse_piece("##", "##"), TRIPLE))
    assert [str(place) for place in placements(position, 0)] == ["place 0 @1,0", "place 0 @0,1"]
    assert [str(place) for place in placements(position, 1)] == ["place 1 @0,1", "place 1 r90 @1,0"]
    position = parse_position("S____", "__.__", "_____", "#____", hand=(CORNER,), reflect=True)
    listed = placements(position, 0)
    assert listed
    for place in listed:
        played(position, str(place))  # IllegalAction if the rules refuse it


def test_the_sample_holds_pass_every_walk_and_placements_with_a_walk_to_the_goal() -> None:
    position = parse_position("S.__g", hand=(parse_piece("##"),))
    texts = [str(plan) for plan in sample_plans(position, mask_of("S.__g", signs="g"), each=16)]
    assert texts == ["pass", "walk E", "place 0 @2,0; walk E E E E"]


def test_the_sample_of_placements_is_bounded_and_legal() -> None:
    position = parse_position("S" + "." * 14, *["." * 15] * 3, *["_" * 15] * 4, hand=(TRIPLE, CORNER))
    plans = sample_plans(position, 1 << 100, each=5)
    assert sum(plan.pieces == (0,) for plan in plans) == 5
    for plan in plans:
        play(position, plan)
