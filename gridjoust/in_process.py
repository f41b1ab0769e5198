"""Runs bots as tasks of this event loop; to the pool of bots they look like processes.

They serve `isolation: none`: trusted bots inside this process, for tests, training and quick looks. Turn-based matches
call the bots directly. The memory bus serves all that needs clocks or spectators: real-time and ticked games,
`execution.views`, and bots that show their searches.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import KW_ONLY, dataclass, replace

from gridjoust import games
from gridjoust.bots import load_bot_spec
from gridjoust.bots.api import Bot
from gridjoust.bots.harness import TURN_BASED, Harness
from gridjoust.direct import DirectMatch
from gridjoust.games.api import AnyGame
from gridjoust.runner.broker import Account, credentials
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.plan import Backend, Plan
from gridjoust.runner.play.heading import make_header
from gridjoust.runner.play.launch import Launcher, Running
from gridjoust.runner.play.link import BotLink, refusal_of
from gridjoust.runner.play.match import MatchContext, play_on_bus
from gridjoust.runner.processes.history import Load, Spent
from gridjoust.runner.processes.process import Exit, Usage
from gridjoust.runner.results.maker import note_isolation
from gridjoust.runner.results.records.lines import Fault, MatchRecord
from gridjoust.runner.schedule import Pairing
from gridjoust.runner.spectate.spectators import ObserverGroup
from gridjoust.runner.wire.bus import Bus, Will
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.protocol import Status, bot_prefix, encode

YIELD_EVERY_MS = 5.0  # a match lets the others, and Ctrl-C, in

Connect = Callable[[Account, Will | None], AbstractAsyncContextManager[Bus]]
Serve = Callable[[RoleProgram, str, Account], Coroutine[None, None, int]]  # program, slot, account -> exit code


@dataclass(frozen=True, slots=True)
class TaskBot:
    """A bot that runs as a task of this event loop; the task's result is an exit code.

    `reason` replaces `exited with code n`. `bot_class` is set if matches may call the bot directly, without the task.
    """

    task: asyncio.Task[int]
    _: KW_ONLY
    reason: str = ""
    bot_class: type[Bot] | None = None

    def usage(self) -> Usage:
        """Return an unknown usage, as the bot shares the referee's process."""
        return Usage(None, None)

    def load_since(self, when_ms: float) -> Load | None:  # noqa: ARG002 - a process has one
        """Return None for an unknown load, as the bot shares the referee's process."""
        return None

    def spent(self, *, exact: bool) -> Spent | None:  # noqa: ARG002 - a process can
        """Return None for unknown CPU time, as the bot shares the referee's process."""
        return None

    def has_yielded(self) -> bool:
        """Return False: the bot runs in the referee's process and cannot have lowered its own priority."""
        return False

    async def place(self) -> str:
        """Return "", as it is unknown where the bot is: while it computes, nothing else runs in this process."""
        return ""

    def mark(self, text: str) -> None:
        """Write nothing: the bot has no log of its own."""

    async def wait(self) -> Exit:
        """Wait until the task has ended; return how it did."""
        await asyncio.wait([self.task])
        if self.task.cancelled():
            return Exit(None, "cancelled")
        if (error := self.task.exception()) is not None:
            return Exit(1, f"{type(error).__name__}: {error}")
        code = self.task.result()
        return Exit(code, self.reason or f"exited with code {code}")

    async def stop(self, *, patience_s: float) -> Exit:
        """Give the task time to end by itself, then cancel it; return how it ended."""
        try:
            await asyncio.wait([self.task], timeout=patience_s)
        finally:
            self.kill()
        return await self.wait()

    def kill(self) -> None:
        """Cancel the task; a bot that never returns cannot be stopped within this process."""
        self.task.cancel()


@dataclass(frozen=True, slots=True)
class TaskLauncher:
    """Starts a task for each program with the name `name`; `inner` starts every other bot as usual."""

    inner: Launcher
    name: str
    serve: Serve
    reason: str = ""  # of its end; see `TaskBot`

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot as usual, or the task that replaces it; `slot`: name of the bot process, `<bot>.<number>`."""
        if program.bot != self.name:
            return await self.inner.start(program, slot=slot, account=account, limits=limits)
        task = asyncio.create_task(self.serve(program, slot, account), name=f"{self.name}[{slot}]")
        return TaskBot(task, reason=self.reason)

    def log_tail(self, slot: str) -> str:
        """Return the last line of a bot's log."""
        return self.inner.log_tail(slot)


def connector(plan: Plan, backend: Backend) -> Connect:
    """Return the function that connects an account to the backend's broker from within this process."""
    from gridjoust.runner.wire.bus.mqtt import MqttBus  # noqa: PLC0415 - not needed where everything is in this process

    broker = backend.broker
    assert broker is not None

    def connect(account: Account, will: Will | None) -> AbstractAsyncContextManager[Bus]:
        user, password = credentials(plan.loaded.config.broker, account)
        return MqttBus(broker.address, user=user, password=password, client_id=account.user, will=will)

    return connect


