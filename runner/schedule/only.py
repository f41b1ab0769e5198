"""Of a schedule that is known in advance the matches of some bots, and those that were played before."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import msgspec

from gridjoust.runner.schedule.stream import Schedule


def schedule_of(bots: Collection[str], whole: Schedule, *, is_recorded: Callable[[str], bool]) -> Schedule:
    """The matches of these bots and the recorded ones, by match id, numbered anew; the plan names the bots."""
    wanted = (
        pairing
        for pairing in whole
        if any(entrant.bot in bots for entrant in pairing.entrants) or is_recorded(pairing.match_id)
    )
    schedule = Schedule(replace(pairing, index=index) for index, pairing in enumerate(wanted))
    if whole.planned is not None:
        schedule.planned = msgspec.structs.replace(whole.planned, only=tuple(bots))
    return schedule
