"""Plays a contest, in a process of its own: `python -m gridjoust.serve.play.playing`. Its page never delays a match.

The first line of standard input is its task; it ends at the end of that input. On standard output it writes `ready`
once the first match can begin, then the lines of running matches. The queue is in the store: a match that runs when
the process is killed is played again, unless its record is complete, and a result that comes twice is counted once.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
import time
from asyncio import StreamReader, StreamReaderProtocol
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.plan import Plan, make_plan, parallel_matches
from gridjoust.runner.play.breakdown import keep_traceback
from gridjoust.runner.results.maker import hold_folder
from gridjoust.runner.results.records.file import read_record, record_path, write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.schedule import Pairing, Schedule
from gridjoust.runner.spectate.spectators import NO_SPECTATORS, Spectators
from gridjoust.runner.tournament import MatchResources, open_resources, play_match
from gridjoust.runner.wire.errors import BrokerError, ConfigError, RecordError, format_os_error
from gridjoust.serve.config import Arena, ContestFile, Folders, load_contest, record_name, tournament_of
from gridjoust.serve.play.admission import Admission, MachineError, RefusedError, Task
from gridjoust.serve.play.batches import Active, Planned, make_batch, make_extras
from gridjoust.serve.play.child import HELD_S, READY, WATCHED, Start
from gridjoust.serve.play.spectators import BoardPipe, BoardSpectators
from gridjoust.serve.store import (
    WAITING,
    Store,
    admit,
    enter,
    entries_of,
    ladder_ratings,
    phase_of,
    queue,
    save_ratings,
)
from gridjoust.serve.tables import active
from gridjoust.serve.values import STEPS, Kind, Outcome, Phase, State
from gridjoust.tournament import open_for, run_loop

MACHINE = (BrokerError, OSError, sqlite3.OperationalError)  # failures that pass: a full disk, a lost broker
LOOK_S = 0.3  # between two looks for work
IDLE_S = 5.0  # from a batch without pairs, as after the deadline, to the next try: it reads much of the store
MOST_UNSAVED = 16  # results that are being written, before no further match begins
REFRESH_S = 5.0  # between two fits of the ratings
CALM_S = 20.0  # for which new versions may wait for others in admission, so that bots are started again once for all
MOST_TRIES = 3  # of an admission that the machine was too busy for
GRACE_S = 0.7  # for its own end
TROUBLE_S = 3.0  # from a failure of the machine to the next try


@dataclass(slots=True)
class Session:
    """A period in which the same bots play: their programs and processes stay."""

    arena: Arena
    labels: frozenset[str]  # of versions
    is_final: bool
    began_s: float
    resources: MatchResources


@dataclass(slots=True)
class Player:
    """Plays the queue of a contest, admits versions and keeps the ratings."""

    file: ContestFile
    folders: Folders
    store: Store
    seed: str | int
    key: bytes  # seals records
    spectators: Spectators = NO_SPECTATORS
    now_s: Callable[[], float] = time.time
    is_draining: bool = False  # no further match begins in this session
    _running: set[int] = field(default_factory=set)
    _last_was_extra: bool = False
    _slots: asyncio.Semaphore = field(init=False)
    _taking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _refreshed_s: float = 0.0
    _rated: int = -1  # matches that the ratings know
    _plan_at_s: float = 0.0

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(parallel_matches(self.file.loaded))

    async def run(self, ready: asyncio.Event) -> None:
        """Play and admit until cancelled; `ready` is set once matches can begin."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._admit_all(ready), name="contest.admission")
            group.create_task(self._play_sessions(ready), name="contest.matches")

    # matches

    def recover(self) -> None:
        """Enter the complete records of matches that ran when the last session ended; queue the others again."""
        for row in self.store.read(f"SELECT number, match_id FROM {WAITING} AND state = 'running'"):  # noqa: S608
            record = self._recorded(row["match_id"])
            if record is not None:
                self.store.write(partial(self._enter, number=row["number"], record=record))
        again = "UPDATE matches SET state = 'queued' WHERE state IN ('queued', 'running') AND state = 'running'"
        self.store.write(lambda one: one.execute(again))

    def _recorded(self, match_id: str) -> MatchRecord | None:
        try:
            return read_record(record_path(self.folders.results, match_id), keys=[self.key])
        except (RecordError, OSError):
            return None

    def _enter(self, connection: sqlite3.Connection, *, number: int, record: MatchRecord) -> None:
        enter(connection, number, record, suspend_after=self.file.section.suspend_after)

    async def _write(self, change: Callable[[sqlite3.Connection], object]) -> None:
        await asyncio.wrap_future(self.store.start_write(change))

    async def _play_sessions(self, ready: asyncio.Event) -> None:
        while True:
            try:
                await self._play_session(ready)
            except* MACHINE as errors:
                if not ready.is_set():
                    raise
                _complain(errors)
                await asyncio.sleep(TROUBLE_S)

    async def _play_session(self, ready: asyncio.Event) -> None:
        """Play until further versions must join, or the final begins."""
        self.is_draining, self._plan_at_s = False, 0.0
        self._running.clear()
        self.recover()
        final_seed = self.store.meta("final_seed")
        if final_seed is not None:
            others = f"DELETE FROM {WAITING} AND state = 'queued' AND kind != 'final'"  # noqa: S608
            self.store.write(lambda one: one.execute(others))
        labels = self._labels()
        entries = entries_of(self.store, self.folders, sorted(labels))
        seed = self.seed if final_seed is None else final_seed
        loaded = tournament_of(self.file, entries, seed=seed, start=self.folders.bots)
        plan = self._plan(msgspec.structs.replace(loaded, is_built=True))
        async with open_for(plan) as backend, open_resources(plan, backend) as resources:
            began_s = time.monotonic()
            session = Session(Arena(loaded), frozenset(labels), final_seed is not None, began_s, resources)
            await self._plan_extras(session)
            ready.set()
            async with asyncio.TaskGroup() as group:
                watch = group.create_task(_fail_when_lost(backend.lost), name="contest.connection")
                lanes = range(parallel_matches(loaded))
                playing = [group.create_task(self._play_lane(session, group), name=f"lane[{at}]") for at in lanes]
                while not self._must_change(session, final_seed):
                    await self._refresh(every_s=REFRESH_S)
                    await asyncio.sleep(LOOK_S)  # the other process rings no bell
                self.is_draining = True
                await asyncio.wait(playing)
                watch.cancel()

    def _plan(self, loaded: LoadedTournament) -> Plan:
        plan = make_plan(loaded, lambda _: Schedule(iter(())), self.folders.results, trust=self.file.trust)
        return replace(plan, spectators=self.spectators)

    def _labels(self) -> set[str]:
        """Return the versions that play, and earlier ones whose pair is half played."""
        active = self.store.read("SELECT label FROM versions WHERE is_active = 1 AND state = 'admitted'")
        halves = self.store.read(f"SELECT first, second FROM {WAITING}")  # noqa: S608
        labels = {row["label"] for row in active} | {label for row in halves for label in row}
        return labels - set(self.file.staff)

    def _must_change(self, session: Session, final_seed: str | None) -> bool:
        if self.store.meta("final_seed") != final_seed:
            return True
        if self._labels() <= session.labels:
            return False
        waiting = self.store.one("SELECT 1 FROM versions WHERE state IN ('waiting', 'testing')")
        return waiting is None or time.monotonic() - session.began_s > CALM_S

    async def _play_lane(self, session: Session, group: asyncio.TaskGroup) -> None:
        """Play one match after another; while the result of one is written, the next one begins."""
        while not self.is_draining:
            async with self._slots:
                async with self._taking:
                    taken = None if self.is_draining else await self._take(session)
                if taken is not None:
                    number, pairing = taken
                    record = await play_match(pairing, session.resources, banned=lambda _: {})
                    group.create_task(self._save(number, record), name=f"save[{number}]")
            if taken is None or len(self._running) > MOST_UNSAVED:
                await asyncio.sleep(LOOK_S)

    async def _save(self, number: int, record: MatchRecord) -> None:
        """Write the record of a match, then its result."""
        try:
            path = record_path(self.folders.results, record.header.match_id)
            await asyncio.to_thread(write_record, path, record, key=self.key)
            await self._write(partial(self._enter, number=number, record=record))
        finally:
            self._running.discard(number)

    async def _take(self, session: Session) -> tuple[int, Pairing] | None:
        """Take the next match, with its number, from the queue; plan a batch first if none of the last one waits."""
        if not self._waiting(is_extra=False) and time.monotonic() >= self._plan_at_s:
            await self._plan_batch(session)
        if (row := self._next_row(session)) is None:
            return None
        self._last_was_extra, number = bool(row["is_extra"]), int(row["number"])
        if (pairing := self._pairing(row, session)) is None:
            query = "UPDATE matches SET state = 'void', reason = 'its bots or its rules have changed' WHERE number = ?"
            await self._write(lambda one: one.execute(query, (number,)))
            return None
        self._running.add(number)
        self.store.start_write(
            lambda one: one.execute("UPDATE matches SET state = 'running' WHERE number = ?", (number,))
        )
        return number, pairing

    def _next_row(self, session: Session) -> sqlite3.Row | None:
        heads = {is_extra: row for is_extra in (False, True) if (row := self._head(session, is_extra=is_extra))}
        return heads.get(not self._last_was_extra, heads.get(self._last_was_extra))

    def _head(self, session: Session, *, is_extra: bool) -> sqlite3.Row | None:
        """Return the first queued match, in a batch or (`is_extra`) beyond one, whose bots all play in this session."""
        query = f"SELECT * FROM {WAITING} AND state = 'queued' AND is_extra = ? ORDER BY number LIMIT ?"  # noqa: S608
        known = session.labels | set(self.file.staff)
        for limit in (len(self._running) + 1, -1):  # most often, the first one can begin
            for row in self.store.read(query, (is_extra, limit)):
                if row["number"] not in self._running and {row["first"], row["second"]} <= known:
                    return row
        return None

    def _pairing(self, row: sqlite3.Row, session: Session) -> Pairing | None:
        """Return the match of a row; None if a bot's code, the rules or the seed are not those of the row any more."""
        one, other = sorted((row["first"], row["second"]))
        pair = session.arena.pair(one, other, purpose=row["purpose"], number=row["pair"], seed=row["seed"])
        return next((one for one in pair if one.match_id == row["match_id"]), None)

    def _waiting(self, *, is_extra: bool) -> bool:
        """Return True if matches wait: those of a batch or, with `is_extra`, the extra ones of new versions."""
        query = f"SELECT 1 FROM {WAITING} AND state = 'queued' AND is_extra = ? AND asked_by IS NULL LIMIT 1"  # noqa: S608
        return self.store.one(query, (int(is_extra),)) is not None

    async def _plan_batch(self, session: Session) -> None:
        """Queue the next batch, and a pair beyond it for each new version."""
        self._plan_at_s = time.monotonic() + IDLE_S
        await self._refresh(every_s=0.0)
        batch = int(self.store.meta("final_batch" if session.is_final else "batch") or 0)
        bots = self._active(session, batch)
        if session.is_final and (len(bots) < 2 or batch >= self.file.section.final_batches):
            return
        needed = 0 if session.is_final else self.file.section.grades.pairs
        is_frozen = phase_of(self.store, self.file.closes_s, self.now_s()) is Phase.FROZEN
        planned = make_batch(bots, self.file.staff, batch=batch, staff_pairs=needed, is_frozen=is_frozen)
        rows = [row for one in planned for row in self._rows_of(one, session, batch, is_extra=0)]
        extras = [] if session.is_final else self._extras(session, bots, batch)
        if rows or extras:
            name, self._plan_at_s = "final_batch" if session.is_final else "batch", 0.0
            await self._write(lambda one: queue(one, [*rows, *extras], time.time(), {name: str(batch + 1)}))

    async def _plan_extras(self, session: Session) -> None:
        """Queue a pair for each new version at once, while a batch is under way."""
        batch = int(self.store.meta("batch") or 0)
        if not session.is_final and self._waiting(is_extra=False):
            extras = self._extras(session, self._active(session, batch), batch)
            await self._write(lambda one: queue(one, extras, time.time(), {}))

    def _extras(self, session: Session, bots: Sequence[Active], batch: int) -> list[dict[str, Any]]:
        if self._waiting(is_extra=True):
            return []
        planned = make_extras(bots, self.file.staff, staff_pairs=self.file.section.grades.pairs)
        return [row for one in planned for row in self._rows_of(one, session, batch, is_extra=1)]

    def _active(self, session: Session, batch: int) -> list[Active]:
        found = active(self.store, self.file.staff, batch=batch, is_final=session.is_final)
        return [bot for bot in found if bot.label in session.labels]

    def _rows_of(self, planned: Planned, session: Session, batch: int, *, is_extra: int) -> list[dict[str, Any]]:
        of_staff = planned.staff_number
        kind = Kind.FINAL if session.is_final else Kind.LADDER if of_staff is None else Kind.STAFF
        purpose = f"{kind.value} extra" if is_extra and of_staff is None else kind.value
        number = batch if of_staff is None or session.is_final else of_staff
        pair = session.arena.rows(planned.first, planned.second, purpose=purpose, number=number)
        return [row | {"kind": kind.value, "is_extra": is_extra, "batch": batch} for row in pair]

    # ratings

    async def _refresh(self, *, every_s: float) -> None:
        """Fit the ratings, if there are new results and the last fit is older than `every_s`."""
        if time.monotonic() - self._refreshed_s < every_s:
            return
        self._refreshed_s = time.monotonic()
        row = self.store.one("SELECT SUM(games) AS n FROM versions")
        if row is not None and int(row["n"] or 0) != self._rated:
            self._rated = int(row["n"] or 0)
            ratings = await asyncio.to_thread(ladder_ratings, self.store, self.file.staff)
            await self._write(lambda one: save_ratings(one, ratings))

    # admission

    async def _admit_all(self, ready: asyncio.Event) -> None:
        """Test the waiting versions one after another, in order of arrival; each takes the place of one match."""
        await ready.wait()
        await asyncio.sleep(LOOK_S)  # a match comes first
        self.store.write(lambda one: one.execute("UPDATE versions SET state = 'waiting' WHERE state = 'testing'"))
        while True:
            query = "SELECT * FROM versions WHERE state = 'waiting' ORDER BY place LIMIT 1"
            if (row := self.store.one(query)) is None:
                await asyncio.sleep(LOOK_S)
                continue
            async with self._slots:
                try:
                    await self._admit(row)
                except* MACHINE as errors:
                    _complain(errors)
                    await asyncio.sleep(TROUBLE_S)
                    self._write_state(row["label"], State.WAITING)

    async def _admit(self, row: sqlite3.Row) -> None:
        label = row["label"]
        self._write_state(label, State.TESTING)
        for place, name in enumerate(STEPS):
            self._write_step(label, place, name, Outcome.WAITING)

        def on_step(at: int, outcome: Outcome, sentence: str, refused: RefusedError | None) -> None:
            log, ask = ("", "") if refused is None else (refused.log, refused.ask)
            self._write_step(label, at, STEPS[at], outcome, sentence=sentence, log=log, ask=ask)
            if refused is not None:
                self._write_state(label, State.REFUSED, f"{STEPS[at]}: {sentence}")

        folders = self.folders
        task = Task(
            file=self.file,
            label=label,
            upload=folders.upload(label),
            filename=row["filename"],
            home=folders.home(label),
            work=folders.admission(label),
            seed=self.seed,
        )
        admission = Admission(task, on_step)
        try:
            program = await admission.run()
        except MACHINE:
            raise
        except MachineError as error:
            tries = row["tries"] + 1
            state = State.WAITING if tries < MOST_TRIES else State.REFUSED
            reason = f"this machine was too busy to judge it: {error}; hand it in again"
            self._write_state(label, state, "" if state is State.WAITING else reason, tries=tries)
        except Exception as error:  # a bug: the next version must be tested all the same
            said = keep_traceback(folders.results, record_name(label), error)
            on_step(admission.at, Outcome.FAILED, said, RefusedError(said))
        else:
            if program is None:
                return
            text = msgspec.json.encode(program).decode()
            self.store.write(lambda one: admit(one, label, text, time.time()))

    def _write_state(self, label: str, state: State, reason: str = "", tries: int | None = None) -> None:
        query = "UPDATE versions SET state = ?, reason = ?, tries = COALESCE(?, tries) WHERE label = ?"
        self.store.write(lambda one: one.execute(query, (state.value, reason, tries, label)))

    def _write_step(self, label: str, place: int, name: str, outcome: Outcome, **texts: str) -> None:
        values = {"sentence": "", "log": "", "ask": "", **texts}
        query = "INSERT OR REPLACE INTO steps (label, place, name, outcome, sentence, log, ask) VALUES (?,?,?,?,?,?,?)"
        row = (label, place, name, outcome.value, *values.values())
        self.store.start_write(lambda one: one.execute(query, row))  # writes stay in order: the last one is waited for


