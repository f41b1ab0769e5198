"""Play eidolon in a terminal: draw the dungeon, and parse short keys.

A key stands for the first of a few actions that is legal now, so that one key is enough to move, explore or clear a
barrier in one direction. Words for the team-mates may follow a key as they may follow an action: `w say "this way"`.
Everything else is typed as the text of an action.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gridjoust.games.api import Json
from gridjoust.games.eidolon.ascii import draw_dungeon
from gridjoust.games.grid import Cell

KEYS = "w a s d move, explore or break, e take, q passage, l wait, p advice, u let the bot play on, or an action's text"
RESERVED = {"p": "hint", "u": "auto"}
_TEXTS: Mapping[str, tuple[str, ...]] = {
    **{
        key: (f"dive {way}", f"move {way}", f"explore {way}", f"break {way}")
        for key, way in zip("wasd", "NWSE", strict=True)
    },
    "e": ("grab", "break", "fire", "attack"),
    "q": ("passage",),
    "l": ("wait",),
}


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:  # noqa: ARG001 - same for every game
    """Draw the dungeon as the seat knows it, with the heroes and the state of the match."""
    return draw_dungeon(view)


def draw_plan(view: Mapping[str, Json], cells: Collection[Cell]) -> str:
    """Draw the dungeon with a planned path marked by `*`."""
    return draw_dungeon(view, cells)


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Convert a key, or the text of an action, to the text of the action; ValueError says what was expected."""
    key, _, rest = line.strip().partition(" ")
    if key in RESERVED:
        raise ValueError(f"expected {KEYS}, got {line.strip()!r}")
    if key not in _TEXTS:
        return line.strip()
    for candidate in _TEXTS[key]:
        if candidate in legal:
            return f"{candidate} {rest}" if rest else candidate
    raise ValueError(f"{key}: expected a key with an effect here, got one for {', '.join(_TEXTS[key])}")
