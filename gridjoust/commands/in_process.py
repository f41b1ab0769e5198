"""`isolation: none`: trusted bots inside this process, on the memory bus. For tests, training and quick looks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from bots import load_bot_spec
from bots.api import Bot
from bots.harness import Harness
from gridjoust.commands.task_bot import TaskBot
from runner.broker import Account
from runner.config.values import ResourceLimits, RoleProgram
from runner.tournament import Backend, Plan
from runner.wire.bus import MemoryBroker, MemoryBus, Will
from runner.wire.errors import ConfigError
from runner.wire.protocol import Status, bot_prefix, encode


class InProcessLauncher:
    """Starts bots as tasks. Only Python bots can live here."""

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
        """Start one bot."""
        spec = program.bot or program.path
        if spec is None:
            raise ConfigError(f"bots: {slot}: expected bot or path with isolation: none, got a command or remote bot")
        try:
            bot_class = load_bot_spec(spec)
        except ValueError as error:
            raise ConfigError(f"bots: {slot}: {error}") from None
        prefix = bot_prefix(self._run, slot)
        will = Will(f"{prefix}/status", encode(Status(online=False)))
        bus = self._broker.connect(read=account.read, write=account.write, will=will)
        return TaskBot(asyncio.create_task(_serve(bot_class, bus, prefix), name=f"bot[{slot}]"))

    def log_tail(self, slot: str) -> str:  # noqa: ARG002 - no logs here
        """Nothing: what bots write goes where this process writes."""
        return ""


@contextlib.asynccontextmanager
async def open_in_process(plan: Plan) -> AsyncIterator[Backend]:
    """A backend without broker and processes."""
    broker = MemoryBroker()
    lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with broker.connect() as bus:
        yield Backend(bus, InProcessLauncher(broker, plan.run), lost)


async def _serve(bot_class: type[Bot], bus: MemoryBus, prefix: str) -> int:
    async with bus:
        return await Harness(bot_class, bus=bus, prefix=prefix).run()
