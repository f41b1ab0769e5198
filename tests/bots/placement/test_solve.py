"""Planning cases read from a file and solved: what `joust solve placement` gives."""

from __future__ import annotations

import json

import pytest

from bots.placement.solve import PLANNERS, parse_cases, solve_case, solve_text
from games.placement.actions import parse_plan
from games.placement.ascii import draw_plan
from tests.games.placement.boards import parse_piece

CASE = {
    "id": "P1",
    "floor": [[0, 0], [1, 0], [5, 0]],
    "start": [0, 0],
    "goal": [5, 0],
    "moves": 7,
    "pieces": [[[0, 0], [1, 0], [2, 0]]],
}
ANSWERS = {"group": "easy", "best_distance": 9, "best_steps": 9, "min_pieces": 9, "first_placements": [9]}


def file_of(*cases: dict[str, object]) -> str:
    return json.dumps({"rules": {"grid": "15x15"}, "cases": list(cases)})


def changed(**keys: object) -> dict[str, object]:
    return {**CASE, **keys}


class Clock:
    """Moves on by a second whenever it is read."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 1.0
        return self.now_s


def test_a_file_is_read() -> None:
    (case,) = parse_cases(file_of(CASE))
    position = case.task.position
    assert case.id == "P1"
    assert (position.board.width, position.board.height) == (15, 15)
    assert [tuple(cell) for cell in position.board.cells(position.floor)] == [(0, 0), (1, 0), (5, 0)]
    assert position.hand == (parse_piece("###"),)
    assert position.moves == 7
    assert not position.reflect
    assert [tuple(cell) for cell in position.board.cells(case.task.goals)] == [(5, 0)]


def test_size_walls_and_mirroring_may_be_given() -> None:
    (case,) = parse_cases(file_of(changed(size=[6, 2], walls=[[3, 1]], reflect=True)))
    position = case.task.position
    assert (position.board.width, position.board.height, position.reflect) == (6, 2, True)
    assert [tuple(cell) for cell in position.board.cells(position.walls)] == [(3, 1)]


def test_expected_answers_are_ignored() -> None:
    assert parse_cases(file_of({**CASE, **ANSWERS})) == parse_cases(file_of(CASE))


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"start": [2, 0]}, r"cases\[0\].start: expected a Floor cell, got \[2, 0\]"),
        ({"goal": [15, 0]}, r"cases\[0\].goal: expected cells on 15 x 15, got \[15, 0\]"),
        ({"floor": [[0, 0], [0, -1]]}, r"cases\[0\].floor: expected cells on"),
        ({"walls": [[1, 0]]}, r"cases\[0\].walls: expected cells that are not Floor"),
        ({"moves": -1}, r"cases\[0\].moves: expected 0 to"),
        ({"pieces": [[[0, 0], [2, 0]]]}, r"cases\[0\].pieces\[0\]: piece: expected distinct cells that hang together"),
        ({"pieces": [[[x, 0] for x in range(6)]]}, r"cases\[0\].pieces\[0\]: expected a piece within 5 x 5"),
        ({"pieces": [[[0, 0]]] * 11}, r"cases\[0\].pieces: expected at most 10, got 11"),
        ({"size": [65, 1]}, r"cases\[0\].size: expected 1 to 64"),
        ({"moves": "many"}, r"cases: Expected `int`, got `str` - at `\$.cases\[0\].moves`"),
    ],
)
def test_what_is_wrong_is_named(keys: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_cases(file_of(changed(**keys)))


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", '{"cases": 3}', '{"cases": [{}]}'])
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cases: "):
        parse_cases(text)


@pytest.mark.parametrize("bot", PLANNERS)
def test_every_planner_solves_an_easy_case(bot: str) -> None:
    (case,) = parse_cases(file_of(CASE))
    solution = solve_case(case, bot=bot)
    assert (solution.id, solution.status) == ("P1", "solved")
    assert (solution.best_distance, solution.best_steps, solution.pieces_used) == (0, 5, 1)
    assert solution.plan == "place 0 @2,0; walk E E E E E"
    assert solution.first_placements == (13,)  # 7 lying, 6 upright
    assert solution.states > 0
    assert solution.planning_ms > 0


def test_the_nearest_plan_of_a_case_without_a_way_is_closest() -> None:
    (case,) = parse_cases(file_of(changed(moves=3)))
    solution = solve_case(case)
    assert (solution.status, solution.best_distance, solution.best_steps) == ("closest", 2, 3)


def test_a_search_that_the_limit_ends_is_stopped() -> None:
    (case,) = parse_cases(file_of(CASE))
    solution = solve_case(case, limit_ms=1.0, clock=Clock())
    assert (solution.status, solution.plan) == ("limit", "walk E")


def test_planning_time_is_read_from_the_clock() -> None:
    (case,) = parse_cases(file_of(CASE))
    assert solve_case(case, clock=Clock()).planning_ms == 1000.0


def test_the_width_is_that_of_the_beam() -> None:
    (case,) = parse_cases(file_of(changed(pieces=CASE["pieces"] * 2, goal=[9, 9], moves=20)))  # type: ignore[operator]
    assert solve_case(case, width=1).states < solve_case(case, width=8).states


def test_an_unknown_bot_is_refused_before_anything_is_solved() -> None:
    with pytest.raises(ValueError, match="bot: expected one of beam, beam_quantum, astar, dijkstra_map, dstar_lite"):
        solve_text(file_of(CASE), bot="oracle")


def test_a_beam_without_width_is_refused() -> None:
    with pytest.raises(ValueError, match="width: expected at least 1, got 0"):
        solve_text(file_of(CASE), width=0)


def test_results_come_in_order_and_as_json() -> None:
    results = list(solve_text(file_of(CASE, changed(id="P2", moves=3)), bot="beam_quantum"))
    assert [result.id for result in results] == ["P1", "P2"]
    written = json.loads(json.dumps(results[0].as_json()))
    assert list(written) == [
        "id", "status", "best_distance", "best_steps", "pieces_used", "plan", "first_placements", "states",
        "planning_ms",
    ]  # fmt: skip
    assert written["first_placements"] == [13]


def test_a_solution_is_drawn() -> None:
    (case,) = parse_cases(file_of(changed(size=[6, 2])))
    plan = parse_plan(solve_case(case).plan)
    assert draw_plan(case.task.position, plan, case.task.goals).split("\n") == ["*****@", "______"]
