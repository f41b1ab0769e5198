"""One planned match as a value. Decides nothing about who meets whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridjoust.games.api import AnyGame, ParamValue
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.seeds import content_id


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot in one match: the program that plays, the seats it holds, its limits."""

    bot: str  # name in the tournament
    program: RoleProgram  # resolved: `*/astar` replaced by the game's bot, relative paths made absolute
    program_hash: str  # of the program's code or command and options
    seats: tuple[int, ...]  # sorted
    time: TimeLimits
    limits: ResourceLimits


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match. `match_id` is its content address: everything that could change its result."""

    index: int  # place in the schedule; tables are written in this order
    match_id: str
    game: str
    game_version: str
    variant: str
    params: tuple[tuple[str, ParamValue], ...]  # resolved, sorted by name, map text included
    params_id: str
    map_name: str  # "" where the game has no maps
    seats: int
    round: int  # from 1
    pair_id: str  # the same for matches on one seed between the same bots, seats swapped
    seed: int
    entrants: tuple[Entrant, ...]  # every seat is held by exactly one
    schedule_reason: str


def single_pairing(game: AnyGame, entrants: tuple[Entrant, ...], **own: Any) -> Pairing:
    """A match of this game outside any schedule; `own`: its ids, its seed, the reason, perhaps index and round."""
    spec, params = game.spec, tuple(sorted(game.params.items()))
    return Pairing(
        game=spec.name,
        game_version=spec.version,
        variant=spec.name,
        params=params,
        params_id=content_id([spec.name, dict(params)], digits=8),
        map_name="",
        seats=game.seats,
        entrants=entrants,
        **{"index": 0, "round": 1} | own,
    )
