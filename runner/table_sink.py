"""The tables of a run: matches are added in schedule order, in whatever order they finish.

The schedule decides by what has been added. So tables do not depend on how many matches run at once, or where.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from gridjoust.runner.config.load import resolve
from gridjoust.runner.plan import Played, PreparedPlan
from gridjoust.runner.play.bans import Bans
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.maker import mark_folder
from gridjoust.runner.results.packs.packing import BackgroundPacking
from gridjoust.runner.results.records.file import UNUSED, list_ids
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.secrets import publish_secrets
from gridjoust.runner.results.tables.schedule_file import at_its_end, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.schedule import Schedule

OnPlayed = Callable[[Played], None]
_AT_ONCE = 50  # matches between two looks at everything else


@dataclass(slots=True)
class TableSink:
    """The tables of a run and its schedule; takes matches in schedule order."""

    schedule: Schedule
    tables: TableWriter
    on_played: OnPlayed
    packing: BackgroundPacking | None = None
    added: set[str] = field(default_factory=set)  # ids of matches

    def add(self, played: Played) -> None:
        """Write the rows of a match to the tables, then report the match to the schedule and to `on_played`."""
        self.add_kept(replace(played, rows=self.tables.add(played.record)))

    def add_kept(self, played: Played) -> None:
        """Report a match whose rows an earlier run wrote: to the schedule and to `on_played`."""
        self.added.add(played.pairing.match_id)
        self.schedule.enter(played.rows)
        self.on_played(played)
        if self.packing is not None:
            self.packing.enter(played.pairing.match_id)

    async def finish(self) -> None:
        """Wait for work in the background, once all matches have been added."""
        if self.packing is not None:
            await self.packing.finish()


@contextmanager
def open_table_sink(plan: PreparedPlan, on_played: OnPlayed) -> Iterator[TableSink]:
    """Open the tables of a run; if the context ends without an error, the results folder is marked as complete."""
    schedule = plan.schedule(plan.loaded)
    if schedule.planned is not None:
        write_planned(plan.out, schedule.planned)
    with TableWriter(plan.out, key=plan.kept.key, kept=plan.kept.tables()) as tables:
        packing = BackgroundPacking(plan.out, plan.kept.note) if plan.loaded.config.records == "packed" else None
        sink = TableSink(schedule, tables, on_played, packing)
        try:
            yield sink
        finally:
            if packing is not None:
                packing.close()
    _complete(plan, sink.added)
    if schedule.planned is not None:
        write_planned(plan.out, at_its_end(schedule.planned, len(sink.added)))


def _complete(plan: PreparedPlan, added: Set[str]) -> None:
    """Finish the results folder of a run whose matches are all played.

    Move records of unknown origin aside, list records of matches outside the schedule (not in `added`), and publish
    the folder's secrets.
    """
    plan.kept.set_aside_strangers()
    if unused := list_ids(plan.out) - added:
        (plan.out / UNUSED).write_text("\n".join(sorted(unused)) + "\n", encoding="utf-8")
    if plan.is_seed_secret:
        mark_folder(plan.out, resolve(plan.loaded))  # names the seed
    publish_secrets(plan.out)


async def take_over(sink: TableSink, kept: KeptRecords, bans: Bans) -> None:
    """Add the matches of the existing tables, as long as they are those of the schedule and may stay.

    If one is not, begin the tables again with the matches before it, and let the schedule continue there.
    """
    taken: list[str] = []
    for match_id, rows in sink.tables.kept_matches():
        pairing = next(sink.schedule, None)
        outline = None if pairing is None or pairing.match_id != match_id else _stays(match_id, kept, bans)
        if pairing is None or outline is None:
            sink.tables.begin_anew()
            for one in taken:
                sink.tables.add(_whole(kept, one))
            if pairing is not None:
                sink.schedule.give_back(pairing)
            return
        bans.enter(outline)
        sink.add_kept(Played(pairing, outline, is_new=False, rows=rows, load=partial(_whole, kept, match_id)))
        taken.append(match_id)
        if len(taken) % _AT_ONCE == 0:
            await asyncio.sleep(0)


def _stays(match_id: str, kept: KeptRecords, bans: Bans) -> MatchRecord | None:
    """Return header and end of a match's record, if the match need not be played again; else None."""
    outline = kept.outline(match_id)
    if outline is None or not outline.end.counted or bans.is_worth_another_try(outline):
        return None
    return outline if bans.are_kept_by(outline) else None


def _whole(kept: KeptRecords, match_id: str) -> MatchRecord:
    record = kept.find(match_id)
    assert record is not None, "it was there when the run began"
    return record
