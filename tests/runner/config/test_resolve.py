"""The resolved configuration: every default in sight, and it plays the same tournament from any folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from games import registry
from runner.config.load import load_tournament, resolve
from runner.config.variants import LoadedTournament
from runner.schedule import make_schedule
from tests.runner.config.tiny_games import GAMES

CUP = """\
tournament: cup
seed: 5
format: {type: gauntlet, rounds: 2, challengers: [mine]}
games:
  - {game: duel, params: {pace: fast}, maps: [boards/a.txt, random], time: {turn_ms: null}}
  - {game: duel, name: plain, seats: 3}
bots:
  - {name: mine, path: "bots/mine.py:Mine", options: {note: 'no', size: 1e3, '1e3': '1e3', clock: 1:30}}
  - {name: node, command: [./run.sh, bots/mine.py, --fast, random]}
  - {name: python, command: [python, other.py]}
  - {name: far, remote: true}
"""


@pytest.fixture(autouse=True)
def _only_tiny_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", GAMES)


@pytest.fixture
def cup(tmp_path: Path) -> LoadedTournament:
    """A tournament with files of every kind beside it."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "bots").mkdir()
    (tmp_path / "boards" / "a.txt").write_text("#..\n..#\n")
    (tmp_path / "bots" / "mine.py").write_text("class Mine: ...\n")
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "cup.yaml").write_text(CUP)
    return load_tournament(tmp_path / "cup.yaml")


def reloaded(loaded: LoadedTournament, folder: Path) -> LoadedTournament:
    """What another folder makes of the resolved text."""
    path = folder / "results" / "cup" / "tournament.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(resolve(loaded))
    return load_tournament(path)


def test_every_default_is_written_out(cup: LoadedTournament) -> None:
    text = yaml.safe_load(resolve(cup))

    assert text["time"] == {"turn_ms": 100, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000, "grace_ms": 50}
    assert text["games"][0]["name"] == "duel"
    assert text["games"][0]["seats"] == 2
    assert text["games"][1]["params"] == {"max_ticks": 100, "map": "", "pace": "slow", "weight": 0.5, "fog": False}
    assert text["broker"] == {"use": "auto", "url": None, "listen": None}


def test_a_game_with_maps_has_no_map_parameter(cup: LoadedTournament) -> None:
    with_maps, without = yaml.safe_load(resolve(cup))["games"]

    assert with_maps["params"] == {"max_ticks": 100, "pace": "fast", "weight": 0.5, "fog": False}
    assert set(without["params"]) - set(with_maps["params"]) == {"map"}


def test_a_limit_that_was_lifted_stays_lifted(cup: LoadedTournament) -> None:
    assert yaml.safe_load(resolve(cup))["games"][0]["time"] == {"turn_ms": None}


def test_paths_are_absolute(cup: LoadedTournament, tmp_path: Path) -> None:
    text = yaml.safe_load(resolve(cup))

    assert text["games"][0]["maps"] == [str(tmp_path / "boards" / "a.txt"), "random"]
    assert text["bots"][0]["path"] == f"{tmp_path}/bots/mine.py:Mine"


def test_only_words_that_name_files_become_paths(cup: LoadedTournament, tmp_path: Path) -> None:
    bots = yaml.safe_load(resolve(cup))["bots"]

    assert bots[1]["command"] == [f"{tmp_path}/run.sh", f"{tmp_path}/bots/mine.py", "--fast", "random"]
    assert bots[2]["command"] == ["python", "other.py"]


def test_resolving_twice_changes_nothing(cup: LoadedTournament, tmp_path: Path) -> None:
    once = reloaded(cup, tmp_path)

    assert reloaded(once, tmp_path / "again").config == once.config


def test_texts_that_look_like_something_else_stay_texts(cup: LoadedTournament, tmp_path: Path) -> None:
    options = reloaded(cup, tmp_path).config.bots[0].options

    assert options == cup.config.bots[0].options == {"note": "no", "size": 1000.0, "1e3": "1e3", "clock": "1:30"}


def test_the_resolved_file_plays_the_same_matches(cup: LoadedTournament, tmp_path: Path) -> None:
    assert list(make_schedule(reloaded(cup, tmp_path))) == list(make_schedule(cup))


def test_a_file_of_defaults_is_equal_to_its_resolved_form(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text("tournament: s\ngames: [{game: maze, name: maze, seats: 1}]\nbots: [{name: a, bot: random}]\n")
    loaded = load_tournament(path)

    assert reloaded(loaded, tmp_path).config == loaded.config


def test_a_brokers_password_stays_out_of_the_results(tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    broker = "broker: {use: external, url: 'mqtts://joe:s3cr@et@example.org:8883'}"
    path.write_text(f"tournament: s\ngames: [{{game: maze}}]\nbots: [{{name: a, bot: random}}]\n{broker}\n")
    loaded = load_tournament(path)

    assert loaded.config.broker.url == "mqtts://joe:s3cr@et@example.org:8883"
    assert yaml.safe_load(resolve(loaded))["broker"]["url"] == "mqtts://joe@example.org:8883"
