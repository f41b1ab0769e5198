"""Draws a state with the method `draw` of its game, or with the module `drawing` of the game's package."""

from __future__ import annotations

from typing import Any

from gridjoust.games import DRAWING, draw_by_method, find_room
from gridjoust.games.api import AnyGame, Seat
from gridjoust.games.drawing import Drawing

ROOM = DRAWING


def draw_state(game: AnyGame, state: Any, *, past: list[Any], seat: Seat | None = None) -> Drawing:
    """Draw a state, for a seat only what it may know; ValueError for a game without drawings."""
    draw = draw_by_method if hasattr(game, "draw") else getattr(find_room(game.spec.name, ROOM), "draw", None)
    if draw is None:
        raise ValueError(f"{game.spec.name} cannot be drawn: it has neither a method `draw` nor a module `{ROOM}`")
    drawing: Drawing = draw(game, state, past, seat=seat)
    return drawing
