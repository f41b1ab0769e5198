"""A person at the keyboard as a bot: lines in, drawings out. Looks like a process to the pool."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import TextIO

import msgspec

from bots.api import Bot
from bots.harness import ask_bot, make_bot, observation_of
from gridjoust.person.screen import Screen, make_screen
from gridjoust.task_bot import TaskBot
from runner.broker import Account
from runner.config.values import ResourceLimits, RoleProgram
from runner.processes.launch import Launcher, Running
from runner.wire import protocol
from runner.wire.bus import Bus, MqttBus
from runner.wire.errors import ProtocolFault
from runner.wire.protocol import bot_prefix

PERSON = "person"  # the bot name that stands for whoever sits here
HELP, HINT, AUTO, UNDO, QUIT = "?", "hint", "auto", "undo", "quit"
RESERVED = f"{HINT} asks a bot for advice, {AUTO} lets it play on, {UNDO} takes back (alone), {QUIT} leaves"
ADVICE_MS = 1000  # how long the advisor may think
GLANCE_MS = 10  # the same for what it has to catch up with

Question = protocol.TurnMessage | protocol.Event
Answers = tuple[str, ...]


class Typed:
    """Lines that wait for a question; they outlast a match that is taken back. None = there will be no more."""

    def __init__(self) -> None:
        self.lines: deque[str | None] = deque()
        self.news = asyncio.Event()

    def add(self, line: str | None) -> None:
        """A typed line."""
        self.lines.append(line)
        self.news.set()


class Person:
    """One seat's conversation with the referee, typed by hand.

    `answers` are given first, without a word; `undo` is called with those that remain when the person takes one back,
    and has to see to the rest: this conversation is over then. None: nothing can be taken back.
    """

    def __init__(
        self,
        *,
        bus: Bus,
        prefix: str,
        typed: Typed,
        show: Callable[[str], None],
        advisor_class: type[Bot] | None = None,
        answers: Answers = (),
        undo: Callable[[Answers], None] | None = None,
    ) -> None:
        self._bus = bus
        self._advisor_class = advisor_class
        self._advisor: Bot | None = None
        self._is_auto = False
        self._prefix = prefix
        self._show = show
        self._inbox: deque[protocol.ToBot] = deque()
        self._typed = typed
        self._given: deque[str] = deque(answers)
        self._undo = undo
        self._answers: list[str] = []
        self._screen: Screen | None = None
        self._asked: Question | None = None
        self._unseen: list[Question] = []  # what the advisor has not been shown yet
        self._is_timed = False
        self._seq = 0

    async def run(self) -> int:
        """Until told to stop, or until the person leaves; the exit code."""
        await self._bus.subscribe(f"{self._prefix}/in", self._on_message)
        await self._bus.publish(f"{self._prefix}/status", protocol.encode(protocol.Status(online=True)))
        while True:
            await self._typed.news.wait()
            self._typed.news.clear()
            while self._inbox:
                message = self._inbox.popleft()
                if isinstance(message, protocol.Stop):
                    return 0
                await self._on_news(message)
            while self._typed.lines and self._asked is not None:
                line = self._typed.lines.popleft()
                if line is None or line.strip() == QUIT:
                    return 1
                await self._on_line(line)

    def _on_message(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        try:
            self._inbox.append(protocol.decode_to_bot(payload))
        except ProtocolFault as fault:
            self._show(str(fault))
        self._typed.news.set()

    async def _on_news(self, message: protocol.ToBot) -> None:
        match message:
            case protocol.Hello():
                await self._send(protocol.Ready(protocol=protocol.PROTOCOL, language="human"))
            case protocol.Start():
                self._is_timed = message.dynamics in ("real_time", "ticked")
                self._screen = make_screen(message.game, message.briefing[str(message.seats[0])])
                if self._advisor_class is not None:
                    self._advisor = make_bot(self._advisor_class, msgspec.structs.replace(message, options={}))
                self._show(f"You play {message.game} in seat {message.seats[0]}. {HELP} shows the keys, {QUIT} leaves.")
                await self._send(protocol.Ready(protocol=protocol.PROTOCOL, match=message.match, language="human"))
            case protocol.TurnMessage():
                self._seq = 0
                self._ask(message)
                if self._given:
                    await self._act(self._given.popleft(), message)
                elif self._is_auto:
                    await self._follow_advice(message)
            case protocol.Event():
                self._ask(message)
            case protocol.End():
                self._asked = None
                self._show(f"{message.termination}: {message.reason}. Ranks by seat: {message.ranks}")
            case _:
                pass

    def _ask(self, message: Question) -> None:
        self._asked = message
        self._unseen.append(message)
        if self._screen is not None:
            drawn = self._screen.draw(message.observation, message.legal)  # also unseen: a drawing may have a memory
            if not self._given:
                self._show(f"\nturn {message.turn}\n{drawn}")

    async def _on_line(self, line: str) -> None:
        asked, screen = self._asked, self._screen
        if screen is None or asked is None:
            return
        word = screen.reserved.get(line.strip(), line.strip())
        if word == HELP:
            self._show(f"{screen.keys}; {RESERVED}")
        elif word == HINT:
            advice = self._advice(asked) or "nothing, there is no bot to ask"
            plan = screen.draw_plan(asked.observation, self._advisor)
            self._show(f"{plan}\nthe bot would answer: {advice}" if plan else f"the bot would answer: {advice}")
        elif word == AUTO and self._advisor is not None:
            self._is_auto = True
            await self._follow_advice(asked)
        elif word == UNDO:
            self._take_back()
        else:
            await self._answer(line, asked, screen)

    def _take_back(self) -> None:
        if self._undo is None or self._is_timed:
            self._show(f"expected a game that you play alone and without a clock, got {UNDO!r}")
        elif not self._answers:
            self._show("there is nothing to take back")
        else:
            self._asked = None
            self._show(f"taken back: {self._answers[-1]}")
            self._undo(tuple(self._answers[:-1]))

    def _advice(self, asked: Question) -> str | None:
        """The advisor's answer; a bot with a memory is first shown what it has missed."""
        if self._advisor is None:
            return None
        for missed in self._unseen:
            if missed is not asked:
                ask_bot(self._advisor, observation_of(missed), limit_ms=GLANCE_MS)
        self._unseen = []
        return ask_bot(self._advisor, observation_of(asked), limit_ms=ADVICE_MS)

    async def _follow_advice(self, asked: Question) -> None:
        if (text := self._advice(asked)) is not None:
            self._show(f"the bot answers: {text}")
            await self._act(text, asked)

    async def _answer(self, line: str, asked: Question, screen: Screen) -> None:
        try:
            text = screen.parse(line, asked.observation, asked.legal)
        except ValueError as error:
            self._show(str(error))
            return
        if asked.legal_complete and text not in asked.legal:
            self._show(f"expected one of {', '.join(asked.legal)}, got {text!r}")
            return
        await self._act(text, asked)

    async def _act(self, text: str, asked: Question) -> None:
        action = protocol.Action(match=asked.match, ask=asked.ask, seat=asked.seat, action=text, seq=self._seq)
        self._seq += 1
        self._answers.append(text)
        if not self._is_timed:
            self._asked = None
        await self._send(action)

    async def _send(self, message: protocol.FromBot) -> None:
        await self._bus.publish(f"{self._prefix}/out", protocol.encode(message))


class PersonLauncher:
    """Seats the person where the program says so; every other bot is started as usual."""

    def __init__(
        self,
        launcher: Launcher,
        run: str,
        connect: Callable[[Account], MqttBus],
        keyboard: TextIO,
        advisor_class: type[Bot] | None,
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
        self._typed = Typed()
        _read_lines(keyboard, self._typed.add, asyncio.get_running_loop())

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


def _read_lines(keyboard: TextIO, post: Callable[[str | None], None], loop: asyncio.AbstractEventLoop) -> None:
    """Post every typed line from a thread of its own, which never keeps the process from ending."""

    def read() -> None:
        for line in keyboard:
            loop.call_soon_threadsafe(post, line.rstrip("\n"))
        loop.call_soon_threadsafe(post, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()


def keyboard() -> TextIO:
    """Where people type."""
    return sys.stdin
