"""One planned match as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gridjoust.games.api import AnyGame, ParamValue
from gridjoust.runner.config.values import ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.seeds import content_id


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot in one match: its program, its seats and its limits."""

    bot: str  # name in the tournament
    program: RoleProgram  # resolved: `*/astar` replaced by the game's bot, relative paths made absolute
    program_hash: str  # hash of the program's code or command and options
    seats: tuple[int, ...]  # sorted
    time: TimeLimits
    limits: ResourceLimits


@dataclass(frozen=True, slots=True)
class Pairing:
    """One planned match. `match_id` is a hash of everything that could change its result."""

    index: int  # place in the schedule; tables are written in this order
    match_id: str
    game: str
    game_version: str
    variant: str
    params: tuple[tuple[str, ParamValue], ...]  # resolved, sorted by name, map text included
    params_id: str
    map_name: str  # "" if the game has no maps
    seats: int
    round: int  # from 1
    pair_id: str  # shared by matches of the same bots on one seed with swapped seats
    seed: int
    entrants: tuple[Entrant, ...]  # exactly one holds each seat
    schedule_reason: str


def single_pairing(game: AnyGame, entrants: tuple[Entrant, ...], **own: Any) -> Pairing:
    """Return a match outside any schedule; `own`: its ids, seed, reason, and perhaps index and round (default 0, 1)."""
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
