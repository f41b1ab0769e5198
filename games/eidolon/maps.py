"""Maps of eidolon by Algorithm 1 of the paper: each tile is laid next to a working tile."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import count

from gridjoust.games.api import ParamValue, resolve_params
from gridjoust.games.bitset import members
from gridjoust.games.chance import rng_for
from gridjoust.games.eidolon.dungeon import EMPTY, ORIGIN, Dungeon, Placed, edge_key
from gridjoust.games.eidolon.params import SPEC, Rules, expand, make_rules
from gridjoust.games.eidolon.tiles import BIT, HEAVY, VESTIBULE, TileSet, draw_pile, turned_to


def generate(seed: int, params: Mapping[str, ParamValue] | None = None) -> Dungeon:
    """Return one map without barriers, solvable or not (`is_solvable`), drawn in one attempt.

    `params` are those of the game; only `tile_set`, `end_doors`, `vestibule_rule` and `backtrack` matter, and missing
    ones have their defaults. ValueError names a bad one.
    """
    full = resolve_params(SPEC, expand(params or {}))
    return build(make_rules(full, seats=SPEC.min_seats), rng_for(seed, 0, "dungeon"))


def first_dungeon(rules: Rules, seed: int) -> Dungeon:
    """Return the board at the start of a match: the Vestibule alone, or a whole map with its barriers."""
    if not rules.known_map:
        return Dungeon(EMPTY.placed, draw_pile(rules.tile_set, end_doors=rules.end_doors))
    for attempt in count():
        dungeon = build(rules, rng_for(seed, attempt, "dungeon"))
        if rules.on_unsolvable == "keep" or dungeon.is_solvable:
            break
    doorways = dungeon.doorways()
    rng = rng_for(seed, 0, "barriers")
    return dungeon.with_barriers(sorted(rng.sample(doorways, min(rules.barriers, len(doorways))), key=edge_key))


def build(rules: Rules, rng: random.Random) -> Dungeon:
    """Return a map without barriers, drawn in one attempt; it may be unsolvable."""
    left = draw_pile(rules.tile_set, end_doors=rules.end_doors)
    board = {ORIGIN: EMPTY.placed[0]}
    open_cells = [ORIGIN]
    working = ORIGIN
    while left:
        fitting = drawable(rules, left, board[working].tile)
        usable = [d for d, door in BIT.items() if board[working].doors & door and working.step(d) not in board]
        if not fitting or not usable:
            open_cells.remove(working)
            if not open_cells:
                break
            place = {"first": 0, "latest": -1}.get(rules.backtrack)
            working = rng.choice(open_cells) if place is None else open_cells[place]
            continue
        direction, tile = rng.choice(usable), rng.choice(members(fitting))
        left &= ~(1 << tile)
        working = working.step(direction)
        board[working] = Placed(tile, working, turned_to(tile, direction.opposite))
        open_cells.append(working)
    return Dungeon(tuple(board.values()), left)


def drawable(rules: Rules, left: TileSet, beside: int) -> TileSet:
    """Return, as a bit set, those of the tiles `left` that may lie next to the tile `beside`.

    A draw among these is the same as drawing again until a tile fits.
    """
    return left & ~HEAVY if rules.vestibule_rule and beside == VESTIBULE else left
