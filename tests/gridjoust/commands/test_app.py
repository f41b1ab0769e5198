"""The table of commands, loaded when they are called; `joust games`, `bots` and `schema`: what there is."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from gridjoust.bots import bot_names
from gridjoust.commands.app import COMMANDS, load_command
from gridjoust.games import game_names, load_game
from tests.joust_here import joust


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
    heavy = ("gridjoust", "numpy", "pandas", "scipy", "networkx", "msgspec", "yaml", "asyncio")
    return {name for name in done.stderr.split() if name.partition(".")[0] in heavy}


@pytest.mark.gate
def test_the_help_imports_no_command_and_that_of_a_command_no_other() -> None:
    light = {f"gridjoust.commands.shared.{name}" for name in ("interrupt", "output", "watch_address")}
    assert imported("--help") == light | {
        "gridjoust",
        "gridjoust.commands",
        "gridjoust.commands.app",
        "gridjoust.commands.shared",
        "gridjoust.runner",
        "gridjoust.runner.wire",
        "gridjoust.runner.wire.errors",
    }
    found = {name.removeprefix("gridjoust.commands.") for name in imported("schema", "--help")}
    assert found & {listed.module or name.replace("-", "_") for name, listed in COMMANDS.items()} == {"lists"}


@pytest.mark.gate
def test_a_short_run_imports_only_what_it_uses(tmp_path: Path) -> None:
    file = tmp_path / "short.yaml"
    games, bots = "[{game: bomber, params: {max_ticks: 20}}]", "[{name: a, bot: random}, {name: b, bot: random}]"
    file.write_text(f"tournament: short\ngames: {games}\nformat: {{rounds: 1}}\nbots: {bots}\n")
    found = imported("run", str(file), "--out", str(tmp_path))
    assert {"pandas", "gridjoust.games.bomber.rules", "gridjoust.leaderboard.report.page"} <= found
    unused = {"scipy.special", "scipy.stats", "networkx", "gridjoust.runner.engines.owner"}
    assert found & (unused | {f"gridjoust.games.{name}" for name in game_names() if name != "bomber"}) == set()


@pytest.mark.default("a command")
@pytest.mark.parametrize("command", [(), ("replay",)], ids=["joust", "a command"])
def test_a_short_option_asks_for_help_too(command: tuple[str, ...], tmp_path: Path) -> None:
    short, long = (joust(*command, option, folder=tmp_path) for option in ("-h", "--help"))
    assert (short.returncode, short.stdout) == (0, long.stdout)
    assert "Usage: joust" in long.stdout


def test_every_game_is_listed_with_its_parameters_and_every_bot_with_its_games(tmp_path: Path) -> None:
    *lines, hint = joust("games", folder=tmp_path).stdout.splitlines()
    described = json.loads(joust("games", "--json", folder=tmp_path).stdout)
    assert [line.partition(" ")[0] for line in lines] == game_names()
    assert hint == "parameters of a game: joust games NAME"
    assert {one["game"]: list(one["params"]) for one in described} == {
        name: list(load_game(name).spec.params) for name in game_names()
    }
    first, *params = joust("games", "bomber", folder=tmp_path).stdout.splitlines()
    assert first.startswith("bomber (rules ")
    assert "    max_ticks = 300  ticks until the match ends by points" in params
    assert len(params) == len(load_game("bomber").spec.params)
    wrong = joust("games", "bombr", folder=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (2, "joust: games: expected bomber, got 'bombr'\n")
    lines = joust("bots", folder=tmp_path).stdout.splitlines()
    described = json.loads(joust("bots", "--json", folder=tmp_path).stdout)
    assert [line.split()[0] for line in lines] == [one["bot"] for one in described] == bot_names()
    assert {"bot": "bomber/astar", "planner": "astar", "plays": ["bomber"]} in described
    assert lines[0].endswith("every game")


@pytest.mark.parametrize(("what", "key"), [("protocol", "$schema"), ("config", "$schema"), ("asyncapi", "asyncapi")])
def test_schemas_are_json(tmp_path: Path, what: str, key: str) -> None:
    assert json.loads(joust("schema", what, folder=tmp_path).stdout)[key]


@pytest.mark.parametrize(
    ("typed", "offered"), [("joust ru", ["run"]), ("joust run --se", ["--seed"]), ("joust doctor --ga", ["--game"])]
)
def test_shells_complete_commands_and_their_options(
    typed: str, offered: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("_JOUST_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    done = joust(folder=tmp_path)
    assert (done.returncode, done.stdout.split()) == (0, offered)
