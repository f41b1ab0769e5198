"""The bot in JavaScript in tournaments: sequential, simultaneous and real-time games, one seat or several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.errors import ConfigError
from runner.sandbox import check_sandbox
from tests.e2e.bot_on_wire import JAVASCRIPT, needs_mosquitto, needs_node
from tests.e2e.joust_process import joust
from tests.e2e.short_cups import SHORT_GAMES, lend_modules, play, said

pytestmark = [pytest.mark.e2e, needs_node]

PLAYED = {"mosquitto": tuple(SHORT_GAMES), "embedded": ("bomber", "eidolon", "ricochet")}
ENTRY = f"{{name: javascript, command: [{', '.join(JAVASCRIPT)}]}}"


@pytest.fixture(scope="module", params=[pytest.param("mosquitto", marks=needs_mosquitto), "embedded"])
def cup(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A played tournament: its folder, its games, its rows."""
    folder = tmp_path_factory.mktemp("javascript")
    games = PLAYED[request.param]
    return folder, games, play(folder, games=games, bots=[ENTRY, "{name: random, bot: random}"], broker=request.param)


def test_it_plays_every_match_to_its_end_without_a_fault(cup: Any) -> None:
    _, games, rows = cup
    assert set(rows["game"]) == set(games)
    assert set(rows["termination"]) == {"completed"}
    assert rows["faults"].sum() == 0


def test_it_holds_all_seats_of_a_team(cup: Any) -> None:
    _, _, rows = cup
    own = rows[(rows["game"] == "eidolon") & (rows["bot"] == "javascript")]
    assert sorted(own["seat"]) == [0, 1]
    assert (own["planning_ms_total"] > 0).all()  # it was asked, and answered, for both


def test_one_process_plays_all_matches_and_writes_nothing_of_its_own(cup: Any) -> None:
    folder, _, rows = cup
    lines = said(folder, "javascript")
    assert len(lines) == rows[rows["bot"] == "javascript"]["match_id"].nunique()
    assert all(line.startswith("==== match ") for line in lines)


def test_what_was_played_verifies(cup: Any) -> None:
    folder, _, _ = cup
    assert joust("verify", "results/cup", folder=folder).returncode == 0


def test_it_finds_its_modules_in_a_sandbox(tmp_path: Path) -> None:
    try:
        check_sandbox()
    except ConfigError as error:
        pytest.skip(str(error))
    lend_modules(tmp_path / "my_bots")
    assert joust("new-bot", "caged", "--game", "bomber", "--lang", "javascript", folder=tmp_path).returncode == 0
    entries = ["{name: caged, command: [node, my_bots/caged.mjs]}", "{name: random, bot: random}"]
    rows = play(tmp_path, games=["bomber"], bots=entries, isolation="sandbox")
    assert set(rows["termination"]) == {"completed"}
