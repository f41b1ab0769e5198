"""The tournaments in `configs/` load, and are about as large as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridjoust import bots
from gridjoust.runner.config.load import load_tournament, resolve
from gridjoust.runner.config.values import BotInfo
from gridjoust.runner.schedule import count_matches

CONFIGS = Path(__file__).parents[3] / "configs"
MATCHES = {
    "quickstart.yaml": 12,
    "smoke.yaml": 6,
    "realtime.yaml": 4,
    "external-broker.yaml": 8,
    "swiss.yaml": 18,
    "knockout.yaml": 36,
    "ladder.yaml": 40,
    "resolved.yaml": 300,
    "heroquest-small.yaml": 36,
    "heroquest-trial.yaml": 6,
    "navigation.yaml": 135,
    "navigation-traffic.yaml": 24,
}


@pytest.mark.parametrize("name", MATCHES)
def test_a_sample_plays_as_many_matches_as_planned(name: str) -> None:
    known_bots = {bot: BotInfo((), "other") for bot in bots.bot_names()}
    assert count_matches(load_tournament(CONFIGS / name, known_bots=known_bots)) == MATCHES[name]


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_sample_says_first_what_it_shows(path: Path) -> None:
    comment = path.read_text().split("\n\n")[0]
    assert all(line.startswith("#") for line in comment.splitlines())
    assert "Shows:" in comment


@pytest.mark.parametrize("name", ["swiss", "knockout", "ladder", "resolved"])
def test_a_sample_reads_back_as_it_was_resolved(name: str, tmp_path: Path) -> None:
    loaded = load_tournament(CONFIGS / f"{name}.yaml")
    (tmp_path / "resolved.yaml").write_text(resolve(loaded))
    again = load_tournament(tmp_path / "resolved.yaml")

    assert (again.config.format, again.config.stop) == (loaded.config.format, loaded.config.stop)
    assert count_matches(again) == count_matches(loaded)
