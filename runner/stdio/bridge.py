"""Connects one bot on standard input and output to the broker, from its start to its end, under its own account.

Its messages go through the broker and count against its limits there, like those of any other bot. Misuse of its pipes
affects only the bot itself: see `gridjoust.runner.stdio.pipes`. The layers of its search are taken out of its answers
and go to the live page. So only the answer itself counts against the referee's limits, and layers that are too large
are not a fault.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec
from msgspec import Raw

from gridjoust.runner.processes.logs import MARK, PRINTED
from gridjoust.runner.processes.process import BotProcess, Exit
from gridjoust.runner.stdio.pipes import Pipes, open_pipes
from gridjoust.runner.stdio.translator import Translator
from gridjoust.runner.wire.bus import RUNNER_KEEPALIVE_S, Address, Bus, Will
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.errors import BrokerError, ProtocolFault
from gridjoust.runner.wire.inbox import Pace
from gridjoust.runner.wire.protocol import SHOWN_KEY, SHOWN_LIMIT_BYTES, Status, encode, shown_topic
from gridjoust.runner.wire.text import UNREADABLE

READY_GRACE_S = 0.05  # time for a bot that has read `hello` to send `ready` itself
FIRST_LOOK_S, LAST_LOOK_S, SLOWER = 0.0005, 0.02, 1.3  # shortest and longest pause between tests if it has read a line
PARTING_S = 1.0  # limit between the end of its output and its own end, in either order

OpenBus = Callable[[Callable[[str], None]], AbstractAsyncContextManager[Bus]]
"""Opens a bus for the bot's account; its argument is called with the reason if the connection is lost."""


async def run_bridge(
    process: BotProcess,
    address: Address,
    *,
    prefix: str,
    user: str | None,
    password: str | None,
    streams_search: bool = False,
) -> None:
    """Exchange messages between broker and a process that was started with pipes, until it ends.

    `streams_search`: the bot may show its search.
    """

    will = Will(f"{prefix}/status", encode(Status(online=False)))

    def open_bus(on_lost: Callable[[str], None]) -> MqttBus:
        return MqttBus(
            address,
            user=user,
            password=password,
            client_id=prefix.replace("/", "-"),
            will=will,
            on_lost=on_lost,
            keepalive_s=RUNNER_KEEPALIVE_S,
        )

    assert process.stdin is not None
    assert process.stdout is not None
    pipes = await open_pipes(process.stdin, process.stdout, streams_search=streams_search)
    bridge = Bridge(process, pipes, prefix=prefix, streams_search=streams_search)
    process.silence = bridge.silence
    await bridge.run(open_bus)


class Bot(Protocol):
    """The part of `BotProcess` that a bridge uses."""

    async def wait(self) -> Exit:
        """Wait for the end of the process."""

    def kill(self, verdict: str) -> None:
        """Kill the process."""

    def mark(self, text: str) -> None:
        """Write a line into the log of the process."""


