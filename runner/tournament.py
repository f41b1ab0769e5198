"""A whole tournament: bounded concurrency, resume, tables in schedule order. Starts broker and bots; plays nothing.

Order of truth: a match's record is written first (its rename is the commit); the tables are a fold over the records, in
schedule order whatever order matches finish in.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import msgspec

from runner.bans import Bans
from runner.breakdown import LOGS, broken_record, is_of_the_rules, keep_traceback, tracebacks
from runner.broker import Account, Broker, bot_account, credentials, open_broker, open_socket, referee_account
from runner.build import build_bots
from runner.clock import LoopClock
from runner.config.load import resolve
from runner.config.programs import programs_of, with_absolute_paths
from runner.config.values import Tournament
from runner.config.variants import LoadedTournament, with_variants
from runner.environment import describe_environment
from runner.kept_records import KeptRecords
from runner.lag import LagMonitor
from runner.launch import Launcher, ProcessLauncher
from runner.maker import mark_folder
from runner.match import MatchContext, play_on_bus
from runner.pool import BotPool
from runner.pool_link import BotLink
from runner.processes.confinement import open_confinement
from runner.processes.orphans import adopting_orphans
from runner.processes.users import closed_to_others
from runner.record.file import RECORDS, UNUSED, list_records, record_path, write_record
from runner.record.lines import MatchRecord, Termination
from runner.results_secrets import publish_secrets
from runner.schedule import Pairing, Schedule
from runner.secret_seed import settle_seed, without_seed
from runner.tables.columns import VERDICT, Row
from runner.tables.schedule_file import write_planned
from runner.tables.writer import TableWriter
from runner.wire.bus import RUNNER_KEEPALIVE_S, Bus
from runner.wire.errors import BrokerError, ConfigError
from runner.wire.protocol import End, echo_topic

OVERTAKING = 8  # matches that may be under way or done beyond a slow one, per concurrent match: keeps memory flat
MAX_ATTEMPTS = 3  # a void match is replayed twice at most, then it does not count before --resume
BROKEN = "the match broke off"  # what bots are told of a bug
MACHINE = (BrokerError, ConfigError, OSError)  # the machine's or the user's errors: other matches would meet them too

MakeSchedule = Callable[[LoadedTournament], Schedule]
PlayMatch = Callable[[Pairing, Sequence[BotLink], MatchContext, int], Awaitable[MatchRecord]]
"""Plays a pairing between bots that are ready, once; the number counts attempts from 1."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Where a tournament is played: the referee's bus, how bots are started, and how a match is played."""

    bus: Bus
    launcher: Launcher
    lost: asyncio.Future[str]  # done, with the reason, when the run cannot go on: the connection broke, or stood still
    broker: Broker | None = None  # None: everything in this process
    play: PlayMatch = play_on_bus
    note: str = ""  # one line for the user about how bots are kept apart


@dataclass(frozen=True, slots=True)
class Played:
    """One match has entered the tables."""

    pairing: Pairing
    record: MatchRecord
    is_new: bool  # False: found in the folder
    rows: list[Row] = field(default_factory=list)  # of results.csv


@dataclass(slots=True)
class Plan:
    """What is to be played and where it goes."""

    loaded: LoadedTournament
    schedule: MakeSchedule
    out: Path  # the tournament's own folder
    run: str  # unique name of this run on the broker
    accounts: dict[str, Account]  # slot -> its credentials
    trust: bool = False  # the bots are the user's own: no sandbox unless the file says so
    owns_process: bool = False  # nothing else is in the process: it may adopt what bots leave behind
    is_seed_secret: bool = False  # while the run lasts; `loaded` has the seed itself
    _kept: KeptRecords | None = None

    @property
    def kept(self) -> KeptRecords:
        """The records of the results folder, once it has been made ready."""
        assert self._kept is not None, "prepare_folder comes first"
        return self._kept


