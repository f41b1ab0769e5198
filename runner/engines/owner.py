"""The owner's side of a run on an engine: its schedule fills batches; records that come back enter in schedule order.

A record is saved as soon as it comes, so that nothing is lost if workers or the owner fail. It enters the tables in
schedule order. Bans are decided in that order too: a match that was played under other bans is played again, and so are
all matches that were submitted before the decision.

Records that workers send must be of the right match, within bounds, and true by the rules. Header and bounds of every
record are checked. The owner also applies the turns again for the first records of each worker, and for a random sample
of the others, one in `ONE_IN`.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from gridjoust.games.api import AnyGame
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Engine, Finished, Lost, Outcome
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.job import ItemMaker
from gridjoust.runner.plan import PreparedPlan
from gridjoust.runner.play.breakdown import broken_record, traceback_file
from gridjoust.runner.play.heading import make_header
from gridjoust.runner.results import replay
from gridjoust.runner.results.records.chain import check_seal
from gridjoust.runner.results.records.file import parse_record
from gridjoust.runner.results.records.lines import FaultLine, Header, MatchRecord, Termination, UsageLine
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.table_sink import Bans, Played, TableSink, open_table_sink, take_over
from gridjoust.runner.wire.errors import RecordError
from gridjoust.runner.wire.protocol import PROTOCOL, Ready
from gridjoust.runner.wire.text import plain_text

TICK_S = 1.0  # the longest time between two tests if a batch should be submitted again
IN_MEMORY = 2_000  # records in memory that wait for their turn; others are read again from the results folder
MOST_WAITING = 100_000  # the most matches that are submitted or have come back but have not entered
MOST_TRACEBACK = 100_000  # characters
YIELD_EVERY = 50  # matches that enter, or are planned, before other tasks run


@dataclass(slots=True)
class _Waiting:
    """A match that has been planned but is not in the tables yet."""

    pairing: Pairing
    told: dict[str, str] | None = None  # bans under which it was submitted; None = not submitted
    record: MatchRecord | None = None
    is_there: bool = False  # the record is saved
    is_new: bool = True
    attempts: int = 0  # attempts in earlier runs


async def run_on_engine(
    plan: PreparedPlan, engine: Engine, *, on_played: Callable[[Played], None], dispatcher: Dispatcher | None = None
) -> str:
    """Play the missing matches on an engine, as `run_tournament` does here; return what the schedule has decided."""
    with open_table_sink(plan, on_played) as sink:
        await Owner(plan, engine, sink, dispatcher or Dispatcher()).run()
        await sink.finish()
    return sink.schedule.verdict


@dataclass(slots=True)
class Owner:
    """Plays all matches of a plan on an engine; start it with `run`."""

    plan: PreparedPlan
    engine: Engine
    sink: TableSink
    dispatcher: Dispatcher
    bans: Bans = field(init=False)
    maker: ItemMaker = field(init=False)
    belief: Belief = field(init=False)
    waiting: deque[_Waiting] = field(default_factory=deque)
    by_id: dict[str, _Waiting] = field(default_factory=dict)
    in_memory: int = 0
    is_exhausted: bool = False

    def __post_init__(self) -> None:
        config = self.plan.loaded.config
        self.bans = Bans(config.faults, self.plan.loaded.broken)
        self.maker = ItemMaker(self.plan.loaded)
        self.belief = Belief(self.plan.loaded)

    async def run(self) -> None:
        """Plan, submit and enter matches until all are played; BrokerError if the engine is lost."""
        await take_over(self.sink, self.plan.kept, self.bans)
        while True:
            await self._plan_ahead()
            if await self._enter_what_is_there():
                continue  # the schedule may have more matches now
            if self.is_exhausted and not self.waiting:
                return
            await self._submit()
            outcome = await self.engine.next_finished(TICK_S)
            if outcome is not None:
                await self._take(outcome)

    async def _plan_ahead(self) -> None:
        """Plan matches until all workers have enough work, or until the schedule needs results to go on."""
        schedule, count = self.sink.schedule, 0
        while not (self.is_exhausted or schedule.is_waiting or len(self.waiting) >= MOST_WAITING):
            if not self.dispatcher.wants_more(self.engine.slots):
                return
            if (pairing := next(schedule, None)) is None:
                self.is_exhausted = True
                return
            self._plan(pairing)
            count += 1
            if count % YIELD_EVERY == 0:
                await asyncio.sleep(0)

    def _plan(self, pairing: Pairing) -> None:
        one = _Waiting(pairing)
        self.waiting.append(one)
        self.by_id[pairing.match_id] = one
        record = self.plan.kept.find(pairing.match_id)
        if record is not None and record.end.counted and not self.bans.is_worth_another_try(record):
            one.is_new = False
            self._hold(one, record)
            return
        one.attempts = 0 if record is None else record.usage.attempts
        self.dispatcher.add(self.maker.make(pairing))

    def _hold(self, one: _Waiting, record: MatchRecord) -> None:
        one.is_there = True
        if self.in_memory < IN_MEMORY:
            one.record = record
            self.in_memory += 1

    async def _enter_what_is_there(self) -> bool:
        """Add records to the tables in schedule order, up to the first missing one; return True if there was any."""
        count = 0
        while self.waiting and self.waiting[0].is_there:
            one = self.waiting[0]
            record = self._take_record(one)
            if record is None or not self.bans.are_kept_by(record):
                self._plan_again(one)
                self._heed_bans()
                break
            self.waiting.popleft()
            del self.by_id[one.pairing.match_id]
            before = self.bans.count
            self.bans.enter(record)
            if self.bans.count != before:
                self._heed_bans()
            self.sink.add(Played(one.pairing, record, is_new=one.is_new))
            count += 1
            if count % YIELD_EVERY == 0:
                await asyncio.sleep(0)
        return count > 0

    def _take_record(self, one: _Waiting) -> MatchRecord | None:
        if one.record is None:
            return self.plan.kept.find(one.pairing.match_id)
        record, one.record = one.record, None
        self.in_memory -= 1
        return record

    def _plan_again(self, one: _Waiting) -> None:
        if one.record is not None:
            self._take_record(one)
        one.is_there, one.is_new, one.told = False, True, None
        self.dispatcher.withdraw(one.pairing.match_id)
        self.dispatcher.add(self.maker.make(one.pairing))

    def _heed_bans(self) -> None:
        """Plan the matches again that were submitted before a ban on bots changed, and are not in the tables yet."""
        for one in self.waiting:
            if one.told is not None and one.told != self._bans_of(one.pairing):
                self._plan_again(one)

    def _bans_of(self, pairing: Pairing) -> dict[str, str]:
        return self.bans.among(entrant.bot for entrant in pairing.entrants)

    async def _submit(self) -> None:
        now_s, slots = time.monotonic(), self.engine.slots
        while self.engine.room > 0:
            batch = self.dispatcher.next_batch(slots, now_s)
            if batch is None and (batch := self.dispatcher.copy_of_oldest(now_s)) is None:
                return
            await self.engine.submit(replace(batch, bans=self._tell_bans(batch)))

    def _tell_bans(self, batch: Batch) -> dict[str, str]:
        bans: dict[str, str] = {}
        for item in batch.items:
            one = self.by_id[item.match_id]
            one.told = self._bans_of(one.pairing)
            bans |= one.told
        return bans

    async def _take(self, outcome: Outcome) -> None:
        if isinstance(outcome, Lost):
            for match_id in self.dispatcher.lost(outcome.number, outcome.deaths):
                self._give_up(self.by_id[match_id], outcome)
            return
        given = {match_id: self.by_id[match_id].pairing for match_id in self._wanted_of(outcome.number)}
        try:
            asked = await asyncio.to_thread(_believed, outcome, given, self.belief)
        except LieError as error:
            await self._reject(outcome, error)
            return
        spare: list[int] = []
        if outcome.is_whole:
            new, spare = self.dispatcher.came_back(outcome.number, asked)
        else:
            new = self.dispatcher.came_partly(asked)
        kept = [self._signed(self.by_id[match_id], asked[match_id], outcome) for match_id in new]
        await asyncio.to_thread(self._keep, kept, outcome)
        size = sum(map(len, outcome.records)) // max(1, len(outcome.records))
        for record in kept:
            one = self.by_id[record.header.match_id]
            self._hold(one, record)
            seconds = record.usage.duration_ms / 1000 / max(1, outcome.parallel)
            self.dispatcher.measured(self.maker.place_of(one.pairing), seconds, size)
        for number in spare:
            await self.engine.cancel(number)

    def _wanted_of(self, number: int) -> list[str]:
        """Return the ids of the matches of a batch that are still missing."""
        return [match_id for match_id in self.dispatcher.ids_of(number) if match_id in self.by_id]

    async def _reject(self, outcome: Finished, error: LieError) -> None:
        """Send no more work to a worker after a record that contradicts the rules."""
        if outcome.is_whole:
            self.dispatcher.lost(outcome.number, deaths=0)
        await self.engine.reject(outcome.worker, f"its record contradicts the rules: {error}")

    def _signed(self, one: _Waiting, record: MatchRecord, outcome: Finished) -> MatchRecord:
        usage: UsageLine = record.usage
        machine = plain_text(outcome.worker, limit=64)
        return replace(record, usage=replace(usage, machine=machine, attempts=usage.attempts + one.attempts))

    def _keep(self, records: list[MatchRecord], outcome: Finished) -> None:
        for record in records:
            self.plan.kept.write(record)
            text = outcome.tracebacks.get(record.header.match_id)
            if text is not None:
                file = traceback_file(self.plan.out, record.header.match_id)
                lines = text[:MOST_TRACEBACK].splitlines()
                file.write_text("\n".join(map(plain_text, [*lines, ""])), encoding="utf-8")

    def _give_up(self, one: _Waiting, lost: Lost) -> None:
        """Record a match that kills its workers as void; `--resume` tries it again."""
        ready = [None] * len(one.pairing.entrants)
        reason = plain_text(f"gave up: the workers that played it alone died, the last {lost.worker}: {lost.reason}")
        tournament = self.plan.loaded.config.tournament
        record = broken_record(
            one.pairing, reason, tournament=tournament, ready=ready, started=datetime.now(UTC), attempt=1
        )
        self.plan.kept.write(record)
        self._hold(one, record)


def _believed(outcome: Finished, given: Mapping[str, Pairing], belief: Belief) -> dict[str, MatchRecord]:
    """Return, by match id, the valid records in what a worker sent; LieError if the rules contradict one.

    `given`: the matches that the worker was asked to play.
    """
    place, records = Path(outcome.worker), dict[str, MatchRecord]()
    for raw in outcome.records:
        try:
            check_seal(place, raw)
            record = parse_record(place, raw)
            pairing = given.get(record.header.match_id)
            if pairing is not None:
                belief.check(record, pairing, worker=outcome.worker)
                records[pairing.match_id] = record
        except LieError:
            raise
        except RecordError:
            continue  # a missing match is played again
    return records


FIRST = 2  # the first records of a worker, which are all applied again
ONE_IN = 16  # one of so many later records is applied again
MOST_LETTERS = 10_000  # characters of a reason or a fault
_YEARS = range(2000, 2200)


class LieError(RecordError):
    """A record from a worker that the rules of the game contradict."""


@dataclass(slots=True)
class Belief:
    """Checks the records that workers send in one run; `rng` draws the sample that is replayed by the rules."""

    loaded: LoadedTournament
    rng: random.Random = field(default_factory=random.SystemRandom)
    _games: Mapping[tuple[str, str], AnyGame] = field(init=False)
    _seen: Counter[str] = field(default_factory=Counter)  # number of records by worker

    def __post_init__(self) -> None:
        self._games = {(one.name, one.map_name): one.game for one in self.loaded.variants}

    def check(self, record: MatchRecord, pairing: Pairing, *, worker: str) -> None:
        """Check a record; RecordError for another match or bad values, LieError if the rules contradict it."""
        if _decided(record.header) != self._expected(pairing):
            raise RecordError(f"match {pairing.match_id}: expected the match of the batch, got another one")
        _check_bounds(record)
        self._seen[worker] += 1
        if self._seen[worker] <= FIRST or self.rng.randrange(ONE_IN) == 0:
            _apply_again(record)

    def _expected(self, pairing: Pairing) -> Header:
        game, ready = self._games[pairing.variant, pairing.map_name], [None] * len(pairing.entrants)
        header = make_header(pairing, game, tournament=self.loaded.config.tournament, ready=ready)
        return _decided(msgspec.json.decode(msgspec.json.encode(header), type=Header))


def _decided(header: Header) -> Header:
    """Return a record's header without the values that bots declare themselves, to compare it with the planned one."""
    return replace(header, seats=[replace(seat, planner="", bot_version="") for seat in header.seats])


