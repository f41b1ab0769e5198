"""Files of positions: what is read, what is refused with its place, what comes out."""

from __future__ import annotations

import copy
import json
from itertools import count
from typing import Any

import pytest

from gridjoust.bots.ricochet.solve import PLANNERS, solve_text
from gridjoust.games.grid import Cell
from gridjoust.games.ricochet.positions import parse_positions

ROBOTS = {"red": [5, 0], "green": [7, 7], "blue": [0, 7], "yellow": [3, 4]}
FILE: dict[str, Any] = {
    "boards": {
        "room": {"size": [8, 8], "walls": [[0, 3, 1, 3]]},
        "cell": {"size": [8, 8], "walls": [[6, 7, 7, 7], [7, 6, 7, 7]], "blocked_cells": [[3, 3]]},
    },
    "positions": [
        {"id": "easy", "board": "room", "robots": ROBOTS, "active": "red", "target": [0, 0], "optimal": 99},
        {"id": "closed", "board": "cell", "robots": {**ROBOTS, "green": [6, 6]}, "active": "any", "target": [7, 7]},
    ],
}
TEXT = json.dumps(FILE)


def changed(path: str, value: Any) -> str:
    """The file with one value replaced (or, with None, dropped)."""
    data = copy.deepcopy(FILE)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = data
    for step in steps:
        place = place[step]
    place[last] = value
    if value is None:
        del place[last]
    return json.dumps(data)


def results(text: str, **options: Any) -> list[dict[str, Any]]:
    return [result.as_json() for result in solve_text(text, **options)]


def test_a_solved_and_an_unsolvable_position_are_told_with_the_promised_keys_in_json() -> None:
    found = results(TEXT)
    assert json.loads(json.dumps(found)) == found
    keys = ["id", "status", "moves", "solution", "optimal_proven", "expanded", "frontier", "planning_ms"]
    assert [list(result) for result in found] == [keys, keys]
    assert [list(result.values())[:5] for result in found] == [
        ["easy", "solved", 1, [["red", "W"]], True],
        ["closed", "unsolvable", None, None, True],
    ]


def test_the_printed_variant_is_solved_by_its_own_rules() -> None:
    assert results(TEXT, variant="printed")[0]["moves"] == 4  # south, west as far as blue lets it, north, west


@pytest.mark.parametrize("bot", PLANNERS)
def test_every_planner_solves_files(bot: str) -> None:
    assert next(iter(solve_text(TEXT, bot=bot))).moves == 1


def test_planning_time_is_measured_with_the_clock_given() -> None:
    ticks = count()
    result = next(iter(solve_text(TEXT, clock=lambda: next(ticks) * 0.25)))
    assert result.planning_ms > 0
    assert result.planning_ms % 250 == 0


def test_a_search_that_ends_by_the_limit_or_without_a_proof_says_so() -> None:
    hard, ticks = changed("positions.0.target", [3, 2]), count()
    result = next(iter(solve_text(hard, bot="bfs", limit_ms=1, clock=lambda: float(next(ticks)))))
    assert (result.status, result.moves, result.optimal_proven) == ("limit", None, False)
    given_up = results(hard, bot="dijkstra_map")[0]
    assert given_up["status"] in ("solved", "limit")
    assert given_up["optimal_proven"] is False


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(ValueError, match="bot: expected one of astar, bfs"):
        solve_text(TEXT, bot="astr")


def test_a_fifth_robot_is_read() -> None:
    [(_, position), _] = parse_positions(changed("positions.0.robots", {**ROBOTS, "silver": [2, 2]}))
    assert position.robots[4] == Cell(2, 2)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("boards", None, "boards: expected a value"),
        ("boards", [], "boards: expected an object"),
        ("positions", {}, "positions: expected a list"),
        ("boards.room.size", [8], "boards.room.size: expected 2 whole numbers"),
        ("boards.room.size", [8, 99], "boards.room.size: expected 1 to 32"),
        ("boards.room.walls.0", [0, 3, 2, 3], r"boards.room.walls\[0\]: expected two neighbouring cells"),
        ("boards.room.walls.0", [7, 3, 8, 3], "boards.room: expected walls and blocked cells on the board"),
        ("boards.cell.blocked_cells.0", [8, 3], "boards.cell: expected walls and blocked cells on the board"),
        ("positions.1.board", "hall", r"positions\[1\].board: expected one of the boards, got 'hall'"),
        ("positions.0.active", "pink", r"positions\[0\].active: expected any or one of red"),
        ("positions.0.active", "silver", r"positions\[0\].active: expected any or one of red"),
        ("positions.0.target", [9, 0], r"positions\[0\].target: expected a free cell"),
        ("positions.1.target", [3, 3], r"positions\[1\].target: expected a free cell"),
        ("positions.0.target", "here", r"positions\[0\].target: expected 2 whole numbers"),
        ("positions.0.robots.red", [7, 7], r"positions\[0\].robots: expected every robot on a cell of its own"),
        ("positions.0.robots.red", None, r"positions\[0\].robots: expected red, green"),
        ("positions.0.id", None, r"positions\[0\].id: expected a value"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(path: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_positions(changed(path, value))


@pytest.mark.parametrize("text", ["", "{", "[]", "7"])
def test_what_is_no_file_of_positions_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_positions(text)


def test_pass_goal_false_lets_robots_stop_on_their_target() -> None:
    robots = {"red": [0, 0], "green": [0, 1], "blue": [1, 1], "yellow": [2, 1]}
    walls = [[x, 0, x, 1] for x in range(4)] + [[x, 1, x + 1, 1] for x in range(3)]
    position = {"id": "row", "board": "b", "robots": robots, "active": "red", "target": [2, 0]}
    text = json.dumps({"boards": {"b": {"size": [4, 2], "walls": walls}}, "positions": [position]})
    assert [answer.moves for answer in solve_text(text)] == [None]
    assert [answer.moves for answer in solve_text(text, pass_goal="false")] == [1]