def parallel_matches(loaded: LoadedTournament) -> int:
    """How many matches run at once; `auto` leaves the cores to the bots: one match for every two cores."""
    chosen = loaded.config.execution.parallel
    return chosen if isinstance(chosen, int) else max(1, (os.cpu_count() or 1) // 2)


def make_plan(loaded: LoadedTournament, schedule: MakeSchedule, out: Path, *, trust: bool = False) -> Plan:
    """A plan with an account for every process that may be needed: one per concurrent match and role of a bot.

    A remote bot is one process. `trust`: the bots are the user's own.
    """
    run = f"{loaded.config.tournament}-{os.urandom(3).hex()}"
    parallel = parallel_matches(loaded)
    slots = [
        f"{bot.name}.{number}"
        for bot in loaded.config.bots
        for number in range(1 if bot.remote else parallel * max(1, len(bot.roles)))
    ]
    return Plan(loaded, schedule, out, run, {slot: bot_account(run, slot) for slot in slots}, trust=trust)


def plan_pairings(
    config: Tournament, out: Path, *, folder: Path, pairings: Sequence[Pairing] = (), trust: bool = True
) -> Plan:
    """A plan for these pairings alone, without a file; bots start in `folder`, results and logs go below `out`."""
    loaded = with_variants(config, source=folder / "tournament.yaml", maps={})
    return make_plan(loaded, lambda _: Schedule(iter(pairings)), out, trust=trust)


def prepare_folder(plan: Plan, *, resume: bool, facts: Mapping[str, object] = MappingProxyType({})) -> None:
    """The results folder, empty or (with `resume`) of this tournament; ConfigError otherwise.

    A secret seed is drawn, or found there. `facts` stand in `environment.json` beside the versions.
    """
    out = plan.out
    if (out / RECORDS).is_dir() and any((out / RECORDS).iterdir()) and not resume:
        raise ConfigError(
            f"{out}: expected an empty folder, got results: continue with --resume, or choose another --out"
        )
    (out / RECORDS).mkdir(parents=True, exist_ok=True)
    (out / LOGS).mkdir(exist_ok=True)
    plan.loaded, secrets, plan.is_seed_secret = settle_seed(plan.loaded, out, resume=resume)
    plan._kept = kept = KeptRecords(out, secrets)
    kept.take_stock(plan.loaded.config.tournament)
    for leftover in (*(out / RECORDS).glob("*.part"), *tracebacks(out), out / VERDICT, out / UNUSED):
        leftover.unlink(missing_ok=True)  # of what is played again, or goes on
    shown = without_seed(plan.loaded) if plan.is_seed_secret else plan.loaded
    mark_folder(out, resolve(shown), describe_environment() | dict(facts))


async def run_tournament(plan: Plan, backend: Backend, *, on_played: Callable[[Played], None]) -> str:
    """Play what is missing; `on_played` hears of every match in schedule order, once its rows are in the tables.

    What the schedule has decided is returned, as a sentence; "" where nothing was to be decided.
    BrokerError when the connection to the broker is lost: what has been played is kept.
    """
    config = plan.loaded.config
    clock = LoopClock()
    lag_monitor = LagMonitor(
        bus=backend.bus,
        clock=clock,
        echo_topic=echo_topic(plan.run),
        on_silent=lambda reason: None if backend.lost.done() else backend.lost.set_result(reason),
    )
    context = MatchContext(
        run=plan.run,
        tournament=config.tournament,
        run_key=config.run_key,
        faults=config.faults,
        bus=backend.bus,
        clock=clock,
        lag_ms=lag_monitor.lag_ms,
        views=config.execution.views,
    )
    schedule = plan.schedule(plan.loaded)
    if schedule.planned is not None:
        write_planned(plan.out, schedule.planned)
    entered: set[str] = set()
    pool = BotPool(
        run=plan.run,
        bus=backend.bus,
        launcher=backend.launcher,
        accounts=plan.accounts,
        stall_ms=lag_monitor.stall_ms,
    )
    with TableWriter(plan.out) as tables:

        def enter(played: Played) -> None:
            rows = tables.add(played.record)
            entered.add(played.pairing.match_id)
            schedule.enter(rows)
            on_played(replace(played, rows=rows))

        async with lag_monitor.watching(), pool.open():
            shared = _Shared(plan, context, pool, backend, lag_monitor, Bans(config.faults, plan.loaded.broken))
            await _play_in_order(schedule, shared, enter)
    plan.kept.set_aside_strangers()
    if unused := [path.stem for path in list_records(plan.out) if path.stem not in entered]:
        (plan.out / UNUSED).write_text("\n".join(unused) + "\n", encoding="utf-8")
    if plan.is_seed_secret:
        mark_folder(plan.out, resolve(plan.loaded))  # names the seed
    publish_secrets(plan.out)
    if schedule.planned is not None:
        write_planned(plan.out, msgspec.structs.replace(schedule.planned, is_over=True))
    return schedule.verdict


@dataclass(frozen=True, slots=True)
class _Shared:
    """What every match needs."""

    plan: Plan
    context: MatchContext
    pool: BotPool
    backend: Backend
    lag_monitor: LagMonitor
    bans: Bans


async def _play_in_order(schedule: Schedule, shared: _Shared, enter: Callable[[Played], None]) -> None:
    """Up to `parallel` matches at once, entered in schedule order; all are in before a decision is asked for.

    Who may play no more is decided in that order too: a match that did not keep to it is played again.
    """
    parallel = parallel_matches(shared.plan.loaded)
    ahead = parallel * OVERTAKING
    limit = asyncio.Semaphore(parallel)
    waiting: deque[asyncio.Task[Played]] = deque()

    async def enter_next() -> None:
        played = await waiting.popleft()
        if not shared.bans.are_kept_by(played.record):
            played = await _play_and_keep(played.pairing, shared, limit)
        shared.bans.enter(played.record)
        enter(played)

    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_fail_when_lost(shared.backend), name="tournament.connection")
        while (pairing := next(schedule, None)) is not None:
            play = _play_or_find(pairing, shared, limit)
            waiting.append(group.create_task(play, name=f"match[{pairing.index}]"))
            while schedule.is_waiting or len(waiting) >= ahead:
                await enter_next()
        while waiting:
            await enter_next()
        watch.cancel()


