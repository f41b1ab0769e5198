"""Heroquest as text for people: the whole dungeon, the board under its fog, a turn step by step, short orders.

Full action texts are taken as they are. Shorter: `eess` or `e2 s2` walks, `oe` opens, `ae` or `ane` attacks, `je`
jumps, `de` disarms, `st` `sp` `sd` searches for treasure, traps (pits), doors, `.` ends the turn; for Zargon a
monster's number comes first: `4 wws`, `4 aw`.

Signs: `B D E W` heroes, `g o f s z m c G` monsters, `.` floor, `?` not revealed, `#` blocked, `%` furniture, `$` full
chest, `<` stairs, `^` known trap. Between squares: walls, `=` closed doors, `'` open ones.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.bitset import mask_of, members
from games.heroquest.actions import parse_action
from games.heroquest.sight.board import Board, Edge, Square, make_edge
from games.heroquest.situation import Situation

HERO_SIGNS: dict[str, str] = {"barbarian": "B", "dwarf": "D", "elf": "E", "wizard": "W"}
MONSTER_SIGNS: dict[str, str] = {
    "goblin": "g", "orc": "o", "fimir": "f", "skeleton": "s",
    "zombie": "z", "mummy": "m", "chaos warrior": "c", "gargoyle": "G",
}  # fmt: skip
UNSEEN_SIGN, FLOOR_SIGN, STAIRS_SIGN, TRAP_SIGN = "?", ".", "<", "^"
WALL_ACROSS, WALL_UPRIGHT, CORNER = "-", "|", "+"
CLOSED_DOOR, OPEN_DOOR = "=", "'"


def render(situation: Situation) -> str:
    """The whole dungeon; monsters and traps that nobody has seen are listed below it."""
    state, dungeon, board = situation.state, situation.dungeon, situation.board
    signs = [FLOOR_SIGN if state.seen >> cell & 1 else UNSEEN_SIGN for cell in range(len(board.regions))]
    for mask, sign in (
        (situation.layout.rock | situation.things.blocked | situation.fallen, "#"),
        (situation.things.furniture, "%"),
        (mask_of(chest.cell for chest in situation.full_chests()), "$"),
        (mask_of(dungeon.starts), STAIRS_SIGN),
        (mask_of(situation.traps()), TRAP_SIGN),
    ):
        for cell in members(mask):
            signs[cell] = sign
    figures = [(one.kind, one.cell) for one in state.lurkers]
    figures += [(one.kind, one.cell) for one in state.monsters if one.body > 0]
    figures += [(hero.kind, hero.cell) for hero in state.heroes if hero.body > 0]
    for kind, cell in figures:
        signs[cell] = (MONSTER_SIGNS | HERO_SIGNS)[kind]
    doors = [make_edge(board.square(one), board.square(two)) for one, two in (*dungeon.doors, *dungeon.secret_doors)]
    drawn = draw_board(board, dict(zip(board.index, signs, strict=True)), doors=doors)
    return "\n".join([drawn, *_details(situation)])


def _details(situation: Situation) -> list[str]:
    state, board = situation.state, situation.board
    lines = [f"round {state.round}, seat {state.seat}: {state.points} of {state.rolled} steps left"]
    lines += [f"{hero.kind}: body {hero.body}, gold {hero.gold}" for hero in state.heroes]
    for number, one in enumerate(state.monsters):
        lines.append(f"monster {number}: {one.kind} at {_text(board, one.cell)}, body {one.body}")
    lines += [f"unseen: {lurker.kind} at {_text(board, lurker.cell)}" for lurker in state.lurkers]
    for cell, trap in situation.traps().items():
        known = "known" if state.found_traps >> cell & 1 else "unknown"
        lines.append(f"{known} trap: {trap.kind} at {_text(board, cell)}")
    return lines


def _text(board: Board, cell: int) -> str:
    return "{},{}".format(*board.square(cell))


def draw_board(board: Board, signs: Mapping[Square, str], *, doors: Container[Edge] = (), empty: str = " ") -> str:
    """The board with a sign on each square; `doors` are closed ones, open ones are the board's own."""
    drawn = {(2 * x + 1, 2 * y + 1): signs.get((x, y), empty) for x, y in board.index}
    for y in range(-1, board.height):
        for x in range(-1, board.width):
            drawn[2 * x + 2, 2 * y + 1] = _edge_sign(board, (x, y), (x + 1, y), doors, WALL_UPRIGHT)
            drawn[2 * x + 1, 2 * y + 2] = _edge_sign(board, (x, y), (x, y + 1), doors, WALL_ACROSS)
    for row in range(0, 2 * board.height + 1, 2):
        for column in range(0, 2 * board.width + 1, 2):
            is_upright = any(drawn.get((column, near), " ") != " " for near in (row - 1, row + 1))
            is_across = any(drawn.get((near, row), " ") != " " for near in (column - 1, column + 1))
            wall = WALL_UPRIGHT if is_upright else WALL_ACROSS if is_across else " "
            drawn[column, row] = CORNER if is_upright and is_across else wall
    return "\n".join(
        "".join(drawn[column, row] for column in range(2 * board.width + 1)).rstrip()
        for row in range(2 * board.height + 1)
    )


