"""`joust plan` as a user types it: what it prints, and what it says about a mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.grid import Cell
from games.navigation.movingai import load_map
from tests.joust_here import joust
from tests.octile import MAPS, NAMES, brute_force_costs

EXACT = ("astar", "dstar_lite", "dijkstra_map")

ROOM = """type octile
height 4
width 6
map
......
.@@@..
.@.@..
.@@@..
"""
KEYS = ["start", "goal", "planner", "cost", "expanded", "generated", "replans", "planning_ms"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds room.map, a cell of which is enclosed, and two files of queries."""
    (tmp_path / "room.map").write_text(ROOM)
    ends = [([0, 3], [4, 3]), ([0, 0], [2, 2]), ([5, 0], [5, 0])]
    (tmp_path / "room.json").write_text(json.dumps([{"start": start, "goal": goal} for start, goal in ends]))
    rows = ["0\troom.map\t6\t4\t0\t3\t4\t3\t9.41421356", "0\troom.map\t6\t4\t0\t0\t0\t1\t1.0"]
    (tmp_path / "room.scen").write_text("\n".join(["version 1", *rows, ""]))
    return tmp_path


def plan(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The objects that `joust plan --map room.map ... --json` prints."""
    done = joust("plan", "--map", "room.map", *arguments, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


ALL = "astar,dstar_lite,dijkstra_map,beam"


def test_one_object_for_each_query_and_planner_in_their_order(folder: Path) -> None:
    rows = plan(folder, "--queries", "room.json", "--planner", "beam,astar")
    assert [(row["goal"], row["planner"]) for row in rows] == [
        (goal, planner) for goal in ([4, 3], [2, 2], [5, 0]) for planner in ("beam", "astar")
    ]
    assert all(list(row) == KEYS for row in rows)


def test_an_enclosed_goal_has_no_cost(folder: Path) -> None:
    rows = plan(folder, "--start", "0,0", "--goal", "2,2", "--planner", ALL)
    assert [row["cost"] for row in rows] == [None] * 4


def test_an_enclosed_goal_has_no_cost_on_an_unknown_map(folder: Path) -> None:
    rows = plan(folder, "--start", "0,0", "--goal", "2,2", "--planner", ALL, "--knowledge", "unknown")
    assert [row["cost"] for row in rows] == [None] * 4


def test_four_neighbours_are_the_default(folder: Path) -> None:
    rows = plan(folder, "--start", "0,3", "--goal", "4,3", "--planner", ALL)
    assert [row["cost"] for row in rows] == [10] * 4


def test_diagonals_cost_the_root_of_two_and_cut_no_corners(folder: Path) -> None:
    rows = plan(folder, "--start", "0,3", "--goal", "5,3", "--planner", ALL, "--connectivity", "8")
    assert [row["cost"] for row in rows] == [pytest.approx(10 + 2**0.5 - 1)] * 4


def test_start_at_the_goal_costs_nothing(folder: Path) -> None:
    rows = plan(folder, "--start", "5,0", "--goal", "5,0", "--planner", ALL)
    assert [row["cost"] for row in rows] == [0] * 4


def test_a_known_map_needs_no_replan(folder: Path) -> None:
    rows = plan(folder, "--start", "0,3", "--goal", "4,3", "--planner", ALL)
    assert [row["replans"] for row in rows] == [0] * 4


def test_an_unknown_map_is_walked_and_replanned_on(folder: Path) -> None:
    (row,) = plan(folder, "--start", "0,2", "--goal", "4,2", "--planner", "dstar_lite", "--knowledge", "unknown")
    assert row["replans"] > 0
    assert row["cost"] >= 8


def test_a_sensor_that_sees_everything_makes_an_unknown_map_a_known_one(folder: Path) -> None:
    query = ("--start", "0,3", "--goal", "4,3", "--planner", ALL)
    rows = plan(folder, *query, "--knowledge", "unknown", "--sensor", "9")
    assert [(row["cost"], row["replans"]) for row in rows] == [(10, 0)] * 4


def test_limit_takes_the_first_queries(folder: Path) -> None:
    rows = plan(folder, "--scen", "room.scen", "--planner", "astar", "--limit", "1")
    assert [(row["start"], row["goal"]) for row in rows] == [([0, 3], [4, 3])]


def test_a_table_has_a_line_for_each_planner(folder: Path) -> None:
    done = joust("plan", "--map", "room.map", "--queries", "room.json", "--planner", ALL, folder=folder)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:4] for line in lines if line and line[0] in ALL.split(",")] == [
        [planner, "2/3", "5.00", "1.0000"] for planner in ALL.split(",")
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--start", "0,0"], "--goal: expected x,y, as the other end is given"),
        (["--start", "0,0", "--goal", "9,0"], "--goal: expected a cell on the map of 6 x 4, got (9, 0)"),
        (["--start", "1,1", "--goal", "0,0"], "--start: expected a passable cell, got a blocked one at (1, 1)"),
        (["--start", "0;0", "--goal", "0,0"], "--start: expected x,y such as 3,12, got '0;0'"),
        ([], "expected one of --scen, --queries, or --start and --goal"),
        (["--scen", "room.scen", "--queries", "room.json"], "expected one of --scen, --queries, or --start and --goal"),
        (["--scen", "none.scen"], "none.scen: expected a readable file, got: No such file or directory"),
        (["--scen", "room.map"], "room.map: line 1: expected 'version 1' or 'version 1.0', got 'type octile'"),
        (["--scen", "wide.scen"], "wide.scen: query 1: expected a map of 7 x 4, as the query says, got 6 x 4"),
        (["--queries", "bad.json"], 'bad.json: expected a list of {"start": [x, y], "goal": [x, y]}: '),
        (["--queries", "out.json"], "out.json: [0].goal: expected a cell on the map of 6 x 4, got (-1, 0)"),
        (["--queries", "none.json"], "none.json: expected at least one query, got none"),
        (["--scen", "room.scen", "--planner", "astr"], "--planner: expected one of astar, dstar_lite, dijkstra_map"),
        (
            ["--scen", "room.scen", "--planner", "beam,beam"],
            "--planner: expected every planner once, got 'beam' 2 times",
        ),
        (["--scen", "room.scen", "--connectivity", "6"], "--connectivity: expected one of 4, 8, got '6'"),
        (["--scen", "room.scen", "--knowledge", "some"], "--knowledge: expected one of known, unknown, got 'some'"),
        (["--scen", "room.scen", "--sensor", "0"], "--sensor: expected at least 1, got 0"),
        (["--scen", "room.scen", "--limit", "0"], "--limit: expected at least 1, got 0"),
        (
            ["--scen", "room.scen", "--map", "no.map"],
            "no.map: expected a readable file, got: No such file or directory",
        ),
        (["--scen", "room.scen", "--map", "room.scen"], "room.scen: line 1: expected 'type octile' or 'type tile'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder: Path, arguments: list[str], line: str) -> None:
    (folder / "wide.scen").write_text("version 1\n0\troom.map\t7\t4\t0\t0\t1\t0\t1\n")
    (folder / "bad.json").write_text('[{"start": [0, 0]}]')
    (folder / "out.json").write_text('[{"start": [0, 0], "goal": [-1, 0]}]')
    (folder / "none.json").write_text("[]")
    done = joust("plan", "--map", "room.map", "--planner", "astar", *arguments, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"joust: {line}")
    assert len(done.stderr.splitlines()) == 1


# the benchmark's own lengths are compared in `benchmarks.movingai`


@pytest.mark.parametrize("connectivity", ["4", "8"])
def test_exact_planners_find_the_shortest_ways_and_no_others(folder: Path, connectivity: str) -> None:
    costs: set[float | None] = set()
    for name in NAMES:
        board = load_map(MAPS / f"{name}.map")
        cells = [Cell(*board.place(cell)) for cell, is_blocked in enumerate(board.blocked) if not is_blocked]
        (folder / "ends.json").write_text(
            json.dumps([{"start": start, "goal": goal} for start in cells[::43] for goal in cells[::11]])
        )
        options = ("--queries", "ends.json", "--connectivity", connectivity, "--planner", ",".join(EXACT))
        answers = plan(folder, *options, "--map", str(MAPS / f"{name}.map"))
        lengths = {start: brute_force_costs(board, start, connectivity) for start in cells[::43]}
        assert len(answers) == len(cells[::43]) * len(cells[::11]) * len(EXACT)
        for answer in answers:
            expected = lengths[Cell(*answer["start"])].get(Cell(*answer["goal"]))
            assert answer["cost"] == (None if expected is None else pytest.approx(expected)), (name, answer)
            costs.add(answer["cost"])
    assert None in costs
    assert len(costs) > 40  # ways of many lengths, and some that there are not


def test_queries_of_a_scen_keep_their_order(folder: Path) -> None:
    answers = plan(folder, "--scen", "room.scen", "--planner", "astar")
    assert [(*answer["start"], *answer["goal"]) for answer in answers] == [(0, 3, 4, 3), (0, 0, 0, 1)]
