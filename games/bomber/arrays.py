"""Bomber for learning: every action in a fixed order, and what a seat sees as arrays of fixed shapes.

| array | type and shape | holds |
|---|---|---|
| `board` | `uint8 (8, height, width)` | 1 in the cells of each plane, in the order of `PLANES`; living opponents only |
| `numbers` | `float32 (5)` | share of the ticks played; own HP, ammo and score / 100; number of living opponents |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json
from gridjoust.games.bomber.actions import ACTIONS as _ACTIONS
from gridjoust.games.bomber.rules import Bomber

ACTIONS: tuple[str, ...] = tuple(map(str, _ACTIONS))
PLANES = ("metal", "soft", "ore", "bombs", "ammo_tokens", "treasure", "self", "opponents")


def shapes(game: Bomber) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name, for these parameters."""
    size = (len(PLANES), game.rules.height, game.rules.width)
    return {"board": (np.uint8, size), "numbers": (np.float32, (5,))}


def arrays(game: Bomber, briefing: Json, view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:  # noqa: ARG001 - for all games
    """Return the observation of a seat as arrays."""
    board = np.zeros((len(PLANES), game.rules.height, game.rules.width), np.uint8)
    living = [one["position"] for one in view["opponents"] if one["alive"]]
    places = {**view, "self": [view["position"]], "opponents": living}
    for plane, name in enumerate(PLANES):
        for x, y in places[name]:
            board[plane, y, x] = 1
    played = view["tick"] / int(game.params["max_ticks"])
    numbers = [played, view["hp"], view["ammo"], view["score"] / 100, len(living)]
    return {"board": board, "numbers": np.array(numbers, np.float32)}
