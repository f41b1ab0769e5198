"""The situation that an observation of eidolon shows, as a state of the rules. Guesses nothing.

All but the seed is shown (chance is drawn when it is needed), so the rules themselves are the bots' forward model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bots.api import MatchSetup
from games.bitset import mask_of
from games.eidolon.dungeon import Dungeon, Placed
from games.eidolon.params import Rules, make_rules
from games.eidolon.state import Hero, Message, Phase, Ritual, State
from games.eidolon.tiles import CHAMBERS, NUMBERS, TileSet
from games.eidolon.view import SHOWN_AS_IT_IS
from games.grid import Cell, parse_direction

View = Mapping[str, Any]


def setup_rules(setup: MatchSetup) -> Rules:
    """The rules of the match; the setup holds all parameters."""
    return make_rules(setup.params, seats=setup.seat_count)


def parse_view(view: View, *, known: Dungeon | None = None) -> State:
    """The state, with seed 0 and no path lengths; `known` is given back as its dungeon if that has not changed."""
    dungeon = _dungeon(view)
    is_drawn = {tile["tile"]: tile["token"] for tile in (*view["tiles"], *view["void"])}
    taken = mask_of([NUMBERS[name] for name, has_token in is_drawn.items() if not has_token])
    return State(
        **{name: view[name] for name in SHOWN_AS_IT_IS},
        seed=0,
        dungeon=known if known == dungeon else dungeon,
        heroes=tuple(_hero(shown) for shown in view["heroes"]),
        tokens=CHAMBERS & ~taken,
        phase=Phase(view["phase"]),
        ritual=_ritual(view),
        cultists=mask_of([NUMBERS[tile["tile"]] for tile in view["tiles"] if tile["cultists"]]),
        discards=_tiles(view["discards"]),
        removed_cards=_tiles(view["removed_cards"]),
        void=_tiles(tile["tile"] for tile in view["void"]),
        broken=sum(1 << "rgb".index(sign) for sign in view["broken"]),
        messages=tuple(Message(said["seat"], said["words"]) for said in view.get("messages", ())),
    )


def _dungeon(view: View) -> Dungeon:
    return Dungeon(
        placed=tuple(Placed(NUMBERS[tile["tile"]], Cell(*tile["at"]), tile["turned"] // 90) for tile in view["tiles"]),
        stack=_tiles(view["stack"]),
        barriers=frozenset((Cell(x, y), parse_direction(side)) for x, y, side in view["barriers"]),
    )


def _tiles(names: Iterable[str]) -> TileSet:
    return mask_of([NUMBERS[name] for name in names])


def _hero(shown: View) -> Hero:
    red, green, blue = shown["tokens"]
    return Hero(
        cell=None if shown["at"] is None else Cell(*shown["at"]),
        tokens=(red, green, blue),
        is_lying=shown["lying"],
        is_master_used=shown["master_used"],
        ap_spent=shown["ap_spent"],
    )


def _ritual(view: View) -> Ritual | None:
    if "drawn" not in view:
        return None
    return Ritual(
        cards_left=view["cards_left"],
        tile=NUMBERS[view["drawn"]],
        divers=tuple(view["divers"]),
        is_redirect_used=view["is_redirect_used"],
        is_reshuffled=view["is_reshuffled"],
    )
