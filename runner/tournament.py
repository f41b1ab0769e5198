"""A whole tournament: bounded concurrency, resume, tables in schedule order. Starts broker and bots; plays nothing.

Order of truth: a match's record is written first (its rename is the commit); the tables are a fold over the records, in
schedule order whatever order matches finish in.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from gridjoust.runner.broker import Account, Door, credentials, open_broker, open_socket, referee_account
from gridjoust.runner.config.programs import programs_of, with_absolute_paths
from gridjoust.runner.entering import entering, take_over
from gridjoust.runner.plan import Backend, Plan, Played, PreparedPlan, parallel_matches
from gridjoust.runner.play.bans import Bans
from gridjoust.runner.play.breakdown import LOGS, broken_record, is_of_the_rules, keep_traceback
from gridjoust.runner.play.build import build_bots
from gridjoust.runner.play.clock import LoopClock
from gridjoust.runner.play.lag import LagMonitor
from gridjoust.runner.play.launch import ProcessLauncher
from gridjoust.runner.play.match import MatchContext
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.processes.confinement import Places, open_confinement, require_apart
from gridjoust.runner.processes.orphans import adopting_orphans
from gridjoust.runner.processes.users import closed_to_others
from gridjoust.runner.remote.access import RemoteAccess, remote_bots
from gridjoust.runner.remote.link import RemoteLink
from gridjoust.runner.remote.lobby import Lobby, ShowLobby, matches_of, show_nothing
from gridjoust.runner.results.maker import note_isolation
from gridjoust.runner.results.records.lines import MatchRecord, Termination
from gridjoust.runner.schedule import Pairing, Schedule
from gridjoust.runner.wire.bus import RUNNER_KEEPALIVE_S
from gridjoust.runner.wire.errors import BrokerError, ConfigError
from gridjoust.runner.wire.protocol import End, echo_topic
from gridjoust.runner.wire.token import slot_of

OVERTAKING = 8  # matches that may be under way or done beyond a slow one, per concurrent match: keeps memory flat
MAX_ATTEMPTS = 3  # a void match is replayed twice at most, then it does not count before --resume
BROKEN = "the match broke off"  # what bots are told of a bug
MACHINE = (BrokerError, ConfigError, OSError)  # the machine's or the user's errors: other matches would meet them too


async def run_tournament(
    plan: PreparedPlan,
    backend: Backend,
    *,
    on_played: Callable[[Played], None],
    show_lobby: ShowLobby = show_nothing,
    begin: asyncio.Event | None = None,
) -> str:
    """Play what is missing; `on_played` hears of every match in schedule order, once its rows are in the tables.

    Remote bots are waited for before the first match, until `begin` is set at the latest.
    What the schedule has decided is returned, as a sentence; "" where nothing was to be decided.
    BrokerError when the connection to the broker is lost: what has been played is kept.
    """
    plan = replace(plan, loaded=backend.loaded)
    config = plan.loaded.config
    remote = remote_bots(config)
    bans = Bans(config.faults, plan.loaded.broken, remote)
    with entering(plan, on_played) as desk:
        async with open_table(plan, backend, bans, plan.kept, show_lobby=show_lobby) as table:
            await table.lobby.gather(begin, matches_of(plan.schedule(plan.loaded), remote) if remote else {})
            await take_over(desk, plan.kept, bans)
            await play_in_order(desk.schedule, table, desk.enter)
            table.lobby.close()
        await desk.finish()
    return desk.schedule.verdict


@contextlib.asynccontextmanager
async def open_table(
    plan: Plan, backend: Backend, bans: BansOrder, kept: Kept, *, show_lobby: ShowLobby = show_nothing
) -> AsyncIterator[Table]:
    """What matches are played with, bots that have been started included, while the context is open."""
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
        spectators=plan.spectators,
    )
    pool = BotPool(
        run=plan.run,
        bus=backend.bus,
        launcher=backend.launcher,
        accounts=plan.accounts,
        stall_ms=lag_monitor.stall_ms,
        links=dict.fromkeys(remote_bots(config), RemoteLink),
    )
    async with lag_monitor.watching(), pool.open():
        await plan.spectators.hear_search(backend.bus, plan.run)
        lobby = Lobby(pool.links, config.execution, show=show_lobby)
        yield Table(plan, context, pool, backend, lag_monitor, bans, lobby, kept)


class BansOrder(Protocol):
    """Who may play no more, asked and told in schedule order."""

    def among(self, bots: Iterable[str]) -> dict[str, str]:
        """Those of the bots that may not or cannot play -> why."""

    def are_kept_by(self, record: MatchRecord) -> bool:
        """Whether the match was played without the bots that may not, and with all others."""

    def is_worth_another_try(self, record: MatchRecord) -> bool:
        """Whether somebody did not start then, and may now."""

    def enter(self, record: MatchRecord) -> None:
        """Take note of the next match."""


class Kept(Protocol):
    """Where records are kept."""

    def find(self, match_id: str) -> MatchRecord | None:
        """The record of a match that has been played, None if there is none."""

    def write(self, record: MatchRecord) -> None:
        """Keep the record of a match, in place of an earlier one."""


@dataclass(frozen=True, slots=True)
class Table:
    """What every match needs."""

    plan: Plan
    context: MatchContext
    pool: BotPool
    backend: Backend
    lag_monitor: LagMonitor
    bans: BansOrder
    lobby: Lobby
    kept: Kept


async def play_in_order(schedule: Schedule, table: Table, enter: Callable[[Played], None]) -> None:
    """Up to `parallel` matches at once, entered in schedule order; all are in before a decision is asked for.

    Who may play no more is decided in that order too: a match that did not keep to it is played again.
    """
    parallel = parallel_matches(table.plan.loaded)
    ahead = parallel * OVERTAKING
    limit = asyncio.Semaphore(parallel)
    waiting: deque[asyncio.Task[Played]] = deque()

    async def enter_next() -> None:
        played = await waiting.popleft()
        if not table.bans.are_kept_by(played.record):
            played = await _play_and_keep(played.pairing, table, limit)
        table.bans.enter(played.record)
        enter(played)

    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_fail_when_lost(table.backend), name="tournament.connection")
        while (pairing := next(schedule, None)) is not None:
            play = _play_or_find(pairing, table, limit)
            waiting.append(group.create_task(play, name=f"match[{pairing.index}]"))
            while schedule.is_waiting or len(waiting) >= ahead:
                await enter_next()
        while waiting:
            await enter_next()
        watch.cancel()


async def _fail_when_lost(backend: Backend) -> None:
    raise BrokerError(f"{await backend.lost}; continue with --resume")


async def _play_or_find(pairing: Pairing, table: Table, limit: asyncio.Semaphore) -> Played:
    if (found := table.kept.find(pairing.match_id)) is None:
        return await _play_and_keep(pairing, table, limit)
    if found.end.counted and not table.bans.is_worth_another_try(found):
        return Played(pairing, found, is_new=False)
    return await _play_and_keep(pairing, table, limit, found.usage.attempts)


async def _play_and_keep(pairing: Pairing, table: Table, limit: asyncio.Semaphore, attempts: int = 0) -> Played:
    bots = [entrant.bot for entrant in pairing.entrants]
    record: MatchRecord | None = None
    while record is None:
        await table.lobby.present(bots)  # others are played meanwhile
        async with limit:
            if table.lobby.is_settled(bots):
                record = await _play(pairing, table, attempts)
    await asyncio.to_thread(table.kept.write, record)  # a slow disk must not hold up other matches
    return Played(pairing, record, is_new=True)


async def _play(pairing: Pairing, table: Table, attempts: int) -> MatchRecord:
    """Play until the match is not void, three times at the most in this run; again only once the broker answers."""
    first = attempts + 1
    for attempt in range(first, first + MAX_ATTEMPTS):
        if attempt > first:
            await table.lag_monitor.echoed()
            await table.lobby.present(entrant.bot for entrant in pairing.entrants)
        record = await _attempt(pairing, table, attempt)
        if record.end.termination is not Termination.VOID:
            break
    return record


async def _attempt(pairing: Pairing, table: Table, attempt: int) -> MatchRecord:
    """Play once. What is wrong with the runner or the rules ends this match alone, and its bots are told."""
    started, context = datetime.now(UTC), table.context
    banned = table.bans.among(entrant.bot for entrant in pairing.entrants)
    async with table.pool.seated(pairing.entrants, banned) as links:
        try:
            record = await table.backend.play(pairing, links, context, attempt)
            for link in links:
                link.raise_error()
        except Exception as error:  # a bug: loud at the end of the run
            if isinstance(error, MACHINE) and not is_of_the_rules(error, pairing.game):
                raise
            reason = keep_traceback(table.plan.out, pairing.match_id, error)
            ready = [link.ready for link in links]
            record = broken_record(
                pairing, reason, tournament=context.tournament, ready=ready, started=started, attempt=attempt
            )
            end = record.end
            told = End(match=pairing.match_id, termination="void", reason=BROKEN, returns=end.returns, ranks=end.ranks)
            await asyncio.gather(*(link.send(told) for link in links))
        return record


def _door_of(access: RemoteAccess, accounts: Mapping[str, Account]) -> Door:
    guests = tuple(accounts[slot_of(bot)] for bot in access.tokens)
    return Door(access.listen, access.certificate, access.key, guests)


@contextlib.asynccontextmanager
async def open_backend(plan: Plan) -> AsyncIterator[Backend]:
    """Broker, connection and process launcher for a plan whose bots are processes."""
    from gridjoust.runner.wire.bus.mqtt import MqttBus  # noqa: PLC0415 - not needed where everything is in this process

    referee = referee_account(plan.run)
    config, logs = plan.loaded.config, plan.out / LOGS
    loaded = await build_bots(plan.loaded, logs, trust=plan.trust)
    async with contextlib.AsyncExitStack() as stack:
        given = (program for bot in config.bots for program in programs_of(bot).values())
        programs = [with_absolute_paths(program, folder=loaded.folder) for program in given]
        places = Places(loaded.folder, plan.out)
        confinement = stack.enter_context(
            open_confinement(config.execution.isolation, programs, trust=plan.trust, places=places)
        )
        note_isolation(plan.out, confinement.isolation.title)
        if confinement.sandbox:
            require_apart(programs, plan.out)
        broker = await stack.enter_async_context(
            open_broker(
                config.broker,
                run=plan.run,
                accounts=[referee, *plan.accounts.values(), *filter(None, [plan.spectators.page])],
                folder=logs,
                door=None if plan.access is None else _door_of(plan.access, plan.accounts),
            )
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
            folder=loaded.folder,
            confinement=confinement,
            orphans=stack.enter_context(adopting_orphans()) if plan.owns_process else None,
        )
        async with bus:
            stack.push_async_callback(launcher.close)
            yield Backend(loaded, bus, launcher, lost, broker, note=confinement.note)
