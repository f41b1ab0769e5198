"""Where a robot may step and what that costs, how a match ends, and what it is worth."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.api import IllegalAction, ParamValue, Turn, resolve_params
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.actions import Stay
from tests.games.navigation.scenes import Scene, scene

ROOT = 2**0.5
FOUR: dict[str, Any] = {"connectivity": "4"}
WALLED = ("0#a", ".#.")
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
    shown = scene(*rows, connectivity=connectivity)
    assert shown.legal() == ["wait", *expected.split()]
    headings = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
    assert [heading for heading in headings if shown.is_legal(heading)] == expected.split()


def test_an_impossible_step_is_refused() -> None:
    with pytest.raises(IllegalAction, match="seat 0"):
        scene("0#", ".a").play("E")


def test_giving_up_is_legal_though_not_listed_and_waiting_stands_in_for_a_missing_answer() -> None:
    shown = scene("0.a")
    assert (shown.is_legal("give up"), "give up" in shown.legal()) == (True, False)
    assert not shown.game.legal_complete(shown.state, 0)
    assert str(shown.game.default_action(shown.state, 0)) == "wait"


@pytest.mark.parametrize(
    "text", ["n", "North", "NN", "path", "path ", "path N  E", "path X", " N", "giveup", "wait wait", ""]
)
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(ValueError, match="expected N E S W"):
        Navigation().parse_action(text)


def test_connectivity_may_be_written_as_a_number() -> None:
    assert Navigation({"connectivity": 4}).params["connectivity"] == "4"
    assert (
        resolve_params(Navigation.spec, {"connectivity": 8})["connectivity"] == "8"
    )  # as tournament files are checked


@pytest.mark.parametrize("value", [6, "six", True])
def test_other_connectivities_are_refused(value: ParamValue) -> None:
    with pytest.raises(ValueError, match="connectivity"):
        Navigation({"connectivity": value})


METRICS: dict[str, tuple[Scene, dict[str, float]]] = {
    "a diagonal way of four neighbours costs two": (scene("0.", ".a", **FOUR).play("E", "S"), {"cost": 2.0}),
    "of eight the root of two": (scene("0.", ".a").play("SE"), {"cost": ROOT}),
    "of the unit-cost ones one": (scene("0.", ".a", connectivity="8-unit").play("SE"), {"cost": 1.0}),
    "a wait costs one and is no step": (scene("0.a").play("wait", "wait", "E"), {"cost": 3, "steps": 1, "waits": 2}),
    "a longer way": (
        scene("0.a", "...", **FOUR).play("S", "E", "wait", "E", "N"),
        {"solved": 1, "reached": 1, "cost": 5, "reference": 2, "cost_over_reference": 2.5, "steps": 4, "waits": 1,
         "turns": 5},
    ),
    "a right give up is solved but not reached": (
        scene(*WALLED).play("give up"), {"solved": 1, "reached": 0, "cost_over_reference": 0},
    ),
    "a wrong one is neither": (scene("0.a").play("give up"), {"solved": 0, "reached": 0}),
    "the reference is the shortest way on the true map of the start": (
        scene("0#a", "...", knowledge="unknown", **FOUR).flip((1, 0)).play("E", "E"),
        {"reference": 4},
    ),
    "without a way there is none": (scene(*WALLED, **FOUR).flip((1, 0)).play("E", "E"), {"reference": 0}),
}  # fmt: skip


@pytest.mark.parametrize(("shown", "expected"), METRICS.values(), ids=METRICS)
def test_what_is_counted(shown: Scene, expected: dict[str, float]) -> None:
    metrics = shown.metrics()
    assert {name: metrics[name] for name in expected} == expected
    assert set(metrics) == set(METRICS["a longer way"][1])


def test_a_step_moves_the_robot_and_a_wait_does_not() -> None:
    assert [scene("0.", ".a").play(answer).position() for answer in ("S", "wait")] == [(0, 1), (0, 0)]


SHARED: dict[str, Any] = {"seats": 2, "shared": True, **FOUR}
RETURNS: dict[str, tuple[Scene, bool, float]] = {
    "a shortest way": (scene("0..", "..a", **FOUR).play("E", "E", "S"), True, 1.0),
    "a longer way: reference over cost": (scene("0.a", **FOUR).play("wait", "E", "wait", "E"), True, 0.5),
    "a right give up": (scene(*WALLED).play("give up"), True, 1.0),
    "a wrong give up": (scene("0#a", "...", knowledge="unknown").play("give up"), True, -1.0),
    "the moves of the game judge it": (scene("0#", "#a", connectivity="8-unit").play("give up"), True, -1.0),
    "which may be others": (scene("0#", "#a").play("give up"), True, 1.0),
    "the map as it is now judges it": (scene("0.a").flip((1, 0)).play("give up"), True, 1.0),
    "though it was another": (scene(*WALLED).flip((1, 1)).play("give up"), True, -1.0),
    "other robots make no goal unreachable": (scene("01a", "##b", **SHARED).play("give up"), False, -1.0),
    "nor does a closed cell below the robot": (scene("0.a").play("E").flip((1, 0)).play("give up"), True, -1.0),
    "others still walk": (scene("0a", "..", seats=2).play("E"), False, 1.0),
    "all have arrived": (scene("0a", "..", seats=2).play("E", "E"), True, 1.0),
    "there is time": (scene("0..a", max_turns=3).play("wait", "wait"), False, 0.0),
    "time is up": (scene("0..a", max_turns=3).play("wait", "wait", "wait"), True, 0.0),
    "still on its way": (scene("0..a", max_turns=2).play("E", "E"), True, 0.0),
    "the last round still counts": (scene("0.a", max_turns=2).play("E", "E"), True, 1.0),
    "a start on the goal": (scene("...", start="1,0", goal="1,0"), True, 1.0),
    "a way that a flip made shorter": (scene("0#a", "...", **FOUR).flip((1, 0)).play("E", "E"), True, 2.0),
    "a way that only flips made": (scene(*WALLED, **FOUR).flip((1, 0)).play("E", "E"), True, 1.0),
}


@pytest.mark.parametrize(("shown", "is_over", "expected"), RETURNS.values(), ids=RETURNS)
def test_when_it_is_over_and_what_it_returns(shown: Scene, is_over: bool, expected: float) -> None:
    assert (shown.is_over, shown.returns()[0]) == (is_over, expected)


def test_after_the_end_nobody_may_answer() -> None:
    shown = scene("0a").play("E")
    with pytest.raises(IllegalAction):
        shown.game.apply(shown.state, Turn({0: Stay.WAIT}, 9))


UNREACHABLE = "rightly declared its goal unreachable"
REASONS = {
    "reached its goal at a cost of 2 against 2": scene("0.a").play("E", "E"),
    "gave up although there was a way": scene("0.a").play("give up"),
    "was still on its way after 2 rounds": scene("0.a", max_turns=2).play("wait", "wait"),
    f"seat 0 {UNREACHABLE}, seat 1 {UNREACHABLE}": scene(*WALLED, seats=2).play("give up", "give up"),
}


@pytest.mark.parametrize(("expected", "shown"), REASONS.items())
def test_the_reason_says_what_became_of_every_robot(expected: str, shown: Scene) -> None:
    assert shown.game.reason(shown.state) == expected


def test_max_turns_of_the_spec_counts_the_answers_of_all_seats() -> None:
    assert Navigation({"max_turns": 50}, seats=3).spec.max_turns == 150
