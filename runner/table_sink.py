"""The tables of a run, and its bans: matches are added in schedule order, in whatever order they finish.

The schedule decides by what has been added. So tables do not depend on how many matches run at once, or where.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from gridjoust.runner.config.load import resolve
from gridjoust.runner.config.values import FaultPolicy
from gridjoust.runner.plan import PreparedPlan
from gridjoust.runner.referee.charges import MAX_DETAIL
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.maker import mark_folder
from gridjoust.runner.results.packs.packing import BackgroundPacking
from gridjoust.runner.results.records.file import UNUSED, list_ids
from gridjoust.runner.results.records.lines import Fault, FaultLine, MatchRecord, Termination
from gridjoust.runner.results.records.reasons import Ban, BanKind, read_ban
from gridjoust.runner.results.secrets import publish_secrets
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.schedule_file import at_its_end, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.schedule import Pairing, Schedule
from gridjoust.runner.wire.text import plain_text

QUARANTINE_AFTER = 3  # crashes in a row
_REMOTE_DISCONNECTS = (Fault.FAILED_TO_START, Fault.DISCONNECTED)  # no crashes of remote bots


class Bans:
    """The bots banned so far; enter every record in schedule order, and the bans apply to the match that comes next.

    They depend on the records alone: not on which match ended first, nor on how often a run was resumed. A match that
    was under way when a ban took effect is played again if it does not keep to the ban.
    """

    def __init__(
        self, faults: FaultPolicy, broken: Mapping[str, str] = MappingProxyType({}), remote: Collection[str] = ()
    ) -> None:
        """Begin without bans. `broken`: bots that cannot start -> why; `remote`: bots that may leave and come back."""
        self._broken = broken
        self._remote = remote
        self._disqualifies = faults.on_limit == "disqualify"
        self._crashes: Counter[str] = Counter()
        self._reasons: dict[str, str] = {}

    @property
    def count(self) -> int:
        """Number of banned bots."""
        return len(self._reasons)

    def among(self, bots: Iterable[str]) -> dict[str, str]:
        """Return those bots that are banned or cannot start, with the reason: bot -> detail of the failed start."""
        reasons = {**self._reasons, **self._broken}
        return {bot: reasons[bot] for bot in bots if bot in reasons}

    def are_kept_by(self, record: MatchRecord) -> bool:
        """Return True if the match was played without the suspended bots, and with all others."""
        if not self._reasons and not any(record.end.faults):
            return True
        bots = [entry.bot for entry in record.header.seats]
        kept_out = {bots[line.seat]: line.detail for line in _failed_starts(record) if read_ban(line.detail)}
        return kept_out == {bot: self._reasons[bot] for bot in bots if bot in self._reasons}

    def is_worth_another_try(self, record: MatchRecord) -> bool:
        """Return True if a bot that did not start in this match may start now, such as after its file was mended."""
        failed = (line for line in _failed_starts(record) if not read_ban(line.detail))
        return any(record.header.seats[line.seat].bot not in self._broken for line in failed)

    def enter(self, record: MatchRecord) -> None:
        """Count the crashes and forfeits of a match's bots; a void match counts for nothing."""
        end, bots = record.end, [entry.bot for entry in record.header.seats]
        if end.termination is Termination.VOID:
            return
        last = {line.seat: line for line in _faults(record)}
        crashes = {
            bots[seat]: last[seat].detail
            for seat in reversed(end.forfeited)
            if last[seat].fault.is_crash
            and not (bots[seat] in self._remote and last[seat].fault in _REMOTE_DISCONNECTS)
        }
        for bot in dict.fromkeys(bots):
            if bot in self._broken:
                continue
            self._crashes[bot] = self._crashes[bot] + 1 if bot in crashes else 0
            if self._crashes[bot] >= QUARANTINE_AFTER:
                self._ban(bot, Ban(BanKind.QUARANTINED, str(QUARANTINE_AFTER), crashes[bot]))
        for seat in end.forfeited if self._disqualifies else ():
            self._ban(bots[seat], Ban(BanKind.DISQUALIFIED, record.header.match_id, end.reason))

    def _ban(self, bot: str, ban: Ban) -> None:
        if bot not in self._broken:
            self._reasons.setdefault(bot, plain_text(ban.sentence, limit=MAX_DETAIL))


def _failed_starts(record: MatchRecord) -> Iterator[FaultLine]:
    return (line for line in _faults(record) if line.fault is Fault.FAILED_TO_START)


def _faults(record: MatchRecord) -> Iterable[FaultLine]:
    """Return the faults of a match in order; none are read if the match's end says that there are none."""
    if not any(record.end.faults):
        return []
    return (line for line in record.lines if isinstance(line, FaultLine))


_AT_ONCE = 50  # matches between two looks at everything else


@dataclass(frozen=True, slots=True)
class Played:
    """A match whose result rows are in the tables: its pairing, its record or an outline of it, and these rows."""

    pairing: Pairing
    outline: MatchRecord  # the record, of which turns and answers may be left out where there was no fault
    is_new: bool  # False: found in the folder
    rows: list[Row] = field(default_factory=list)  # of results.csv
    load: Callable[[], MatchRecord] | None = None  # the whole record, where the outline is not

    @property
    def record(self) -> MatchRecord:
        """The complete record of the match, read from disk if only its outline is in memory."""
        return self.outline if self.load is None else self.load()


OnPlayed = Callable[[Played], None]


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