class InProcessLauncher:
    """Starts Python bots as tasks of this event loop."""

    def __init__(self, broker: MemoryBroker, run: str) -> None:
        self._broker = broker
        self._run = run

    async def start(
        self,
        program: RoleProgram,
        *,
        slot: str,
        account: Account,
        limits: ResourceLimits,  # noqa: ARG002 - a task has no limits of its own
    ) -> TaskBot:
        """Start one bot as a task; `slot`: its name in place of a process, `<bot>.<number>`."""
        spec = program.bot or program.path
        if spec is None:
            raise ConfigError(f"bots: {slot}: expected bot or path with isolation: none, got a command or remote bot")
        try:
            bot_class = load_bot_spec(spec)
        except ValueError as error:
            return TaskBot(asyncio.create_task(_end_at_once(), name=f"bot[{slot}]"), reason=str(error))
        prefix = bot_prefix(self._run, slot)
        will = Will(f"{prefix}/status", encode(Status(online=False)))
        bus = self._broker.connect(read=account.read, write=account.write, will=will)
        serving = _serve(bot_class, bus, prefix, shows=account.streams_search)
        return TaskBot(asyncio.create_task(serving, name=f"bot[{slot}]"), bot_class=bot_class)

    def log_tail(self, slot: str) -> str:  # noqa: ARG002 - no logs here
        """Return "", as bots write to this process's own output."""
        return ""


@contextlib.asynccontextmanager
async def open_in_process(plan: Plan) -> AsyncIterator[Backend]:
    """Open a backend without a broker and without processes."""
    async with open_memory_bus(plan) as backend:
        yield replace(backend, play=play_in_process)


@contextlib.asynccontextmanager
async def open_memory_bus(plan: Plan) -> AsyncIterator[Backend]:
    """Open a backend without processes in which every match uses the memory bus."""
    broker = MemoryBroker()
    note_isolation(plan.out, "the runner's process")
    lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with broker.connect() as bus:
        yield Backend(plan.loaded, bus, InProcessLauncher(broker, plan.run), lost)


async def play_in_process(
    pairing: Pairing, links: Sequence[BotLink], context: MatchContext, attempt: int
) -> MatchRecord:
    """Play one match of a tournament: without a bus if the game is turn-based and no spectator needs one."""
    classes = [link.running.bot_class if isinstance(link.running, TaskBot) else None for link in links]
    game = games.make(pairing.game, dict(pairing.params), seats=pairing.seats)
    is_direct = game.spec.dynamics.value in TURN_BASED and not context.spectators.need_bus
    if not is_direct or any(found is None and link.fault is None for found, link in zip(classes, links, strict=True)):
        return await play_on_bus(pairing, links, context, attempt)
    return await _play_directly(pairing, game, links, classes, context, attempt)


async def _play_directly(
    pairing: Pairing,
    game: AnyGame,
    links: Sequence[BotLink],
    classes: Sequence[type[Bot] | None],
    context: MatchContext,
    attempt: int,
) -> MatchRecord:
    origin_ms = context.clock.now_ms()
    failed = {number: refusal for number, link in enumerate(links) if (refusal := refusal_of(link.ready, pairing.game))}
    failed |= {number: link.fault[1] for number, link in enumerate(links) if link.fault is not None}
    played = DirectMatch(
        pairing,
        game,
        [found or Bot for found in classes],
        failed,
        faults=context.faults,
        run_key=context.run_key,
        lag_ms=lambda since_ms, until_ms: context.lag_ms(since_ms + origin_ms, until_ms + origin_ms),
    )
    ready, yielded_ms = [link.ready for link in links], origin_ms
    observers = ObserverGroup(context.spectators.observe(context.run, pairing.match_id))
    if observers.is_needed:
        observers.begin(game, make_header(pairing, game, tournament=context.tournament, ready=ready))
    while played.end is None:
        played.step()
        if observers.is_needed:
            observers.turn(None, played.lines)
        if context.clock.now_ms() - yielded_ms > YIELD_EVERY_MS:
            await asyncio.sleep(0)
            yielded_ms = context.clock.now_ms()
    if observers.is_needed:
        observers.end(played.lines, played.end)
    record = played.record(tournament=context.tournament, ready=ready, attempt=attempt)
    for number, reason in played.failed.items():
        links[number].fail(Fault.FAILED_TO_START, reason)
    for number, fault, detail in played.lost:
        links[number].fail(fault, detail)
    return record


async def _serve(bot_class: type[Bot], bus: MemoryBus, prefix: str, *, shows: bool) -> int:
    async with bus:
        return await Harness(bot_class, bus=bus, prefix=prefix, shows=shows).run()


async def _end_at_once() -> int:
    """Return the exit code of a bot whose class could not be loaded; it is that bot's task."""
    return 2
