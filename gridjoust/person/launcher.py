"""Seats a person in a match: to the pool it looks like a process that was started."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from bots.api import Bot
from gridjoust.person.person import Answers, Lines, Person
from gridjoust.task_bot import Connect
from runner.broker import Account
from runner.config.values import RoleProgram
from runner.wire.topics import bot_prefix

PERSON = "person"  # the bot name that stands for whoever sits here


@dataclass
class SeatedPerson:
    """The keyboard's person, match after match: what stays while matches are taken back."""

    run: str
    connect: Connect
    keyboard: TextIO
    advisor_class: type[Bot]
    show: Callable[[str], None]
    can_undo: bool
    answers: Answers = ()  # given first in the next match

    def __post_init__(self) -> None:
        self.undone: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()  # one for each match
        self._typed = Lines()
        _read(self.keyboard, self._typed)

    async def serve(self, _: RoleProgram, slot: str, account: Account) -> int:
        """Take part in a match; the exit code."""
        async with self.connect(account, None) as bus:
            person = Person(
                bus=bus,
                prefix=bot_prefix(self.run, slot),
                typed=self._typed,
                show=self.show,
                advisor_class=self.advisor_class,
                answers=self.answers,
                undo=self.undone.set_result if self.can_undo else None,
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
