"""The resolved configuration: every default in sight, and it plays the same tournament from any folder."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from gridjoust.runner.config.load import load_tournament, resolve
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.schedule import make_schedule
from tests.runner.config.tiny_games import only_tiny_games  # noqa: F401 - autouse

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
  - {name: shell, command: [sh, other.sh]}
  - {name: far, remote: true}
"""


@pytest.fixture
def cup(tmp_path: Path) -> LoadedTournament:
    """A tournament with files of every kind beside it."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "bots").mkdir()
    (tmp_path / "boards" / "a.txt").write_text("#..\n..#\n")
    (tmp_path / "bots" / "mine.py").write_text("class Mine: ...\n")
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "cup.yaml").write_text(CUP)
    return load_tournament(tmp_path / "cup.yaml")


def reloaded(loaded: LoadedTournament, folder: Path) -> LoadedTournament:
    """What another folder makes of the resolved text."""
    path = folder / "results" / "cup" / "tournament.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(resolve(loaded))
    return load_tournament(path)


def test_every_default_is_written_out_and_paths_are_absolute(cup: LoadedTournament, tmp_path: Path) -> None:
    text = yaml.safe_load(resolve(cup))
    with_maps, without = text["games"]
    mine, node, shell, _ = text["bots"]

    durations = {"turn_ms": 100, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000, "grace_ms": 50}
    work = {"turn_work": 30_000, "bank_work": 0, "increment_work": 0}
    assert text["time"] == {**durations, "clock": "wall", "wall_factor": 5, **work}
    assert text["broker"] == {"use": "auto", "url": None, "listen": None, "advertise": None}
    assert (with_maps["name"], with_maps["seats"]) == ("duel", 2)
    assert with_maps["time"] == {"turn_ms": None}  # a limit that was lifted stays lifted
    assert with_maps["maps"] == [str(tmp_path / "boards" / "a.txt"), "random"]
    assert with_maps["params"] == {"max_ticks": 100, "pace": "fast", "weight": 0.5, "fog": False}  # and no map
    assert without["params"] == {"max_ticks": 100, "map": "", "pace": "slow", "weight": 0.5, "fog": False}
    assert mine["path"] == f"{tmp_path}/bots/mine.py:Mine"
    # only words that name files become paths
    assert node["command"] == [f"{tmp_path}/run.sh", f"{tmp_path}/bots/mine.py", "--fast", "random"]
    assert shell["command"] == ["sh", "other.sh"]


def test_the_resolved_file_is_the_same_tournament_from_any_folder(cup: LoadedTournament, tmp_path: Path) -> None:
    once = reloaded(cup, tmp_path)

    assert reloaded(once, tmp_path / "again").config == once.config
    # texts that look like something else stay texts
    options = {"note": "no", "size": 1000.0, "1e3": "1e3", "clock": "1:30"}
    assert once.config.bots[0].options == cup.config.bots[0].options == options
    assert list(make_schedule(once)) == list(make_schedule(cup))


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
