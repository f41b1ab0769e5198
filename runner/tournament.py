"""Runs a whole tournament: it starts broker and bots, plays matches at once and enters them in schedule order.

A match's record is written first (its rename is the commit). The tables are a fold over the records in schedule order,
in whatever order matches finish.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from gridjoust.runner.broker import Account, ProxyConfig, credentials, open_broker, open_socket, referee_account
from gridjoust.runner.config.programs import programs_of, resolve_program, with_absolute_paths
from gridjoust.runner.config.values import BotEntry, with_override
from gridjoust.runner.plan import Backend, Plan, PreparedPlan, parallel_matches
from gridjoust.runner.play.breakdown import LOGS, broken_record, is_of_the_rules, keep_traceback
from gridjoust.runner.play.build import build_bots
from gridjoust.runner.play.clock import LagMonitor, LoopClock
from gridjoust.runner.play.launch import ProcessLauncher
from gridjoust.runner.play.link import refusal_of
from gridjoust.runner.play.match import MatchContext
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.processes.confinement import Places, open_confinement, require_apart
from gridjoust.runner.processes.orphans import adopting_orphans
from gridjoust.runner.processes.users import closed_to_others
from gridjoust.runner.remote.access import RemoteAccess, remote_bots
from gridjoust.runner.remote.lobby import Lobby, RemoteLink, ShowLobby, matches_of, show_nothing
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.maker import note_isolation
from gridjoust.runner.results.records.lines import MatchRecord, Termination
from gridjoust.runner.schedule import Entrant, Pairing, Schedule
from gridjoust.runner.table_sink import Bans, Played, TableSink, open_table_sink, take_over
from gridjoust.runner.wire.bus import RUNNER_KEEPALIVE_S
from gridjoust.runner.wire.errors import BrokerError, ConfigError
from gridjoust.runner.wire.protocol import End, echo_topic
from gridjoust.runner.wire.token import slot_of

T = TypeVar("T")
BannedBots = Callable[[Iterable[str]], Mapping[str, str]]  # bots -> those that must not or cannot play now, and why

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
    """Play the missing matches; return what the schedule has decided as a sentence, "" if nothing.

    `on_played` gets every match in schedule order, once its rows are in the tables. The first match waits until all
    remote bots have connected or `begin` is set. BrokerError if the connection to the broker is lost; matches that were
    played stay.
    """
    plan = replace(plan, loaded=backend.loaded)
    config = plan.loaded.config
    remote = remote_bots(config)
    bans = Bans(config.faults, plan.loaded.broken, remote)
    with open_table_sink(plan, on_played) as sink:
        async with open_resources(plan, backend, show_lobby=show_lobby) as resources:
            await resources.lobby.gather(begin, matches_of(plan.schedule(plan.loaded), remote) if remote else {})
            await take_over(sink, plan.kept, bans)
            await play_and_add(sink, resources, plan.kept, bans)
            resources.lobby.close()
        await sink.finish()
    return sink.schedule.verdict


@contextlib.asynccontextmanager
async def open_resources(
    plan: Plan, backend: Backend, *, show_lobby: ShowLobby = show_nothing
) -> AsyncIterator[MatchResources]:
    """Open the resources of matches; at the end stop the bots that were started meanwhile."""
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
        limit = asyncio.Semaphore(parallel_matches(plan.loaded))
        yield MatchResources(plan, context, pool, backend, lag_monitor, lobby, limit)


@dataclass(frozen=True, slots=True)
class MatchResources:
    """The resources that all matches of a run share, such as bus, bots and clock."""

    plan: Plan
    context: MatchContext
    pool: BotPool
    backend: Backend
    lag_monitor: LagMonitor
    lobby: Lobby
    limit: asyncio.Semaphore  # of matches at once


async def play_and_add(sink: TableSink, resources: MatchResources, kept: KeptRecords, bans: Bans) -> None:
    """Play the missing matches of a schedule, and add every match to the tables in schedule order.

    Bans are decided in that order too: a match that began before a ban which concerns it is played again.
    """

    async def find_or_play(pairing: Pairing) -> Played:
        record = kept.find(pairing.match_id)
        if record is None:
            return await play(pairing)
        if record.end.counted and not bans.is_worth_another_try(record):
            return Played(pairing, record, is_new=False)
        return await play(pairing, record.usage.attempts)

    async def play(pairing: Pairing, attempts: int = 0) -> Played:
        record = await play_match(pairing, resources, banned=bans.among, attempts=attempts)
        await asyncio.to_thread(kept.write, record)  # a slow disk must not hold up other matches
        return Played(pairing, record, is_new=True)

    async def add(played: Played) -> None:
        if not bans.are_kept_by(played.record):
            played = await play(played.pairing)
        bans.enter(played.record)
        sink.add(played)

    await play_in_order(sink.schedule, resources, play=find_or_play, take=add)


async def play_in_order(
    schedule: Schedule,
    resources: MatchResources,
    *,
    play: Callable[[Pairing], Coroutine[None, None, T]],
    take: Callable[[T], Awaitable[None]],
) -> None:
    """Start matches ahead of a slow one, and take their results in schedule order.

    `take` has got all matches so far before the schedule is asked for one that depends on them. BrokerError if the
    connection to the broker is lost.
    """
    ahead = parallel_matches(resources.plan.loaded) * OVERTAKING
    waiting: deque[asyncio.Task[T]] = deque()
    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_fail_when_lost(resources.backend), name="tournament.connection")
        while (pairing := next(schedule, None)) is not None:
            waiting.append(group.create_task(play(pairing), name=f"match[{pairing.index}]"))
            while schedule.is_waiting or len(waiting) >= ahead:
                await take(await waiting.popleft())
        while waiting:
            await take(await waiting.popleft())
        watch.cancel()


async def _fail_when_lost(backend: Backend) -> None:
    raise BrokerError(f"{await backend.lost}; continue with --resume")


async def play_match(
    pairing: Pairing, resources: MatchResources, *, banned: BannedBots, attempts: int = 0
) -> MatchRecord:
    """Play a match once its bots are there and fewer than `parallel` others run; return its record.

    `attempts`: how often it was played in earlier runs.
    """
    bots = [entrant.bot for entrant in pairing.entrants]
    while True:
        await resources.lobby.present(bots)  # others are played meanwhile
        async with resources.limit:
            if resources.lobby.is_settled(bots):
                return await _play_until_valid(pairing, resources, banned, attempts)


async def _play_until_valid(
    pairing: Pairing, resources: MatchResources, banned: BannedBots, attempts: int
) -> MatchRecord:
    """Play until the match is not void, at most three times in this run, and again only once the broker answers."""
    first = attempts + 1
    for attempt in range(first, first + MAX_ATTEMPTS):
        if attempt > first:
            await resources.lag_monitor.echoed()
            await resources.lobby.present(entrant.bot for entrant in pairing.entrants)
        record = await _attempt(pairing, resources, banned, attempt)
        if record.end.termination is not Termination.VOID:
            break
    return record


async def _attempt(pairing: Pairing, resources: MatchResources, banned: BannedBots, attempt: int) -> MatchRecord:
    """Play a match once; an error of the runner or the rules ends only this match, and its bots get an `end`."""
    started, context = datetime.now(UTC), resources.context
    reasons = banned(entrant.bot for entrant in pairing.entrants)
    async with resources.pool.seated(pairing.entrants, reasons) as links:
        try:
            record = await resources.backend.play(pairing, links, context, attempt)
            for link in links:
                link.raise_error()
        except Exception as error:  # a bug: loud at the end of the run
            if isinstance(error, MACHINE) and not is_of_the_rules(error, pairing.game):
                raise
            reason = keep_traceback(resources.plan.out, pairing.match_id, error)
            ready = [link.ready for link in links]
            record = broken_record(
                pairing, reason, tournament=context.tournament, ready=ready, started=started, attempt=attempt
            )
            end = record.end
            ending = End(
                match=pairing.match_id, termination="void", reason=BROKEN, returns=end.returns, ranks=end.ranks
            )
            await asyncio.gather(*(link.send(ending) for link in links))
        return record


def _proxy_of(access: RemoteAccess, accounts: Mapping[str, Account]) -> ProxyConfig:
    guests = tuple(accounts[slot_of(bot)] for bot in access.tokens)
    return ProxyConfig(access.listen, access.certificate, access.key, guests)


@contextlib.asynccontextmanager
async def open_backend(plan: Plan) -> AsyncIterator[Backend]:
    """Build the bots of a plan and open broker, connection and launcher for their processes."""
    from gridjoust.runner.wire.bus.mqtt import MqttBus  # noqa: PLC0415 - not needed where everything is in this process

    referee = referee_account(plan.run)
    config, logs = plan.loaded.config, plan.out / LOGS
    loaded = await build_bots(plan.loaded, logs, trust=plan.trust)
    async with contextlib.AsyncExitStack() as stack:
        written = (program for bot in config.bots for program in programs_of(bot).values())
        programs = [with_absolute_paths(program, folder=loaded.folder) for program in written]
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
                accounts=[referee, *plan.accounts.values(), *plan.spectators.accounts],
                folder=logs,
                proxy=None if plan.access is None else _proxy_of(plan.access, plan.accounts),
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


async def refuse_what_does_not_start(plan: Plan, backend: Backend) -> None:
    """Start every local bot once; ConfigError with a line for each that is not ready, or cannot play these games."""
    bots = [bot for bot in plan.loaded.config.bots if not bot.remote]
    names = {bot.name for bot in bots}
    accounts = {slot: account for slot, account in plan.accounts.items() if slot.rpartition(".")[0] in names}
    pool = BotPool(run=plan.run, bus=backend.bus, launcher=backend.launcher, accounts=accounts)
    limit = asyncio.Semaphore(os.cpu_count() or 1)
    async with pool.open():
        problems = await asyncio.gather(*(_problem(bot, plan, pool, limit) for bot in bots))
    if reasons := [problem for problem in problems if problem]:
        raise ConfigError("\n".join(reasons))


async def _problem(bot: BotEntry, plan: Plan, pool: BotPool, limit: asyncio.Semaphore) -> str:
    """Return why a bot does not start, "" if it does; `limit`: how many bots may start at once."""
    loaded = plan.loaded
    games = dict.fromkeys(variant.entry.game for variant in loaded.variants)
    time = with_override(loaded.config.time, bot.time)
    for game in games:
        for program in programs_of(bot).values():
            resolved = resolve_program(program, game=game, folder=loaded.folder)
            entrant = Entrant(bot.name, resolved, "", (0,), time, bot.limits)
            async with limit, pool.seated([entrant]) as (link,):
                why = link.fault[1] if link.fault is not None else refusal_of(link.ready, game)
            if why:
                return f"--strict: {bot.name} does not start: {why}"
    return ""
