"""The commands of the study: listed, started by name, and documented."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module

import pytest

import gridjoust
from study.__main__ import FOLDER, commands, main

SOON_S = 60  # on a busy machine


@pytest.mark.parametrize("name", commands())
def test_help_is_given_at_once(name: str) -> None:
    asked = [sys.executable, "-m", f"study.{name}", "--help"]
    done = subprocess.run(asked, cwd=FOLDER.parent, capture_output=True, text=True, timeout=SOON_S, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
    assert len(done.stdout.split("\n\n")[1].split()) >= 4  # a description follows


def test_without_a_name_all_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert re.search(r"^  cup +The planners' study: ", listed, re.MULTILINE)
    assert re.search(r"^  replanning +Replanning in unknown terrain, as published: ", listed, re.MULTILINE)
    assert "placement_optima" not in listed  # no command


def test_a_command_gets_its_options_and_gives_its_exit_code(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["replanning", "--runs", "0"]) == 2
    assert capfd.readouterr().err.endswith("error: --runs: expected at least 1, got 0\n")


def test_an_unknown_command_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cups"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("study: expected one of bomber_bots, cup, ")
    assert said.endswith(", got cups\n")


def test_public_names_are_imported_as_a_researcher_would() -> None:
    values = [getattr(module, name) for module in (gridjoust, gridjoust.planners) for name in dir(module)]
    public = {id(value) for value in values if (getattr(value, "__module__", None) or "").startswith("gridjoust")}
    found = [
        f"{path.name}: from {node.module} import {name.name}"
        for path in sorted(FOLDER.glob("**/*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gridjoust.")
        if node.module != "gridjoust.planners"
        for name in node.names
        if id(getattr(import_module(str(node.module)), name.name, None)) in public
    ]
    assert found == []
    assert {"Bot", "Game", "play", "load"} <= set(dir(gridjoust))


def test_every_command_is_in_the_readme() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in commands() if f"`{name}`" not in text] == []


def test_the_snippet_of_the_readme_runs_on_the_kept_tables() -> None:
    [snippet] = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text("utf-8"), re.DOTALL)
    asked = [sys.executable, "-c", snippet]
    done = subprocess.run(asked, cwd=FOLDER.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    bots = [line.split()[0] for line in done.stdout.splitlines()[1:5]]
    assert bots == ["astar", "beam", "dijkstra_map", "dstar_lite"]


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in (FOLDER / "docs").glob("*.md"))])
def test_every_link_of_the_study_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", (FOLDER / page).read_text("utf-8"))
    assert links
    assert [link for link in links if not (FOLDER / page).parent.joinpath(link.partition("#")[0]).exists()] == []
