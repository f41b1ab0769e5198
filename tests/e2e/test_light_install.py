"""What an entrant runs without the large packages that only tournaments need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LARGE = ("scipy", "pandas", "networkx")
WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({LARGE}))  # None: an import of it fails
"""
PLAY = "import gridjoust; gridjoust.play('bomber', ['random', 'random'], params={'max_ticks': 5})"
DOCTOR = ["doctor", "random", "--game", "bomber", "--param", "max_ticks=5", "--matches", "1", "--trust"]


@pytest.mark.gate
@pytest.mark.parametrize("code", [PLAY, f"from gridjoust.commands import main; main({DOCTOR})"], ids=["play", "doctor"])
def test_a_bot_is_played_and_examined_without_the_large_packages(code: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    words = [sys.executable, "-c", code]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_names_all_other_packages() -> None:
    page = (ROOT / "docs" / "how-to" / "contest-over-the-network.md").read_text(encoding="utf-8")
    [named] = re.findall("^pip install (?!--no-deps)(.*)$", page, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split("[<>=]", wanted)[0] for wanted in project["dependencies"]}
    assert set(named.split()) == needed - set(LARGE)
