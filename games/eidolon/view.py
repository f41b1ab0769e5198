"""Views of eidolon for each seat and for everyone, as JSON values; the tables below are the documentation for bots.

All seats see the same, except that a seat does not see its own messages. Stack and ritual deck have no order, because
a tile or card is drawn when it is needed; only the seed is hidden. Places are `[x, y]`, counted from the
Vestibule: x east, y south.

Briefing: `params` (all parameters), `heroes` (by seat), `track` (ritual cards per turn at every place of the threat
track; the skull comes after the last), `costs` (by seat: AP for a red, green and blue token).

Observation:

| key | value |
|---|---|
| `seat`, `active` | the seat that observes; the seat whose turn it is |
| `phase` | `act`, `redirect` (the Sage may move the cultist on `drawn`) or `dive` (off the lost tile `drawn`) |
| `ap_left`, `game_round` | AP left of the active hero; round from 1 |
| `hero_turns`, `turns` | turns of heroes that have ended; answers so far |
| `is_surging`, `is_strike_used` | the Rogue's master turn is on; the Paladin has attacked from afar this turn |
| `tiles` | in the order laid: `tile`, `at`, `turned` (degrees clockwise), `doors` (of `NESW`), `token`, `cultists` |
| `stack` | unknown map: names of the tiles still to be drawn, in no order |
| `barriers` | `[x, y, "E" or "S"]`: the eastern or southern doorway of that cell is blocked |
| `heroes` | by seat: `hero`, `at` (null = lost), `tokens` (red, green, blue), `lying`, `master_used`, `ap_spent` |
| `broken` | seals broken, of `rgb` |
| `carrier` | seat that carries the Fire, or null |
| `threat`, `discards`, `removed_cards` | place on the track from 0; ritual cards discarded and out of the match |
| `void` | lost tiles, each `{"tile", "token"}`; `token` is true if its token is lost too |
| `lost_tokens` | tokens lost: red, green, blue |
| `messages` | `{"seat", "words"}` of team-mates since they last began a turn |
| `cards_left`, `divers`, `is_redirect_used`, `is_reshuffled`, `drawn` | in a ritual that waits for an answer |
| `barriers_left`, `tiles_lost` | unknown map: doors that will be blocked as tiles are laid; tiles lost so far |

The public view is the same without `seat` and `messages`.
"""

from __future__ import annotations

from functools import lru_cache

from gridjoust.games.api import Json
from gridjoust.games.bitset import members
from gridjoust.games.eidolon.dungeon import Dungeon, edge_key
from gridjoust.games.eidolon.params import Rules
from gridjoust.games.eidolon.state import Hero, Seat, State
from gridjoust.games.eidolon.tiles import BIT, COLOURS, TILES
from gridjoust.games.grid import Cell

SHOWN_AS_IT_IS = (
    "active", "ap_left", "game_round", "hero_turns", "turns", "is_surging", "is_strike_used", "carrier", "threat",
    "barriers_left", "tiles_lost",
)  # fmt: skip
"""Fields of the state that a view shows under their own names and in their own form."""


def briefing(rules: Rules, params: dict[str, Json]) -> Json:
    """Return what stays true for the whole match; it is the same for every seat."""
    costs = [[rules.grab_cost(seat, colour) for colour in COLOURS] for seat in range(len(rules.heroes))]
    return {"params": params, "heroes": [*rules.heroes], "track": [*rules.track], "costs": costs}


def observation(rules: Rules, state: State, seat: Seat) -> dict[str, Json]:
    """Return what the seat may know now."""
    heard = [{"seat": said.seat, "words": said.words} for said in state.messages if said.seat != seat]
    return {"seat": seat, **public_view(rules, state), "messages": heard}


def public_view(rules: Rules, state: State) -> dict[str, Json]:
    """Return what everyone may know now."""
    dungeon = state.dungeon
    view: dict[str, Json] = {
        **{name: getattr(state, name) for name in SHOWN_AS_IT_IS},
        "phase": state.phase.value,
        "tiles": _tiles(dungeon, state.tokens, state.cultists),
        "stack": _names(dungeon.stack),
        "barriers": [[cell.x, cell.y, str(direction)] for cell, direction in sorted(dungeon.barriers, key=edge_key)],
        "heroes": [_hero(name, hero) for name, hero in zip(rules.heroes, state.heroes, strict=True)],
        "broken": "".join(colour.sign for colour in COLOURS if state.broken >> colour & 1),
        "discards": _names(state.discards),
        "removed_cards": _names(state.removed_cards),
        "void": [{"tile": TILES[tile].name, "token": bool(state.tokens >> tile & 1)} for tile in members(state.void)],
        "lost_tokens": state.lost_tokens(),
    }
    if state.ritual is not None:
        view |= {
            "drawn": TILES[state.ritual.tile].name,
            "cards_left": state.ritual.cards_left,
            "divers": [*state.ritual.divers],
            "is_redirect_used": state.ritual.is_redirect_used,
            "is_reshuffled": state.ritual.is_reshuffled,
        }
    return view


def _tiles(dungeon: Dungeon, tokens: int, cultists: int) -> list[Json]:
    """Return the view of every tile in play; `tokens` and `cultists` are bit sets of the tiles that have one."""
    return [
        {
            "tile": name,
            "at": [x, y],
            "turned": degrees,
            "doors": doors,
            "token": bool(tokens >> tile & 1),
            "cultists": cultists >> tile & 1,
        }
        for tile, name, (x, y), degrees, doors in _fixed_tiles(dungeon)
    ]


@lru_cache(maxsize=64)
def _fixed_tiles(dungeon: Dungeon) -> tuple[tuple[int, str, Cell, int, str], ...]:
    return tuple(
        (
            placed.tile,
            TILES[placed.tile].name,
            placed.cell,
            placed.quarters * 90,
            "".join(direction.name for direction, bit in BIT.items() if placed.doors & bit),
        )
        for placed in dungeon.placed
    )


def _names(tiles: int) -> list[Json]:
    return [TILES[tile].name for tile in members(tiles)]


def _hero(name: str, hero: Hero) -> dict[str, Json]:
    return {
        "hero": name,
        "at": None if hero.cell is None else [hero.cell.x, hero.cell.y],
        "tokens": [*hero.tokens],
        "lying": hero.is_lying,
        "master_used": hero.is_master_used,
        "ap_spent": hero.ap_spent,
    }
