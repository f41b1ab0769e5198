"""The beginning of a match: the start message for its bots, and its record's header and usage line.

A header has everything of its pairing except the programs, so the pairing can be made from it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime

import msgspec

from gridjoust.games.api import AnyGame
from gridjoust.runner import __version__
from gridjoust.runner.processes.process import Usage
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.results.records.lines import FORMAT, Header, SeatEntry, UsageLine
from gridjoust.runner.schedule.pairing import Entrant, Pairing
from gridjoust.runner.seeds import bot_seed
from gridjoust.runner.wire.protocol import Ready, Start

_SAME = sorted({*Header.__struct_fields__} & {field.name for field in fields(Pairing)} - {"params", "seats"})


def start_for(entrant: Entrant, pairing: Pairing, game: AnyGame, state: object, run_key: bytes) -> Start:
    """Return the start message for an entrant; `state` is the start position."""
    return start_message(
        game,
        state,
        match_id=pairing.match_id,
        variant=pairing.variant,
        seats=entrant.seats,
        bot_seed=bot_seed(run_key, pairing.match_id, entrant.seats[0]),
        time=entrant.time,
        options=entrant.program.options,
    )


def make_header(pairing: Pairing, game: AnyGame, *, tournament: str, ready: Sequence[Ready | None]) -> Header:
    """Return the header of a match; `ready` has what every entrant declared, None if it never did."""
    time = {str(seat): msgspec.to_builtins(entrant.time) for entrant in pairing.entrants for seat in entrant.seats}
    pairs = zip(pairing.entrants, ready, strict=True)
    entries = {seat: _seat_entry(entrant, said, game, seat) for entrant, said in pairs for seat in entrant.seats}
    return Header(
        format=FORMAT,
        tournament=tournament,
        params=dict(game.params),
        map=pairing.map_name,
        seats=[entries[seat] for seat in range(pairing.seats)],
        time=time,
        runner_version=__version__,
        **{name: getattr(pairing, name) for name in _SAME},
    )


def pairing_of(header: Header, entrants: tuple[Entrant, ...]) -> Pairing:
    """Return the pairing of a recorded match under the same id, so that every bot gets the same `bot_seed` again."""
    return Pairing(
        index=0,
        params=tuple(sorted(header.params.items())),
        map_name=header.map,
        seats=len(header.seats),
        entrants=entrants,
        **{name: getattr(header, name) for name in _SAME},
    )


def _seat_entry(entrant: Entrant, ready: Ready | None, game: AnyGame, seat: int) -> SeatEntry:
    return SeatEntry(
        bot=entrant.bot,
        planner=ready.planner if ready is not None else "other",
        bot_version=ready.version if ready is not None else "",
        bot_hash=entrant.program_hash,
        team=game.teams[seat],
        role=game.roles[seat],
    )


def make_usage(
    pairing: Pairing,
    started: datetime,
    *,
    duration_ms: float,
    attempt: int,
    before: Sequence[Usage],
    after: Sequence[Usage],
) -> UsageLine:
    """Return the use of time and memory by a match, from the use of every entrant's process before and after it."""
    cpu_ms: list[float | None] = [None] * pairing.seats
    peak_mb: list[float | None] = [None] * pairing.seats
    for entrant, old, new in zip(pairing.entrants, before, after, strict=True):
        for seat in entrant.seats:
            if new.cpu_ms is not None and old.cpu_ms is not None:
                cpu_ms[seat] = round(new.cpu_ms - old.cpu_ms, 3)
            peak_mb[seat] = new.peak_mb
    return UsageLine(
        started_utc=started.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        duration_ms=round(duration_ms, 3),
        attempts=attempt,
        cpu_ms=cpu_ms,
        peak_mb=peak_mb,
    )
