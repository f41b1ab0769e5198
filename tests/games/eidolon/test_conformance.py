"""Eidolon in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

from games.eidolon import Eidolon
from gridjoust.conformance import game_tests

SHORT = {"max_game_rounds": 12}

TestEidolon = game_tests(
    Eidolon,
    params=[
        {"preset": "sim3", **SHORT},
        {"preset": "sim4", **SHORT, "difficulty": "legendary", "seal_rule": "team"},
        {"preset": "sim5", **SHORT, "skills": True, "mode": "tremors"},
        {"preset": "published", "max_game_rounds": 30, "difficulty": "nightmare"},
        {"known_map": True, "free_movement": True, "cultists": True, "skills": True, **SHORT},
        {"on_unsolvable": "keep", "tile_set": "published25", **SHORT},
    ],
    seats=[1, 6],
)
