"""What a user reads when something is wrong: one line and an exit code."""

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


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("tournament: cup", "turnament: cup", "cup.yaml: turnament: expected tournament, got an unknown key"),
        ("max_ticks", "max_tiks", "cup.yaml: games[0].params.max_tiks: expected 'max_ticks'"),
        ("bot: random", "bot: randm", "cup.yaml: bots[0].bot: expected"),
        ("game: bomber", "game: bomer", "cup.yaml: games[0].game: expected"),
        ("max_ticks: 5", "max_ticks: five", "cup.yaml: games[0].params.max_ticks: expected a whole number, got 'five'"),
        ("  - {name: b, bot: bomber/wanderer}\n", "", "cup.yaml: bots: expected"),
    ],
)
def test_a_mistake_in_the_file_is_one_line_and_exit_code_2(tmp_path: Path, old: str, new: str, line: str) -> None:
    done = joust("run", "cup.yaml", folder=broken(tmp_path, old, new))
    assert done.returncode == 2
    assert done.stderr.startswith(f"joust: {line}")
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    done = joust("run", "none.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert "none.yaml: expected" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_second_run_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    broken(tmp_path, "cup", "cup")
    assert joust("run", "cup.yaml", folder=tmp_path).returncode == 0
    again = joust("run", "cup.yaml", folder=tmp_path)
    assert again.returncode == 2
    assert "expected an empty folder, got results: continue with --resume" in again.stderr


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


def test_a_command_that_does_not_exist_is_named(tmp_path: Path) -> None:
    text = GOOD.replace("bot: random", "command: [nodde, x.js]").replace("execution: {isolation: none}\n", "")
    (tmp_path / "cup.yaml").write_text(text)
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 2
    assert "expected an executable, got 'nodde'" in done.stderr
    assert "Traceback" not in done.stderr


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
