"""`joust solve` and `joust draw` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.joust_here import joust

# a 4 x 4 board; red must stop on (3, 3): E then S. The second one is walled in.
POSITIONS = {
    "boards": {
        "open": {"size": [4, 4], "walls": []},
        "closed": {"size": [4, 4], "walls": [[3, 2, 3, 3], [2, 3, 3, 3]]},
    },
    "positions": [
        {
            "id": "two",
            "board": "open",
            "robots": {"red": [0, 0], "green": [0, 1], "blue": [0, 2], "yellow": [0, 3]},
            "active": "red",
            "target": [3, 3],
            "optimal": 99,
        },
        {
            "id": "never",
            "board": "closed",
            "robots": {"red": [0, 0], "green": [0, 1], "blue": [0, 2], "yellow": [0, 3]},
            "active": "red",
            "target": [3, 3],
        },
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "positions.json").write_text(json.dumps(POSITIONS))
    return tmp_path


@pytest.mark.parametrize("bot", ["astar", "bfs"])
def test_every_position_gets_an_answer_and_expected_ones_are_ignored(folder: Path, bot: str) -> None:
    done = joust("solve", "ricochet", "positions.json", "--bot", bot, "--json", folder=folder)
    two, never = json.loads(done.stdout)
    assert (two["id"], two["status"], two["moves"], two["optimal_proven"]) == ("two", "solved", 2, True)
    assert two["solution"] == [["red", "E"], ["red", "S"]]
    assert (never["id"], never["status"], never["moves"], never["solution"]) == ("never", "unsolvable", None, None)
    keys = {"id", "status", "moves", "solution", "optimal_proven", "expanded", "frontier", "planning_ms"}
    assert set(two) == keys


def test_placement_cases_are_solved(folder: Path) -> None:
    case = {
        "id": "c",
        "floor": [[0, 0]],
        "start": [0, 0],
        "goal": [3, 0],
        "moves": 6,
        "pieces": [[[0, 0], [1, 0], [2, 0]]],
    }
    (folder / "cases.json").write_text(json.dumps({"cases": [case | {"best_distance": 99}]}))
    [answer] = json.loads(joust("solve", "placement", "cases.json", "--width", "4", "--json", folder=folder).stdout)
    assert (answer["status"], answer["best_distance"], answer["best_steps"], answer["pieces_used"]) == (
        "solved",
        0,
        3,
        1,
    )
    assert answer["plan"] == "place 0 @1,0; walk E E E"
    keys = {"id", "status", "best_distance", "best_steps", "pieces_used", "plan", "first_placements", "states"}
    assert set(answer) == keys | {"planning_ms"}


def test_the_table_names_every_position(folder: Path) -> None:
    done = joust("solve", "ricochet", "positions.json", "--variant", "printed", "--early-stop", "false", folder=folder)
    assert done.returncode == 0
    assert "two" in done.stdout
    assert "unsolvable" in done.stdout


def test_a_board_is_drawn_as_text_and_as_svg(folder: Path) -> None:
    drawn = joust("draw", "ricochet", "positions.json", "--id", "two", folder=folder)
    assert "R" in drawn.stdout
    assert drawn.stdout.startswith("┌")
    assert (
        joust(
            "draw", "ricochet", "positions.json", "--svg", "b.svg", "--moves", "red E, red S", folder=folder
        ).returncode
        == 0
    )
    assert (folder / "b.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["solve", "chess", "positions.json"], "solve: expected"),
        (
            ["solve", "ricochet", "positions.json", "--width", "4"],
            "--width: expected it for another game than ricochet",
        ),
        (["solve", "ricochet", "none.json"], "none.json: expected a readable file"),
        (["solve", "ricochet", "positions.json", "--bot", "astr"], "positions.json: bot: expected one of astar"),
        (["solve", "ricochet", "positions.json", "--variant", "x"], "--variant: expected plain or printed, got 'x'"),
        (["draw", "ricochet", "positions.json", "--id", "x"], "--id: expected one of two, never"),
        (["draw", "ricochet", "--moves", "up"], "--moves: expected a robot and a direction such as red N, got 'up'"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, arguments: list[str], line: str) -> None:
    done = joust(*arguments, folder=folder)
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
