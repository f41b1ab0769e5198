"""Where a robot may step, and what a step costs, under the three connectivities."""

from __future__ import annotations

import pytest

from games.api import IllegalAction, ParamValue
from games.navigation import Navigation
from tests.games.navigation.scenes import scene

ROOT = 2**0.5


STEPS = {
    "four neighbours are north, east, south and west": ("4", ("...", ".0.", "..a"), "N E S W"),
    "of eight the straight ones come first": ("8", ("...", ".0.", "..a"), "N E S W NE SE SW NW"),
    "the border cannot be crossed": ("8", ("0.", ".a"), "E S SE"),
    "blocked cells cannot be entered": ("4", ("0#", ".a"), "S"),
    **{f"{sign} blocks": ("4", (f"0{sign}", "#a"), "") for sign in "#@OTW"},
    **{f"{sign} is passable": ("4", (f"0{sign}", "#a"), "E") for sign in ".GS"},
    "octile steps cut no corner": ("8", ("0#", ".a"), "S"),
    "unit-cost steps cut corners": ("8-unit", ("0#", "#a"), "SE"),
}


@pytest.mark.parametrize(("connectivity", "rows", "expected"), STEPS.values(), ids=STEPS)
def test_where_a_robot_may_step(connectivity: str, rows: tuple[str, ...], expected: str) -> None:
    assert scene(*rows, connectivity=connectivity).legal() == ["wait", *expected.split()]


@pytest.mark.parametrize(("connectivity", "expected"), [("4", 2.0), ("8", ROOT), ("8-unit", 1.0)])
def test_a_diagonal_way_costs_two_steps_the_root_of_two_or_one(connectivity: str, expected: float) -> None:
    answers = ["E", "S"] if connectivity == "4" else ["SE"]
    assert scene("0.", ".a", connectivity=connectivity).play(*answers).metrics()["cost"] == expected


def test_a_wait_costs_one_and_is_no_step() -> None:
    metrics = scene("0.a").play("wait", "wait", "E").metrics()
    assert (metrics["cost"], metrics["steps"], metrics["waits"]) == (3, 1, 2)


def test_a_step_moves_the_robot_and_a_wait_does_not() -> None:
    assert [scene("0.", ".a").play(answer).position() for answer in ("S", "wait")] == [(0, 1), (0, 0)]


def test_an_impossible_step_is_refused() -> None:
    with pytest.raises(IllegalAction, match="seat 0"):
        scene("0#", ".a").play("E")


def test_a_diagonal_is_refused_with_four_neighbours() -> None:
    assert [scene("0.", ".a", connectivity=moves).is_legal("SE") for moves in ("4", "8")] == [False, True]


def test_giving_up_is_legal_though_not_listed() -> None:
    shown = scene("0.a")
    assert shown.is_legal("give up")
    assert "give up" not in shown.legal()
    assert not shown.game.legal_complete(shown.state, 0)


def test_waiting_stands_in_for_a_missing_answer() -> None:
    shown = scene("0.a")
    assert str(shown.game.default_action(shown.state, 0)) == "wait"


@pytest.mark.parametrize(
    "text", ["n", "North", "NN", "path", "path ", "path N  E", "path X", " N", "giveup", "wait wait", ""]
)
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(ValueError, match="expected N E S W"):
        Navigation().parse_action(text)


def test_connectivity_may_be_written_as_a_number() -> None:
    assert Navigation({"connectivity": 4}).params["connectivity"] == "4"


@pytest.mark.parametrize("value", [6, "six", True])
def test_other_connectivities_are_refused(value: ParamValue) -> None:
    with pytest.raises(ValueError, match="connectivity"):
        Navigation({"connectivity": value})
