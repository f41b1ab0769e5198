"""The embedded broker's process: amqtt behind a door of our own. Reads its settings as JSON from stdin.

The door (`gate`) admits connections, ends those that are silent beyond their keep-alive, send packets beyond the limit
or do not read what they are sent, and lets a user who connects again replace the connection before it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import sys
import time

import msgspec
from amqtt.adapters import ReaderAdapter, StreamWriterAdapter
from amqtt.broker import Broker as AmqttBroker

from runner.broker.accounts import Account
from runner.broker.gate import Connect, Refusal, format_refusal, judge, parse_connect, rewrite
from runner.wire.protocol import PACKET_LIMIT_BYTES

_CONNECT_LIMIT_S = 10.0
_CONNECT_LIMIT_BYTES = 128 * 1024  # a will may carry 64 kB
_LISTENER = "default"

log = logging.getLogger("joust.broker")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the parent sends."""

    addresses: list[tuple[str, int]]
    socket: str | None
    accounts: list[Account]
    unread_limit_s: float


class Connection(ReaderAdapter):  # type: ignore[misc] # amqtt has no types
    """One admitted connection. amqtt reads the rewritten CONNECT, then what comes, as long as it keeps the rules."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connect: Connect) -> None:
        self.ended = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._first = rewrite(connect)
        self._silence_limit_s = 1.5 * connect.keepalive_s or float("inf")
        self._heard_at = time.monotonic()
        self._is_over = False

    async def read(self, n: int = -1) -> bytes:
        """Exactly n bytes, or none when the connection is over."""
        if self._first:
            data, self._first = self._first[:n], self._first[n:]
            return data
        if not self._is_over and 0 <= n <= PACKET_LIMIT_BYTES:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                data = await self._reader.readexactly(n)
                self._heard_at = time.monotonic()
                return data
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

    def __init__(self, writer: asyncio.StreamWriter, *, unread_limit_s: float) -> None:
        super().__init__(writer)
        self._transport = writer.transport
        self._unread_limit_s = unread_limit_s

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


class Door:
    """Accepts, judges, and hands what it lets in to amqtt."""

    def __init__(self, broker: AmqttBroker, settings: Settings) -> None:
        self._broker = broker
        self._accounts = {account.user: account for account in settings.accounts}
        self._unread_limit_s = settings.unread_limit_s
        self._connections: dict[str, Connection] = {}

    async def receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it ends."""
        try:
            async with asyncio.timeout(_CONNECT_LIMIT_S):
                connect = parse_connect(await _read_connect(reader))
        except (asyncio.IncompleteReadError, ConnectionError):  # also whoever only looks whether we listen
            writer.close()
            return
        except (ValueError, TimeoutError) as error:
            log.warning("no connect: %s", error or type(error).__name__)
            writer.close()
            return
        verdict = judge(connect, self._accounts)
        if isinstance(verdict, Refusal):
            log.warning("refused %r: %s", connect.user, verdict.name.lower())
            writer.write(format_refusal(verdict))
            writer.close()
            return
        while (before := self._connections.get(verdict.user)) is not None:
            before.end()
            await before.ended.wait()
        connection = self._connections[verdict.user] = Connection(reader, writer, connect)
        try:
            gated = GateWriter(writer, unread_limit_s=self._unread_limit_s)
            await self._broker.external_connected(connection, gated, _LISTENER)
        finally:
            del self._connections[verdict.user]
            connection.ended.set()
            connection.end()

    async def watch(self) -> None:
        """End silent connections, for ever."""
        while True:
            await asyncio.sleep(1)
            for connection in tuple(self._connections.values()):
                connection.check()


async def _read_connect(reader: asyncio.StreamReader) -> bytes:
    """The body of the first packet; ValueError if that is no CONNECT or is too long."""
    kind = await reader.readexactly(1)
    if kind != b"\x10":
        raise ValueError(f"expected a connect packet, got {kind!r}")
    length = 0
    for shift in (0, 7, 14, 21):
        digit = (await reader.readexactly(1))[0]
        length |= (digit & 0x7F) << shift
        if digit < 0x80:
            break
    if not 0 < length <= _CONNECT_LIMIT_BYTES:
        raise ValueError(f"expected a connect of at most {_CONNECT_LIMIT_BYTES} bytes, got {length}")
    return await reader.readexactly(length)


async def run_server(settings: Settings) -> None:
    """Serve until SIGTERM."""
    accounts = [msgspec.to_builtins(account) for account in settings.accounts]
    listeners = {_LISTENER: {"type": "external", "bind": "door"}}
    plugins = {"runner.broker.gate.RightsPlugin": {"accounts": accounts}}
    broker = AmqttBroker({"listeners": listeners, "plugins": plugins})
    await broker.start()
    door = Door(broker, settings)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with contextlib.AsyncExitStack() as stack:
        for host, port in settings.addresses:
            stack.callback((await asyncio.start_server(door.receive, host, port)).close)
        if settings.socket is not None:
            stack.callback((await asyncio.start_unix_server(door.receive, settings.socket)).close)
        watch = asyncio.create_task(door.watch(), name="broker.watch")
        await stopped.wait()
        watch.cancel()
    await broker.shutdown()


def main() -> None:
    """Read the settings and serve, on uvloop where it is installed."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    settings = msgspec.json.decode(sys.stdin.buffer.read(), type=Settings)
    try:
        import uvloop  # noqa: PLC0415 - not on every platform
    except ImportError:
        runner = asyncio.Runner()
    else:
        runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    with runner:
        runner.run(run_server(settings))


if __name__ == "__main__":
    main()
