"""Seats a person in a match: to the pool it looks like a process that was started."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TextIO

from bots.api import Bot
from gridjoust.person.keyboard import Lines
from gridjoust.person.person import Answers, Person
from gridjoust.task_bot import TaskBot
from runner.broker import Account
from runner.config.values import ResourceLimits, RoleProgram
from runner.processes.launch import Launcher, Running
from runner.wire.bus import MqttBus
from runner.wire.topics import bot_prefix

PERSON = "person"  # the bot name that stands for whoever sits here


class PersonLauncher:
    """Seats the person where the program says so; every other bot is started as usual."""

    def __init__(
        self,
        launcher: Launcher,
        run: str,
        connect: Callable[[Account], MqttBus],
        keyboard: TextIO,
        advisor_class: type[Bot],
        *,
        show: Callable[[str], None],
        can_undo: bool,
    ) -> None:
        self.answers: Answers = ()  # given first in the next match
        self.undone: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()  # one for each match
        self._launcher = launcher
        self._advisor_class = advisor_class
        self._run = run
        self._connect = connect
        self._can_undo = can_undo
        self._show = show
        self._typed = Lines()
        self._typed.read_from(keyboard)

    async def start(self, program: RoleProgram, *, slot: str, account: Account, limits: ResourceLimits) -> Running:
        """Start a bot, or hand the keyboard to the person."""
        if program.bot != PERSON:
            return await self._launcher.start(program, slot=slot, account=account, limits=limits)
        task = asyncio.create_task(self._seat(slot, account), name=f"person[{slot}]")
        return TaskBot(task, reason="the person left")

    def log_tail(self, slot: str) -> str:
        """The last line of a bot's log."""
        return self._launcher.log_tail(slot)

    async def _seat(self, slot: str, account: Account) -> int:
        async with self._connect(account) as bus:
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
