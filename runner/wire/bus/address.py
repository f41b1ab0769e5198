"""Interfaces of a bus, the address of a broker, and the options of connections to it.

Small packets leave at once, and a vanished peer is noticed. The kernel probes a silent peer, so a bot may think for
longer than MQTT's own keep-alive would allow.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Protocol
from urllib.parse import unquote, urlsplit

import msgspec

from gridjoust.runner.wire.errors import ConfigError

Handler = Callable[[str, bytes], None]  # topic, payload: called on the loop at receipt; must not block

RUNNER_KEEPALIVE_S = 60  # keep-alive of the runner's own connections: longer than any stall that a run survives
_DEFAULT_PORT = {"mqtt": 1883, "mqtts": 8883}


class Bus(Protocol):
    """One connection that publishes to topics and receives messages of topics that match a filter."""

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send a message; BrokerError if the connection is gone."""

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Send several (topic, payload) messages together and do not wait; BrokerError if the connection is gone."""

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Call the handler for every message whose topic matches (MQTT filters with + and #).

        One filter may have several handlers. ValueError if two different filters overlap.
        """


class BotBus(Bus, Protocol):
    """A bus for one bot, which receives messages only when it asks for them."""

    async def look(self) -> None:
        """Handle the messages that have arrived, without waiting."""

    async def wait(self) -> None:
        """Wait until a message arrives and is handled, or the connection is lost."""


class Address(msgspec.Struct, frozen=True):
    """The address where a broker listens; if there is a unix socket, it is faster than TCP."""

    host: str
    port: int
    socket: str | None = None
    tls: bool = False

    @property
    def url(self) -> str:
        """The URL `mqtt://host:port` or `mqtts://host:port`, without credentials.

        >>> Address("::1", 1883).url
        'mqtt://[::1]:1883'
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


class Will(msgspec.Struct, frozen=True):
    """The message that the broker publishes if a connection ends without a DISCONNECT packet."""

    topic: str
    payload: bytes


def parse_address(url: str) -> tuple[Address, str | None, str | None]:
    """Split `mqtt(s)://user:password@host:port` into address, user and password; ConfigError for anything else.

    >>> parse_address("mqtts://knight:s%40fe@example.org")
    (Address(host='example.org', port=8883, socket=None, tls=True), 'knight', 's@fe')
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refusal(url) from None
    if parts.scheme not in _DEFAULT_PORT or not parts.hostname or parts.path.strip("/") or parts.query:
        raise _refusal(url)
    if port == 0:
        raise _refusal(url)
    address = Address(parts.hostname, port or _DEFAULT_PORT[parts.scheme], tls=parts.scheme == "mqtts")
    user = None if parts.username is None else unquote(parts.username)
    password = None if parts.password is None else unquote(parts.password)
    return address, user, password


def _refusal(url: str) -> ConfigError:
    before, at, after = url.rpartition("@")
    shown = f"{before.partition('://')[0]}://***@{after}" if at else url  # passwords must not get into a log
    return ConfigError(f"broker.url: expected mqtt(s)://user:password@host:port, got {shown!r}")


NO_DELAY = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # without it a small packet may wait 40 ms for an ACK
_PROBES = {"TCP_KEEPIDLE": 10, "TCP_KEEPALIVE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}  # s, s, s, number
TCP_OPTIONS: tuple[tuple[int, int, int], ...] = (
    NO_DELAY,
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *((socket.IPPROTO_TCP, getattr(socket, name), value) for name, value in _PROBES.items() if hasattr(socket, name)),
)
