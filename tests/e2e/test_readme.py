"""The README, run from top to bottom by a newcomer: its files saved, its commands and snippets executed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.e2e.fenced import Block, blocks_of
from tests.e2e.joust_process import JOUST

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
COMMANDS = {"joust": JOUST, "python": [sys.executable]}


def blocks() -> list[Block]:
    return blocks_of(ROOT / "README.md")


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=300, env=environment
    )


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which everything the README says has been done."""
    folder = tmp_path_factory.mktemp("newcomer")
    for block in blocks():
        if "file" in block.words:
            path = folder / block.words["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif "run" in block.words and block.language == "sh":
            for line in block.text.splitlines():
                words = line.split()
                done = run([*COMMANDS[words[0]], *words[1:]], folder)
                assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return folder


def test_the_bot_has_about_ten_lines(newcomer: Path) -> None:
    text = (newcomer / "my_bots" / "first.py").read_text()
    assert 5 <= len([line for line in text.splitlines() if line.strip()]) <= 10


def test_the_ten_line_bot_plays_without_a_fault(newcomer: Path) -> None:
    from runner.tables import load

    results = load(newcomer / "results" / "cup").results
    mine = results[results["bot"] == "mine"]
    assert len(mine) == 8
    assert mine["faults"].sum() == 0
    assert set(mine["termination"]) == {"completed"}


def test_the_snippets_for_reading_the_results_run(newcomer: Path) -> None:
    snippets = [block for block in blocks() if block.language == "python" and "run" in block.words]
    assert snippets
    for block in snippets:
        done = run([sys.executable, "-c", block.text], newcomer)
        assert done.returncode == 0, done.stderr
        assert ("gambit" if "joust.load" in block.text else "[1.0, 0.0]") in done.stdout


def test_the_entry_point_of_the_readme_is_valid_toml() -> None:
    [block] = [block for block in blocks() if block.language == "toml"]
    assert tomllib.loads(block.text)["project"]["entry-points"]["joust.games"] == {"race": "race:Race"}


def test_every_make_target_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)", (ROOT / "README.md").read_text()))
    assert {"run", "test"} <= named <= targets


def test_every_block_is_run_or_a_file() -> None:
    """Nothing in the README is untested: `make` lines and the toml are checked above."""
    untasked = [block for block in blocks() if not block.words]
    assert [block.language for block in untasked] == ["sh", "toml"]


def test_every_file_it_links_to_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", readme) if not link.startswith("http")]
    assert links
    assert all((ROOT / link).exists() for link in links)
