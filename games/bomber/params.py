"""The parameters of bomber with help and bounds, and the typed value that the rules read.

A `map` fixes the size of the board and everything on it; `width`, `height`, `metal`, `soft`, `ore`, `free_ammo` and
`symmetric` have no effect then. A preset sets the parameters in its row of `PRESETS`; explicit parameters override it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from gridjoust.games.api import Metric, Param, ParamValue
from gridjoust.games.bomber.board import Board, Rays, closing_cells, closing_ticks, make_board, make_rays
from gridjoust.games.bomber.state import HP_MASK


def _param(*args: Any, **options: Any) -> Any:
    return field(metadata={"param": Param(*args, **options)})


@dataclass(frozen=True)
class Rules:
    """The typed parameters of a match, with the size of its board.

    The class has no slots, because it caches the tables that every tick needs.
    """

    width: int = _param(9, "columns of a generated map", 3, 64)
    height: int = _param(9, "rows of a generated map", 3, 64)
    metal: int = _param(10, "blocks that never break", 0, 4096)
    soft: int = _param(14, "blocks that break easily", 0, 4096)
    ore: int = _param(3, "blocks that pay well and take several fires", 0, 4096)
    free_ammo: int = _param(1, "ammo tokens on the ground at the start", 0, 4096)
    soft_hp: int = _param(1, "fires that a soft block takes", 1, HP_MASK)
    ore_hp: int = _param(3, "fires that an ore block takes", 1, HP_MASK)
    soft_points: int = _param(2, "points for the last fire on a soft block", 0, 1000)
    ore_points: int = _param(10, "points for the last fire on an ore block", 0, 1000)
    hit_points: int = _param(25, "points for each fire that hits another player", 0, 1000)
    treasure_points: int = _param(1, "points for a treasure", 0, 1000)
    player_hp: int = _param(3, "HP of a player at the start", 1, 1000)
    player_ammo: int = _param(3, "ammo of a player at the start", 0, 1000)
    bomb_ticks: int = _param(10, "ticks from laying a bomb to its fire, the tick it is laid in included", 1, 1000)
    blast_radius: int = _param(2, "cells that fire reaches in each direction", 0, 64)
    ammo_lifetime_ticks: int = _param(175, "ticks that an ammo token lies before it perishes", 1, 10_000)
    ammo_return_ticks: int = _param(20, "ticks until ammo that was used or has perished comes back", 1, 10_000)
    treasure_min_ticks: int = _param(50, "smallest number of ticks from one treasure to the next", 1, 10_000)
    treasure_max_ticks: int = _param(250, "largest number of ticks from one treasure to the next", 1, 10_000)
    max_ticks: int = _param(300, "ticks until the match ends by points", 1, 100_000)
    move_order: str = _param(
        "shuffled",
        "players move one after another in a random order, or all at once (rivals for a cell then stay put)",
        choices=("shuffled", "simultaneous"),
    )
    chain: str = _param(
        "delayed", "a bomb hit by fire explodes one tick later, or at once", choices=("delayed", "instant")
    )
    double_pay: bool = _param(default=True, help="a block pays also for further fires in the tick in which it breaks")
    symmetric: bool = _param(default=False, help="generate maps that look the same from every seat (2 or 4 seats)")
    hidden: bool = _param(default=True, help="hide bomb timers and owners, fire, ore HP and what opponents hold")
    close_from: int = _param(
        80, "tick in which the first cell at the edge becomes metal; 0 = the board stays open", 0, 100_000
    )
    close_every: int = _param(
        2,
        "ticks from one such cell to the next, in a clockwise spiral from the top left corner; bombs there do not fire",
        1,
        1000,
    )
    pace: str = _param(
        "lockstep", "wait for every answer, or play a tick every tick_ms", choices=("lockstep", "realtime")
    )
    tick_ms: int = _param(100, "length of a tick in ms at pace realtime", 1, 60_000)

    @cached_property
    def board(self) -> Board:
        """The geometry of the board."""
        return make_board(self.width, self.height)

    @cached_property
    def closing_ticks(self) -> tuple[int, ...]:
        """The tick in which each cell becomes metal, by cell number; `NEVER` if the board stays open."""
        return closing_ticks((self.width, self.height), self.close_from, self.close_every)

    @cached_property
    def closes(self) -> Mapping[int, int]:
        """Tick -> the cell that becomes metal in it."""
        return closing_cells((self.width, self.height), self.close_from, self.close_every)

    @cached_property
    def rays(self) -> Rays:
        """The four rays of a blast from each cell, by cell number."""
        return make_rays((self.width, self.height), self.blast_radius)


PRESETS: Mapping[str, Mapping[str, ParamValue]] = {
    "arena": {},  # the defaults: short fuses on a small board that closes, so that good bots meet
    "coderone": {  # parameters of the original contest
        "width": 12,
        "height": 10,
        "metal": 18,
        "soft": 20,
        "ore": 5,
        "bomb_ticks": 35,
        "ammo_return_ticks": 70,
        "max_ticks": 1800,
        "close_from": 0,
    },
}
PARAMS: Mapping[str, Param] = {
    "preset": Param("arena", "a named set of parameters; parameters given beside it win", choices=tuple(PRESETS)),
    **{each.name: each.metadata["param"] for each in fields(Rules)},
    "map": Param("", "board as text (see gridjoust.games.bomber.maps for the signs); empty = generated from the seed"),
}

METRICS: Mapping[str, Metric] = {
    "score": Metric("Points at the end", "higher"),
    "hp": Metric("Hit points left", "higher"),
    "ammo_used": Metric("Bombs laid"),
    "soft_blocks": Metric("Soft blocks it was paid for", "higher"),
    "ore_blocks": Metric("Ore blocks it was paid for", "higher"),
    "treasure": Metric("Treasure collected", "higher"),
    "hits": Metric("Hits dealt to others", "higher"),
    "near_misses": Metric("Times its fire burnt beside an opponent without a hit"),
    "traps": Metric("Bombs that left an opponent no way out of the fire", "higher"),
    "own_hits": Metric("Hits taken from its own bombs", "lower"),
    "ticks": Metric("Ticks alive", "higher"),
}


def expand(params: Mapping[str, ParamValue]) -> dict[str, ParamValue]:
    """Return the parameters, with those of their preset where they give none; nothing is checked."""
    preset = params.get("preset")
    return {**PRESETS.get(preset, {}), **params} if isinstance(preset, str) else dict(params)


def make_rules(params: Mapping[str, ParamValue], *, size: tuple[int, int] | None) -> Rules:
    """Return the typed parameters; `size` is (width, height) of a given map. ValueError for a contradiction."""
    if params["treasure_min_ticks"] > params["treasure_max_ticks"]:  # type: ignore[operator]  # both are whole numbers
        least = params["treasure_min_ticks"]
        raise ValueError(f"treasure_max_ticks: expected at least {least}, got {params['treasure_max_ticks']}")
    values: dict[str, Any] = {each.name: params[each.name] for each in fields(Rules)}
    if size is not None:
        values["width"], values["height"] = size
    return Rules(**values)