async def _fail_when_lost(lost: asyncio.Future[str]) -> None:
    raise BrokerError(await lost)


def _complain(errors: BaseExceptionGroup[Exception]) -> None:
    """Print one line about a failure of the machine; the work will be tried again."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    what = format_os_error(error) if isinstance(error, OSError) else str(error)
    sys.stderr.write(f"joust: {what}; trying again\n")
    sys.stderr.flush()


async def main() -> None:
    """Play the contest that standard input names, until that input ends."""
    told = StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: StreamReaderProtocol(told), sys.stdin)
    out, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(os.dup(1), "wb"))
    if not (task := await told.readline()):
        return  # the contest has not been opened
    start, pipe = msgspec.json.decode(task, type=Start), BoardPipe(out)
    file, folders = load_contest(Path(start.file), trust=start.trust), Folders(Path(start.folder))
    secrets = load_secrets(folders.results)
    assert secrets is not None, "the contest has made them"
    ready = asyncio.Event()
    with hold_folder(folders.results, patience_s=HELD_S):
        store = Store(folders.root, is_synced=False)  # what a power cut takes from it is played again
        seed = secrets.seed or file.loaded.config.seed
        player = Player(file, folders, store, seed, secrets.keys[0], BoardSpectators(pipe=pipe))
        async with asyncio.TaskGroup() as group:
            playing = group.create_task(player.run(ready), name="contest")
            saying = group.create_task(_say_ready(ready, out), name="contest.ready")
            while news := await told.read(1):
                pipe.is_watched = news == WATCHED
            last = threading.Timer(GRACE_S, os._exit, [0])  # a kill loses nothing: bots and broker end with it
            last.daemon = True
            last.start()
            playing.cancel()
            saying.cancel()
        store.close()


async def _say_ready(ready: asyncio.Event, out: asyncio.WriteTransport) -> None:
    await ready.wait()
    out.write(READY)


if __name__ == "__main__":
    os.setpgid(0, 0)  # Ctrl-C goes to the server, which ends the input
    try:
        run_loop(main())
    except (ConfigError, BrokerError) as error:
        sys.stderr.write(f"joust: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:  # as when a service is stopped
        sys.exit(130)
