"""Where board, start and goal come from, and how bad parameters are refused."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.games.api import ParamValue
from gridjoust.games.navigation import Navigation
from gridjoust.games.navigation.board import MOVES
from gridjoust.games.navigation.search import is_reachable
from gridjoust.games.navigation.state import State

MOVING = "type octile\nheight 2\nwidth 4\nmap\n..@.\n....\n"
SCEN = "version 1\n0\tx.map\t4\t2\t0\t0\t3\t0\t4.41421\n0\tx.map\t4\t2\t3\t1\t0\t1\t3\n"
Place = tuple[int, int]


def places(state: State) -> list[tuple[Place, Place]]:
    return [(state.board.place(robot.start), state.board.place(robot.goal)) for robot in state.robots]


def started(seed: int = 1, seats: int = 1, **params: ParamValue) -> State:
    return Navigation(params, seats=seats).initial_state(seed)


def test_a_movingai_map_is_the_board_and_its_line_ends_may_be_those_of_dos() -> None:
    for text in (MOVING, MOVING.replace("\n", "\r\n")):
        assert started(map=text).board.blocked == bytes([0, 0, 1, 0, 0, 0, 0, 0])


DRAWN = "..0\na.."
TWO: dict[str, Any] = {"shared": True, "seats": 2}
FIRST, SECOND = ((0, 0), (3, 0)), ((3, 1), (0, 1))  # the queries
MEETING = SCEN.replace("version 1\n", "version 1\n0\tx.map\t4\t2\t0\t0\t1\t1\t1.41421\n")
ENDS: dict[str, tuple[dict[str, Any], list[tuple[Place, Place]]]] = {
    "queries after the map": ({"map": MOVING + SCEN, "query": 1}, [SECOND]),
    "queries by themselves": ({"map": MOVING, "scen": SCEN, "query": 0}, [FIRST]),
    "rows in turn for shared robots": ({"map": MOVING, "scen": SCEN, "query": 0, **TWO}, [FIRST, SECOND]),
    "but none that puts two in one cell": (
        {"map": MOVING, "scen": MEETING, "query": 0, **TWO}, [((0, 0), (1, 1)), SECOND],
    ),
    "drawn signs": ({"map": DRAWN}, [((2, 0), (0, 1))]),
    "start and goal": ({"map": MOVING, "start": "0,1", "goal": "3,0"}, [((0, 1), (3, 0))]),
    "they come before queries": ({"map": MOVING + SCEN, "start": "1,1", "goal": "2,1"}, [((1, 1), (2, 1))]),
    "and before signs": ({"map": DRAWN, "start": "0,0", "goal": "1,0"}, [((0, 0), (1, 0))]),
    "one of each for shared robots": (
        {"map": MOVING, "start": "0,0 3,0", "goal": "0,1 3,1", **TWO}, [((0, 0), (0, 1)), ((3, 0), (3, 1))],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("params", "expected"), ENDS.values(), ids=ENDS)
def test_starts_and_goals_come_from(params: dict[str, Any], expected: list[tuple[Place, Place]]) -> None:
    assert places(started(**params)) == expected


def test_without_a_row_the_seed_draws_one() -> None:
    assert {places(started(seed, map=MOVING, scen=SCEN))[0] for seed in range(20)} == {FIRST, SECOND}


def test_given_ends_are_free_on_a_generated_map() -> None:
    for seed in range(20):
        state = started(seed, density=0.9, width=5, height=5, start="0,0", goal="4,4")
        assert (state.board.blocked[0], state.board.blocked[24]) == (0, 0)
        assert sum(state.board.blocked) >= 20


@pytest.mark.parametrize("generator", ["random", "maze", "rooms"])
@pytest.mark.parametrize("connectivity", ["4", "8", "8-unit"])
def test_drawn_tasks_have_a_way(generator: str, connectivity: str) -> None:
    for seed in range(20):
        game = Navigation({"generator": generator, "density": 0.45, "connectivity": connectivity, "corridor": 1})
        state = game.initial_state(seed)
        (robot,) = state.robots
        assert robot.start != robot.goal
        assert is_reachable(state.board, MOVES[connectivity], robot.start, robot.goal)


def test_unless_unsolvable_ones_are_asked_for() -> None:
    states = [started(seed, density=0.5, solvable=False) for seed in range(20)]
    has_way = {is_reachable(s.board, MOVES["8"], s.robots[0].start, s.robots[0].goal) for s in states}
    assert has_way == {True, False}


def test_the_seed_draws_the_map() -> None:
    assert started(1).board == started(1).board != started(2).board


BLOCKED_GOAL = "goal: expected a passable cell, got a blocked one at \\(2, 0\\)"


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"map": "0.x"}, "map: row 0, column 2: expected"),
        ({"map": "0.."}, "map: expected one a, got none"),
        ({"map": "00a"}, "map: expected one 0, got 2"),
        ({"map": "..\n."}, "map: row 1: expected 2 cells, got 1"),
        ({"map": "type octile\nheight 2\nwidth 2\nmap\n..\n"}, "map: line 5: expected 2 rows, got 1"),
        ({"map": MOVING + "version 2\n"}, "map: queries: line 1: expected 'version 1'"),
        ({"map": MOVING, "scen": "version 1\n"}, "scen: expected at least one query"),
        ({"map": MOVING, "scen": SCEN, "query": 2}, "query: expected at most 1, got 2"),
        ({"query": 0}, "query: expected at most -1, got 0"),
        ({"map": "...", "scen": SCEN}, "scen: expected queries of a map of 3 x 1, got 4 x 2"),
        ({"map": "...", "start": "0,0"}, "goal: expected cells, as the other end is given"),
        ({"map": "...", "goal": "0,0"}, "start: expected cells, as the other end is given"),
        ({"map": "...", "start": "0,0", "goal": "3,0"}, "expected cells on 3 x 1, got \\(3, 0\\)"),
        ({"map": "..#", "start": "0,0", "goal": "2,0"}, BLOCKED_GOAL),
        ({"map": "...", "start": "zero", "goal": "2,0"}, "start: expected cells such as 12,12, got 'zero'"),
        ({"map": "...", "start": "0,0 1,0", "goal": "2,0"}, "start: expected 1, got 2"),
        ({"map": MOVING, "scen": SCEN.replace("\t0\t0\t3\t0\t", "\t0\t0\t2\t0\t"), "query": 0}, BLOCKED_GOAL),
        ({"map": MOVING, "scen": SCEN.replace("\t3\t0\t", "\t9\t0\t")}, "got \\(9, 0\\)"),
        ({"map": "....", "start": "0,0 0,0", "goal": "1,0 2,0", **TWO}, "start: expected different cells"),
        (
            {"map": MOVING, "scen": SCEN.replace("\t3\t1\t0\t1", "\t0\t0\t0\t1"), **TWO},
            "scen: expected 2 queries with different starts and goals, got 1",
        ),
        ({"map": MOVING, "scen": SCEN, "shared": True, "seats": 3}, "scen: expected at least 3 queries, got 2"),
        ({"map": "\n".join(["." * 1000] * 401)}, "map: expected at most 400000 cells, got 1000 x 401"),
    ],
)
def test_what_makes_no_match_is_refused_by_name(params: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        started(**params)
