"""Planning cases read from a file and solved: what `joust solve placement` gives."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from gridjoust.bots.placement.solve import PLANNERS, SolveResult, parse_cases, solve_text
from gridjoust.games.grid import Cell
from gridjoust.games.placement.apply import Position
from gridjoust.games.placement.board import make_board
from tests.games.placement.boards import parse_piece

CASE: dict[str, Any] = {
    "id": "P1",
    "floor": [[0, 0], [1, 0], [5, 0]],
    "start": [0, 0],
    "goal": [5, 0],
    "moves": 7,
    "pieces": [[[0, 0], [1, 0], [2, 0]]],
}
ANSWERS = {"group": "easy", "best_distance": 9, "best_steps": 9, "min_pieces": 9, "first_placements": [9]}


def file_of(*cases: dict[str, Any]) -> str:
    return json.dumps({"rules": {"grid": "15x15"}, "cases": list(cases)})


def solved(*, bot: str = "beam", width: int = 16, limit_ms: float | None = None, **keys: Any) -> SolveResult:
    """What a planner makes of the case with these keys changed, by a clock that moves on a second whenever read."""
    seconds = map(float, count())
    answers = solve_text(file_of(CASE | keys), bot=bot, width=width, limit_ms=limit_ms, clock=lambda: next(seconds))
    (result,) = answers
    return result


def test_a_file_is_read_and_expected_answers_are_ignored() -> None:
    (case,) = parse_cases(file_of(CASE | ANSWERS))
    board = make_board(15, 15)
    floor = board.mask([Cell(0, 0), Cell(1, 0), Cell(5, 0)])
    assert case.id == "P1"
    assert case.task.position == Position(board, floor, 0, 0, (parse_piece("###"),), 7, reflect=False)
    assert case.task.goals == 1 << 5


def test_size_walls_and_mirroring_may_be_given() -> None:
    (case,) = parse_cases(file_of(CASE | {"size": [6, 2], "walls": [[3, 1]], "reflect": True}))
    position = case.task.position
    assert (position.board, position.reflect) == (make_board(6, 2), True)
    assert position.board.cells(position.walls) == [(3, 1)]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"start": [2, 0]}, r"cases\[0\].start: expected a Floor cell, got \[2, 0\]"),
        ({"goal": [15, 0]}, r"cases\[0\].goal: expected cells on 15 x 15, got \[15, 0\]"),
        ({"floor": [[0, 0], [0, -1]]}, r"cases\[0\].floor: expected cells on"),
        ({"walls": [[1, 0]]}, r"cases\[0\].walls: expected cells that are not Floor"),
        ({"moves": -1}, r"cases\[0\].moves: expected 0 to"),
        ({"pieces": [[[0, 0], [2, 0]]]}, r"cases\[0\].pieces\[0\]: piece: expected distinct connected cells"),
        ({"pieces": [[[x, 0] for x in range(6)]]}, r"cases\[0\].pieces\[0\]: expected a piece within 5 x 5"),
        ({"pieces": [[[0, 0]]] * 11}, r"cases\[0\].pieces: expected at most 10, got 11"),
        ({"size": [65, 1]}, r"cases\[0\].size: expected 1 to 64"),
        ({"moves": "many"}, r"cases: Expected `int`, got `str` - at `\$.cases\[0\].moves`"),
    ],
)
def test_what_is_wrong_is_named_and_other_files_are_refused(keys: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_cases(file_of(CASE | keys))
    for text in ("", "[]", "{}", "{", '{"cases": 3}', '{"cases": [{}]}'):
        with pytest.raises(ValueError, match="cases: "):
            parse_cases(text)


@pytest.mark.parametrize("bot", PLANNERS)
def test_every_planner_solves_an_easy_case(bot: str) -> None:
    result = solved(bot=bot)
    assert result.states > 0
    assert result.as_json() == {
        "id": "P1",
        "status": "solved",
        "best_distance": 0,
        "best_steps": 5,
        "pieces_used": 1,
        "plan": "place 0 @2,0; walk E E E E E",
        "first_placements": [13],  # 7 lying, 6 upright
        "states": result.states,
        "planning_ms": 1000.0,
    }


def test_the_nearest_plan_of_a_case_without_a_way_is_closest_and_a_search_that_the_limit_ends_is_stopped() -> None:
    closest, stopped = solved(moves=3), solved(limit_ms=1.0)
    assert (closest.status, closest.best_distance, closest.best_steps) == ("closest", 2, 3)
    assert (stopped.status, stopped.plan) == ("limit", "walk E")


def test_the_width_is_that_of_the_beam_and_results_come_in_order() -> None:
    wide = {"pieces": CASE["pieces"] * 2, "goal": [9, 9], "moves": 20}
    assert solved(width=1, **wide).states < solved(width=8, **wide).states
    assert [result.id for result in solve_text(file_of(CASE, CASE | {"id": "P2"}))] == ["P1", "P2"]


def test_an_unknown_bot_and_a_beam_without_width_are_refused_before_anything_is_solved() -> None:
    with pytest.raises(ValueError, match="bot: expected one of beam, beam_quantum, astar, dijkstra_map, dstar_lite"):
        solve_text(file_of(CASE), bot="oracle")
    with pytest.raises(ValueError, match="width: expected at least 1, got 0"):
        solve_text(file_of(CASE), width=0)
