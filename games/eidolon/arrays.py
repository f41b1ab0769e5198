"""Eidolon for learning: every act in a fixed order, and what a seat sees as arrays of fixed shapes.

`action_texts(game)` has the acts in the order of their indexes, written as in `gridjoust.games.eidolon.actions` except
for cells. A cell with a tile is the name of the tile. An empty cell where a tile may come back is a neighbouring tile
with the side, as in `master mindeater vestibule N 90`; of several neighbours, the first in `TILES` is named. The set
does not contain words, nor trades of several colours at once, which two trades replace. An act that no hero can do with
these parameters has no index.

| array | type and shape | holds |
|---|---|---|
| `tiles` | `float32 (30, 18)` | a row of `TILE_COLUMNS` for each of `gridjoust.games.eidolon.tiles.TILES` |
| `heroes` | `float32 (seats, 15)` | a row of `HERO_COLUMNS` by seat |
| `numbers` | `float32 (20)` | `NUMBERS` |

Cells are x and y from the Vestibule, x east, y south; 0 for a thing that is in no cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridjoust.games.api import Json, Seat
from gridjoust.games.bitset import members
from gridjoust.games.choices import Choice
from gridjoust.games.eidolon.actions import Action, Trade, tokens_of
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.rules import Eidolon
from gridjoust.games.eidolon.state import Phase, State
from gridjoust.games.eidolon.tiles import CHAMBERS, COLOURS, TILES
from gridjoust.games.eidolon.tiles import NUMBERS as TILE_NUMBERS
from gridjoust.games.grid import DIRECTIONS, Cell

TILE_COLUMNS = (
    "lies", "x", "y", "door N", "door E", "door S", "door W", "blocked N", "blocked E", "blocked S", "blocked W",
    "token", "cultist", "in the stack", "lost", "card discarded", "card out of the match", "drawn",
)  # fmt: skip
HERO_COLUMNS = (
    "lives", "x", "y", "red tokens", "green tokens", "blue tokens", "lies", "master skill used", "observer", "active",
    "carries the Fire", "must dive", "AP for red", "AP for green", "AP for blue",
)  # fmt: skip
NUMBERS = (
    "AP left", "share of the rounds played", "threat", "cards of the next ritual", "phase act", "phase redirect",
    "phase dive", "red seal broken", "green seal broken", "blue seal broken", "red tokens lost", "green tokens lost",
    "blue tokens lost", "surging", "strike used", "cards left", "redirect used", "reshuffled", "barriers left",
    "tiles lost",
)  # fmt: skip
TOKENS = 7  # tokens of each colour
_CELL = re.compile(r"@(-?[0-9]+),(-?[0-9]+)")
_DEGREES = ("", " 90", " 180", " 270")


def action_texts(game: Eidolon) -> tuple[str, ...]:
    """Return every act that some hero can do with these parameters, in the order of the indexes."""
    return tuple(_places(game.rules))


@lru_cache(maxsize=16)
def _places(rules: Rules) -> dict[str, int]:
    """Return text -> index for every act that some hero can do with these parameters."""
    return {text: index for index, text in enumerate((*_common_texts(rules), *_skill_texts(rules)))}


def _common_texts(rules: Rules) -> Iterator[str]:
    """Yield the texts of the acts that every hero can do."""
    yield from ("wait", "grab", "break", "fire", "passage", "attack")
    for verb in ("move", "break", "dive"):
        yield from (f"{verb} {direction}" for direction in DIRECTIONS)
    if not rules.known_map:
        yield from (f"explore {direction}{degrees}" for direction, degrees in product(DIRECTIONS, _DEGREES))
    for seat, way, colour in product(range(len(rules.heroes)), ("give", "take"), COLOURS):
        yield from (f"trade {seat} {way} {colour.sign}{count}" for count in range(1, TOKENS + 1))


def _skill_texts(rules: Rules) -> Iterator[str]:
    """Yield the texts of the acts that only some of the heroes in play can do."""
    names, heroes = [tile.name for tile in TILES], rules.heroes if rules.skills else ()
    for hero in heroes:
        if hero == "warrior":
            yield from (f"attack {direction}" for direction in DIRECTIONS)
            for length in (1, 2, 3):
                yield from (f"master {' '.join(map(str, way))}" for way in product(DIRECTIONS, repeat=length))
        elif hero == "rogue":
            yield "master"
        elif hero == "ranger":
            if not rules.known_map:
                yield from (f"explore {way}{degrees} stay" for way, degrees in product(DIRECTIONS, _DEGREES))
            yield from (f"master {name} {seat}" for name, seat in product(names, range(len(heroes))))
        elif hero == "sage":
            yield from (f"redirect {TILES[tile].name}" for tile in members(CHAMBERS))
            places = product(members(CHAMBERS), names, DIRECTIONS, _DEGREES)
            yield from (f"master {TILES[tile].name} {name} {side}{turn}" for tile, name, side, turn in places)
        elif hero == "wizard":
            yield from (f"send {colour.sign} {seat}" for colour, seat in product(COLOURS, range(len(heroes))))
        else:
            yield from (f"attack {name}" for name in names)
    if {"paladin", "wizard"} & set(heroes):
        yield from (f"master {name}" for name in names)


def action_count(game: Eidolon) -> int:
    """Return the number of indexes, one for each act."""
    return len(_places(game.rules))


def choices(game: Eidolon, state: State, seat: Seat, draft: None) -> dict[int, Choice[Action]]:  # noqa: ARG001 - for all games
    """Return index -> choice for the legal acts; each choice is a whole action."""
    places, named = _places(game.rules), _named_cells(state)
    legal = [*game.legal_actions(state, seat), *_middling_trades(game, state, seat)]
    return {places[_CELL.sub(lambda found: named[found[0]], str(action))]: Choice(action) for action in legal}


def _named_cells(state: State) -> dict[str, str]:
    """Return text of a cell `@x,y` -> its name: the tile there, or a neighbouring tile and the side."""
    named: dict[str, str] = {}
    for placed in sorted(state.dungeon.placed):
        for direction in DIRECTIONS:
            x, y = placed.cell.step(direction)
            named.setdefault(f"@{x},{y}", f"{TILES[placed.tile].name} {direction}")
    return named | {f"@{one.cell.x},{one.cell.y}": TILES[one.tile].name for one in state.dungeon.placed}


def _middling_trades(game: Eidolon, state: State, seat: Seat) -> Iterator[Action]:
    """Yield legal trades of several but not all tokens of a colour; `legal_actions` leaves out only these."""
    if seat not in game.seats_to_act(state) or state.phase is not Phase.ACT:
        return
    here = state.cell_of(seat)
    for other in state.living():
        if other != seat and state.heroes[other].cell == here:
            for colour, count in product(COLOURS, range(2, TOKENS)):
                some = tokens_of(colour, count)
                trades = (Action(Trade(other, give=some)), Action(Trade(other, take=some)))
                yield from (trade for trade in trades if game.is_legal(state, seat, trade))


def shapes(game: Eidolon) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the type and shape of every array by name."""
    return {
        "tiles": (np.float32, (len(TILES), len(TILE_COLUMNS))),
        "heroes": (np.float32, (game.seats, len(HERO_COLUMNS))),
        "numbers": (np.float32, (len(NUMBERS),)),
    }


