"""The TLS proxy for bots on other machines: a process in front of any broker that forwards their packets.

Brokers let a second connection of a user replace the first one. The proxy refuses it instead, unless it comes from the
same program as the first (by its client id): that program has lost its connection and knows it before the proxy does.
A bot's secret is valid at the proxy only, so remote bots cannot go around it, and only remote bots can go through it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import signal
import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
from msgspec import structs

from gridjoust.runner.broker.accounts import READY, Account, ProxyConfig
from gridjoust.runner.broker.connection_listener import CONNECT_LIMIT_S, ConnectionListener, read_head, run_alone
from gridjoust.runner.broker.gate import Meter, Refusal, format_refusal, judge, rewrite
from gridjoust.runner.wire.bus.address import TCP_OPTIONS, Address
from gridjoust.runner.wire.bus.packets import Connect
from gridjoust.runner.wire.protocol import PACKET_LIMIT_BYTES

_UNREAD_LIMIT_S = 10.0  # a bot that does not read for this long is disconnected
_BACKLOG = 100

log = logging.getLogger("joust.proxy")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that the parent process sends."""

    proxy: ProxyConfig
    inner: Address  # of the broker


@dataclass(slots=True, eq=False)
class _Guest:
    """The connection of one bot to the TLS proxy."""

    client_id: bytes
    writer: asyncio.StreamWriter
    ended: asyncio.Event = field(default_factory=asyncio.Event)


class TlsProxy(ConnectionListener):
    """Accepts one connection per remote bot, and forwards packets in both directions within the bot's allowance."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._inner = settings.inner
        self._accounts = {account.user: account for account in settings.proxy.guests}
        self._shown = {user: replace(account, password=account.secret) for user, account in self._accounts.items()}
        self._meters = {user: Meter() for user in self._accounts}
        self._guests: dict[str, _Guest] = {}

    def judge(self, connect: Connect) -> Account | Refusal:
        """Return the account of the token, or a refusal; a bot that has just been flooding is refused too."""
        verdict = judge(connect, self._shown)
        if isinstance(verdict, Refusal):
            return verdict
        return self._accounts[verdict.user] if self._meters[verdict.user].on_connect() else Refusal.NOT_AUTHORIZED

    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Forward packets between a bot and the broker until either ends the connection."""
        while (before := self._guests.get(account.user)) is not None:
            if before.client_id != connect.client_id:
                log.warning("refused %s: already connected", account.user)
                writer.write(format_refusal(Refusal.IDENTIFIER_REJECTED))
                writer.close()
                return
            before.writer.transport.abort()
            await before.ended.wait()
        guest = self._guests[account.user] = _Guest(connect.client_id, writer)
        for option in TCP_OPTIONS:
            writer.get_extra_info("socket").setsockopt(*option)
        try:
            inner_reader, inner_writer = await self._enter()
        except OSError:  # the broker is ending
            writer.write(format_refusal(Refusal.SERVER_UNAVAILABLE))
        else:
            keepalive_s = connect.keepalive_s  # the broker checks it
            own = structs.replace(connect, user=account.user.encode(), password=account.password.encode())
            inner_writer.write(rewrite(own, keepalive_s=keepalive_s))
            await self._carry(account, (reader, writer), (inner_reader, inner_writer))
        finally:
            del self._guests[account.user]
            guest.ended.set()
            writer.close()

    async def _enter(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._inner.socket is not None:
            return await asyncio.open_unix_connection(self._inner.socket)
        return await asyncio.open_connection(self._inner.host, self._inner.port)

    async def _carry(
        self,
        account: Account,
        outer: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        inner: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        meter = self._meters[account.user]
        ways = {
            asyncio.create_task(_copy(outer[0], inner[1], meter.excess), name=f"proxy[{account.user}].in"),
            asyncio.create_task(_copy(inner[0], outer[1], _granting(meter)), name=f"proxy[{account.user}].out"),
        }
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for reason in filter(None, (way.result() for way in done)):
                log.warning("%s: ended: %s", account.user, reason)
        finally:
            for way in ways:
                way.cancel()
            for _, writer in (outer, inner):
                writer.transport.abort()


def _granting(meter: Meter) -> Callable[[bytes, int], str]:
    """Return a function to call with each packet to the bot: it lets the bot send more in return, and returns ""."""

    def grant(packet: bytes, size: int) -> str:  # noqa: ARG001 - the same signature as `Meter.excess`
        meter.on_sent(packet)
        return ""

    return grant


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, excess: Callable[[bytes, int], str]) -> str:
    """Copy packets until a connection ends or a packet exceeds a limit; return a sentence about the limit, else ""."""
    with contextlib.suppress(asyncio.IncompleteReadError, OSError):
        while True:
            head, size = await read_head(reader)
            if size > PACKET_LIMIT_BYTES:
                return f"expected packets of at most {PACKET_LIMIT_BYTES} bytes, got {size}"
            packet = head + await reader.readexactly(size)
            if reason := excess(packet, size):
                return reason
            writer.write(packet)
            async with asyncio.timeout(_UNREAD_LIMIT_S):
                await writer.drain()
    return ""


def _server_context(proxy: ProxyConfig) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with tempfile.TemporaryDirectory(dir=".") as folder:  # the private folder of this process
        files = {name: Path(folder, name) for name in ("cert.pem", "key.pem")}
        for file, text in zip(files.values(), (proxy.certificate, proxy.key), strict=True):
            file.write_text(text, encoding="ascii")
        context.load_cert_chain(files["cert.pem"], files["key.pem"])
    return context


async def run_proxy(settings: Settings) -> None:
    """Run the proxy until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    host, port = settings.proxy.listen
    receive = functools.partial(TlsProxy(settings).receive, {})
    try:
        server = await asyncio.start_server(
            receive,
            None if host == "*" else host,
            port,
            ssl=_server_context(settings.proxy),
            ssl_handshake_timeout=CONNECT_LIMIT_S,
            backlog=_BACKLOG,
        )
    except OSError as error:
        raise SystemExit(f"{host}:{port}: {error.strerror or error}") from None
    Path(READY).touch()  # noqa: ASYNC240 - no connection is served yet
    try:
        await stopped.wait()
    finally:
        server.close()


def main() -> None:
    """Read the settings from standard input and run the proxy."""
    run_alone(run_proxy, Settings)


if __name__ == "__main__":
    main()
