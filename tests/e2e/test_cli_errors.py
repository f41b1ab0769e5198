"""The command as a process: exit codes and streams. What each mistake says is in `test_mistakes of the commands`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.joust_process import joust

pytestmark = pytest.mark.e2e

GOOD = """tournament: cup
games:
  - {game: bomber, params: {max_ticks: 5}}
bots:
  - {name: a, bot: random}
  - {name: b, bot: bomber/wanderer}
execution: {isolation: none}
"""


def broken(tmp_path: Path, old: str, new: str) -> Path:
    assert old in GOOD
    (tmp_path / "cup.yaml").write_text(GOOD.replace(old, new))
    return tmp_path


def test_a_mistake_in_the_file_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = joust("run", "cup.yaml", folder=broken(tmp_path, "tournament: cup", "turnament: cup"))
    assert done.returncode == 2
    assert done.stderr == "joust: cup.yaml: turnament: expected tournament, got an unknown key (line 1)\n"


def test_overwrite_starts_anew(tmp_path: Path) -> None:
    broken(tmp_path, "cup", "cup")
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    assert joust("run", "cup.yaml", "--overwrite", folder=tmp_path).returncode == 0


def test_verify_of_nothing_is_one_line(tmp_path: Path) -> None:
    done = joust("verify", "none", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "joust: none: expected a results folder, got nothing there\n"


def test_an_unreadable_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text("{}\n")
    done = joust("replay", "r.jsonl", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("joust: r.jsonl: line 1: expected a line of a match record")


def test_help_and_version_answer(tmp_path: Path) -> None:
    assert "Play a tournament" in joust("--help", folder=tmp_path).stdout
    assert joust("--version", folder=tmp_path).stdout.startswith("joust 0.")


@pytest.mark.parametrize("what", ["protocol", "config"])
def test_schemas_are_json(tmp_path: Path, what: str) -> None:
    import json

    assert json.loads(joust("schema", what, folder=tmp_path).stdout)["$schema"]


def test_games_and_bots_are_listed(tmp_path: Path) -> None:
    assert "bomber" in joust("games", folder=tmp_path).stdout
    assert "bomber/wanderer" in joust("bots", folder=tmp_path).stdout
