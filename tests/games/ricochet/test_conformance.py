"""Ricochet in both modes and on unusual boards, against every check that a game can fail."""

from __future__ import annotations

from games.ricochet import Ricochet
from gridjoust.conformance import game_tests

SHORT = {"max_rounds": 2, "think_s": 1.0, "sand_s": 0.5, "proof_ms": 300}

TestRicochet = game_tests(
    Ricochet,
    params=[
        {**SHORT, "redeal": "void", "chips": 1},
        {**SHORT, "silver": True, "diagonals": True, "openings": True, "reset": True},
        {**SHORT, "random_walls": 40, "width": 12, "height": 9, "variant": "printed", "redeal": "always"},
        {"mode": "solve", "positions": 3, "optima": "2,4"},
        {"mode": "solve", "positions": 2, "variant": "printed", "early_stop": False},
    ],
    seats=[1, 4],
)
