"""What a person types, as an action text. Judges nothing: the rules do.

Full action texts are taken as they are. Shorter: `eess` or `e2 s2` walks, `oe` opens, `ae` or `ane` attacks, `je`
jumps, `de` disarms, `st` `sp` `sd` searches for treasure, traps (pits), doors, `.` ends the turn; for Zargon a
monster's number comes first: `4 wws`, `4 aw`.
"""

from __future__ import annotations

import re

from games.heroquest.actions import parse_action

_SEARCH = {"st": "treasure", "sp": "traps", "sd": "doors"}
_DEEDS = {"o": "open", "a": "attack", "j": "jump", "d": "disarm"}
_SIDES = r"(ne|nw|se|sw|n|e|s|w)"


def parse_keys(text: str) -> str:
    """The canonical text of an action; ValueError says what could have been typed."""
    typed = text.strip()
    try:
        return str(parse_action(typed))
    except ValueError:
        pass
    number, rest = _split_number(typed.lower())
    found = _short(rest, number)
    if found is None:
        raise ValueError(f"expected steps such as 'eess', 'oe', 'ae', 'st', '.' or a whole action, got {text!r:.60}")
    return str(parse_action(found))


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
