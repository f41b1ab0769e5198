"""From a copy of the repository to an own bot on the leaderboard: the tutorial's commands, exactly as they stand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial" / "five-minutes.md"
NEEDED = ("Makefile", "pyproject.toml", "configs/quickstart.yaml")


def commands(block: int) -> list[str]:
    """The lines of one shell block of the tutorial."""
    text = TUTORIAL.read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return blocks[block].splitlines()


def shell(lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """As somebody would type them, one after the other."""
    script = "set -e\n" + "\n".join(lines)
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "MAKEFLAGS")}
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False, timeout=300, env=environment
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands use; its `.venv` is this interpreter's, so that nothing is downloaded."""
    if shutil.which("make") is None or not Path(sys.prefix, "bin", "activate").is_file():
        pytest.skip("expected make, and a virtual environment")
    folder = tmp_path_factory.mktemp("copy")
    for name in NEEDED:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / ".venv").mkdir()
    for entry in Path(sys.prefix).iterdir():
        if not entry.name.startswith("ready-to-"):
            (folder / ".venv" / entry.name).symlink_to(entry)
    (folder / ".venv" / "ready-to-run").touch()
    return folder


@pytest.fixture(scope="module")
def done(copy: Path) -> subprocess.CompletedProcess[str]:
    return shell(commands(0), copy)


def test_they_are_five_and_begin_with_make_run() -> None:
    assert len(commands(0)) == 5
    assert commands(0)[0] == "make run"


def test_the_own_bot_is_in_the_table(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    quickstart, own = done.stdout.split("results: results/quickstart")
    assert not re.search(r"\bfirst\b", quickstart)
    assert re.search(r"^│ +\d │ first +│", own, re.MULTILINE)


def test_a_changed_bot_can_be_played_again(done: subprocess.CompletedProcess[str], copy: Path) -> None:
    assert done.returncode == 0
    bot = copy / "my-cup" / "my_bots" / "first.py"
    bot.write_text(bot.read_text().replace('return "bomb"', 'return "wait"'))
    again = shell(["source ../.venv/bin/activate", *commands(1)], copy / "my-cup")
    assert again.returncode == 0, again.stderr
    assert re.search(r"^│ +\d │ first +│", again.stdout, re.MULTILINE)
