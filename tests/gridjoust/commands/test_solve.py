"""`joust solve` and `joust draw` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from gridjoust.games import game_names
from tests.joust_here import joust

ROBOTS = {"red": [0, 0], "green": [0, 1], "blue": [0, 2], "yellow": [0, 3]}
# a 4 x 4 board; red must stop on (3, 3): E then S. The second one is walled in.
POSITIONS = {
    "boards": {
        "open": {"size": [4, 4], "walls": []},
        "closed": {"size": [4, 4], "walls": [[3, 2, 3, 3], [2, 3, 3, 3]]},
    },
    "positions": [
        {"id": "two", "board": "open", "robots": ROBOTS, "active": "red", "target": [3, 3], "optimal": 99},
        {"id": "never", "board": "closed", "robots": ROBOTS, "active": "red", "target": [3, 3]},
    ],
}
CASE = {"id": "c", "floor": [[0, 0]], "start": [0, 0], "goal": [3, 0], "moves": 6, "best_distance": 99}
PIECES = {"pieces": [[[0, 0], [1, 0], [2, 0]]]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "positions.json").write_text(json.dumps(POSITIONS))
    (tmp_path / "cases.json").write_text(json.dumps({"cases": [CASE | PIECES]}))
    return tmp_path


def solve(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = json.loads(joust("solve", *arguments, "--json", folder=folder).stdout)
    return answers


@pytest.mark.parametrize("bot", ["astar", "bfs"])
def test_every_position_gets_an_answer_and_expected_ones_are_ignored(folder: Path, bot: str) -> None:
    answers = solve(folder, "ricochet", "positions.json", "--bot", bot)
    measured = dict.fromkeys(("expanded", "frontier", "planning_ms"), ANY)
    found = {"status": "solved", "moves": 2, "solution": [["red", "E"], ["red", "S"]], "optimal_proven": True}
    none = {"status": "unsolvable", "moves": None, "solution": None, "optimal_proven": ANY}
    assert answers == [{"id": "two"} | found | measured, {"id": "never"} | none | measured]


def test_placement_cases_are_solved_and_a_table_names_every_position(folder: Path) -> None:
    [answer] = solve(folder, "placement", "cases.json", "--width", "4")
    measured = dict.fromkeys(("first_placements", "states", "planning_ms"), ANY)
    best = {"best_distance": 0, "best_steps": 3, "pieces_used": 1, "plan": "place 0 @1,0; walk E E E"}
    assert answer == {"id": "c", "status": "solved"} | best | measured
    done = joust("solve", "ricochet", "positions.json", "--variant", "printed", "--early-stop", "false", folder=folder)
    assert done.returncode == 0
    assert "two" in done.stdout
    assert "unsolvable" in done.stdout


def test_a_board_is_drawn_as_text_and_as_svg(folder: Path) -> None:
    drawn = joust("draw", "ricochet", "positions.json", "--id", "two", folder=folder)
    assert drawn.stdout.startswith("┌")
    assert "R" in drawn.stdout
    options = ("--svg", "b.svg", "--moves", "red E, red S")
    assert joust("draw", "ricochet", "positions.json", *options, folder=folder).returncode == 0
    assert (folder / "b.svg").read_text().startswith("<svg")


@pytest.mark.default("bomber", "eidolon", "placement", "ricochet", "heroquest")
@pytest.mark.parametrize("game", game_names())
def test_every_game_draws_the_board_that_it_deals(folder: Path, game: str) -> None:
    boards = [joust("draw", game, "--seed", seed, folder=folder) for seed in ("1", "2", "2")]
    assert [drawn.returncode for drawn in boards] == [0, 0, 0]
    assert boards[0].stdout.count("\n") > 5
    assert boards[1].stdout == boards[2].stdout
    assert boards[0].stdout != boards[1].stdout


def test_a_board_as_one_seat_knows_it_is_another_one_also_as_svg(folder: Path) -> None:
    arguments = ("draw", "navigation", "--param", "knowledge=unknown", "--svg")
    assert joust(*arguments, "all.svg", folder=folder).stdout == "drawn: all.svg\n"
    assert joust(*arguments, "own.svg", "--seat", "0", folder=folder).returncode == 0
    everything, own = ((folder / name).read_text() for name in ("all.svg", "own.svg"))
    assert everything.startswith("<svg")
    assert everything.count("<rect") != own.count("<rect")
    refused = joust(*arguments, "no.svg", "--seat", "4", folder=folder)
    assert (refused.returncode, refused.stderr) == (2, "joust: --seat: expected 0 to 0, got 4\n")


def test_a_board_as_it_is_dealt_is_written_as_png_of_the_width_wanted(folder: Path) -> None:
    drawn = joust("draw", "ricochet", "--png", "deal.png", "--width", "300", folder=folder)
    assert (drawn.returncode, drawn.stdout) == (0, "drawn: deal.png\n")
    head = (folder / "deal.png").read_bytes()[:20]
    assert (head[:8], int.from_bytes(head[16:])) == (b"\x89PNG\r\n\x1a\n", 300)
    refused = joust("draw", "ricochet", "positions.json", "--png", "two.png", folder=folder)
    assert refused.stderr.startswith("joust: --png draws only start positions: use --svg")


def test_a_board_is_drawn_with_the_parameters_of_the_game(folder: Path) -> None:
    drawn = joust("draw", "navigation", "--param", "width=9", "--param", "height=3", folder=folder).stdout
    assert [len(line) for line in drawn.splitlines()[:3]] == [18, 18, 18]
