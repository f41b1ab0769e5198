"""Seats a person in a match: to the pool it looks like a process that was started."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TextIO

from bots.api import Bot
from gridjoust.person.person import Answers, Lines, Person
from gridjoust.task_bot import Connect
from runner.broker import Account
from runner.config.values import RoleProgram
from runner.wire.topics import bot_prefix

PERSON = "person"  # the bot name that stands for whoever sits here


class SeatedPerson:
    """The keyboard's person, match after match: what stays while matches are taken back."""

    def __init__(
        self,
        run: str,
        connect: Connect,
        keyboard: TextIO,
        advisor_class: type[Bot],
        *,
        show: Callable[[str], None],
        can_undo: bool,
    ) -> None:
        self.answers: Answers = ()  # given first in the next match
        self.undone: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()  # one for each match
        self._advisor_class = advisor_class
        self._run = run
        self._connect = connect
        self._can_undo = can_undo
        self._show = show
        self._typed = Lines()
        _read(keyboard, self._typed)

    async def serve(self, _: RoleProgram, slot: str, account: Account) -> int:
        """Take part in a match; the exit code."""
        async with self._connect(account, None) as bus:
            person = Person(
                bus=bus,
                prefix=bot_prefix(self._run, slot),
                typed=self._typed,
                show=self._show,
                advisor_class=self._advisor_class,
                answers=self.answers,
                undo=self.undone.set_result if self._can_undo else None,
            )
            return await person.run()


def _read(keyboard: TextIO, typed: Lines) -> None:
    """Add every line from now on; the thread that waits for them never keeps the process from ending."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in keyboard:
            loop.call_soon_threadsafe(typed.add, line.rstrip("\n"))
        loop.call_soon_threadsafe(typed.add, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
