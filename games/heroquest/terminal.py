"""How a person plays heroquest in a terminal: the board under its fog, short orders. Text both ways.

Full action texts are taken as they are. Shorter: `eess` or `e2 s2` walks, `oe` opens, `ae` or `ane` attacks, `je`
jumps, `de` disarms, `st` `sp` `sd` searches for treasure, traps (pits), doors, `.` ends the turn; for Zargon a
monster's number comes first: `4 wws`, `4 aw`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.api import Json
from games.heroquest.actions import parse_action
from games.heroquest.ascii import draw_steps, draw_view

KEYS = (
    "eess or e2 s2 walks, oe opens, ae or ane attacks, je jumps, de disarms, st sp sd searches treasure, traps, doors, "
    ". ends the turn; Zargon names a monster first: 4 wws, 4 aw"
)
_SEARCH = {"st": "treasure", "sp": "traps", "sd": "doors"}
_DEEDS = {"o": "open", "a": "attack", "j": "jump", "d": "disarm"}
_SIDES = r"(ne|nw|se|sw|n|e|s|w)"


def draw(view: Mapping[str, Json], briefing: Mapping[str, Json]) -> str:
    """The board as far as it is revealed, then heroes and monsters."""
    return draw_view(briefing, view)


def parse(line: str, view: Mapping[str, Json], legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """A short order or an action's own text -> action text; ValueError says what could have been typed."""
    typed = line.strip()
    try:
        return str(parse_action(typed))
    except ValueError:
        pass
    number, rest = _split_number(typed.lower())
    found = _short(rest, number)
    if found is None:
        raise ValueError(f"expected steps such as 'eess', 'oe', 'ae', 'st', '.' or a whole action, got {line!r:.60}")
    return str(parse_action(found))


def draw_turn(before: Mapping[str, Json], after: Mapping[str, Json], briefing: Mapping[str, Json]) -> list[str]:
    """What everyone saw of a turn, as one drawing per step: figures walk, doors open, squares come into sight."""
    return draw_steps(briefing, before, after)


def _split_number(typed: str) -> tuple[str, str]:
    found = re.fullmatch(r"([0-9]+)\s+(.*)", typed)
    return (f"{int(found[1])} ", found[2]) if found else ("", typed)


def _short(typed: str, number: str) -> str | None:
    if typed == ".":
        return "end"
    if typed in _SEARCH:
        return f"search {_SEARCH[typed]}"
    if found := re.fullmatch(rf"([oajd]) ?{_SIDES}", typed):
        return f"{_DEEDS[found[1]]} {number}{found[2].upper()}"
    if re.fullmatch(r"(?:[nesw][0-9]{0,2} *)+", typed):
        steps = re.findall(r"([nesw])([0-9]{0,2})", typed)
        return f"move {number}" + " ".join(side.upper() for side, count in steps for _ in range(int(count or 1)))
    return None
