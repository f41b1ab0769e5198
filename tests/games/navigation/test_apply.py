"""Turns: paths, cells that flip, what sensors meet, and several robots."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from gridjoust.games.api import IllegalAction, ParamValue, Turn
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.actions import MAX_PATH
from gridjoust.games.navigation.state import State
from gridjoust.games.play import play
from tests.games.navigation.scenes import Scene, scene

FOUR: dict[str, Any] = {"connectivity": "4"}
UNKNOWN: dict[str, Any] = {"knowledge": "unknown"}
FAR = {**UNKNOWN, "sensor": 2}
BESIDE = ("0....", "...#.", "....a")  # a wall beside the last step of the path
PATHS: dict[str, tuple[tuple[str, ...], dict[str, Any], str, tuple[int, int]]] = {
    "leads to its end": (("0....", "....a"), {}, "E E", (2, 0)),
    "ends at the goal whatever follows": (("0a.",), FOUR, "E E E", (1, 0)),
    "stops before a step that is impossible": (("0..#", "...a"), FOUR, "E E E S", (2, 0)),
    "stops where the sensor meets what it leads through": (("0...#", "....a"), {**FAR, **FOUR}, "E E E E S", (2, 0)),
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


def test_a_robot_in_the_way_stops_a_path_which_others_are_asked_along() -> None:
    shown = scene("0....", "....a", batch=True, seats=2).play("path E E E", "wait")
    assert [shown.play(*["wait"] * count).seat for count in range(3)] == [1, 1, 0]
    assert shown.position(0) == (2, 0)
    shown = scene("0..1a", "b....", batch=True, shared=True, seats=2, **FOUR).play("path E E E E", "wait", "wait")
    assert (shown.position(0), shown.seat) == ((2, 0), 0)


def test_a_flip_on_a_known_map_stops_a_path_at_once() -> None:
    shown = scene("0.....a", batch=True, changes=1, change_every=1, seed=2).play("path E E E E E E")
    blocked = [x for x in range(7) if shown.state.board.blocked[x]]
    assert blocked
    assert shown.position()[0] < min(blocked)
    assert (shown.state.step, shown.metrics()["turns"]) == (1, 1)


LEGAL_PATHS: dict[str, tuple[Scene, str, bool]] = {
    "the first step must be possible": (scene("0#", ".a", batch=True), "E S", False),
    "it is": (scene("0#", ".a", batch=True), "S E", True),
    "a later one need not be": (scene("0#", ".a", batch=True), "S N E", True),
    "no paths without batch": (scene("0.", ".a"), "E S", False),
    "no diagonals with four neighbours": (scene("0.", ".a", batch=True, **FOUR), "E SW", False),
    "diagonals with eight": (scene("0.", ".a", batch=True), "E SW", True),
}


@pytest.mark.parametrize(("shown", "path", "expected"), LEGAL_PATHS.values(), ids=LEGAL_PATHS)
def test_which_paths_are_legal(shown: Scene, path: str, expected: bool) -> None:
    assert shown.is_legal(f"path {path}") is expected


def test_a_path_has_so_many_steps_at_most() -> None:
    assert len(str(Navigation().parse_action("path" + " NE" * MAX_PATH))) < 64_000
    with pytest.raises(ValueError, match="up to 16000"):
        Navigation().parse_action("path" + " NE" * (MAX_PATH + 1))


ROWS = ("0......#", "........", "####....", "........", ".......a")


def changing(seats: int = 1, seed: int = 1, **params: ParamValue) -> Scene:
    return scene(*ROWS, seats=seats, seed=seed, **{"changes": 4, "change_every": 3, **params})


def flipped(before: Scene, after: Scene) -> list[int]:
    one, other = before.state.board.blocked, after.state.board.blocked
    return [cell for cell in range(len(one)) if one[cell] != other[cell]]


def test_so_many_cells_flip_every_so_many_rounds_as_many_open_as_close() -> None:
    shown = [changing().play(*["wait"] * rounds) for rounds in (0, 2, 3, 6, 9)]
    assert [len(flipped(one, other)) for one, other in pairwise(shown)] == [0, 4, 4, 4]
    assert {sum(one.state.board.blocked) for one in shown} == {5}


def test_an_odd_cell_closes_and_opens_by_turns() -> None:
    shown = changing(changes=1, change_every=1)
    counts = [sum(shown.play(*["wait"] * rounds).state.board.blocked) for rounds in range(5)]
    assert counts == [5, 6, 5, 6, 5]


def test_flips_depend_on_seed_and_round_alone() -> None:
    one, other = changing().play("wait", "wait", "wait"), changing().play("E", "S", "E")
    assert one.state.board == other.state.board
    assert changing(seed=2).play("wait", "wait", "wait").state.board != one.state.board


def test_starts_and_goals_never_flip() -> None:
    shown = scene("0.a", changes=3, change_every=1, **FOUR)
    boards = {shown.play(*["wait"] * rounds).state.board.blocked for rounds in range(11)}
    assert boards == {b"\0\0\0", b"\0\1\0"}


def test_every_seat_of_a_known_map_hears_of_every_flip_until_it_has_answered() -> None:
    before = changing(seats=2)
    after = before.play(*["wait"] * 6)
    board = after.state.board
    expected = [[*board.place(cell), board.blocked[cell]] for cell in flipped(before, after)]
    assert [after.view(seat)["news"] for seat in (0, 1)] == [expected, expected]
    assert len(expected) == 4
    assert after.play("wait").view(0)["news"] == []


def test_who_is_done_hears_no_more() -> None:
    shown = scene("0a...", ".....", seats=2, changes=2, change_every=1).play("E", "wait")
    assert [bool(shown.view(seat)["news"]) for seat in (0, 1)] == [False, True]


def test_on_an_unknown_map_flips_out_of_range_are_not_told() -> None:
    shown = changing(seed=3, **UNKNOWN).play("wait", "wait", "wait")
    in_range = [(x, y) for y in (0, 1) for x in (0, 1)]
    expected = [[x, y, 1] for x, y in in_range if shown.state.board.blocked[shown.cell(x, y)]]
    assert shown.view()["news"] == expected


def test_a_cell_may_close_under_a_robot_which_may_leave_it_and_not_come_back() -> None:
    shown = scene("0..", "..a", **FOUR).play("E").flip((1, 0)).play("E")
    assert (shown.position(), shown.legal()) == ((2, 0), ["wait", "S"])


NEWS: dict[str, tuple[dict[str, Any], tuple[str, ...], list[list[int]]]] = {
    "blocked neighbours": ({}, (".#.", ".0.", "#.a"), [[1, 0, 1], [0, 2, 1]]),
    "no free cells, which they are taken for": ({}, ("...", ".0.", "..a"), []),
    "no diagonals with four neighbours": (FOUR, ("##.", ".0.", "#.a"), [[1, 0, 1]]),
    "nothing beyond the radius": ({"sensor": 1}, ("0.##", "...a"), []),
    "what is two moves away": ({"sensor": 2}, ("0.##", "...a"), [[2, 0, 1]]),
    "what is three moves away": ({"sensor": 3}, ("0.##", "...a"), [[2, 0, 1], [3, 0, 1]]),
    "what stands behind a wall": ({"sensor": 2}, ("0##.", "...a"), [[1, 0, 1], [2, 0, 1]]),
    "a diamond with four neighbours": (
        {"sensor": 2, **FOUR},
        ("0.##", ".##.", "##..", "...a"),
        [[2, 0, 1], [1, 1, 1], [0, 2, 1]],
    ),
}


@pytest.mark.parametrize(("params", "rows", "expected"), NEWS.values(), ids=NEWS)
def test_the_first_question_brings(params: dict[str, Any], rows: tuple[str, ...], expected: list[list[int]]) -> None:
    assert scene(*rows, **params, **UNKNOWN).view()["news"] == expected


LATER_NEWS: dict[str, tuple[Scene, list[list[int]]]] = {
    "nothing on the way": (scene("0..#", "...a", **UNKNOWN).play("E"), []),
    "what came into range": (scene("0..#", "...a", **UNKNOWN).play("E", "E"), [[3, 0, 1]]),
    "not what was told before": (scene("0#", ".a", **UNKNOWN).play("S"), []),
    "a cell in range that opens": (scene("0#.", "..a", **UNKNOWN, **FOUR).flip((1, 0)).play("S", "N"), [[1, 0, 0]]),
    "all rounds of a path": (
        scene("0.#.", "....", "#..a", batch=True, **UNKNOWN, **FOUR).play("path S E E"),
        [[0, 2, 1], [2, 0, 1]],
    ),
}


@pytest.mark.parametrize(("shown", "expected"), LATER_NEWS.values(), ids=LATER_NEWS)
def test_a_later_question_brings(shown: Scene, expected: list[list[int]]) -> None:
    assert shown.view()["news"] == expected


def test_what_is_in_range_is_told_every_time_and_what_was_seen_stays_known() -> None:
    assert scene("0#", ".a", **UNKNOWN).play("wait").view()["sensed"] == [[1, 0]]
    shown = scene("0#...", "....a", **UNKNOWN).play("S", "E", "E", "E")
    assert shown.robot().memory[shown.cell(1, 0)] == 2


def test_the_map_beyond_the_sensor_is_hidden() -> None:
    assert scene("0..", "..a", **UNKNOWN).view() == scene("0.#", "..a", **UNKNOWN).view()


def test_seats_are_asked_one_after_another_and_a_round_is_over_when_all_have_answered() -> None:
    shown = [scene("0..", "..a", seats=3).play(*["wait"] * count) for count in range(5)]
    assert [(one.seat, one.state.step) for one in shown] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]
    assert scene("0a.", "...", seats=2).play("E", "wait").seat == 1  # who is done is not asked any more


def test_another_seat_may_not_answer() -> None:
    shown = scene("0..", "..a", seats=2)
    with pytest.raises(IllegalAction, match="answer of seats"):
        shown.game.apply(shown.state, Turn({1: shown.game.parse_action("wait")}, 0))


SMALL: dict[str, ParamValue] = {"width": 8, "height": 8, "max_turns": 40}


def play_at_random(game: Navigation, seed: int) -> State:
    """Every seat draws from a generator of its own, so that it answers the same whoever else plays."""
    rngs = [random.Random(f"seat {seat}") for seat in range(game.seats)]
    return play(game, lambda state, seat: rngs[seat].choice(game.legal_actions(state, seat)), seed=seed)


@pytest.mark.parametrize("params", [{}, UNKNOWN, {**UNKNOWN, "changes": 6, "change_every": 2}])
def test_a_ghost_fares_as_it_would_alone(params: dict[str, ParamValue]) -> None:
    alone, among = (play_at_random(Navigation({**SMALL, **params}, seats=seats), seed=5) for seats in (1, 4))
    assert among.robots[0] == alone.robots[0]


def test_ghosts_have_one_task_do_not_see_each_other_and_may_be_in_one_cell() -> None:
    robots = Navigation(SMALL, seats=3).initial_state(4).robots
    assert len({(robot.start, robot.goal) for robot in robots}) == 1
    shown = scene("0..", "..a", seats=2)
    assert shown.view(1)["robots"] == []
    assert shown.play("E").view(1) == shown.view(1)
    assert shown.play("E", "E").position(0) == shown.play("E", "E").position(1) == (1, 0)


def shared(*rows: str, **params: Any) -> Scene:
    return scene(*rows, seats=2, shared=True, **params)


def test_shared_robots_have_tasks_of_their_own() -> None:
    robots = Navigation({**SMALL, "shared": True}, seats=4).initial_state(4).robots
    assert (len({robot.start for robot in robots}), len({robot.goal for robot in robots})) == (4, 4)
    shown = shared("0.b", "1.a")
    assert [shown.place(shown.robot(seat).goal) for seat in (0, 1)] == [(2, 1), (2, 0)]


MEETINGS = {
    "a robot stands in the way of another": (shared("01a", "..b", **FOUR), "S"),
    "a cell is free as soon as its robot has left": (shared("0.a", "1.b", **FOUR).play("E"), "N E"),
    "the first of two cannot change places": (shared("#01#", "a..b", **FOUR), "S"),
    "nor can the second": (shared("#01#", "a..b", **FOUR).play("wait"), "S"),
    "a diagonal past a robot cuts no corner": (shared("01", ".a", "b."), "S SE"),
    "a robot that has arrived leaves the board": (shared("0a.", ".1b", **FOUR).play("E"), "N E W"),
    "a robot that gave up leaves the board": (shared("0.a", "1.b", **FOUR).play("give up"), "N E"),
}


@pytest.mark.parametrize(("shown", "expected"), MEETINGS.values(), ids=MEETINGS)
def test_where_robots_that_share_a_board_may_step(shown: Scene, expected: str) -> None:
    assert shown.legal() == ["wait", *expected.split()]
    assert [step for step in "NESW" if shown.is_legal(step)] == [step for step in expected.split() if len(step) == 1]


def test_other_robots_are_seen_on_a_known_map_and_on_an_unknown_one_those_in_range() -> None:
    assert shared("0...a", "b...1").view(0)["robots"] == [[4, 1]]
    shown = shared("0...a", "b...1", **UNKNOWN)
    assert (shown.view(0)["robots"], shown.play("E", "W", "E").view(1)["robots"]) == ([], [[2, 0]])


def test_there_may_be_no_room_for_so_many() -> None:
    with pytest.raises(ValueError, match="map: expected 8 different starts"):
        Navigation({"map": "...\n...", "shared": True}, seats=8).initial_state(1)
