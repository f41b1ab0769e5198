"""Where a robot may step, and what a step costs, under the three connectivities."""

from __future__ import annotations

import pytest

from games.api import IllegalAction, ParamValue
from games.navigation import Navigation
from tests.games.navigation.scenes import scene

ROOT = 2**0.5


def test_four_neighbours_are_north_east_south_and_west() -> None:
    shown = scene("...", ".0.", "..a", connectivity="4")
    assert shown.legal() == ["wait", "N", "E", "S", "W"]


def test_eight_neighbours_come_straight_ones_first() -> None:
    shown = scene("...", ".0.", "..a", connectivity="8")
    assert shown.legal() == ["wait", "N", "E", "S", "W", "NE", "SE", "SW", "NW"]


def test_the_border_cannot_be_crossed() -> None:
    assert scene("0.", ".a", connectivity="8").legal() == ["wait", "E", "S", "SE"]


def test_blocked_cells_cannot_be_entered() -> None:
    assert scene("0#", ".a", connectivity="4").legal() == ["wait", "S"]


@pytest.mark.parametrize("row", ["0#", "0@", "0O", "0T", "0W"])
def test_out_of_bounds_trees_and_water_block(row: str) -> None:
    assert scene(row, "#a", connectivity="4").legal() == ["wait"]


@pytest.mark.parametrize("row", ["0.", "0G", "0S"])
def test_ground_and_swamp_are_passable(row: str) -> None:
    assert scene(row, "#a", connectivity="4").legal() == ["wait", "E"]


def test_octile_steps_cut_no_corner() -> None:
    assert scene("0#", ".a", connectivity="8").legal() == ["wait", "S"]


def test_unit_cost_steps_cut_corners() -> None:
    assert scene("0#", "#a", connectivity="8-unit").legal() == ["wait", "SE"]


@pytest.mark.parametrize(("connectivity", "expected"), [("4", 2.0), ("8", ROOT), ("8-unit", 1.0)])
def test_a_diagonal_way_costs_two_steps_the_root_of_two_or_one(connectivity: str, expected: float) -> None:
    answers = ["E", "S"] if connectivity == "4" else ["SE"]
    assert scene("0.", ".a", connectivity=connectivity).play(*answers).metrics()["cost"] == expected


def test_a_wait_costs_one() -> None:
    shown = scene("0.a").play("wait", "wait", "E")
    assert shown.metrics()["cost"] == 3


def test_steps_do_not_count_waits() -> None:
    shown = scene("0.a").play("wait", "wait", "E")
    assert (shown.metrics()["steps"], shown.metrics()["waits"]) == (1, 2)


def test_a_step_moves_the_robot() -> None:
    assert scene("0.", ".a").play("S").position() == (0, 1)


def test_a_wait_does_not() -> None:
    assert scene("0.", ".a").play("wait").position() == (0, 0)


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
