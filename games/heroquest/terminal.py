"""How a person plays heroquest in a terminal: the board under its fog, short orders. Pure text both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.api import Json
from games.heroquest.ascii import draw_steps, draw_view
from games.heroquest.keys import parse_keys

KEYS = (
    "eess or e2 s2 walks, oe opens, ae or ane attacks, je jumps, de disarms, st sp sd searches treasure, traps, doors, "
    ". ends the turn; Zargon names a monster first: 4 wws, 4 aw"
)


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:
    """The board as far as it is revealed, then heroes and monsters."""
    return draw_view(briefing, view)


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """A short order or an action's own text -> action text; ValueError says what could have been typed."""
    return parse_keys(line)


def draw_turn(before: Mapping[str, Json], after: Mapping[str, Json], briefing: Mapping[str, Json]) -> list[str]:
    """What everyone saw of a turn, as one drawing per step: figures walk, doors open, squares come into sight."""
    return draw_steps(briefing, before, after)
