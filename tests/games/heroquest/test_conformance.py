"""HeroQuest in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

from games.heroquest import HeroQuest
from gridjoust.conformance import game_tests

SHORT = {"max_game_rounds": 5}
GEAR = "barbarian: longsword, plate mail; dwarf: crossbow, helmet; elf: staff; wizard: tool kit"

TestHeroQuest = game_tests(
    HeroQuest,
    params=[
        SHORT,
        {**SHORT, "quest": "vault", "visibility": "us", "heroes": "wizard elf dwarf barbarian", "equipment": GEAR},
        {**SHORT, "quest": "random", "board": "random", "visibility": "eu", "edition": "eu", "search": "reachable"},
        {**SHORT, "quest": "the_trial", "door_camping": True, "los": "area", "equipment": GEAR, "mark_passed": True},
        {**SHORT, "quest": "watch_house", "mode": "open", "spawn_rounds": 2, "idle_rounds": 4, "los": "circle"},
    ],
    seats=[2, 5],
)
