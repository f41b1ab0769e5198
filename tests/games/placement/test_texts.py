"""Notation of plans, what people may type, and what they are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.games.grid import DIRECTIONS, Cell
from gridjoust.games.placement.actions import PASS, Place, Plan, Walk, parse_plan
from gridjoust.games.placement.ascii import draw_pieces, with_axes
from gridjoust.games.placement.terminal import KEYS, draw, parse, parse_typed
from tests.games.placement.boards import parse_piece, scene

PLACES = st.builds(
    Place, st.integers(0, 9), st.integers(0, 3), st.booleans(), st.builds(Cell, st.integers(0, 63), st.integers(0, 63))
)
WALKS = st.builds(Walk, st.lists(st.sampled_from(DIRECTIONS), min_size=1, max_size=9).map(tuple))
PLANS = st.builds(Plan, st.lists(PLACES | WALKS, max_size=6).map(tuple))


def test_the_text_of_a_plan() -> None:
    plan = parse_plan("place 1 r90 @7,3; walk E E N; place 0 @9,2; walk E")
    assert plan.parts[0] == Place(1, 1, False, Cell(7, 3))
    assert (plan.pieces, plan.steps) == ((1, 0), 4)
    assert parse_plan("place 2 m r270 @0,10").parts == (Place(2, 3, True, Cell(0, 10)),), "m stands before the turn"
    assert parse_plan("pass") == PASS == Plan()


@pytest.mark.gate
@given(PLANS)
def test_texts_round_trip_and_may_be_typed_as_well(plan: Plan) -> None:
    assert parse_plan(str(plan)) == parse_typed(str(plan)) == plan


@pytest.mark.parametrize(
    "text",
    [
        "", "Pass", " pass", "walk", "walk X", "walk E  E", "walk EE", "walk E;walk E", "walk E; ", "pass; walk E",
        "place 0", "place 0 @1", "place 0 r0 @1,1", "place 0 r45 @1,1", "place 0 r90 m @1,1", "place -1 @0,0",
        "place 0 @01,1", "place 0 @100,1", "place ٣ @1,1", "place 0 @1,1\n", "place 10 @1,1",
    ],
)  # fmt: skip
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_plan(text)


SHOWN_KEYS = KEYS.split(" lays")[0] + "; " + KEYS.split("; ")[1].split(" walks")[0]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("p 1 r90 7,3; w een", "place 1 r90 @7,3; walk E E N"),
        (SHOWN_KEYS, "place 1 r90 @7,3; walk E E N"),
        ("PLACE 0 M R270 @ 4 5", "place 0 m r270 @4,5"),
        ("p0 r0 04,05", "place 0 @4,5"),
        ("p0 1,2, w e, p1 3 4", "place 0 @1,2; walk E; place 1 @3,4"),
        ("w n n", "walk N N"),
        ("b 1 r90 7,3", "bar 1 r90 @7,3"),
        ("bar 0 m @4,5; w e", "bar 0 m @4,5; walk E"),
        ("walkwsw;", "walk W S W"),
        ("", "pass"),
        (" - ", "pass"),
        ("Pass", "pass"),
        ("p", "pass"),
    ],
)
def test_people_may_type_it_short(typed: str, text: str) -> None:
    assert str(parse_typed(typed)) == text


@pytest.mark.parametrize("typed", ["q", "p 0", "w x", "p 0 r45 1,1", "place 0 @1,1 w e", "w"])
def test_what_cannot_be_understood_is_refused_with_the_notation(typed: str) -> None:
    with pytest.raises(ValueError, match="expected pass, or parts like"):
        parse_typed(typed)


def test_axes_count_columns_and_rows_and_pieces_are_drawn_side_by_side() -> None:
    drawn = with_axes("\n".join(["." * 12, "_" * 12]))
    assert drawn.split("\n") == ["             1", "   012345678901", " 0 ............", " 1 ____________"]
    assert draw_pieces([parse_piece("#.", "##"), parse_piece("###")]).split("\n") == ["0    1", "#    ###", "##"]


def test_a_person_sees_board_numbers_and_pieces_and_types_a_plan_that_is_refused_before_it_is_sent() -> None:
    shown = scene("0__a", "_#__", "1__b", max_cells=3).hold(parse_piece("#.", "##"), parse_piece("#", "#", "#"))
    view = shown.view()
    assert draw(view, shown.game.briefing(shown.state, 0)).split("\n") == [
        "   0123",
        " 0 @__x",
        " 1 _#__",
        " 2 1__b",
        "game round 1   6 steps a turn",
        "0    1",
        "#    #",
        "##   #",
        "     #",
    ]
    assert parse("p0 r180 1,0; w ee", view, []) == "place 0 r180 @1,0; walk E E"
    assert parse("", view, []) == "pass"
    with pytest.raises(ValueError, match="part 1, 'walk E': expected a step to Floor, got E to 1,0"):
        parse("w e", view, [])
