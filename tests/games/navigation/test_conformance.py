"""Navigation in the variants that change its rules most, against every check that a game can fail."""

from __future__ import annotations

from games.api import ParamValue
from games.navigation import Navigation
from gridjoust.conformance import game_tests

SMALL: dict[str, ParamValue] = {"width": 9, "height": 8, "max_turns": 40}
UNKNOWN: dict[str, ParamValue] = {**SMALL, "knowledge": "unknown"}
DRAWN = "0..#..\n.#...a\n1...#b"

TestNavigation = game_tests(
    Navigation,
    params=[
        SMALL,
        UNKNOWN,
        {**UNKNOWN, "changes": 3, "change_every": 4, "sensor": 2},
        {**UNKNOWN, "shared": True, "connectivity": "8-unit"},
        {**SMALL, "shared": True, "changes": 4, "generator": "rooms"},
        {**SMALL, "batch": True, "connectivity": "4", "generator": "maze"},
        {**SMALL, "map": DRAWN},
    ],
    seats=[1, 3],
)
