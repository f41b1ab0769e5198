"""Heroquest for learning: the actions in a fixed order, and what a seat sees as arrays of fixed shapes.

Indexes come in rows, one after another, in the order of `ROWS` and `SPELLS`. `cells` is width × height, a cell is
`y * width + x`, sides are N, E, S, W, and compass points are those of `gridjoust.games.heroquest.actions.COMPASS`:

| row | indexes | means |
|---|---|---|
| `end` | 1 | end the turn |
| `open`, `jump`, `disarm` | 4 each | by side |
| `attack` | 8 | attack of a hero, by compass point |
| `search` | 3 | treasure, traps, doors |
| `strike` | cells × 4 | attack of the monster on that cell, by side |
| `walk` | cells | to that cell by a shortest path around known traps; only the first monster that may walk |
| `shoot` | cells | shoot at that cell |
| a spell | cells | cast at that cell, one row for each of the twelve spells |
| `door` | cells × 2 | send the genie to the door on the eastern or southern side of that cell |

An index fixes the end of a walk; for a certain path, a hero walks in several parts. A random board that is smaller than
the arrays lies in their top left corner, and rock surrounds it. Only the planes
`hidden …` show what just one side knows.

| array | type and shape | holds |
|---|---|---|
| `board` | `uint8 (planes, height, width)` | 1 in the cells of each plane, in the order of `PLANES`, or a value |
| `heroes` | `float32 (heroes, 48)` | a row of `HERO_COLUMNS` by seat |
| `numbers` | `float32 (23)` | `NUMBERS` |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, assert_never

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json, Seat
from gridjoust.games.choices import Choice
from gridjoust.games.grid import DIRECTIONS
from gridjoust.games.heroquest.actions import (
    COMPASS,
    SEARCHES,
    Action,
    Attack,
    Cast,
    Disarm,
    End,
    Jump,
    Move,
    Open,
    Search,
    Shoot,
)
from gridjoust.games.heroquest.catalogue import CARDS, HERO_SPELLS, HEROES, ITEMS, MONSTERS_US, POTIONS, SPELLS, TRAPS
from gridjoust.games.heroquest.maps import MAX_HEIGHT, MAX_WIDTH
from gridjoust.games.heroquest.rules import HeroQuest
from gridjoust.games.heroquest.sight.board import CORRIDOR, ROCK, SIGNS, Edge, Square
from gridjoust.games.heroquest.state import State
from gridjoust.games.heroquest.view import BLOCKED, EMPTY_CHEST, FULL_CHEST, FURNITURE, UNSEEN

ROWS = ("end", "open", "jump", "disarm", "attack", "search", "strike", "walk", "shoot", *SPELLS, "door")
_MAP_SIGNS = (UNSEEN, BLOCKED, FURNITURE, FULL_CHEST, EMPTY_CHEST)
PLANES = (
    "not revealed", "blocked", "furniture", "full chest", "empty chest", "rock", "corridor", "wall E", "wall S",
    "closed door E", "closed door S", "stairs", "room that the acting hero has searched", "observer", "acting hero",
    *(f"known {trap}" for trap in TRAPS),
    *HEROES,  # from here on, the value is the number of body points left
    *MONSTERS_US,
    "attack dice that a monster has more", "monster asleep", "monster dazed", "monster has moved", "monster has acted",
    *(f"hidden {kind}" for kind in MONSTERS_US),  # from here on, only Zargon knows
    *(f"hidden {trap}" for trap in TRAPS),
    "hidden door E", "hidden door S", "hidden blocked", "hidden furniture", "hidden chest",
)  # fmt: skip
HERO_COLUMNS = (
    "lives", "x", "y", "body", "mind", "gold", "in a pit", "observer", "acting",
    *HEROES, *ITEMS, *SPELLS, *POTIONS, *(f"under {spell}" for spell in HERO_SPELLS),
)  # fmt: skip
_GOALS = ("kill", "loot", "return")
NUMBERS = (
    "share of the rounds played", "movement rolled", "movement left", "acting hero can act", "Zargon's turn",
    "observer is Zargon", *(f"{part} is a goal" for part in _GOALS), *(f"{part} is done" for part in _GOALS), *CARDS,
)  # fmt: skip
_PLANE = {name: number for number, name in enumerate(PLANES)}
_COMPASS = tuple(COMPASS)
_MOST = 255


@lru_cache(maxsize=64)
def _size(game: HeroQuest) -> tuple[int, int]:
    """Return width and height of the arrays: of the board in play, or the largest size of random boards."""
    is_drawn = game.params["quest"] == "random" and not str(game.params["map"]).strip()
    if is_drawn and game.params["board"] == "random":
        return MAX_WIDTH, MAX_HEIGHT
    board = game.initial_state(0).dungeon.board
    return board.width, board.height


@lru_cache(maxsize=64)
def row_starts(cells: int) -> dict[str, int]:
    """Return row of `ROWS` -> its first index on a board of so many cells; "" -> the number of all indexes."""
    sizes = {"end": 1, "attack": len(COMPASS), "search": len(SEARCHES), "strike": 4 * cells, "door": 2 * cells}
    sizes |= dict.fromkeys(("open", "jump", "disarm"), 4)
    starts, count = {}, 0
    for row in ROWS:
        starts[row] = count
        count += sizes.get(row, cells)
    return starts | {"": count}


def action_count(game: HeroQuest) -> int:
    """Return the size of the action space: the number of indexes in all rows."""
    width, height = _size(game)
    return row_starts(width * height)[""]


def choices(game: HeroQuest, state: State, seat: Seat, draft: None) -> dict[int, Choice[Action]]:  # noqa: ARG001 - for all games
    """Return index -> choice for the listed legal actions.

    Each choice is a whole action, so `draft`, the part of an action chosen so far, is always None.
    """
    width, height = _size(game)
    starts = row_starts(width * height)
    found: dict[int, Choice[Action]] = {}
    for action in game.legal_actions(state, seat):
        row, place = _place(state, action, width)
        found[starts[row] + place] = Choice(action)
    return found


def _place(state: State, action: Action, width: int) -> tuple[str, int]:
    """Return the row of indexes to which the action belongs, and its index in that row, from 0."""

    def cell_at(x: int, y: int) -> int:
        return y * width + x

    match action:
        case End():
            return "end", 0
        case Open(side) | Jump(side) | Disarm(side):
            return type(action).__name__.lower(), DIRECTIONS.index(side)
        case Attack(point, None):
            return "attack", _COMPASS.index(point)
        case Attack(point, number):
            assert number is not None  # the previous case took None
            sides = [direction.name for direction in DIRECTIONS]
            return "strike", 4 * cell_at(*_square(state, state.monsters[number].cell)) + sides.index(point)
        case Search(what):
            return "search", SEARCHES.index(what)
        case Shoot((x, y)):
            return "shoot", cell_at(x, y)
        case Move(steps, number):
            start = state.heroes[state.seat].cell if number is None else state.monsters[number].cell
            x, y = _square(state, start)
            return "walk", cell_at(x + sum(step.dx for step in steps), y + sum(step.dy for step in steps))
        case Cast(spell, target):
            return _cast_place(spell, target, width)
        case _:
            assert_never(action)


def _cast_place(spell: str, target: Square | Edge, width: int) -> tuple[str, int]:
    if isinstance(target[0], int):
        x, y = target
        return spell, y * width + x
    (x, y), (other_x, _) = target
    return "door", 2 * (y * width + x) + (other_x == x)


def _square(state: State, cell: int) -> tuple[int, int]:
    width = state.dungeon.board.width
    return cell % width, cell // width


def shapes(game: HeroQuest) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name, for these parameters."""
    width, height = _size(game)
    return {
        "board": (np.uint8, (len(PLANES), height, width)),
        "heroes": (np.float32, (game.seats - 1, len(HERO_COLUMNS))),
        "numbers": (np.float32, (len(NUMBERS),)),
    }


