"""Promises of all commands: `--json` wherever data are printed, and one line with exit code 2 for wrong input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gridjoust.commands.app import COMMANDS, load_command
from tests.gridjoust.commands.desk import GOOD, PROCESSES, Desk
from tests.gridjoust.commands.test_plan import ROOM
from tests.gridjoust.commands.test_solve import POSITIONS

SAMPLE = Path(__file__).parents[3] / "results" / "sample"
ONE, OTHER = "sample/bcc45f892b255f9a", "sample/d47a8c3bc62e47e8"
WITHOUT_JSON = {
    **dict.fromkeys(("draw", "look", "replay", "report", "view"), "makes pictures and pages"),
    **dict.fromkeys(("init", "new-bot"), "writes files for people to change"),
    **dict.fromkeys(("connect", "play", "serve", "work"), "goes on until its match or its run is over"),
    "submit": "follows an admission, which the contest tells as JSON below /api",
    "schema": "prints nothing but JSON",
}
JSON_OF = {  # command -> what is typed after it; 1 is the exit code of a comparison that finds a difference
    "run": ("cup.yaml", 0),
    "tokens": ("remote.yaml", 0),
    "verify": ("sample", 0),
    "matches": ("sample --bot gambit", 0),
    "analyse": (f"{ONE} --turns 2 --playouts 5", 0),
    "leaderboard": ("sample --metrics", 0),
    "pack": ("sample", 0),
    "unpack": ("sample", 0),
    "export": ("sample --latex", 0),
    "doctor": ("random --game bomber --param max_ticks=5 --matches 1 --trust", 0),
    "ask": (f"--record {ONE} --turn 1 --yes", 0),
    "rerun": (f"{ONE} --yes --trust", 0),
    "compare": (f"{ONE} {OTHER}", 1),
    "solve": ("ricochet positions.json", 0),
    "plan": ("--map room.map --planner astar --start 0,3 --goal 4,3", 0),
    "games": ("bomber", 0),
    "instances": ("rooms-64 --split test", 0),
    "bots": ("", 0),
}
REMOTE = PROCESSES + "  - {name: ada, remote: true}\n"
SLOW = {"run", "analyse", "doctor", "ask", "rerun", "verify", "unpack", "pack"}


def words(command: str) -> list[str]:
    return [name for parameter in load_command(command).params for name in parameter.opts]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_prints_data_prints_them_as_json_too(command: str) -> None:
    assert ("--json" in words(command)) == (command in JSON_OF) == (command not in WITHOUT_JSON)


@pytest.mark.e2e
@pytest.mark.default(*(command for command in JSON_OF if command not in SLOW))
@pytest.mark.parametrize("command", JSON_OF)
def test_nothing_but_json_is_printed_with_it(command: str, desk: Desk) -> None:
    shutil.copytree(SAMPLE, desk.folder / "sample")
    files = {"room.map": ROOM, "positions.json": json.dumps(POSITIONS), "cup.yaml": GOOD, "remote.yaml": REMOTE}
    for name, text in files.items():
        desk.write(name, text)
    typed, expected = JSON_OF[command]
    code, printed = desk.read(command, *typed.split(), "--json")
    assert code == expected
    assert [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_is_one_line_with_exit_code_2(command: str, desk: Desk) -> None:
    code, said = desk.joust(command, "--no-such-option")
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"joust: {command}: ")
