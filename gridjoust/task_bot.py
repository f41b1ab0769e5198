"""A bot that is a task of this event loop and looks like a process to the pool."""

from __future__ import annotations

import asyncio

from bots.api import Bot
from runner.processes.process import Exit, Usage


class TaskBot:
    """Wraps the task that serves the bot; its result is the exit code. `reason` replaces `exited with code n`.

    `bot_class` is there where matches may be played with the bot directly, past the task.
    """

    def __init__(self, task: asyncio.Task[int], *, reason: str = "", bot_class: type[Bot] | None = None) -> None:
        self._task = task
        self.bot_class = bot_class
        self._reason = reason

    def usage(self) -> Usage:
        """Unknown: it shares the referee's process."""
        return Usage(None, None)

    def mark(self, text: str) -> None:
        """It has no log of its own."""

    async def wait(self) -> Exit:
        """Until it has ended."""
        await asyncio.wait([self._task])
        if self._task.cancelled():
            return Exit(None, "cancelled")
        if (error := self._task.exception()) is not None:
            return Exit(1, f"{type(error).__name__}: {error}")
        code = self._task.result()
        return Exit(code, self._reason or f"exited with code {code}")

    async def stop(self, *, patience_s: float) -> Exit:
        """Let it leave by itself, then cancel it."""
        await asyncio.wait([self._task], timeout=patience_s)
        self.kill()
        return await self.wait()

    def kill(self) -> None:
        """Cancel it; a bot that never returns cannot be stopped in here."""
        self._task.cancel()