def _check_bounds(record: MatchRecord) -> None:
    where, end = f"match {record.header.match_id}", record.end
    for seat in record.header.seats:
        declared = {"type": "ready", "protocol": PROTOCOL, "planner": seat.planner, "version": seat.bot_version}
        try:
            is_plain = msgspec.convert(declared, Ready).version == seat.bot_version
        except msgspec.ValidationError as error:
            raise RecordError(f"{where}: {error}") from None
        if not is_plain:
            raise RecordError(f"{where}: expected a version as a bot may declare it, got {seat.bot_version!r:.100}")
    for text in (end.reason, *(line.detail for line in record.lines if isinstance(line, FaultLine))):
        if text != plain_text(text, limit=MOST_LETTERS):
            raise RecordError(f"{where}: expected a plain text of at most {MOST_LETTERS} letters, got {text!r:.60}")
    if end.counted and end.termination is Termination.VOID:
        raise RecordError(f"{where}: expected a void match that does not count")
    started = record.usage.started_utc
    try:
        year = datetime.fromisoformat(started).year
    except ValueError:
        year = 0
    if year not in _YEARS:
        raise RecordError(f"{where}: expected a time, got {started!r:.60}")


def _apply_again(record: MatchRecord) -> None:
    if record.end.termination is Termination.VOID:  # a bug of the rules may have ended it
        return
    try:
        divergence = replay.verify(record)
    except Exception as error:  # rules may fail on invented turns
        raise LieError(f"match {record.header.match_id}: the rules fail at its turns: {error}") from None
    if divergence is not None:
        raise LieError(f"match {record.header.match_id}: turn {divergence.turn}: {divergence.detail}")
