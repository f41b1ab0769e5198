"""Bomber in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

from gridjoust.conformance import game_tests

SHORT = {"max_ticks": 120, "bomb_ticks": 9, "ammo_lifetime_ticks": 20, "ammo_return_ticks": 12, "treasure_min_ticks": 5}
CLOSE = {"width": 7, "height": 7, "metal": 4, "soft": 8, "ore": 2, **SHORT, "treasure_max_ticks": 15}

TestBomber = game_tests(
    "bomber",
    params=[
        CLOSE,
        {**CLOSE, "hidden": False},
        {**CLOSE, "symmetric": True, "move_order": "simultaneous"},
        {**CLOSE, "pace": "realtime"},
        {**CLOSE, "chain": "instant", "double_pay": False},
    ],
    seats=[2, 4],
)