class Bridge:
    """Passes messages between the pipes of one bot process and its MQTT topics."""

    def __init__(self, bot: Bot, pipes: Pipes, *, prefix: str, streams_search: bool = False) -> None:
        self._bot = bot
        self._pipes = pipes
        self._prefix = prefix
        self._translator = Translator(lambda line: bot.mark(f"{PRINTED.removeprefix(MARK)}{line}"))
        self._showing = Showing(bot.mark) if streams_search else None
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()  # to be published
        self._look: asyncio.Task[None] | None = None
        self._is_stopping = False
        self._dropped = 0

    def silence(self) -> str:
        """Return why no answer can be read from what the bot has written; "" if nothing explains it."""
        return self._pipes.silence() or self._translator.silence()

    async def run(self, open_bus: OpenBus) -> None:
        """Run until the process ends; kill it if the connection to the broker is lost."""
        try:
            async with open_bus(self._on_lost) as bus:
                await self._serve(bus)
        except BrokerError as error:
            self._on_lost(str(error))
        finally:
            self._bot.kill("its connection to the broker was closed")
            self._pipes.close()

    async def _serve(self, bus: Bus) -> None:
        await bus.subscribe(f"{self._prefix}/in", self._on_message)
        await self._say(bus, is_online=True)
        publishing = asyncio.create_task(self._publish(bus), name=f"stdio[{self._prefix}].publish")
        reading = asyncio.create_task(self._read(bus), name=f"stdio[{self._prefix}].read")
        ended = asyncio.create_task(self._bot.wait(), name=f"stdio[{self._prefix}].wait")
        try:
            await asyncio.wait({publishing, reading, ended}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({reading, ended}, timeout=PARTING_S)
            if reading.done() and not ended.done() and not self._is_stopping:
                self._bot.kill("closed its standard output, where answers are expected")
            await ended
            await self._say(bus, is_online=False)
        finally:
            for task in filter(None, (publishing, reading, ended, self._look)):
                task.cancel()
        for task in (publishing, reading):
            if task.done() and not task.cancelled():
                task.result()  # raises an error of the bridge itself

    async def _say(self, bus: Bus, *, is_online: bool) -> None:
        await bus.publish(f"{self._prefix}/status", encode(Status(online=is_online)))

    def _on_message(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        if not self._pipes.can_take(len(payload)):
            self._drop()
            return
        try:
            kind, answer = self._translator.on_message(payload, written=self._pipes.written())
        except ProtocolFault:
            return  # not from the referee: bots that share an account can write here too
        self._pipes.send(payload.replace(b"\n", b" ") if b"\n" in payload else payload)
        if answer is not None:
            self._waiting.put_nowait(answer)
        if kind == "stop":
            self._is_stopping = True
            self._pipes.close_input()
        elif self._translator.is_silent:
            self._watch_reading(READY_GRACE_S if kind == "hello" else 0.0)

    def _drop(self) -> None:
        if not self._dropped:
            self._bot.mark("the bot does not read its standard input: messages are dropped")
        self._dropped += 1

    def _watch_reading(self, grace_s: float) -> None:
        if self._look is not None:
            self._look.cancel()
        self._look = asyncio.create_task(self._say_ready(grace_s), name=f"stdio[{self._prefix}].ready")

    async def _say_ready(self, grace_s: float) -> None:
        """Send `ready` for a bot that does not do so itself, `grace_s` after it has read the runner's line."""
        pause_s = FIRST_LOOK_S
        while self._pipes.has_unread():
            await asyncio.sleep(pause_s)
            pause_s = min(LAST_LOOK_S, pause_s * SLOWER)
        await asyncio.sleep(grace_s)
        if (ready := self._translator.ready()) is not None:
            self._waiting.put_nowait(ready)

    async def _read(self, bus: Bus) -> None:
        async for line in self._pipes.lines():
            end = self._pipes.position
            answer = self._translator.on_long_line() if line is None else self._translator.on_line(line, end=end)
            if answer is not None:
                await self._put(bus, answer)

    async def _put(self, bus: Bus, answer: bytes) -> None:
        bare, shown = (answer, None) if self._showing is None else self._showing.split(answer)
        await bus.publish(f"{self._prefix}/out", bare)
        if shown is not None:
            await bus.publish(shown_topic(self._prefix), shown)

    async def _publish(self, bus: Bus) -> None:
        """Publish the messages that the bridge sends for the bot."""
        while True:
            await bus.publish(f"{self._prefix}/out", await self._waiting.get())

    def _on_lost(self, reason: str) -> None:
        self._bot.mark(f"its connection to the broker was lost: {reason}")
        self._bot.kill("its connection to the broker was lost")


_PARTS = msgspec.json.Decoder(dict[str, Raw])


class Showing:
    """Takes the search layers out of one process's answers; `mark` writes a line into the bot's log."""

    def __init__(self, mark: Callable[[str], None]) -> None:
        self._mark = mark
        self._pace = Pace()
        self._has_dropped = False

    def split(self, answer: bytes) -> tuple[bytes, bytes | None]:
        """Return the answer without search layers, and a message with the layers.

        The message is None without layers, or if they come too often.
        """
        if SHOWN_KEY not in answer:
            return answer, None
        try:
            parts = _PARTS.decode(answer)
        except UNREADABLE:
            return answer, None  # the referee reports what is wrong with it
        shown = parts.pop("shown", None)
        if shown is None:  # the word was in a text
            return answer, None
        bare = msgspec.json.encode(parts)
        if len(bytes(shown)) > SHOWN_LIMIT_BYTES:
            self._drop(len(bytes(shown)))
            return bare, None
        seat = parts.get("seat")
        if seat is None or not self._pace.is_due(bytes(seat)):
            return bare, None
        return bare, msgspec.json.encode({"match": parts.get("match"), "seat": seat, "shown": shown})

    def _drop(self, size: int) -> None:
        if not self._has_dropped:
            self._mark(f"shown: expected at most {SHOWN_LIMIT_BYTES} bytes, got {size}: dropped, like all larger ones")
        self._has_dropped = True
