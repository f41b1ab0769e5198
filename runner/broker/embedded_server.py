"""The embedded broker's process: amqtt behind a door of our own. Reads its settings as JSON from stdin.

The door (`gate`) admits connections, ends those that are silent beyond their keep-alive, send packets beyond the limit
or do not read what they are sent, and lets a user who connects again replace the connection before it. Whoever sends
more than an account may is ended too, and the referee is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import signal
import time
from collections.abc import Awaitable, Callable

import msgspec
from amqtt.adapters import ReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker as AmqttBroker

from gridjoust.runner.broker.accounts import Account
from gridjoust.runner.broker.gate import Meter, Refusal, judge, rewrite
from gridjoust.runner.broker.listening import LOOPBACK
from gridjoust.runner.broker.reception import Reception, read_head, run_alone
from gridjoust.runner.wire.bus.connecting import Connect
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

_LISTENER = "default"

log = logging.getLogger("joust.broker")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the parent sends."""

    port: int  # on loopback
    socket: str | None
    accounts: list[Account]
    unread_limit_s: float


class Connection(ReaderAdapter):  # type: ignore[misc] # amqtt has no types
    """One admitted connection. amqtt reads the rewritten CONNECT, then what comes, as long as it keeps the rules."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        connect: Connect,
        *,
        meter: Meter | None,
        on_flood: Callable[[str], Awaitable[None]],
    ) -> None:
        self.ended = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._meter = meter
        self._on_flood = on_flood
        self._packet, self._at = rewrite(connect), 0  # what amqtt is reading, and how far it has come
        self._silence_limit_s = 1.5 * connect.keepalive_s or float("inf")
        self._heard_at = time.monotonic()
        self._is_over = False

    async def read(self, n: int = -1) -> bytes:
        """Exactly n bytes, or none when the connection is over."""
        if n and self._at >= len(self._packet):
            self._packet, self._at = await self._next_packet(), 0
        data = self._packet[self._at : self._at + n]
        self._at += n
        return data

    async def _next_packet(self) -> bytes:
        """A whole packet within the limits; none when the connection is over, or because it is beyond them."""
        if not self._is_over:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
                head, size = await read_head(self._reader)
                if size <= PACKET_LIMIT_BYTES:
                    packet = head + await self._reader.readexactly(size)
                    self._heard_at = time.monotonic()
                    excess = self._meter.excess(packet, size) if self._meter else ""
                    if not excess:
                        return packet
                    await self._on_flood(excess)
        self._is_over = True
        return b""

    def feed_eof(self) -> None:
        """Nothing more comes."""
        self._is_over = True
        with contextlib.suppress(AssertionError):
            self._reader.feed_eof()

    def check(self) -> None:
        """End it if it has been silent for too long."""
        if time.monotonic() - self._heard_at > self._silence_limit_s:
            self.end()

    def end(self) -> None:
        """Drop it as if the network had: amqtt then sends the last will."""
        self._writer.transport.abort()


class GateWriter(StreamWriterAdapter):  # type: ignore[misc] # amqtt has no types
    """What amqtt writes to; gives up on a connection that does not read."""

    def __init__(self, writer: asyncio.StreamWriter, *, unread_limit_s: float, meter: Meter | None) -> None:
        super().__init__(writer)
        self._meter = meter
        self._transport = writer.transport
        self._unread_limit_s = unread_limit_s

    def write(self, data: bytes) -> None:
        """One packet."""
        if self._meter is not None:
            self._meter.on_sent(data)
        super().write(data)

    async def drain(self) -> None:
        """Wait for the other side to read, but not for ever: amqtt's messages for it pile up meanwhile."""
        if not self._transport.get_write_buffer_size():
            return
        try:
            async with asyncio.timeout(self._unread_limit_s):
                await super().drain()
        except TimeoutError:
            self._transport.abort()

    def get_peer_info(self) -> tuple[str, int] | None:
        """A unix socket has no address, and amqtt refuses connections without one."""
        return super().get_peer_info() or ("local", 0)


class Door(Reception):
    """Accepts, judges, and hands what it lets in to amqtt."""

    def __init__(self, broker: AmqttBroker, settings: Settings) -> None:
        super().__init__()
        self._broker = broker
        self._accounts = {account.user: account for account in settings.accounts}
        self._unread_limit_s = settings.unread_limit_s
        self._connections: dict[str, Connection] = {}
        self._meters = {account.user: Meter() for account in settings.accounts if account.charge}

    def judge(self, connect: Connect) -> Account | Refusal:
        """Whose connection this is, or why it is refused: also because its user has just been flooding."""
        verdict = judge(connect, self._accounts)
        meter = self._meters.get(verdict.user) if isinstance(verdict, Account) else None
        return verdict if meter is None or meter.on_connect() else Refusal.NOT_AUTHORIZED

    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """As long as it keeps the rules."""
        while (before := self._connections.get(account.user)) is not None:
            before.end()
            await before.ended.wait()
        meter, on_flood = self._meters.get(account.user), functools.partial(self._charge, account)
        connection = Connection(reader, writer, connect, meter=meter, on_flood=on_flood)
        self._connections[account.user] = connection
        try:
            gated = GateWriter(writer, unread_limit_s=self._unread_limit_s, meter=meter)
            await self._broker.external_connected(connection, gated, _LISTENER)
        finally:
            del self._connections[account.user]
            connection.ended.set()
            connection.end()

    async def _charge(self, account: Account, reason: str) -> None:
        log.warning("%s floods: %s", account.user, reason)
        await self._broker.internal_message_broadcast(account.charge, reason.encode())

    async def watch(self) -> None:
        """End silent connections, for ever."""
        while True:
            await asyncio.sleep(1)
            for connection in tuple(self._connections.values()):
                connection.check()


async def run_server(settings: Settings) -> None:
    """Serve until SIGTERM."""
    accounts = [msgspec.to_builtins(account) for account in settings.accounts]
    listeners = {_LISTENER: {"type": "external", "bind": "door"}}
    plugins = {"gridjoust.runner.broker.rights_plugin.RightsPlugin": {"accounts": accounts}}
    broker = AmqttBroker({"listeners": listeners, "plugins": plugins})
    await broker.start()
    door = Door(broker, settings)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with contextlib.AsyncExitStack() as stack:
        receive = functools.partial(door.receive, {})
        stack.callback((await asyncio.start_server(receive, LOOPBACK, settings.port)).close)
        if settings.socket is not None:
            receive = functools.partial(door.receive, {})
            stack.callback((await asyncio.start_unix_server(receive, settings.socket)).close)
        watch = asyncio.create_task(door.watch(), name="broker.watch")
        await stopped.wait()
        watch.cancel()
    await broker.shutdown()


def main() -> None:
    """Read the settings and serve."""
    run_alone(run_server, Settings)


if __name__ == "__main__":
    main()
