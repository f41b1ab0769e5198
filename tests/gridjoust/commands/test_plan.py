"""`joust plan` as a user types it: what it prints."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from gridjoust.games.grid import Cell
from gridjoust.games.navigation.movingai import load_map
from tests.joust_here import joust
from tests.octile import MAPS, NAMES, brute_force_costs
from tests.tiers import gate_but

EXACT = ("astar", "dstar_lite", "dijkstra_map")
ALL = "astar,dstar_lite,dijkstra_map,beam"

ROOM = """type octile
height 4
width 6
map
......
.@@@..
.@.@..
.@@@..
"""
SCEN = "version 1\n0\troom.map\t6\t4\t0\t3\t4\t3\t9.41421356\n0\troom.map\t6\t4\t0\t0\t0\t1\t1.0\n"
ENDS = [([0, 3], [4, 3]), ([0, 0], [2, 2]), ([5, 0], [5, 0])]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Holds room.map, a cell of which is enclosed, and two files of queries."""
    (tmp_path / "room.map").write_text(ROOM)
    (tmp_path / "room.json").write_text(json.dumps([{"start": start, "goal": goal} for start, goal in ENDS]))
    (tmp_path / "room.scen").write_text(SCEN)
    return tmp_path


def plan(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    """The objects that `joust plan --map room.map ... --json` prints."""
    done = joust("plan", "--map", "room.map", *arguments, "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_queries_of_another_map_are_left_out_and_lengths_that_differ_are_a_warning(folder: Path) -> None:
    other = "0\tother.map\t6\t4\t0\t0\t0\t1\t1\n"
    scen = folder / "room.map.scen"
    scen.write_text(SCEN.replace("9.41421356", "10.0000") + other)
    command = ("plan", "--map", "room.map", "--planner", "astar", "--connectivity", "8")
    done = joust(*command, folder=folder)
    assert (done.returncode, "1-connected" in done.stdout, "2 queries" in done.stdout) == (0, False, True)
    assert done.stderr == "room.map.scen: left out 1 query of other maps (other.map)\n"
    scen.write_text(SCEN.replace("9.41421356", "99"))
    done = joust(*command, folder=folder)
    told = "query 1 says 99, the map has 10"
    assert (
        done.stderr == f"room.map.scen: optimal lengths of 1 of 2 queries differ ({told}): is the file for this map?\n"
    )
    scen.write_text("version 1\n" + other)
    done = joust(*command, folder=folder)
    assert (done.returncode, done.stderr) == (
        2,
        "joust: room.map.scen: expected a query of room.map, got those of other.map\n",
    )


@pytest.mark.gate
def test_a_tournament_leaves_out_queries_of_other_maps_and_refuses_a_file_that_has_no_others(folder: Path) -> None:
    other = "0\tother.map\t6\t4\t0\t0\t0\t1\t1\n"
    games = "games: [{game: navigation, maps: [room.map]}]"
    bots = "bots: [{name: a, bot: navigation/astar}]"
    (folder / "cup.yaml").write_text(f"tournament: t\n{games}\nexecution: {{isolation: none}}\n{bots}\n")
    (folder / "room.map.scen").write_text(SCEN + other)
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "room.map.scen: left out 1 query of other maps (other.map)" in done.stdout
    (folder / "room.map.scen").write_text("version 1\n" + other)
    done = joust("run", "cup.yaml", "--overwrite", folder=folder)
    assert done.returncode == 2
    assert "room.map.scen: expected a query of room.map, got those of other.map" in done.stderr


OWN = """from gridjoust.bots.navigation.route import FixedPath
from gridjoust.bots.navigation.walker import Walker
from gridjoust.bots.planners.astar import astar

class Greedy(FixedPath):
    def search(self, here):
        estimate = self.grid.estimate_to({self.goal})
        heuristic = lambda cell: 9 * estimate(cell)
        return astar(here, {self.goal}, neighbours=self.grid.neighbours.__getitem__, heuristic=heuristic)

class Mine(Walker):
    planner = "greedy"

    def __init__(self):
        super().__init__(Greedy)
"""


def test_a_planner_in_a_file_answers_beside_the_built_in_ones(folder: Path) -> None:
    (folder / "mine.py").write_text(OWN)
    given = ("plan", "--map", "room.map", "--queries", "room.json", "--planner", "astar,mine.py", "--csv")
    done = joust(*given, folder=folder)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    ends = [([int(row["start_x"]), int(row["start_y"])], [int(row["goal_x"]), int(row["goal_y"])]) for row in rows]
    assert ends == [one for one in ENDS for _ in ("astar", "Mine")]
    costs = [(row["planner"], row["cost"]) for row in rows]
    assert costs == [(name, cost) for cost in ("10.0", "", "0.0") for name in ("astar", "Mine")]
    (mine,) = plan(folder, "--start", "0,3", "--goal", "4,3", "--planner", "mine.py:Mine")
    (optimal,) = plan(folder, "--start", "0,3", "--goal", "4,3", "--planner", "astar")
    assert mine["cost"] >= optimal["cost"]
    assert 0 < mine["expanded"] <= optimal["expanded"]


REFUSED = {
    "a name that is near a known one": ("astr", "expected astar, or file.py:Class, got 'astr'"),
    "twice": ("mine.py,mine.py:Mine", "expected every planner once, got 'Mine' twice"),
    "no such file": ("gone.py", "file not found: gone.py"),
    "no such class": ("mine.py:Other", "expected a class Other in mine.py, got only Greedy, Mine"),
    "a bot of another kind": ("bot.py", "Bot1: expected a subclass of gridjoust.planners.Walker"),
    "an error in its search": ("wrong.py", "Mine: query from (0, 3) to (4, 3): NameError: name 'wrong' is not defined"),
    "an error when it is made": ("unmade.py", "TypeError: Walker.__init__() missing 1 required positional argument"),
}


@pytest.mark.parametrize(("planner", "problem"), REFUSED.values(), ids=REFUSED)
def test_a_planner_that_cannot_be_run_is_refused_in_one_line(folder: Path, planner: str, problem: str) -> None:
    (folder / "mine.py").write_text(OWN)
    (folder / "wrong.py").write_text(OWN.replace("9 *", "wrong *"))
    (folder / "unmade.py").write_text(OWN.replace("__init__(Greedy)", "__init__()"))
    (folder / "bot.py").write_text(
        "import gridjoust\nclass Bot1(gridjoust.Bot):\n    def act(self, observation): ...\n"
    )
    done = joust("plan", "--map", "room.map", "--planner", planner, "--start", "0,3", "--goal", "4,3", folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"joust: --planner: {problem}")
    assert done.stderr.count("\n") == 1


def test_json_and_csv_exclude_each_other(folder: Path) -> None:
    done = joust("plan", "--map", "room.map", "--planner", "astar", "--json", "--csv", folder=folder)
    assert (done.returncode, done.stderr) == (2, "joust: plan: give --json or --csv, not both\n")


DIAGONAL = pytest.approx(10 + 2**0.5 - 1)
QUERIES = {
    "an enclosed goal has no cost": ("--start 0,0 --goal 2,2", (None, 0)),
    "nor on an unknown map": ("--start 0,0 --goal 2,2 --knowledge unknown", (None, ANY)),
    "four neighbours are the default": ("--start 0,3 --goal 4,3", (10, 0)),
    "diagonals cost the root of two and cut no corners": ("--start 0,3 --goal 5,3 --connectivity 8", (DIAGONAL, 0)),
    "start at the goal costs nothing": ("--start 5,0 --goal 5,0", (0, 0)),
    "a sensor that sees everything knows the map": ("--start 0,3 --goal 4,3 --knowledge unknown --sensor 9", (10, 0)),
}


@pytest.mark.parametrize(("query", "expected"), QUERIES.values(), ids=QUERIES)
def test_every_planner_finds_the_cost(folder: Path, query: str, expected: tuple[object, object]) -> None:
    rows = plan(folder, *query.split(), "--planner", ALL)
    assert [(row["cost"], row["replans"]) for row in rows] == [expected] * 4


def test_an_unknown_map_is_walked_and_replanned_on(folder: Path) -> None:
    (row,) = plan(folder, "--start", "0,2", "--goal", "4,2", "--planner", "dstar_lite", "--knowledge", "unknown")
    assert row["replans"] > 0
    assert row["cost"] >= 8


def test_one_object_for_each_query_and_planner_in_their_order(folder: Path) -> None:
    rows = plan(folder, "--queries", "room.json", "--planner", "beam,astar")
    assert [(row["start"], row["goal"], row["planner"]) for row in rows] == [
        (*ends, planner) for ends in ENDS for planner in ("beam", "astar")
    ]
    keys = ["start", "goal", "planner", "cost", "expanded", "generated", "replans", "planning_ms"]
    assert [list(row) for row in rows] == [keys] * 6


def test_the_first_queries_of_a_scen_are_taken_in_their_order(folder: Path) -> None:
    whole = plan(folder, "--scen", "room.scen", "--planner", "astar")
    assert [(row["start"], row["goal"]) for row in whole] == [ENDS[0], ([0, 0], [0, 1])]
    limited = plan(folder, "--scen", "room.scen", "--planner", "astar", "--limit", "1")
    assert [(row["start"], row["goal"]) for row in limited] == ENDS[:1]


def test_a_table_has_a_line_for_each_planner(folder: Path) -> None:
    done = joust("plan", "--map", "room.map", "--queries", "room.json", "--planner", ALL, folder=folder)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [line[:4] for line in lines if line and line[0] in ALL.split(",")] == [
        [planner, "2/3", "5.00", "1.0000"] for planner in ALL.split(",")
    ]


# the benchmark's own lengths are compared in `study.movingai`


@pytest.mark.gate
@pytest.mark.parametrize("connectivity", gate_but(["4", "8"], ("8",)))
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


@pytest.mark.parametrize("name", ["room.map.scen", "room-random-1.scen", "room-even-1.scen"])
def test_the_queries_beside_a_map_are_put_where_no_others_are_named(folder: Path, name: str) -> None:
    (folder / "room.scen").rename(folder / name)
    assert [answer["start"] for answer in plan(folder, "--planner", "astar")] == [[0, 3], [0, 0]]
    assert len(plan(folder, "--planner", "astar", "--start", "0,0", "--goal", "5,0")) == 1


def test_the_maps_that_come_with_joust_are_read_with_their_queries(folder: Path) -> None:
    maps = Path(__file__).parents[3] / "configs" / "navigation-maps"
    done = joust("plan", "--map", str(maps / "maze-32.map"), "--planner", "astar", "--json", folder=folder)
    assert len(done.stdout.splitlines()) == 10
