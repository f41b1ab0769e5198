"""A bot that is a task of this event loop and looks like a process to the pool."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import KW_ONLY, dataclass

from bots.api import Bot
from runner.broker import Account, credentials
from runner.config.values import ResourceLimits, RoleProgram
from runner.launch import Launcher, Running
from runner.processes.process import Exit, Usage
from runner.tournament import Backend, Plan
from runner.wire.bus import Bus, Will

Connect = Callable[[Account, Will | None], AbstractAsyncContextManager[Bus]]
Serve = Callable[[RoleProgram, str, Account], Coroutine[None, None, int]]  # program, slot, account -> exit code


@dataclass(frozen=True, slots=True)
class TaskBot:
    """Wraps the task that serves the bot; its result is the exit code. `reason` replaces `exited with code n`.

    `bot_class` is there where matches may be played with the bot directly, past the task.
    """

    task: asyncio.Task[int]
    _: KW_ONLY
    reason: str = ""
    bot_class: type[Bot] | None = None

    def usage(self) -> Usage:
        """Unknown: it shares the referee's process."""
        return Usage(None, None)

    def mark(self, text: str) -> None:
        """It has no log of its own."""

    async def wait(self) -> Exit:
        """Until it has ended."""
        await asyncio.wait([self.task])
        if self.task.cancelled():
            return Exit(None, "cancelled")
        if (error := self.task.exception()) is not None:
            return Exit(1, f"{type(error).__name__}: {error}")
        code = self.task.result()
        return Exit(code, self.reason or f"exited with code {code}")

    async def stop(self, *, patience_s: float) -> Exit:
        """Let it leave by itself, then cancel it."""
        await asyncio.wait([self.task], timeout=patience_s)
        self.kill()
        return await self.wait()

    def kill(self) -> None:
        """Cancel it; a bot that never returns cannot be stopped in here."""
        self.task.cancel()


@dataclass(frozen=True, slots=True)
class TaskLauncher:
    """Starts a task for the programs that are called `name`; `inner` starts every other bot as usual."""

    inner: Launcher
    name: str
    serve: Serve
    reason: str = ""  # of its end; see `TaskBot`

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot, or the task in its place."""
        if program.bot != self.name:
            return await self.inner.start(program, slot=slot, account=account, limits=limits)
        task = asyncio.create_task(self.serve(program, slot, account), name=f"{self.name}[{slot}]")
        return TaskBot(task, reason=self.reason)

    def log_tail(self, slot: str) -> str:
        """The last line of a bot's log."""
        return self.inner.log_tail(slot)


def connector(plan: Plan, backend: Backend) -> Connect:
    """How an account gets to the backend's broker from within this process."""
    from runner.wire.bus.mqtt import MqttBus  # noqa: PLC0415 - not needed where everything is in this process

    broker = backend.broker
    assert broker is not None

    def connect(account: Account, will: Will | None) -> AbstractAsyncContextManager[Bus]:
        user, password = credentials(plan.loaded.config.broker, account)
        return MqttBus(broker.address, user=user, password=password, client_id=account.user, will=will)

    return connect
