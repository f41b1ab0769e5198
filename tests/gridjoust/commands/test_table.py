"""Commands are listed in one table and loaded when they are called."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from gridjoust.commands.app import COMMANDS, load_command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_in_the_table_is_the_docstring_of_the_command(name: str) -> None:
    word = name.replace("-", "_")
    command = getattr(import_module(f"gridjoust.commands.{COMMANDS[name].module or word}"), word)
    assert COMMANDS[name].help == command.__doc__ == load_command(name).help


def imported(*arguments: str) -> set[str]:
    """Modules of ours that `joust ARGUMENTS` imports in a process of its own, and heavy ones of others."""
    code = (
        "import sys\nfrom gridjoust.commands import main\ntry:\n    main(sys.argv[1:])\nfinally:\n"
        "    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    heavy = ("games", "bots", "runner", "leaderboard", "gridjoust", "numpy", "pandas", "msgspec", "yaml", "asyncio")
    return {name for name in done.stderr.split() if name.partition(".")[0] in heavy}


def test_the_help_imports_no_command() -> None:
    light = {"gridjoust.commands.app", "runner.wire.errors"}
    assert imported("--help") == light | {"gridjoust", "gridjoust.commands", "runner", "runner.wire"}


def test_the_help_of_a_command_imports_that_command_and_no_other() -> None:
    found = {name.removeprefix("gridjoust.commands.") for name in imported("schema", "--help")}
    assert found & {listed.module or name.replace("-", "_") for name, listed in COMMANDS.items()} == {"lists"}
