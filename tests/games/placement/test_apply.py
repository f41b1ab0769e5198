"""One turn: where pieces may lie, where the figure may walk, and that an illegal part voids the whole plan."""

from __future__ import annotations

import pytest

from games.api import IllegalAction
from games.placement.actions import parse_plan
from games.placement.apply import Played, Position, play
from games.placement.legal import placements, sample_plans
from tests.games.placement.boards import draw_floor, mask_of, parse_piece, parse_position

TRIPLE = parse_piece("###")
CORNER = parse_piece("#.", "##")
POINT = parse_piece("#")


def played(position: Position, text: str) -> Played:
    return play(position, parse_plan(text))


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        played(position, text)
    return str(caught.value)


def test_a_piece_becomes_floor() -> None:
    position = parse_position("S____", "_____", hand=(CORNER,))
    assert draw_floor(position, played(position, "place 0 @1,0").floor) == ("..___", "_..__")


def test_a_piece_turns_clockwise_about_its_box() -> None:
    position = parse_position("S____", "_____", "_____", hand=(CORNER,))
    assert draw_floor(position, played(position, "place 0 r90 @1,0").floor) == ("...__", "_.___", "_____")


def test_a_piece_over_floor_is_refused() -> None:
    position = parse_position("S.___", hand=(TRIPLE,))
    assert "only Void below the piece" in refusal(position, "place 0 @1,0")


def test_a_piece_over_a_wall_is_refused() -> None:
    position = parse_position("S__#_", hand=(TRIPLE,))
    assert "only Void below the piece" in refusal(position, "place 0 @1,0")


@pytest.mark.parametrize("corner", ["3,0", "4,0", "0,5", "63,63"])
def test_a_piece_beyond_the_board_is_refused(corner: str) -> None:
    position = parse_position("S____", "_____", hand=(TRIPLE,))
    assert "expected a place on the board of 5 x 2" in refusal(position, f"place 0 @{corner}")


def test_a_piece_that_touches_no_floor_is_refused() -> None:
    position = parse_position("S_____", hand=(TRIPLE,))
    assert "expected a piece that touches Floor" in refusal(position, "place 0 @2,0")


def test_a_corner_is_no_touch() -> None:
    position = parse_position("S____", "_____", hand=(TRIPLE,))
    assert "expected a piece that touches Floor" in refusal(position, "place 0 @1,1")


def test_a_wall_is_no_floor_to_touch() -> None:
    position = parse_position("S_#___", hand=(TRIPLE,))
    assert "expected a piece that touches Floor" in refusal(position, "place 0 @3,0")


def test_a_piece_may_lie_far_from_the_figure() -> None:
    position = parse_position("S______.", hand=(TRIPLE,))
    assert draw_floor(position, played(position, "place 0 @4,0").floor) == (".___....",)


def test_a_piece_just_laid_is_floor_for_the_next() -> None:
    position = parse_position("S______", hand=(TRIPLE, TRIPLE))
    assert draw_floor(position, played(position, "place 0 @1,0; place 1 @4,0").floor) == (".......",)


def test_numbers_of_the_hand_stay_fixed_within_a_turn() -> None:
    position = parse_position("S_____", hand=(TRIPLE, POINT))
    assert draw_floor(position, played(position, "place 0 @1,0; place 1 @4,0").floor) == ("....._",)


def test_a_piece_is_laid_once() -> None:
    position = parse_position("S______", hand=(TRIPLE, TRIPLE))
    assert "part 2" in refusal(position, "place 0 @1,0; place 0 @4,0")
    assert "expected a piece that is left" in refusal(position, "place 0 @1,0; place 0 @4,0")


def test_a_piece_that_is_not_in_the_hand_is_refused() -> None:
    position = parse_position("S______", hand=(TRIPLE,))
    assert "expected a piece below 1, got 1" in refusal(position, "place 1 @1,0")


def test_mirroring_needs_the_parameter() -> None:
    rows = ("S___", "____")
    assert "not mirrored" in refusal(parse_position(*rows, hand=(CORNER,)), "place 0 m @1,0")
    mirrored = parse_position(*rows, hand=(CORNER,), reflect=True)
    assert draw_floor(mirrored, played(mirrored, "place 0 m r90 @1,0").floor) == ("..__", "_.._")


