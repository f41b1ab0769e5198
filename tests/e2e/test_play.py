"""A person plays: keys in, drawings out, a record that verifies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from runner.tables import load
from tests.e2e.joust_process import JOUST
from tests.joust_here import joust

pytestmark = pytest.mark.e2e


def play(folder: Path, *arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*JOUST, "play", *arguments], cwd=folder, input=typed, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_person_plays_a_match_that_verifies(tmp_path: Path) -> None:
    done = play(tmp_path, "bomber", "--param", "max_ticks=4", typed="d\nb\n?\n\na\n")
    assert done.returncode == 0, done.stderr
    assert "You play bomber in seat 0" in done.stdout
    assert "w a s d move, b bomb" in done.stdout
    assert "tick 3   HP" in done.stdout
    results = load(tmp_path / "results" / "play-bomber-1").results
    assert set(results["termination"]) == {"completed"}
    assert joust("verify", "results", folder=tmp_path).returncode == 0
