"""Finds the drawing module of a game and draws a state with it."""

from __future__ import annotations

from typing import Any

from gridjoust.games.api import AnyGame, Seat
from gridjoust.games.drawing import Drawing
from gridjoust.games.registry import find_room

ROOM = "drawing"  # module of a game with `draw`


def draw_state(game: AnyGame, state: Any, *, past: list[Any], seat: Seat | None = None) -> Drawing:
    """Draw a state, for a seat only what it may know; ValueError for a game without drawings."""
    room = find_room(game.spec.name, ROOM)
    if room is None:
        raise ValueError(f"{game.spec.name} cannot be drawn: it has no module `{ROOM}`")
    drawing: Drawing = room.draw(game, state, past, seat=seat)
    return drawing
