"""A seat that a person plays: it shows questions, reads typed lines, and speaks the protocol like a bot's process."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol, TextIO

import msgspec

from gridjoust.bots.api import Bot
from gridjoust.bots.harness import ask_bot, make_bot
from gridjoust.in_process import Connect
from gridjoust.person.screen import Screen, make_screen
from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.inbox import Inbox
from gridjoust.runner.wire.protocol import bot_prefix

HELP, HINT, AUTO, UNDO, QUIT = "?", "hint", "auto", "undo", "quit"
RESERVED = f"{HINT} asks a bot for advice, {AUTO} lets it play on, {UNDO} takes back (single-player), {QUIT} leaves"

ADVICE_MS = 1000  # time limit of a bot that is asked for advice
GLANCE_MS = 10  # time limit for each earlier question that it has to see first

Answers = tuple[str, ...]
Question = protocol.TurnMessage | protocol.Event


class Lines:
    """Queue of lines that a person typed; it outlasts the restart of a match after an undo. None: end of the input."""

    def __init__(self) -> None:
        self.lines: deque[str | None] = deque()
        self.news = asyncio.Event()

    def add(self, line: str | None) -> None:
        """Add a typed line, None at the end of the input."""
        self.lines.append(line)
        self.news.set()


class Advisor:
    """A bot that gives advice in one match. It sees every question, as some bots have a memory."""

    def __init__(self, bot_class: type[Bot], start: protocol.Start) -> None:
        self.bot = make_bot(bot_class, msgspec.structs.replace(start, options={}))
        self._unseen: list[Question] = []

    def see(self, question: Question) -> None:
        """Note a question for the next advice."""
        self._unseen.append(question)

    def answer(self, asked: Question) -> str | None:
        """Return the bot's answer to a question, None if it has none."""
        for missed in self._unseen:
            if missed is not asked:
                ask_bot(self.bot, missed, limit_ms=GLANCE_MS)
        self._unseen = []
        return ask_bot(self.bot, asked, limit_ms=ADVICE_MS)


class Face(Protocol):
    """Interface between a person who plays and a display: terminal or browser."""

    def say(self, text: str) -> None:
        """Show a message."""

    def ask(self, asked: Question, screen: Screen, drawn: str) -> None:
        """Show an open question; `drawn`: the position as text."""

    def close(self) -> None:
        """Show that no question is open."""

    def advise(self, answer: str | None, plan: str) -> None:
        """Show a bot's advice (None if it has none) and its planned path as text."""


@dataclass(frozen=True, slots=True)
class TextFace:
    """The display of a person who plays in the terminal."""

    say: Callable[[str], None]

    def ask(self, asked: Question, screen: Screen, drawn: str) -> None:  # noqa: ARG002 - the text has it all
        """Print the turn and the position."""
        self.say(f"\nturn {asked.turn}\n{drawn}")

    def close(self) -> None:
        """Print nothing, as the next position will be printed anyway."""

    def advise(self, answer: str | None, plan: str) -> None:
        """Print the plan, if any, and the advice."""
        advice = advice_text(answer)
        self.say(f"{plan}\n{advice}" if plan else advice)


def advice_text(answer: str | None) -> str:
    """Return a bot's advice as a sentence; `answer` is None if it has none."""
    return f"the bot would answer: {answer or 'nothing (no advice)'}"