def test_a_walk_ends_where_its_steps_lead() -> None:
    position = parse_position("S..", "__.")
    end = played(position, "walk E E S")
    assert position.board.cell(end.cell) == (2, 1)
    assert end.visited == mask_of("S..", "__.", signs="S.")


@pytest.mark.parametrize(("text", "step"), [("walk E", "E to 1,0"), ("walk N", "N to 0,-1"), ("walk W", "W to -1,0")])
def test_steps_lead_over_floor_only(text: str, step: str) -> None:
    assert f"expected a step to Floor, got {step}" in refusal(parse_position("S_", "#_"), text)


def test_walls_are_not_walked() -> None:
    assert "expected a step to Floor" in refusal(parse_position("S#."), "walk E")


def test_a_walk_from_the_right_border_does_not_slip_into_the_next_row() -> None:
    assert "expected a step to Floor, got E to 2,0" in refusal(parse_position("_S", ".."), "walk E")


def test_all_walks_of_a_turn_together_are_limited() -> None:
    position = parse_position("S....", moves=3)
    assert position.board.cell(played(position, "walk E; walk E E").cell) == (3, 0)
    assert "part 2, 'walk E E': expected at most 3 steps in a turn, got 4" in refusal(position, "walk E E; walk E E")


def test_laying_costs_no_moves() -> None:
    position = parse_position("S___", hand=(TRIPLE,), moves=3)
    assert position.board.cell(played(position, "place 0 @1,0; walk E E E").cell) == (3, 0)


def test_walking_and_laying_in_any_order() -> None:
    position = parse_position("S._______", hand=(TRIPLE, TRIPLE), moves=6)
    text = "place 1 @2,0; walk E E E; place 0 @5,0; walk E E E"
    assert position.board.cell(played(position, text).cell) == (6, 0)


def test_a_step_onto_a_piece_that_comes_later_is_refused() -> None:
    position = parse_position("S____", hand=(TRIPLE,))
    assert "part 1" in refusal(position, "walk E; place 0 @1,0")


def test_pass_changes_nothing() -> None:
    position = parse_position("S_.", hand=(TRIPLE,))
    end = played(position, "pass")
    assert (end.floor, end.cell, end.laid) == (position.floor, position.cell, ())


def test_the_first_part_that_does_not_go_is_named() -> None:
    position = parse_position("S____", hand=(TRIPLE,))
    assert refusal(position, "place 0 @1,0; walk E W N; walk E").startswith("part 2, 'walk E W N':")


def test_placements_list_every_legal_one_once() -> None:
    position = parse_position("S__", "___", "___", hand=(parse_piece("##", "##"), TRIPLE))
    assert [str(place) for place in placements(position, 0)] == ["place 0 @1,0", "place 0 @0,1"]
    assert [str(place) for place in placements(position, 1)] == [
        "place 1 @0,1",
        "place 1 r90 @1,0",
    ]


def test_every_placement_that_is_listed_is_legal() -> None:
    position = parse_position("S____", "__.__", "_____", "#____", hand=(CORNER,), reflect=True)
    listed = list(placements(position, 0))
    assert listed
    for place in listed:
        play(position, parse_plan(str(place)))  # IllegalAction if the rules refuse it


def test_the_sample_holds_pass_every_walk_and_placements_with_a_walk_to_the_goal() -> None:
    rows = ("S.__g",)
    position = parse_position(*rows, hand=(parse_piece("##"),))
    texts = [str(plan) for plan in sample_plans(position, mask_of(*rows, signs="g"), each=16)]
    assert texts == ["pass", "walk E", "place 0 @2,0; walk E E E E"]


def test_the_sample_of_placements_is_bounded_and_legal() -> None:
    position = parse_position("S" + "_" * 14, *["_" * 15] * 7, hand=(TRIPLE, CORNER))
    position = Position(position.board, mask_of(*["." * 15] * 4, *["_" * 15] * 4, signs="."), 0, 0, position.hand, 6)
    plans = sample_plans(position, 1 << 100, each=5)
    assert sum(plan.pieces == (0,) for plan in plans) == 5
    for plan in plans:
        play(position, plan)
