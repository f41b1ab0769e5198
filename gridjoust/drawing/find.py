"""Any game's situation as a drawing, found by the game's name. Draws nothing itself."""

from __future__ import annotations

from typing import Any

from gridjoust.games.api import AnyGame, Seat
from gridjoust.games.drawing import Drawing
from gridjoust.games.registry import find_room

ROOM = "drawing"  # module of a game with `draw`


def draw_state(game: AnyGame, state: Any, *, past: list[Any], seat: Seat | None = None) -> Drawing:
    """A situation as a drawing, for a seat only what it may know; ValueError for a game that cannot be drawn."""
    room = find_room(game.spec.name, ROOM)
    if room is None:
        raise ValueError(f"{game.spec.name}: expected a game with a module `{ROOM}`, got one without")
    drawing: Drawing = room.draw(game, state, past, seat=seat)
    return drawing