@dataclass(kw_only=True)
class Person:
    """A person who plays one match.

    `answers` are given first, without asking. When the person takes an answer back, `undo` is called with the answers
    that remain and must restart the match; with None, undo is not possible.
    """

    bus: Bus
    prefix: str
    typed: Lines
    face: Face
    advisor_class: type[Bot]
    answers: Answers = ()
    undo: Callable[[Answers], None] | None = None

    def __post_init__(self) -> None:
        self._inbox = Inbox(self.face.say, arrived=self.typed.news)
        self._given = deque(self.answers)
        self._answered: list[str] = []
        self._advisor: Advisor | None = None
        self._screen: Screen | None = None
        self._asked: Question | None = None
        self._is_auto = False
        self._is_timed = False
        self._seq = 0

    async def run(self) -> int:
        """Play until `stop` comes or the person leaves; return the exit code."""
        await self.bus.subscribe(f"{self.prefix}/in", self._inbox.on_message)
        await self.bus.publish(f"{self.prefix}/status", protocol.encode(protocol.Status(online=True)))
        while True:
            await self.typed.news.wait()
            self.typed.news.clear()
            while (message := self._inbox.take()) is not None:
                if isinstance(message, protocol.Stop):
                    return 0
                await self._on_news(message)
            while self.typed.lines and self._asked is not None:
                line = self.typed.lines.popleft()
                if line is None or line.strip() == QUIT:
                    return 1
                await self._on_line(line)

    async def _on_news(self, message: protocol.ToBot) -> None:
        match message:
            case protocol.Hello():
                await self._send(protocol.Ready(protocol=protocol.PROTOCOL, language="human"))
            case protocol.Start():
                self._is_timed = message.dynamics in ("real_time", "ticked")
                self._screen = make_screen(message.game, message.briefing[str(message.seats[0])])
                self._advisor = Advisor(self.advisor_class, message)
                self.face.say(
                    f"You play {message.game} in seat {message.seats[0]}. {HELP} shows the keys, {QUIT} leaves."
                )
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
                self.face.close()
                self.face.say(f"{message.termination}: {message.reason}. Ranks by seat: {message.ranks}")
            case _:
                pass

    def _ask(self, message: Question) -> None:
        self._asked = message
        if self._advisor is not None:
            self._advisor.see(message)
        if self._screen is not None:
            drawn = self._screen.draw(
                message.view, message.legal
            )  # also if it is not shown: a drawing may have a memory
            if not self._given:
                self.face.ask(message, self._screen, drawn)

    async def _on_line(self, line: str) -> None:
        asked, screen = self._asked, self._screen
        if screen is None or asked is None:
            return
        word = screen.reserved.get(line.strip(), line.strip())
        if word == HELP:
            self.face.say(f"{screen.keys}; {RESERVED}")
        elif word == HINT:
            self._show_advice(asked, screen)
        elif word == AUTO:
            self._is_auto = True
            await self._follow_advice(asked)
        elif word == UNDO:
            self._take_back()
        else:
            await self._answer(line, asked, screen)

    def _take_back(self) -> None:
        if self.undo is None or self._is_timed:
            self.face.say(f"{UNDO} works only in single-player games without a clock")
        elif not self._answered:
            self.face.say("there is nothing to take back")
        else:
            self._asked = None
            self.face.say(f"taken back: {self._answered[-1]}")
            self.undo(tuple(self._answered[:-1]))

    def _show_advice(self, asked: Question, screen: Screen) -> None:
        assert self._advisor is not None  # made with the screen
        answer = self._advisor.answer(asked)
        self.face.advise(answer, screen.draw_plan(asked.view, self._advisor.bot))

    async def _follow_advice(self, asked: Question) -> None:
        assert self._advisor is not None  # it came with the screen
        if (text := self._advisor.answer(asked)) is not None:
            self.face.say(f"the bot answers: {text}")
            await self._act(text, asked)

    async def _answer(self, line: str, asked: Question, screen: Screen) -> None:
        try:
            text = screen.parse(line, asked.view, asked.legal)
        except ValueError as error:
            self.face.say(str(error))
            return
        if asked.legal_complete and text not in asked.legal:
            self.face.say(f"expected one of {', '.join(asked.legal)}, got {text!r}")
            return
        await self._act(text, asked)

    async def _act(self, text: str, asked: Question) -> None:
        action = protocol.Action(match=asked.match, ask=asked.ask, seat=asked.seat, action=text, seq=self._seq)
        self._seq += 1
        self._answered.append(text)
        if not self._is_timed:
            self._asked = None
            self.face.close()
        await self._send(action)

    async def _send(self, message: protocol.FromBot) -> None:
        await self.bus.publish(f"{self.prefix}/out", protocol.encode(message))


PERSON = "person"  # bot name of the person


@dataclass
class SeatedPerson:
    """The state of a person who plays, which outlasts a restart of the match after an undo."""

    run: str
    connect: Connect
    typed: Lines
    face: Face
    advisor_class: type[Bot]
    can_undo: bool
    answers: Answers = ()  # given first in the next match

    def __post_init__(self) -> None:
        self.undone: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()  # one for each match

    async def serve(self, _: RoleProgram, slot: str, account: Account) -> int:
        """Play a match; return the exit code."""
        async with self.connect(account, None) as bus:
            person = Person(
                bus=bus,
                prefix=bot_prefix(self.run, slot),
                typed=self.typed,
                face=self.face,
                advisor_class=self.advisor_class,
                answers=self.answers,
                undo=self.undone.set_result if self.can_undo else None,
            )
            return await person.run()


def read_keyboard(keyboard: TextIO, typed: Lines) -> None:
    """Read lines in a daemon thread and add them to `typed`; the thread does not keep the process alive."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(OSError):  # a terminal that closes ends the input too
            for line in keyboard:
                loop.call_soon_threadsafe(typed.add, line.rstrip("\n"))
        loop.call_soon_threadsafe(typed.add, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
