"""`joust games`, `joust bots` and `joust schema`: what there is, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bots import bot_names
from games.registry import game_names, load_game
from tests.joust_here import joust


def test_every_game_is_listed_with_its_parameters(tmp_path: Path) -> None:
    lines = joust("games", folder=tmp_path).stdout.splitlines()
    described = json.loads(joust("games", "--json", folder=tmp_path).stdout)
    assert [line.partition(" ")[0] for line in lines if not line.startswith(" ")] == game_names()
    assert {one["game"]: list(one["params"]) for one in described} == {
        name: list(load_game(name).spec.params) for name in game_names()
    }
    assert "    max_ticks = 1800  ticks until the match ends by points" in lines


def test_every_bot_is_listed_with_its_games(tmp_path: Path) -> None:
    lines = joust("bots", folder=tmp_path).stdout.splitlines()
    described = json.loads(joust("bots", "--json", folder=tmp_path).stdout)
    assert [line.split()[0] for line in lines] == [one["bot"] for one in described] == bot_names()
    assert {"bot": "bomber/astar", "planner": "astar", "plays": ["bomber"]} in described
    assert lines[0].endswith("every game")


@pytest.mark.parametrize(("what", "key"), [("protocol", "$schema"), ("config", "$schema"), ("asyncapi", "asyncapi")])
def test_schemas_are_json(tmp_path: Path, what: str, key: str) -> None:
    assert json.loads(joust("schema", what, folder=tmp_path).stdout)[key]