async def _fail_when_lost(backend: Backend) -> None:
    raise BrokerError(f"{await backend.lost}; continue with --resume")


async def _play_or_find(pairing: Pairing, shared: _Shared, limit: asyncio.Semaphore) -> Played:
    if (found := shared.plan.kept.find(pairing.match_id)) is None:
        return await _play_and_keep(pairing, shared, limit)
    if found.end.counted and not shared.bans.is_worth_another_try(found):
        return Played(pairing, found, is_new=False)
    return await _play_and_keep(pairing, shared, limit, found.usage.attempts)


async def _play_and_keep(pairing: Pairing, shared: _Shared, limit: asyncio.Semaphore, attempts: int = 0) -> Played:
    async with limit:
        record = await _play(pairing, shared, attempts)
    kept = shared.plan.kept
    path = record_path(shared.plan.out, pairing.match_id)
    await asyncio.to_thread(write_record, path, record, key=kept.key)  # a slow disk must not hold up other matches
    kept.add(pairing.match_id)
    return Played(pairing, record, is_new=True)


async def _play(pairing: Pairing, shared: _Shared, attempts: int) -> MatchRecord:
    """Play until the match is not void, three times at the most in this run; again only once the broker answers."""
    first = attempts + 1
    for attempt in range(first, first + MAX_ATTEMPTS):
        if attempt > first:
            await shared.lag_monitor.echoed()
        record = await _attempt(pairing, shared, attempt)
        if record.end.termination is not Termination.VOID:
            break
    return record


async def _attempt(pairing: Pairing, shared: _Shared, attempt: int) -> MatchRecord:
    """Play once. What is wrong with the runner or the rules ends this match alone, and its bots are told."""
    started, context = datetime.now(UTC), shared.context
    banned = shared.bans.among(entrant.bot for entrant in pairing.entrants)
    async with shared.pool.seated(pairing.entrants, banned) as links:
        try:
            record = await shared.backend.play(pairing, links, context, attempt)
            for link in links:
                link.raise_error()
        except Exception as error:  # a bug: loud at the end of the run
            if isinstance(error, MACHINE) and not is_of_the_rules(error, pairing.game):
                raise
            reason = keep_traceback(shared.plan.out, pairing.match_id, error)
            ready = [link.ready for link in links]
            record = broken_record(
                pairing, reason, tournament=context.tournament, ready=ready, started=started, attempt=attempt
            )
            end = record.end
            told = End(match=pairing.match_id, termination="void", reason=BROKEN, returns=end.returns, ranks=end.ranks)
            await asyncio.gather(*(link.send(told) for link in links))
        return record


@contextlib.asynccontextmanager
async def open_backend(plan: Plan) -> AsyncIterator[Backend]:
    """Broker, connection and process launcher for a plan whose bots are processes."""
    from runner.wire.bus.mqtt import MqttBus  # noqa: PLC0415 - not needed where everything is in this process

    referee = referee_account(plan.run)
    config, logs = plan.loaded.config, plan.out / LOGS
    plan.loaded = await build_bots(plan.loaded, logs)
    async with contextlib.AsyncExitStack() as stack:
        given = (program for bot in config.bots for program in programs_of(bot).values())
        programs = [with_absolute_paths(program, folder=plan.loaded.folder) for program in given]
        confinement = stack.enter_context(open_confinement(config.execution.isolation, programs, trust=plan.trust))
        broker = await stack.enter_async_context(
            open_broker(config.broker, run=plan.run, accounts=[referee, *plan.accounts.values()], folder=logs)
        )
        if confinement.users is not None:
            open_socket(broker.address)
            stack.enter_context(closed_to_others(plan.out))
        lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        user, password = credentials(config.broker, referee)
        bus = MqttBus(
            broker.address,
            user=user,
            password=password,
            client_id=f"{plan.run}-{referee.user}",
            on_lost=lambda reason: None if lost.done() else lost.set_result(f"connection to the broker lost: {reason}"),
            keepalive_s=RUNNER_KEEPALIVE_S,
        )
        launcher = ProcessLauncher(
            address=broker.address,
            broker=config.broker,
            run=plan.run,
            logs=logs.resolve(),
            folder=plan.loaded.folder,
            confinement=confinement,
            orphans=stack.enter_context(adopting_orphans()) if plan.owns_process else None,
        )
        async with bus:
            stack.push_async_callback(launcher.close)
            yield Backend(bus, launcher, lost, broker, note=confinement.note)