def arrays(game: HeroQuest, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:
    """Return the observation of a seat as arrays."""
    width, height = _size(game)
    board = np.zeros((len(PLANES), height, width), np.uint8)
    board[_PLANE["rock"]] = 1
    _draw_ground(board, briefing, view)
    _draw_figures(board, view)
    _draw_hidden(board, briefing, view)
    heroes = [_hero_row(seat, hero, view) for seat, hero in enumerate(view["heroes"])]
    numbers = np.array(_numbers(game, view), np.float32)
    return {"board": board, "heroes": np.array(heroes, np.float32), "numbers": numbers}


def _draw(board: NDArray[np.uint8], plane: str, places: Iterable[Json], value: int = 1) -> None:
    for x, y in places:
        board[_PLANE[plane], y, x] = value


def _draw_ground(board: NDArray[np.uint8], briefing: Mapping[str, Json], view: Mapping[str, Json]) -> None:
    width, height = briefing["size"]
    regions = np.array([list(row) for row in briefing["regions"]])
    signs = np.array([list(row) for row in view["map"]])
    for plane, sign in enumerate(_MAP_SIGNS):
        board[plane, :height, :width] = signs == sign
    board[_PLANE["rock"], :height, :width] = regions == SIGNS[ROCK]
    board[_PLANE["corridor"], :height, :width] = regions == SIGNS[CORRIDOR]
    board[_PLANE["wall E"], :height, : width - 1] = regions[:, 1:] != regions[:, :-1]
    board[_PLANE["wall S"], : height - 1, :width] = regions[1:] != regions[:-1]
    board[_PLANE["wall E"], :height, width - 1] = board[_PLANE["wall S"], height - 1, :width] = 1
    for door in view["doors"]:
        x, y, side = _side_of(door)
        board[_PLANE[f"wall {side}"], y, x] = 0
        board[_PLANE[f"closed door {side}"], y, x] = not door[4]
    _draw(board, "stairs", briefing["stairs"])
    for kind, x, y in view["traps"]:
        _draw(board, f"known {kind}", [(x, y)])
    if view["acting"] < len(view["heroes"]):
        searched = view["heroes"][view["acting"]]["searched"]
        board[_PLANE["room that the acting hero has searched"], :height, :width] = np.isin(regions, searched)


def _side_of(door: list[int]) -> tuple[int, int, str]:
    """Return (x, y, side): the square that has the door on its side `E` or `S`."""
    x, y, other_x, other_y = door[:4]
    return min(x, other_x), min(y, other_y), "E" if y == other_y else "S"


def _draw_figures(board: NDArray[np.uint8], view: Mapping[str, Json]) -> None:
    for seat, hero in enumerate(view["heroes"]):
        here = [hero["position"]] if hero["body"] > 0 else []
        _draw(board, hero["kind"], here, hero["body"])
        for plane, who in (("observer", view["seat"]), ("acting hero", view["acting"])):
            _draw(board, plane, here if who == seat else [])
    for monster in view["monsters"]:
        here = [monster["position"]]
        _draw(board, monster["kind"], here, monster["body"])
        _draw(board, "attack dice that a monster has more", here, min(monster["bonus"], _MOST))
        marks = {"asleep": "asleep", "dazed": "dazed", "moved": "has moved", "acted": "has acted"}
        for name, words in marks.items():
            _draw(board, f"monster {words}", here, int(monster[name]))


def _draw_hidden(board: NDArray[np.uint8], briefing: Mapping[str, Json], view: Mapping[str, Json]) -> None:
    """Set the planes that only Zargon knows; do nothing in a view of the heroes."""
    if "hidden" not in view:
        return
    for kind, x, y in (*view["hidden"]["monsters"], *view["hidden"]["traps"]):
        _draw(board, f"hidden {kind}", [(x, y)])
    dungeon = briefing["dungeon"]
    for door in (*dungeon["doors"], *dungeon["secret_doors"]):
        x, y, side = _side_of(door)
        _draw(board, f"hidden door {side}", [(x, y)])
    _draw(board, "hidden blocked", dungeon["blocked"])
    _draw(board, "hidden furniture", [place[1:] for place in dungeon["furniture"]])
    _draw(board, "hidden chest", [place[:2] for place in dungeon["chests"]])


def _hero_row(seat: Seat, hero: Mapping[str, Json], view: Mapping[str, Json]) -> list[float]:
    held = (
        (HEROES, [hero["kind"]]),
        (ITEMS, hero["items"]),
        (SPELLS, hero["spells"]),
        (POTIONS, hero["potions"]),
        (HERO_SPELLS, hero["effects"]),
    )
    return [
        hero["body"] > 0, *hero["position"], hero["body"], hero["mind"], hero["gold"], hero["in_pit"],
        seat == view["seat"], seat == view["acting"],
        *(list(names).count(name) for known, names in held for name in known),
    ]  # fmt: skip


def _numbers(game: HeroQuest, view: Mapping[str, Json]) -> list[float]:
    goal, zargon = dict(view["goal"]), game.seats - 1
    return [
        (view["round"] - 1) / game.rules.max_game_rounds,
        view["rolled"],
        view["points"],
        view["can_act"],
        view["acting"] == zargon,
        view["seat"] == zargon,
        *(part in goal for part in _GOALS),
        *(bool(goal.get(part)) for part in _GOALS),
        *(view["deck"][card] for card in CARDS),
    ]
