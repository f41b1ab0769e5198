"""Boards of heroquest as text: the whole dungeon, or the part that the heroes have revealed.

Signs: `B D E W` heroes, `g o f s z m c G` monsters, `.` floor, `?` not revealed, `#` blocked, `%` furniture, `$` full
chest, `<` stairs, `^` known trap. Between squares: walls, `=` closed doors, `'` open ones.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from gridjoust.games.bitset import mask_of, members
from gridjoust.games.heroquest.sight.board import Board, Edge, Square, make_edge
from gridjoust.games.heroquest.situation import Situation

HERO_SIGNS: dict[str, str] = {"barbarian": "B", "dwarf": "D", "elf": "E", "wizard": "W"}
MONSTER_SIGNS: dict[str, str] = {
    "goblin": "g", "orc": "o", "fimir": "f", "skeleton": "s",
    "zombie": "z", "mummy": "m", "chaos warrior": "c", "gargoyle": "G",
}  # fmt: skip
UNSEEN_SIGN, FLOOR_SIGN, STAIRS_SIGN, TRAP_SIGN = "?", ".", "<", "^"
WALL_ACROSS, WALL_UPRIGHT, CORNER = "-", "|", "+"
CLOSED_DOOR, OPEN_DOOR = "=", "'"
View = Mapping[str, Any]  # an observation or public view, see gridjoust.games.heroquest.view
_MAP_SIGNS: View = {"?": "?", ".": ".", "#": "#", "f": "%", "c": "$", "e": "%"}


def render(situation: Situation) -> str:
    """Draw the whole dungeon and, below it, list the monsters and traps that no hero has seen."""
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
    rounds = situation.rules.max_game_rounds
    lines = [f"round {state.round} of {rounds}, seat {state.seat}: {state.points} of {state.rolled} steps left"]
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
    """Draw the board with a sign on each square; `doors` are closed ones, `board` has the open ones."""
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
    """Return the sign for the edge between two neighbouring squares: a door, `wall` or a blank."""
    if (one, other) in board.open_doors:
        return OPEN_DOOR
    if (one, other) in doors:
        return CLOSED_DOOR
    is_beyond = one not in board.index and other not in board.index
    return " " if is_beyond or not board.is_wall(one, other) else wall


def draw_map(view: View, briefing: View) -> str:
    """Draw the part of the board that a view shows."""
    board = Board.parse(*briefing["regions"])
    signs = {(x, y): _MAP_SIGNS[sign] for y, row in enumerate(view["map"]) for x, sign in enumerate(row)}
    signs |= dict.fromkeys(map(tuple, briefing["stairs"]), STAIRS_SIGN)
    signs |= {(x, y): TRAP_SIGN for _, x, y in view["traps"]}
    signs |= {tuple(one["position"]): MONSTER_SIGNS[one["kind"]] for one in view["monsters"]}
    signs |= {tuple(hero["position"]): HERO_SIGNS[hero["kind"]] for hero in view["heroes"] if hero["body"] > 0}
    doors = {make_edge((x, y), (i, j)): is_open for x, y, i, j, is_open in view["doors"]}
    opened = frozenset(door for door, is_open in doors.items() if is_open)
    return draw_board(replace(board, open_doors=opened), signs, doors=doors)
