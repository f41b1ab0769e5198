"""The bot in plain Python in tournaments: sequential, simultaneous and real-time games, one seat or several."""

from __future__ import annotations

import ast
import sys
from typing import Any

import pytest

from tests.e2e.bot_on_wire import EXAMPLES, PLAIN, needs_mosquitto
from tests.e2e.joust_process import joust
from tests.e2e.short_cups import SHORT_GAMES, play, said

pytestmark = pytest.mark.e2e

PLAYED = {"mosquitto": tuple(SHORT_GAMES), "embedded": ("bomber", "eidolon", "ricochet")}
ENTRY = f"{{name: plain, command: [{', '.join(PLAIN)}]}}"


@pytest.fixture(scope="module", params=[pytest.param("mosquitto", marks=needs_mosquitto), "embedded"])
def cup(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A played tournament: its folder, its games, its rows."""
    folder = tmp_path_factory.mktemp("plain")
    games = PLAYED[request.param]
    return folder, games, play(folder, games=games, bots=[ENTRY, "{name: random, bot: random}"], broker=request.param)


def test_it_plays_every_match_to_its_end_without_a_fault(cup: Any) -> None:
    _, games, rows = cup
    assert set(rows["game"]) == set(games)
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0


def test_it_holds_all_seats_of_a_team(cup: Any) -> None:
    _, _, rows = cup
    own = rows[(rows["game"] == "eidolon") & (rows["bot"] == "plain")]
    assert sorted(own["seat"]) == [0, 1]
    assert (own["planning_ms_total"] > 0).all()  # it was asked, and answered, for both


def test_one_process_plays_all_matches_and_writes_nothing_of_its_own(cup: Any) -> None:
    folder, _, rows = cup
    lines = said(folder, "plain")
    assert len(lines) == rows[rows["bot"] == "plain"]["match_id"].nunique()
    assert all(line.startswith("==== match ") for line in lines)


def test_what_was_played_verifies(cup: Any) -> None:
    folder, _, _ = cup
    assert joust("verify", "results/cup", folder=folder).returncode == 0


def test_it_imports_nothing_of_ours() -> None:
    tree = ast.parse((EXAMPLES / "plain.py").read_text())
    modules = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {module.partition(".")[0] for module in modules} - sys.stdlib_module_names
    assert foreign == {"paho"}
