"""Paths as answers: walked until the map contradicts them."""

from __future__ import annotations

from typing import Any

import pytest

from games.navigation.actions import MAX_PATH
from tests.games.navigation.scenes import scene

UNKNOWN: dict[str, Any] = {"knowledge": "unknown"}
FAR = {**UNKNOWN, "sensor": 2}
BESIDE = ("0....", "...#.", "....a")  # a wall beside the last step of the path
PATHS: dict[str, tuple[tuple[str, ...], dict[str, Any], str, tuple[int, int]]] = {
    "leads to its end": (("0....", "....a"), {}, "E E", (2, 0)),
    "ends at the goal whatever follows": (("0a.",), {"connectivity": "4"}, "E E E", (1, 0)),
    "stops before a step that is impossible": (("0..#", "...a"), {"connectivity": "4"}, "E E E S", (2, 0)),
    "stops where the sensor meets what it leads through": (
        ("0...#", "....a"),
        {**FAR, "connectivity": "4"},
        "E E E E S",
        (2, 0),
    ),
    "goes on whatever does not concern it": (("0....", "..#..", "....a"), UNKNOWN, "E E E E S", (4, 1)),
    "stops as soon as a wall beside a diagonal is seen": (BESIDE, FAR, "E S E NE", (1, 0)),
    "but not where corners may be cut": (BESIDE, {**FAR, "connectivity": "8-unit"}, "E S E NE", (3, 0)),
}


@pytest.mark.parametrize(("rows", "params", "path", "end"), PATHS.values(), ids=PATHS)
def test_a_path(rows: tuple[str, ...], params: dict[str, Any], path: str, end: tuple[int, int]) -> None:
    shown = scene(*rows, batch=True, **params).play(f"path {path}")
    assert (shown.position(), shown.metrics()["turns"]) == (end, 1)
    assert shown.seat == (None if shown.is_over else 0)  # who has not arrived is asked again


def test_a_path_is_walked_in_one_turn_and_a_round_for_each_step() -> None:
    shown = scene("0..", "..a", batch=True).play("path E E S")
    assert (shown.is_over, shown.metrics()["turns"], shown.metrics()["steps"]) == (True, 1, 3)
    assert scene("0....", "....a", batch=True).play("path E E E").state.step == 3


def test_news_of_all_rounds_are_told_at_the_end() -> None:
    shown = scene("0.#.", "....", "#..a", batch=True, knowledge="unknown", connectivity="4")
    assert shown.play("path S E E").view()["news"] == [[0, 2, 1], [2, 0, 1]]


def test_others_are_asked_while_a_path_is_walked() -> None:
    shown = scene("0....", "....a", batch=True, seats=2).play("path E E E", "wait")
    assert [shown.play(*["wait"] * count).seat for count in range(3)] == [1, 1, 0]
    assert shown.position(0) == (2, 0)


def test_a_robot_in_the_way_stops_a_path() -> None:
    shown = scene("0..1a", "b....", batch=True, shared=True, seats=2, connectivity="4")
    shown = shown.play("path E E E E", "wait", "wait")
    assert (shown.position(0), shown.seat) == ((2, 0), 0)


def test_a_flip_on_a_known_map_stops_a_path_at_once() -> None:
    shown = scene("0.....a", batch=True, changes=1, change_every=1, seed=2).play("path E E E E E E")
    blocked = [x for x in range(7) if shown.state.board.blocked[x]]
    assert blocked
    assert shown.position()[0] < min(blocked)
    assert (shown.state.step, shown.metrics()["turns"]) == (1, 1)


def test_its_first_step_must_be_possible_and_a_later_one_need_not_be() -> None:
    shown = scene("0#", ".a", batch=True)
    assert [shown.is_legal(path) for path in ("path E S", "path S E", "path S N E")] == [False, True, True]


def test_paths_are_illegal_without_batch() -> None:
    assert [scene("0.", ".a", batch=batch).is_legal("path E S") for batch in (False, True)] == [False, True]


def test_diagonal_paths_are_illegal_with_four_neighbours() -> None:
    shown = {moves: scene("0.", ".a", batch=True, connectivity=moves) for moves in ("4", "8")}
    assert {moves: each.is_legal("path E SW") for moves, each in shown.items()} == {"4": False, "8": True}


@pytest.mark.parametrize(("count", "is_action"), [(MAX_PATH, True), (MAX_PATH + 1, False)])
def test_a_path_has_so_many_steps_at_most(count: int, is_action: bool) -> None:
    shown = scene("0.", ".a", batch=True)
    text = "path" + " NE" * count
    if is_action:
        assert len(str(shown.game.parse_action(text))) < 64_000
    else:
        with pytest.raises(ValueError, match="up to 16000"):
            shown.game.parse_action(text)
