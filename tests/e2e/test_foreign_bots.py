"""Bots without our package in tournaments: sequential, simultaneous and real-time games, one seat or several."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from runner.processes.sandbox import check_sandbox
from runner.wire.errors import ConfigError
from tests.e2e.bot_on_wire import EXAMPLES, JAVASCRIPT, PLAIN, needs_mosquitto, needs_node
from tests.e2e.short_cups import SHORT_GAMES, lend_modules, play, said
from tests.joust_here import joust

pytestmark = pytest.mark.e2e

PLAYED = {"mosquitto": tuple(SHORT_GAMES), "embedded": ("bomber", "eidolon", "ricochet")}
COMMANDS = {"plain": PLAIN, "javascript": JAVASCRIPT}
JAVASCRIPT_ENTRY = f"{{name: javascript, command: [{', '.join(JAVASCRIPT)}]}}"
VENUES = [
    pytest.param(
        (bot, broker),
        id=f"{bot}-{broker}",
        marks=[*([needs_node] if bot == "javascript" else []), *([needs_mosquitto] if broker == "mosquitto" else [])],
    )
    for bot in COMMANDS
    for broker in PLAYED
]


@dataclass(frozen=True, slots=True)
class Cup:
    """A played tournament of one such bot."""

    bot: str
    games: tuple[str, ...]
    folder: Path
    rows: pd.DataFrame

    @property
    def own(self) -> pd.DataFrame:
        """The bot's rows."""
        return self.rows[self.rows["bot"] == self.bot]


@pytest.fixture(scope="module", params=VENUES)
def cup(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Cup:
    bot, broker = request.param
    folder = tmp_path_factory.mktemp(bot)
    entry = f"{{name: {bot}, command: [{', '.join(COMMANDS[bot])}]}}"
    rows = play(folder, games=PLAYED[broker], bots=[entry, "{name: random, bot: random}"], broker=broker)
    return Cup(bot, PLAYED[broker], folder, rows)


def test_it_plays_every_match_to_its_end_without_a_fault(cup: Cup) -> None:
    assert set(cup.rows["game"]) == set(cup.games)
    assert set(cup.rows["termination"]) == {"completed"}
    assert cup.rows["faults"].sum() == 0


def test_it_holds_all_seats_of_a_team(cup: Cup) -> None:
    team = cup.own[cup.own["game"] == "eidolon"]
    assert sorted(team["seat"]) == [0, 1]
    assert (team["planning_ms_total"] > 0).all()  # it was asked, and answered, for both


def test_one_process_plays_all_matches_and_writes_nothing_of_its_own(cup: Cup) -> None:
    lines = said(cup.folder, cup.bot)
    assert len(lines) == cup.own["match_id"].nunique()
    assert all(line.startswith("==== match ") for line in lines)


def test_what_was_played_verifies(cup: Cup) -> None:
    done = joust("verify", "results/cup", folder=cup.folder)
    assert done.stdout.startswith(f"results/cup: {cup.rows['match_id'].nunique()} records verified"), done.stderr


@needs_node
def test_javascript_finds_its_modules_in_a_sandbox(tmp_path: Path) -> None:
    try:
        check_sandbox()
    except ConfigError as error:
        pytest.skip(str(error))
    lend_modules(tmp_path / "my_bots")
    assert joust("new-bot", "caged", "--game", "bomber", "--lang", "javascript", folder=tmp_path).returncode == 0
    entries = ["{name: caged, command: [node, my_bots/caged.mjs]}", "{name: random, bot: random}"]
    rows = play(tmp_path, games=["bomber"], bots=entries, isolation="sandbox")
    assert set(rows["termination"]) == {"completed"}


def test_plain_python_imports_nothing_of_ours() -> None:
    tree = ast.parse((EXAMPLES / "plain.py").read_text())
    modules = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    assert foreign == {"paho"}