def arrays(game: Eidolon, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> dict[str, NDArray[Any]]:
    """Return the observation of a seat as arrays."""
    heroes = [_hero_row(seat, briefing, view) for seat in range(game.seats)]
    return {
        "tiles": _tile_rows(view),
        "heroes": np.array(heroes, np.float32),
        "numbers": np.array(_numbers(game, briefing, view), np.float32),
    }


def _tile_rows(view: Mapping[str, Json]) -> NDArray[np.float32]:
    rows = np.zeros((len(TILES), len(TILE_COLUMNS)), np.float32)
    blocked = {(Cell(x, y), side) for x, y, side in view["barriers"]}
    blocked |= {(Cell(x + (side == "E"), y + (side == "S")), "W" if side == "E" else "N") for (x, y), side in blocked}
    for tile in view["tiles"]:
        x, y = tile["at"]
        doors = [direction.name in tile["doors"] for direction in DIRECTIONS]
        closed = [(Cell(x, y), direction.name) in blocked for direction in DIRECTIONS]
        rows[TILE_NUMBERS[tile["tile"]], :13] = [1, x, y, *doors, *closed, tile["token"], tile["cultists"]]
    lists = (view["stack"], [lost["tile"] for lost in view["void"]], view["discards"], view["removed_cards"])
    for column, names in enumerate((*lists, [view["drawn"]] if "drawn" in view else []), 13):
        rows[[TILE_NUMBERS[name] for name in names], column] = 1
    for lost in view["void"]:
        rows[TILE_NUMBERS[lost["tile"]], TILE_COLUMNS.index("token")] = lost["token"]
    return rows


def _hero_row(seat: Seat, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> list[float]:
    hero = view["heroes"][seat]
    x, y = hero["at"] or (0, 0)
    whose = (view["seat"], view["active"], view["carrier"])
    return [
        hero["at"] is not None, x, y, *hero["tokens"], hero["lying"], hero["master_used"],
        *(seat == one for one in whose), seat in view.get("divers", ()), *briefing["costs"][seat],
    ]  # fmt: skip


def _numbers(game: Eidolon, briefing: Mapping[str, Json], view: Mapping[str, Json]) -> list[float]:
    track = briefing["track"]
    return [
        view["ap_left"],
        (view["game_round"] - 1) / game.rules.max_game_rounds,
        view["threat"],
        track[min(view["threat"], len(track) - 1)],
        *(view["phase"] == phase.value for phase in Phase),
        *(colour.sign in view["broken"] for colour in COLOURS),
        *view["lost_tokens"],
        view["is_surging"],
        view["is_strike_used"],
        view.get("cards_left", 0),
        view.get("is_redirect_used", False),
        view.get("is_reshuffled", False),
        view["barriers_left"],
        view["tiles_lost"],
    ]
