"""Where board, start and goal come from, and how bad parameters are refused."""

from __future__ import annotations

import pytest

from games.api import ParamValue
from games.navigation import Navigation
from games.navigation.board import MOVES
from games.navigation.search import is_reachable
from games.navigation.state import State
from tests.games.navigation.scenes import scene

MOVING = "type octile\nheight 2\nwidth 4\nmap\n..@.\n....\n"
SCEN = "version 1\n0\tx.map\t4\t2\t0\t0\t3\t0\t4.41421\n0\tx.map\t4\t2\t3\t1\t0\t1\t3\n"


def places(state: State) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [(state.board.place(robot.start), state.board.place(robot.goal)) for robot in state.robots]


def started(seed: int = 1, seats: int = 1, **params: ParamValue) -> State:
    return Navigation(params, seats=seats).initial_state(seed)


def test_a_movingai_map_is_the_board() -> None:
    assert started(map=MOVING).board.blocked == bytes([0, 0, 1, 0, 0, 0, 0, 0])


def test_its_line_ends_may_be_those_of_dos() -> None:
    assert started(map=MOVING.replace("\n", "\r\n")).board == started(map=MOVING).board


def test_queries_may_follow_the_map_in_its_text() -> None:
    assert places(started(map=MOVING + SCEN, query=1)) == [((3, 1), (0, 1))]


def test_queries_may_be_given_by_themselves() -> None:
    assert places(started(map=MOVING, scen=SCEN, query=0)) == [((0, 0), (3, 0))]


def test_without_a_row_the_seed_draws_one() -> None:
    drawn = {places(started(seed, map=MOVING, scen=SCEN))[0] for seed in range(20)}
    assert drawn == {((0, 0), (3, 0)), ((3, 1), (0, 1))}


def test_shared_robots_take_rows_in_turn() -> None:
    state = started(map=MOVING, scen=SCEN, query=0, shared=True, seats=2)
    assert places(state) == [((0, 0), (3, 0)), ((3, 1), (0, 1))]


def test_rows_that_would_put_two_robots_in_one_cell_are_passed_over() -> None:
    scen = SCEN.replace("version 1\n", "version 1\n0\tx.map\t4\t2\t0\t0\t1\t1\t1.41421\n")
    state = started(map=MOVING, scen=scen, query=0, shared=True, seats=2)
    assert places(state) == [((0, 0), (1, 1)), ((3, 1), (0, 1))]


def test_there_may_be_too_few_of_the_others() -> None:
    scen = SCEN.replace("\t3\t1\t0\t1", "\t0\t0\t0\t1")
    with pytest.raises(ValueError, match="scen: expected 2 queries with different starts and goals, got 1"):
        started(map=MOVING, scen=scen, shared=True, seats=2)


def test_drawn_signs_are_start_and_goal() -> None:
    assert places(scene("..0", "a..").state) == [((2, 0), (0, 1))]


def test_start_and_goal_may_be_given() -> None:
    assert places(started(map=MOVING, start="0,1", goal="3,0")) == [((0, 1), (3, 0))]


def test_they_come_before_queries_and_signs() -> None:
    assert places(started(map=MOVING + SCEN, start="1,1", goal="2,1")) == [((1, 1), (2, 1))]
    assert places(scene("..0", "a..", start="0,0", goal="1,0").state) == [((0, 0), (1, 0))]


def test_shared_robots_have_one_of_each() -> None:
    state = started(map=MOVING, start="0,0 3,0", goal="0,1 3,1", shared=True, seats=2)
    assert places(state) == [((0, 0), (0, 1)), ((3, 0), (3, 1))]


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
    has_way = [is_reachable(s.board, MOVES["8"], s.robots[0].start, s.robots[0].goal) for s in states]
    assert True in has_way
    assert False in has_way


def test_the_seed_draws_the_map() -> None:
    assert started(1).board != started(2).board
    assert started(1).board == started(1).board


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
        (
            {"map": "..#", "start": "0,0", "goal": "2,0"},
            "goal: expected a passable cell, got a blocked one at \\(2, 0\\)",
        ),
        ({"map": "...", "start": "zero", "goal": "2,0"}, "start: expected cells such as 12,12, got 'zero'"),
        ({"map": "...", "start": "0,0 1,0", "goal": "2,0"}, "start: expected 1, got 2"),
        ({"map": "\n".join(["." * 1000] * 401)}, "map: expected at most 400000 cells, got 1000 x 401"),
    ],
)
def test_bad_texts_are_refused_by_name(params: dict[str, ParamValue], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Navigation(params)


def test_a_query_with_a_blocked_end_is_refused() -> None:
    scen = SCEN.replace("\t0\t0\t3\t0\t", "\t0\t0\t2\t0\t")
    with pytest.raises(ValueError, match="goal: expected a passable cell, got a blocked one at \\(2, 0\\)"):
        started(map=MOVING, scen=scen, query=0)


def test_a_query_with_an_end_off_the_map_is_refused() -> None:
    with pytest.raises(ValueError, match="got \\(9, 0\\)"):
        Navigation({"map": MOVING, "scen": SCEN.replace("\t3\t0\t", "\t9\t0\t")})


def test_shared_robots_need_different_cells() -> None:
    with pytest.raises(ValueError, match="start: expected different cells"):
        Navigation({"map": "....", "start": "0,0 0,0", "goal": "1,0 2,0", "shared": True}, seats=2)
