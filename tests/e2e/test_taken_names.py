"""Whoever writes a bot may call their own files and folders as ours are called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.joust_here import joust

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
NAMES = ("runner", "games", "bots", "leaderboard", "benchmarks", "docs", "tests", "commands", "viewer")
OWN = "NAME = __name__\n"
MINE = f"""
import {", ".join(NAMES)}
import gridjoust as joust

class Mine(joust.Bot):
    def act(self, observation):
        assert [{", ".join(f"{name}.NAME" for name in NAMES)}] == {list(NAMES)}
        return min(observation.legal)
"""
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
format: {rounds: 1}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
bots: [{name: mine, path: "mine.py:Mine"}, {name: random, bot: random}]
"""


@pytest.fixture(params=["files", "folders"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A user's folder with a bot that imports modules of its own by the names of ours."""
    for name in NAMES:
        if request.param == "folders":
            (tmp_path / name).mkdir()
        (tmp_path / (f"{name}.py" if request.param == "files" else f"{name}/__init__.py")).write_text(OWN)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "cup.yaml").write_text(CUP)
    return tmp_path


@pytest.mark.gate
def test_a_script_or_notebook_beside_them_imports_gridjoust_and_plays(folder: Path) -> None:
    code = "import gridjoust, runner; print(runner.NAME, gridjoust.play('bomber', ['random'] * 2, seed=1).turns > 1)"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == "runner True\n"


@pytest.mark.gate
def test_a_bot_beside_them_plays_with_its_own_modules(folder: Path) -> None:
    done = joust("run", "cup.yaml", folder=folder)
    assert done.returncode == 0, done.stderr
    rows = pd.read_csv(folder / "results" / "cup" / "results.csv")
    assert list(rows["faults"]) == [0] * 4


def test_a_package_that_installs_folders_named_like_ours_hides_none_of_them(tmp_path: Path) -> None:
    for name in ("tests", "benchmarks", "gridjoust_is_not_here"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    code = "import gridjoust_is_not_here, benchmarks.figures, tests.doubles.games.reference"
    path = {"PYTHONPATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ | path, check=True)
