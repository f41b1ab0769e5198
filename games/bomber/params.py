"""The parameters of bomber with help and bounds, and the typed value that the rules read. Judges no map.

With a `map` the board's size and everything on it come from the text: `width`, `height`, `metal`, `soft`, `ore`,
`free_ammo` and `symmetric` are not used then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from games.api import Param, ParamValue
from games.bomber.state import HP_MASK

PARAMS: Mapping[str, Param] = {
    "width": Param(12, "columns of a generated map", 3, 64),
    "height": Param(10, "rows of a generated map", 3, 64),
    "metal": Param(18, "blocks that never break", 0, 4096),
    "soft": Param(20, "blocks that break easily", 0, 4096),
    "ore": Param(5, "blocks that pay well and take several fires", 0, 4096),
    "free_ammo": Param(1, "ammo tokens on the ground at the start", 0, 4096),
    "soft_hp": Param(1, "fires that a soft block takes", 1, HP_MASK),
    "ore_hp": Param(3, "fires that an ore block takes", 1, HP_MASK),
    "soft_points": Param(2, "points for the last fire on a soft block", 0, 1000),
    "ore_points": Param(10, "points for the last fire on an ore block", 0, 1000),
    "hit_points": Param(25, "points for each fire that hits another player", 0, 1000),
    "treasure_points": Param(1, "points for a treasure", 0, 1000),
    "player_hp": Param(3, "HP of a player at the start", 1, 1000),
    "player_ammo": Param(3, "ammo of a player at the start", 0, 1000),
    "bomb_ticks": Param(35, "ticks from laying a bomb to its fire, the tick it is laid in included", 1, 1000),
    "blast_radius": Param(2, "cells that fire reaches in each direction", 0, 64),
    "ammo_lifetime_ticks": Param(175, "ticks that an ammo token lies before it perishes", 1, 10_000),
    "ammo_return_ticks": Param(70, "ticks until ammo that was used or has perished comes back", 1, 10_000),
    "treasure_min_ticks": Param(50, "least number of ticks from one treasure to the next", 1, 10_000),
    "treasure_max_ticks": Param(250, "greatest number of ticks from one treasure to the next", 1, 10_000),
    "max_ticks": Param(1800, "ticks until the match ends by points", 1, 100_000),
    "move_order": Param(
        "shuffled",
        "one after another in an order drawn each tick, or all at once (contests and swaps bounce)",
        choices=("shuffled", "simultaneous"),
    ),
    "chain": Param(
        "delayed", "a bomb hit by fire makes its own one tick later, or at once", choices=("delayed", "instant")
    ),
    "double_pay": Param(default=True, help="further fires on a block that died in the same tick pay as well"),
    "symmetric": Param(default=False, help="generate maps that look the same from every seat (2 or 4 seats)"),
    "hidden": Param(default=True, help="hide bomb timers and owners, fire, ore HP and what opponents hold"),
    "pace": Param(
        "lockstep", "wait for every answer, or a tick every tick_ms whoever answered", choices=("lockstep", "realtime")
    ),
    "tick_ms": Param(100, "length of a tick in ms at pace realtime", 1, 60_000),
    "map": Param("", "board as text (see games.bomber.maps for the signs); empty = generated from the seed"),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters under their names, typed, with the size of the board that is really played."""

    width: int
    height: int
    metal: int
    soft: int
    ore: int
    free_ammo: int
    soft_hp: int
    ore_hp: int
    soft_points: int
    ore_points: int
    hit_points: int
    treasure_points: int
    player_hp: int
    player_ammo: int
    bomb_ticks: int
    blast_radius: int
    ammo_lifetime_ticks: int
    ammo_return_ticks: int
    treasure_min_ticks: int
    treasure_max_ticks: int
    max_ticks: int
    move_order: str
    chain: str
    double_pay: bool
    symmetric: bool
    hidden: bool
    pace: str
    tick_ms: int


def make_rules(params: Mapping[str, ParamValue], *, size: tuple[int, int] | None) -> Rules:
    """The typed parameters; `size` (width, height) is the size of a given map."""
    if params["treasure_min_ticks"] > params["treasure_max_ticks"]:  # type: ignore[operator]  # both whole numbers
        least = params["treasure_min_ticks"]
        raise ValueError(f"treasure_max_ticks: expected at least {least}, got {params['treasure_max_ticks']}")
    values: dict[str, Any] = {field.name: params[field.name] for field in fields(Rules)}
    if size is not None:
        values["width"], values["height"] = size
    return Rules(**values)