def _edge_sign(board: Board, one: Square, other: Square, doors: Container[Edge], wall: str) -> str:
    """What stands between two neighbours, the upper or left one first; nothing where neither is on the board."""
    if (one, other) in board.open_doors:
        return OPEN_DOOR
    if (one, other) in doors:
        return CLOSED_DOOR
    is_beyond = one not in board.index and other not in board.index
    return " " if is_beyond or not board.is_wall(one, other) else wall


View = Mapping[str, Any]  # an observation or public view, see games.heroquest.view
_MAP_SIGNS: View = {"?": "?", ".": ".", "#": "#", "f": "%", "c": "$", "e": "%"}

KEYS = (
    "eess or e2 s2 walks, oe opens, ae or ane attacks, je jumps, de disarms, st sp sd searches treasure, traps, doors, "
    ". ends the turn; Zargon names a monster first: 4 wws, 4 aw"
)
_SEARCH = {"st": "treasure", "sp": "traps", "sd": "doors"}
_DEEDS = {"o": "open", "a": "attack", "j": "jump", "d": "disarm"}
_SIDES = r"(ne|nw|se|sw|n|e|s|w)"


def parse(line: str, view: View, legal: Sequence[str]) -> str:  # noqa: ARG001 - same for every game
    """A short order or an action's own text -> action text; ValueError says what could have been typed."""
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
    """The board as far as it is revealed, then a line per hero and monster."""
    return "\n".join([_draw_map(view, briefing), *_status(view)])


def _draw_map(view: View, briefing: View) -> str:
    board = Board.parse(*briefing["regions"])
    signs = {(x, y): _MAP_SIGNS[sign] for y, row in enumerate(view["map"]) for x, sign in enumerate(row)}
    signs |= dict.fromkeys(map(tuple, briefing["stairs"]), STAIRS_SIGN)
    signs |= {(x, y): TRAP_SIGN for _, x, y in view["traps"]}
    signs |= {tuple(one["position"]): MONSTER_SIGNS[one["kind"]] for one in view["monsters"]}
    signs |= {tuple(hero["position"]): HERO_SIGNS[hero["kind"]] for hero in view["heroes"] if hero["body"] > 0}
    doors = {make_edge((x, y), (i, j)): is_open for x, y, i, j, is_open in view["doors"]}
    opened = frozenset(door for door, is_open in doors.items() if is_open)
    return draw_board(replace(board, open_doors=opened), signs, doors=doors)


def _status(view: View) -> list[str]:
    goal = ", ".join(f"{part} {'done' if done else 'open'}" for part, done in view["goal"])
    lines = [f"round {view['round']}, goal: {goal}"]
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
    """What everyone saw of a turn, as one drawing per step: figures walk, doors open, squares come into sight."""
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
            drawings.append(_draw_map(shown, briefing))
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
