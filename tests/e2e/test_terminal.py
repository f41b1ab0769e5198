"""The command as a process: exit codes and streams. What each command says is in the tests of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.tables import load
from tests.e2e.joust_process import joust

pytestmark = pytest.mark.e2e


def test_a_mistake_in_the_file_is_one_line_and_exit_code_2_and_help_and_version_answer(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text("turnament: cup\ngames: [{game: bomber}]\nbots: [{name: a, bot: random}]\n")
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "joust: cup.yaml: turnament: expected tournament, got an unknown key (line 1)\n"
    assert "Play a tournament" in joust("--help", folder=tmp_path).stdout
    assert joust("--version", folder=tmp_path).stdout.startswith("joust 0.")


def test_a_person_plays_a_match_that_verifies(tmp_path: Path) -> None:
    done = joust("play", "bomber", "--param", "max_ticks=4", folder=tmp_path, typed="d\nb\n?\n\na\n")
    assert done.returncode == 0, done.stderr
    assert "You play bomber in seat 0" in done.stdout
    assert "w a s d move, b bomb" in done.stdout
    assert "tick 3   HP" in done.stdout
    assert set(load(tmp_path / "results" / "play-bomber-1").results["termination"]) == {"completed"}
    assert joust("verify", "results", folder=tmp_path).returncode == 0
