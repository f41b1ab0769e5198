"""The process of the built-in broker: amqtt behind a checking listener. It reads its settings as JSON from stdin.

The listener (with `gate`) admits connections and ends those that are silent beyond their keep-alive, send packets above
the limit, or do not read. A user who connects again replaces the earlier connection. A connection that sends more than
its account may send is ended too, and the referee is told.
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
from gridjoust.runner.broker.connection_listener import ConnectionListener, read_head, run_alone
from gridjoust.runner.broker.gate import Meter, Refusal, judge, rewrite
from gridjoust.runner.broker.listening import LOOPBACK
from gridjoust.runner.wire.bus.packets import Connect
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

_LISTENER = "default"

log = logging.getLogger("joust.broker")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that the parent process sends."""

    port: int  # on loopback
    socket: str | None
    accounts: list[Account]
    unread_limit_s: float


class Connection(ReaderAdapter):  # type: ignore[misc] # amqtt has no types
    """One admitted connection: amqtt reads the rewritten CONNECT, then all packets within the limits."""

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
        self._packet, self._at = rewrite(connect), 0  # the packet that amqtt reads, and its position in it
        self._silence_limit_s = 1.5 * connect.keepalive_s or float("inf")
        self._heard_at = time.monotonic()
        self._is_over = False

    async def read(self, n: int = -1) -> bytes:
        """Return exactly n bytes, or none once the connection is over."""
        if n and self._at >= len(self._packet):
            self._packet, self._at = await self._next_packet(), 0
        data = self._packet[self._at : self._at + n]
        self._at += n
        return data

    async def _next_packet(self) -> bytes:
        """Return the next packet; b"" if the connection is over, or ends now because the packet exceeds a limit."""
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
        """Mark the connection as over; no more bytes come."""
        self._is_over = True
        with contextlib.suppress(AssertionError):
            self._reader.feed_eof()

    def check(self) -> None:
        """End the connection if it has been silent for too long."""
        if time.monotonic() - self._heard_at > self._silence_limit_s:
            self.end()

    def end(self) -> None:
        """Abort the connection like a network failure, so that amqtt sends the last will."""
        self._writer.transport.abort()


class GateWriter(StreamWriterAdapter):  # type: ignore[misc] # amqtt has no types
    """The writer of amqtt for one connection; it aborts a connection that does not read."""

    def __init__(self, writer: asyncio.StreamWriter, *, unread_limit_s: float, meter: Meter | None) -> None:
        super().__init__(writer)
        self._meter = meter
        self._transport = writer.transport
        self._unread_limit_s = unread_limit_s

    def write(self, data: bytes) -> None:
        """Write one packet."""
        if self._meter is not None:
            self._meter.on_sent(data)
        super().write(data)

    async def drain(self) -> None:
        """Wait until the client has read enough; end the connection after a time limit. Messages queue up meanwhile."""
        if not self._transport.get_write_buffer_size():
            return
        try:
            async with asyncio.timeout(self._unread_limit_s):
                await super().drain()
        except TimeoutError:
            self._transport.abort()

    def get_peer_info(self) -> tuple[str, int] | None:
        """Return the peer's address; ("local", 0) for a unix socket, as amqtt needs an address."""
        return super().get_peer_info() or ("local", 0)


class BrokerListener(ConnectionListener):
    """Accepts connections, checks them, and passes admitted ones to amqtt."""

    def __init__(self, broker: AmqttBroker, settings: Settings) -> None:
        super().__init__()
        self._broker = broker
        self._accounts = {account.user: account for account in settings.accounts}
        self._unread_limit_s = settings.unread_limit_s
        self._connections: dict[str, Connection] = {}
        self._meters = {account.user: Meter() for account in settings.accounts if account.charge}

    def judge(self, connect: Connect) -> Account | Refusal:
        """Return the account of the connection, or a refusal; a user that has just been flooding is refused too."""
        verdict = judge(connect, self._accounts)
        meter = self._meters.get(verdict.user) if isinstance(verdict, Account) else None
        return verdict if meter is None or meter.on_connect() else Refusal.NOT_AUTHORIZED

    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve a connection until it ends or exceeds a limit; it replaces an earlier one of the same user."""
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
        """End silent connections, checking once a second, until cancelled."""
        while True:
            await asyncio.sleep(1)
            for connection in tuple(self._connections.values()):
                connection.check()


async def run_server(settings: Settings) -> None:
    """Run the broker until SIGTERM."""
    accounts = [msgspec.to_builtins(account) for account in settings.accounts]
    listeners = {_LISTENER: {"type": "external", "bind": "listener"}}
    plugins = {"gridjoust.runner.broker.rights_plugin.RightsPlugin": {"accounts": accounts}}
    broker = AmqttBroker({"listeners": listeners, "plugins": plugins})
    await broker.start()
    listener = BrokerListener(broker, settings)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with contextlib.AsyncExitStack() as stack:
        receive = functools.partial(listener.receive, {})
        stack.callback((await asyncio.start_server(receive, LOOPBACK, settings.port)).close)
        if settings.socket is not None:
            receive = functools.partial(listener.receive, {})
            stack.callback((await asyncio.start_unix_server(receive, settings.socket)).close)
        watch = asyncio.create_task(listener.watch(), name="broker.watch")
        await stopped.wait()
        watch.cancel()
    await broker.shutdown()


def main() -> None:
    """Read the settings from standard input and run the broker."""
    run_alone(run_server, Settings)


if __name__ == "__main__":
    main()
