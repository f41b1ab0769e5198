"""Play heroquest in a terminal: the revealed board, a turn step by step, and short orders.

Full action texts are accepted. Shorter: `eess` or `e2 s2` walks, `oe` opens, `ae` or `ane` attacks, `je` jumps, `de`
disarms, `st` `sp` `sd` searches for treasure, traps (pits), doors, `.` ends the turn; for Zargon a monster's number
comes first: `4 wws`, `4 aw`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gridjoust.games.heroquest.actions import parse_action
from gridjoust.games.heroquest.ascii import HERO_SIGNS, MONSTER_SIGNS, View, draw_map

KEYS = (
    "eess or e2 s2 walks, oe opens, ae or ane attacks, je jumps, de disarms, st sp sd searches treasure, traps, doors, "
    ". ends the turn; Zargon names a monster first: 4 wws, 4 aw"
)
_SEARCH = {"st": "treasure", "sp": "traps", "sd": "doors"}
_DEEDS = {"o": "open", "a": "attack", "j": "jump", "d": "disarm"}
_SIDES = r"(ne|nw|se|sw|n|e|s|w)"


def parse(line: str, view: View, legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """Convert a short order, or the text of an action, to the text of the action; ValueError gives examples."""
    typed = line.strip()
    try:
        return str(parse_action(typed))
    except ValueError:
        pass
    numbered = re.fullmatch(r"([0-9]+)\s+(.*)", typed.lower())
    number, rest = (f"{int(numbered[1])} ", numbered[2]) if numbered else ("", typed.lower())
    found = _short(rest, number)
    if found is None:
        raise ValueError(f"expected steps such as 'eess', 'oe', 'ae', 'st', '.' or a whole action, got {line!r:.60}")
    return str(parse_action(found))


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


def draw(view: View, briefing: View) -> str:
    """Draw the board as far as it is revealed, then a line per hero and monster."""
    return "\n".join([draw_map(view, briefing), *_status(view, briefing)])


def _status(view: View, briefing: View) -> list[str]:
    goal = ", ".join(f"{part} {'done' if done else 'open'}" for part, done in view["goal"])
    lines = [f"round {view['round']} of {briefing['rounds']}, goal: {goal}"]
    for seat, hero in enumerate(view["heroes"]):
        turn = ""
        if seat == view["acting"]:
            turn = f", {view['points']} of {view['rolled']} steps left, {'can act' if view['can_act'] else 'has acted'}"
        extras = "; ".join(filter(None, (", ".join(hero[key]) for key in ("items", "spells", "potions", "effects"))))
        carries = f" ({extras})" if extras else ""
        lines.append(
            f"{HERO_SIGNS[hero['kind']]} {hero['kind']}: body {hero['body']}, {hero['gold']} gold{turn}{carries}"
        )
    for one in view["monsters"]:
        state = ", ".join(name for name in ("asleep", "dazed") if one[name])
        lines.append(
            f"{MONSTER_SIGNS[one['kind']]} monster {one['number']}: {one['kind']} at {one['position'][0]},"
            f"{one['position'][1]}, body {one['body']}{', ' + state if state else ''}"
        )
    return lines


def draw_turn(before: View, after: View, briefing: View) -> list[str]:
    """Return what everyone saw of a turn as one drawing per step: figures walk, doors open, squares appear."""
    rows = [list(row) for row in before["map"]]
    figures = {hero["kind"]: dict(hero) for hero in before["heroes"]}
    figures |= {str(one["number"]): dict(one) for one in before["monsters"]}
    doors = list(before["doors"])
    drawings = []
    for event in after["events"]:
        _apply_event(event, after, rows, figures, doors)
        if event["what"] in ("step", "see", "open", "appear", "die"):
            heroes = [figure for name, figure in figures.items() if not name.isdigit()]
            monsters = [figure for name, figure in figures.items() if name.isdigit() and figure["body"] > 0]
            shown = {**after, "map": map("".join, rows), "heroes": heroes, "monsters": monsters, "doors": doors}
            drawings.append(draw_map(shown, briefing))
    return drawings


def _apply_event(
    event: View, after: View, rows: list[list[str]], figures: dict[str, dict[str, Any]], doors: list[Any]
) -> None:
    what, who = event["what"], event.get("who", "")
    if what == "step":
        figures[who]["position"] = event["at"]
    elif what == "die":
        figures[who]["body"] = 0
    elif what == "appear":
        figures[who] = {"number": int(who), "kind": event["name"], "position": event["at"], "body": 1}
    elif what == "see":
        for x, y in event["squares"]:
            rows[y][x] = after["map"][y][x]
        closed = (door for door in after["doors"] if not door[4] and door not in doors)
        doors += [door for door in closed if door[:2] in event["squares"] or door[2:4] in event["squares"]]
    elif what == "open":
        edge = [*event["squares"][0], *event["squares"][1]]
        doors[:] = [door for door in doors if door[:4] != edge] + [[*edge, True]]
