"""Matches that a run finds in its tables as well as in its records: they are taken over as they are. Plays nothing."""

from __future__ import annotations

import asyncio
from functools import partial

from gridjoust.runner.bans import Bans
from gridjoust.runner.entering import Desk
from gridjoust.runner.kept_records import KeptRecords
from gridjoust.runner.plan import Played
from gridjoust.runner.record.lines import MatchRecord

_AT_ONCE = 50  # matches between two looks at everything else


async def take_over(desk: Desk, kept: KeptRecords, bans: Bans) -> None:
    """Enter the matches that the tables begin with, as long as they are those of the schedule and may stay.

    Where one is not, the tables are begun anew with those before it, and the schedule goes on with it.
    """
    taken: list[str] = []
    for match_id, rows in desk.tables.kept_matches():
        pairing = next(desk.schedule, None)
        outline = None if pairing is None or pairing.match_id != match_id else _stays(match_id, kept, bans)
        if pairing is None or outline is None:
            desk.tables.begin_anew()
            for one in taken:
                desk.tables.add(_whole(kept, one))
            if pairing is not None:
                desk.schedule.give_back(pairing)
            return
        bans.enter(outline)
        desk.enter_kept(Played(pairing, outline, is_new=False, rows=rows, load=partial(_whole, kept, match_id)))
        taken.append(match_id)
        if len(taken) % _AT_ONCE == 0:
            await asyncio.sleep(0)


def _stays(match_id: str, kept: KeptRecords, bans: Bans) -> MatchRecord | None:
    """The outline of a match that is not to be played again."""
    outline = kept.outline(match_id)
    if outline is None or not outline.end.counted or bans.is_worth_another_try(outline):
        return None
    return outline if bans.are_kept_by(outline) else None


def _whole(kept: KeptRecords, match_id: str) -> MatchRecord:
    record = kept.find(match_id)
    assert record is not None, "it was there when the run began"
    return record
