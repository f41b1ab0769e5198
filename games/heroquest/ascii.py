"""Heroquest as text for people: the whole dungeon, what heroes know of it, a turn step by step.

Signs: `B D E W` heroes, `g o f s z m c G` monsters (capital letters of the eight kinds where they sleep are not used:
see the lines below the board), `.` floor, `?` not revealed, `#` blocked, `%` furniture, `$` full chest, `<` stairs,
`^` known trap. Between squares: walls, `=` closed doors, `'` open ones.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Any

from games.bitset import members
from games.heroquest.sight import Board, Edge, Square, make_edge
from games.heroquest.situation import Situation

HERO_SIGNS: Mapping[str, str] = {"barbarian": "B", "dwarf": "D", "elf": "E", "wizard": "W"}
MONSTER_SIGNS: Mapping[str, str] = {
    "goblin": "g", "orc": "o", "fimir": "f", "skeleton": "s",
    "zombie": "z", "mummy": "m", "chaos warrior": "c", "gargoyle": "G",
}  # fmt: skip
UNSEEN_SIGN, FLOOR_SIGN, STAIRS_SIGN, TRAP_SIGN = "?", ".", "<", "^"
_MAP_SIGNS: Mapping[str, str] = {"?": "?", ".": ".", "#": "#", "f": "%", "c": "$", "e": "%"}
WALL_ACROSS, WALL_UPRIGHT, CORNER = "-", "|", "+"
CLOSED_DOOR, OPEN_DOOR = "=", "'"
View = Mapping[str, Any]  # an observation or public view, see games.heroquest.view


def draw_view(briefing: View, view: View) -> str:
    """What a view shows: the board under its fog, then a line per hero and monster."""
    return "\n".join([draw_map(briefing, view), *_status(view)])


def draw_map(briefing: View, view: View) -> str:
    """The board under its fog."""
    board = Board.parse(*briefing["regions"])
    signs: dict[Square, str] = {
        (x, y): _MAP_SIGNS[sign] for y, row in enumerate(view["map"]) for x, sign in enumerate(row)
    }
    for x, y in briefing["stairs"]:
        signs[x, y] = STAIRS_SIGN
    for _, x, y in view["traps"]:
        signs[x, y] = TRAP_SIGN
    signs |= {_at(one): MONSTER_SIGNS[one["kind"]] for one in view["monsters"]}
    signs |= {_at(hero): HERO_SIGNS[hero["kind"]] for hero in view["heroes"] if hero["body"] > 0}
    closed = [make_edge((x, y), (i, j)) for x, y, i, j, is_open in view["doors"] if not is_open]
    return draw_board(_with_doors(board, view), signs, doors=closed)


def _with_doors(board: Board, view: View) -> Board:
    opened = frozenset(make_edge((x, y), (i, j)) for x, y, i, j, is_open in view["doors"] if is_open)
    return Board(board.width, board.height, board.regions, opened)


def _at(figure: View) -> Square:
    x, y = figure["position"]
    return x, y


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


def draw_steps(briefing: View, before: View, after: View) -> list[str]:
    """The turn between two views as one drawing per step: figures walk, doors open, squares come into sight."""
    rows = [list(row) for row in before["map"]]
    figures = {hero["kind"]: dict(hero) for hero in before["heroes"]}
    figures |= {str(one["number"]): dict(one) for one in before["monsters"]}
    doors = list(before["doors"])
    drawings = []
    for event in after["events"]:
        _apply_event(event, after, rows, figures, doors)
        if event["what"] in ("step", "see", "open", "appear", "die"):
            drawings.append(draw_map(briefing, _between(after, rows, figures, doors)))
    return drawings


def _between(after: View, rows: list[list[str]], figures: Mapping[str, dict[str, Any]], doors: list[Any]) -> View:
    heroes = [figure for name, figure in figures.items() if not name.isdigit()]
    monsters = [figure for name, figure in figures.items() if name.isdigit() and figure["body"] > 0]
    return {**after, "map": ["".join(row) for row in rows], "heroes": heroes, "monsters": monsters, "doors": doors}


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
        squares = {(x, y) for x, y in event["squares"]}
        for x, y in squares:
            rows[y][x] = after["map"][y][x]
        doors += [door for door in after["doors"] if not door[4] and door not in doors and _is_at(door, squares)]
    elif what == "open":
        (x, y), (i, j) = event["squares"]
        doors[:] = [door for door in doors if door[:4] != [x, y, i, j]] + [[x, y, i, j, True]]


def _is_at(door: list[Any], squares: Iterable[Square]) -> bool:
    return (door[0], door[1]) in squares or (door[2], door[3]) in squares


def render(situation: Situation) -> str:
    """The whole dungeon; monsters and traps that nobody has seen are listed below it."""
    state, dungeon, board = situation.state, situation.dungeon, situation.board
    signs: dict[Square, str] = {board.square(cell): FLOOR_SIGN for cell in range(len(board.regions))}
    signs |= {board.square(cell): UNSEEN_SIGN for cell in members(situation.layout.everything & ~state.seen)}
    signs |= {
        board.square(cell): "#" for cell in members(situation.layout.rock | situation.things.blocked | situation.fallen)
    }
    signs |= {board.square(cell): "%" for cell in members(situation.things.furniture)}
    signs |= {board.square(chest.cell): "$" for chest in dungeon.chests if not state.looted >> chest.cell & 1}
    signs |= {board.square(cell): STAIRS_SIGN for cell in dungeon.starts}
    signs |= {board.square(cell): TRAP_SIGN for cell in situation.traps()}
    signs |= {board.square(lurker.cell): MONSTER_SIGNS[lurker.kind] for lurker in state.lurkers}
    signs |= {board.square(one.cell): MONSTER_SIGNS[one.kind] for one in state.monsters if one.body > 0}
    signs |= {board.square(hero.cell): HERO_SIGNS[hero.kind] for hero in state.heroes if hero.body > 0}
    doors = [
        make_edge(board.square(one), board.square(other)) for one, other in (*dungeon.doors, *dungeon.secret_doors)
    ]
    return "\n".join([draw_board(board, signs, doors=doors), *_details(situation)])


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
    lines = []
    for y in range(board.height + 1):
        lines.append(_edge_line(board, y, doors))
        if y < board.height:
            lines.append(_square_line(board, y, signs, doors, empty))
    return "\n".join(line.rstrip() for line in lines)


def _square_line(board: Board, y: int, signs: Mapping[Square, str], doors: Container[Edge], empty: str) -> str:
    parts = []
    for x in range(board.width):
        parts += [_edge_sign(board, (x - 1, y), (x, y), doors, WALL_UPRIGHT), signs.get((x, y), empty)]
    return "".join([*parts, WALL_UPRIGHT])


def _edge_line(board: Board, y: int, doors: Container[Edge]) -> str:
    parts = []
    for x in range(board.width):
        parts += [_corner(board, x, y), _edge_sign(board, (x, y - 1), (x, y), doors, WALL_ACROSS)]
    return "".join([*parts, _corner(board, board.width, y)])


def _edge_sign(board: Board, one: Square, other: Square, doors: Container[Edge], wall: str) -> str:
    if one not in board.index or other not in board.index:
        return wall
    edge = make_edge(one, other)
    if edge in board.open_doors:
        return OPEN_DOOR
    if edge in doors:
        return CLOSED_DOOR
    return wall if board.is_wall(one, other) else " "


def _corner(board: Board, x: int, y: int) -> str:
    """A sign where walls meet; the upper left corner of square (x, y)."""
    upright = (((x - 1, y - 1), (x, y - 1)), ((x - 1, y), (x, y)))
    across = (((x - 1, y - 1), (x - 1, y)), ((x, y - 1), (x, y)))
    is_upright = any(_is_drawn(board, *pair) for pair in upright)
    is_across = any(_is_drawn(board, *pair) for pair in across)
    if is_upright and is_across:
        return CORNER
    return WALL_UPRIGHT if is_upright else WALL_ACROSS if is_across else " "


def _is_drawn(board: Board, one: Square, other: Square) -> bool:
    """Whether there is a wall or door to draw between two squares, of which at least one is on the board."""
    if one not in board.index and other not in board.index:
        return False
    if one not in board.index or other not in board.index:
        return True
    return board.region(one) != board.region(other)
