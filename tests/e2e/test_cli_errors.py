"""The command as a process: exit codes and streams. What each mistake says is in the tests of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.joust_process import joust

pytestmark = pytest.mark.e2e


def test_a_mistake_in_the_file_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text("turnament: cup\ngames: [{game: bomber}]\nbots: [{name: a, bot: random}]\n")
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "joust: cup.yaml: turnament: expected tournament, got an unknown key (line 1)\n"


def test_help_and_version_answer(tmp_path: Path) -> None:
    assert "Play a tournament" in joust("--help", folder=tmp_path).stdout
    assert joust("--version", folder=tmp_path).stdout.startswith("joust 0.")
