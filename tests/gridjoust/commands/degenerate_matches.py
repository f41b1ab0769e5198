"""Tournaments whose matches are at the edge of what can be shown of a match; each is played in a moment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.joust_here import joust

BASE = """
tournament: cup
seed: 3
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
execution: {isolation: none}
"""
BOT = """
from gridjoust.bots.random_bot import RandomBot

class Mine(RandomBot):
    def act(self, observation):
        ACT
"""
CRASHES = BOT.replace("ACT", "raise ValueError('no idea')")
MALFORMED = BOT.replace("ACT", "return {'go': 'north'}")
RANDOM, OWN = "bot: random", "path: own.py:Mine"


def _cup(game: str, params: str, *, form: str = "rounds: 1", a: str = RANDOM, b: str = RANDOM) -> str:
    games = f"games: [{{game: {game}, params: {{{params}}}}}]"
    return f"{BASE}{games}\nformat: {{{form}}}\nfaults: {{limit: 1}}\nbots: [{{name: a, {a}}}, {{name: b, {b}}}]\n"


PLAYED: Mapping[str, tuple[str, str]] = {  # name -> the tournament file, and own.py where it is there
    "a match of one turn": (_cup("bomber", "max_ticks: 1"), ""),
    "a match over before its first turn": (
        _cup("navigation", "width: 4, height: 4, density: 0, start: '1,1', goal: '1,1'", form="type: solo"),
        "",
    ),
    "a match of one step": (_cup("navigation", "width: 4, height: 4, max_turns: 1", form="type: solo"), ""),
    "a team that loses at once": (_cup("eidolon", "max_game_rounds: 1", form="type: solo"), ""),
    "a round of bids": (_cup("ricochet", "think_s: 0.2, sand_s: 0.1, max_rounds: 1"), ""),
    "a match of roles": (_cup("heroquest", "max_game_rounds: 1"), ""),
    "a match of one game round": (_cup("placement", "max_game_rounds: 1"), ""),
    "a bot whose class is gone": (_cup("bomber", "max_ticks: 3", b=OWN), "import gridjoust\n"),
    "a bot that crashes": (_cup("bomber", "max_ticks: 3", b=OWN), CRASHES),
    "two bots that crash": (_cup("bomber", "max_ticks: 3", a=OWN, b=OWN), CRASHES),
    "a bot that answers nonsense": (_cup("bomber", "max_ticks: 3", b=OWN), MALFORMED),
}


def play_degenerate(name: str, folder: Path) -> Path:
    """Play the tournament of that name, one of PLAYED; return its results folder, `folder/cup`."""
    config, own = PLAYED[name]
    (folder / "cup.yaml").write_text(config)
    if own:
        (folder / "own.py").write_text(own)
    done = joust("run", "cup.yaml", "--out", ".", folder=folder)
    assert done.returncode == 0, done.stderr
    return folder / "cup"
