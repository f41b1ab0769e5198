"""The action for GitHub: what it runs says by its exit code if the bot is fit and the tournament went well."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ACTION: dict[str, Any] = yaml.safe_load((Path(__file__).parents[2] / "action.yml").read_text(encoding="utf-8"))
BOT = "import gridjoust as joust\n\n\nclass Mine(joust.Bot):\n    def act(self, observation):\n        return {}\n"
CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none}
bots: [{name: mine, path: bot.py}, {name: random, bot: random}]
"""


def run(folder: Path, answer: str) -> int:
    """Exit code of the step that plays the tournament, with a bot that gives this answer."""
    (folder / "bot.py").write_text(BOT.format(answer), encoding="utf-8")
    (folder / "cup.yaml").write_text(CUP, encoding="utf-8")
    [step] = [step for step in ACTION["runs"]["steps"] if "joust run" in step.get("run", "")]
    given = {name: about.get("default", "") for name, about in ACTION["inputs"].items()} | {"tournament": "cup.yaml"}
    values = {name: given[text.split("inputs.")[1].rstrip(" }")] for name, text in step["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    values |= {"PATH": path, "GITHUB_STEP_SUMMARY": "summary.md"}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(shell, cwd=folder, env=os.environ | values, check=False, capture_output=True).returncode


@pytest.mark.gate
def test_a_bot_without_faults_passes_and_one_with_a_fault_does_not(tmp_path: Path) -> None:
    assert run(tmp_path, "observation.legal[0]") == 0
    assert "| mine |" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert run(tmp_path, "'jump'") == 1


def test_every_input_is_used_and_every_one_that_is_used_is_declared() -> None:
    text = str([step.get("env") for step in ACTION["runs"]["steps"]])
    assert {name for name in ACTION["inputs"] if f"inputs.{name} " in text} == set(ACTION["inputs"])
    assert text.count("inputs.") == len(ACTION["inputs"])
