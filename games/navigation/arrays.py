"""Navigation for learning: every single step in a fixed order, and what a seat sees as arrays of fixed shapes.

| array | type and shape | holds |
|---|---|---|
| `board` | `uint8 (5, height, width)` | 1 in the cells of each plane, in the order of `PLANES` |
| `numbers` | `float32 (2)` | share of the rounds played; own cost so far |

The arrays do not contain old news about flipped cells; a learner that needs them must remember them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json
from gridjoust.games.navigation.actions import Stay
from gridjoust.games.navigation.board import HEADINGS
from gridjoust.games.navigation.rules import Navigation

ACTIONS: tuple[str, ...] = (*(heading.name for heading in HEADINGS), *map(str, Stay))
PLANES = ("blocked at the start, of a known map", "sensed blocked now", "self", "goal", "other robots")


def shapes(game: Navigation) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name; the size is that of the map in play."""
    board = game.initial_state(0).board
    return {"board": (np.uint8, (len(PLANES), board.height, board.width)), "numbers": (np.float32, (2,))}


def arrays(game: Navigation, briefing: Json, view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:
    """Return the observation of a seat as arrays."""
    width, height = briefing["size"]
    board = np.zeros((len(PLANES), height, width), np.uint8)
    if briefing["rows"] is not None:
        board[0] = [[sign == "@" for sign in row] for row in briefing["rows"]]
    placed = (view["sensed"], [view["position"]], [view["goal"]], view.get("robots", ()))
    for plane, places in enumerate(placed, 1):
        for x, y in places:
            board[plane, y, x] = 1
    numbers = [view["step"] / int(game.params["max_turns"]), view["cost"]]
    return {"board": board, "numbers": np.array(numbers, np.float32)}
