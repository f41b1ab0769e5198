"""The tournaments in `configs/` load, and are about as large as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

import bots
from runner.config.load import load_tournament
from runner.config.values import BotInfo
from runner.schedule import count_matches

CONFIGS = Path(__file__).parents[2] / "configs"
MATCHES = {"quickstart.yaml": 36, "smoke.yaml": 6, "realtime.yaml": 4, "external-broker.yaml": 8}


@pytest.mark.parametrize("name", MATCHES)
def test_a_sample_plays_as_many_matches_as_planned(name: str) -> None:
    known_bots = {bot: BotInfo((), "other") for bot in bots.bot_names()}

    assert count_matches(load_tournament(CONFIGS / name, known_bots=known_bots)) == MATCHES[name]


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_sample_says_first_what_it_shows(path: Path) -> None:
    comment = path.read_text().split("\n\n")[0]

    assert all(line.startswith("#") for line in comment.splitlines())
    assert "Shows:" in comment
