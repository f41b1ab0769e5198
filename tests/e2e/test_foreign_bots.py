"""Bots without our package in tournaments, the templates of `joust new-bot`, and the page that explains them."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from gridjoust.runner.broker import bot_account
from gridjoust.runner.config.values import BrokerConfig
from gridjoust.runner.play.launch import bot_environment
from gridjoust.runner.results.tables.frames import load
from gridjoust.runner.wire.bus import Address
from tests.e2e.bot_on_wire import BROKERS, EXAMPLES, JAVASCRIPT, NODE_MODULES, PLAIN, needs_node, needs_sandbox
from tests.joust_here import joust
from tests.runner.wire.wire_capture import PAGE

pytestmark = pytest.mark.e2e

SHORT_GAMES = {
    "bomber": "{game: bomber, params: {max_ticks: 30}}",
    "eidolon": "{game: eidolon, seats: 2, params: {preset: sim1, max_game_rounds: 4}}",
    "heroquest": "{game: heroquest, seats: 3, params: {max_game_rounds: 3}}",
    "navigation": "{game: navigation, params: {width: 8, height: 8, max_turns: 20}}",
    "placement": "{game: placement, params: {max_game_rounds: 5}}",
    "ricochet": "{game: ricochet, params: {sand_s: 0.05, think_s: 0.5, max_rounds: 3}}",
}
PLAYED = {"mosquitto": tuple(SHORT_GAMES), "embedded": ("bomber", "eidolon", "ricochet")}
COMMANDS = {"plain": PLAIN, "javascript": JAVASCRIPT}

CUP = """
tournament: cup
games: [GAMES]
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {parallel: 1, isolation: ISOLATION}
broker: {use: BROKER}
bots:
"""


def play(
    folder: Path, *, games: Sequence[str], bots: Sequence[str], broker: str = "auto", isolation: str = "process"
) -> pd.DataFrame:
    """The result rows of everyone against everyone; `bots` are entries as they stand in the file."""
    text = CUP.replace("GAMES", ", ".join(SHORT_GAMES[game] for game in games))
    text = text.replace("BROKER", broker).replace("ISOLATION", isolation)
    (folder / "cup.yaml").write_text(text + "".join(f"  - {bot}\n" for bot in bots))
    done = joust("run", "cup.yaml", *(["--trust"] if isolation == "process" else []), folder=folder)
    assert done.returncode == 0, done.stderr
    rows: pd.DataFrame = load(folder / "results" / "cup").results
    return rows


def lend_modules(folder: Path) -> None:
    """As `npm install` would, without the network."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "node_modules").symlink_to(NODE_MODULES, target_is_directory=True)


def said(folder: Path, bot: str) -> list[str]:
    """What the bot's process wrote into its log, and how many matches it played (as `====` lines)."""
    return (folder / "results" / "cup" / "logs" / f"{bot}.0.log").read_text().splitlines()


@pytest.mark.gate
@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("bot", ["plain", pytest.param("javascript", marks=needs_node)])
def test_it_plays_every_match_to_its_end_without_a_fault_in_one_process_that_writes_nothing(
    bot: str, broker: str, tmp_path: Path
) -> None:
    entry = f"{{name: {bot}, command: [{', '.join(COMMANDS[bot])}]}}"
    rows = play(tmp_path, games=PLAYED[broker], bots=[entry, "{name: random, bot: random}"], broker=broker)
    own = rows[rows["bot"] == bot]
    assert set(rows["game"]) == set(PLAYED[broker])
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0
    team = own[own["game"] == "eidolon"]
    assert sorted(team["seat"]) == [0, 1]
    assert (team["planning_ms_total"] > 0).all()  # it was asked, and answered, for both
    lines = said(tmp_path, bot)
    assert all(line.startswith("==== match ") for line in lines)
    assert {line.split()[2] for line in lines} == set(own["match_id"])  # more lines where a match was void
    done = joust("verify", "results/cup", folder=tmp_path)
    assert done.stdout.startswith(f"results/cup: {rows['match_id'].nunique()} records verified"), done.stderr


@pytest.mark.gate
@needs_node
@needs_sandbox
def test_javascript_finds_its_modules_in_a_sandbox(tmp_path: Path) -> None:
    lend_modules(tmp_path / "my_bots")
    made = joust("new-bot", "caged", "--game", "bomber", "--lang", "javascript", "--protocol", "mqtt", folder=tmp_path)
    assert made.returncode == 0
    entries = ["{name: caged, command: [node, my_bots/caged.mjs]}", "{name: random, bot: random}"]
    rows = play(tmp_path, games=["bomber"], bots=entries, isolation="sandbox")
    assert set(rows["termination"]) == {"completed"}


def test_plain_python_imports_nothing_of_ours() -> None:
    tree = ast.parse((EXAMPLES / "plain.py").read_text())
    modules = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    assert foreign == {"paho"}


LANGUAGES = ("python", "plain", "javascript")


def entry_of_new_bot(lang: str, game: str, folder: Path) -> str:
    """The line that is printed to be put into a tournament file."""
    printed = joust("new-bot", f"{lang}-bot", "--game", game, "--lang", lang, folder=folder).stdout
    [line] = [line for line in printed.splitlines() if line.startswith("  - ")]
    return line.removeprefix("  - ")


@needs_node
@pytest.mark.gate
@pytest.mark.parametrize("game", SHORT_GAMES)
def test_the_bots_of_all_languages_play_each_other(game: str, tmp_path: Path) -> None:
    lend_modules(tmp_path / "my_bots")
    rows = play(tmp_path, games=[game], bots=[entry_of_new_bot(lang, game, tmp_path) for lang in LANGUAGES])
    assert set(rows["bot"]) == {f"{lang}-bot" for lang in LANGUAGES}
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0
    for lang in LANGUAGES:
        assert all(line.startswith("==== match ") for line in said(tmp_path, f"{lang}-bot"))


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.gate
@needs_node
def test_what_the_page_says_can_be_done_and_its_entry_plays(tmp_path: Path) -> None:
    lend_modules(tmp_path / "my_bots")
    for line in "".join(blocks("sh")).splitlines():
        command, *arguments = shlex.split(line)
        assert command == "joust"
        if arguments[0] == "doctor":
            arguments += ["--turn-ms", "5000"]  # the machine that runs the tests may be busy
        done = joust(*arguments, folder=tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    [entry] = blocks("yaml")
    games = (
        "games: [{game: bomber, params: {max_ticks: 20}}]\ntime: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}\n"
    )
    (tmp_path / "cup.yaml").write_text(f"tournament: cup\n{games}{entry}  - {{name: random, bot: random}}\n")
    done = joust("run", "cup.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = load(tmp_path / "results" / "cup").results
    assert set(rows["bot"]) == {"rook", "random"}
    assert rows["faults"].sum() == 0


def test_every_variable_of_the_environment_is_explained() -> None:
    address = Address("127.0.0.1", 1883, socket="broker.sock")
    given = bot_environment(address, BrokerConfig(), "run", "rook.0", bot_account("run", "rook.0"))
    named = set(re.findall(r"`(JOUST_[A-Z]+)`", PAGE.read_text(encoding="utf-8")))
    assert named == {name for name in given if name.startswith("JOUST_")}
