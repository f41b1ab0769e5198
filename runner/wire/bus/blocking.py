"""A blocking connection from a bot process to a broker, without an event loop.

The start of a bot takes as long as its imports, and an event loop and an MQTT library would take more time than all its
other imports. The methods are coroutines like those of every bus, but they never suspend: `run_blocking` runs a
coroutine that uses them. QoS 0 only. Source: OASIS MQTT 3.1.1, section 3.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Coroutine, Sequence
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from gridjoust.runner.wire.bus.address import Address, Handler, Will
from gridjoust.runner.wire.bus.packets import (
    CLEAN_SESSION,
    HAS_PASSWORD,
    HAS_USER,
    HAS_WILL,
    Connect,
    format_connect,
    is_publish,
    length_prefixed,
    packet_end,
    publish_packet,
    read_publish,
    remaining_length,
)
from gridjoust.runner.wire.bus.topics import Routes
from gridjoust.runner.wire.errors import BrokerError

T = TypeVar("T")

_PATIENCE_S = 10.0  # limit for a connection, and for an answer of the broker
_READ_BYTES = 65536
_FAR_KEEPALIVE_S = 600  # brokers end a connection that is silent for 1.5 times as long
_CONNACK, _SUBSCRIBE, _SUBACK = 0x20, 0x82, 0x90
_PING, _GOODBYE = b"\xc0\x00", b"\xe0\x00"
_REFUSED = 0x80  # SUBACK codes from here on
_REFUSALS = (  # meanings of the codes of a CONNACK, from code 1
    "unacceptable protocol version",
    "client identifier rejected",
    "broker unavailable",
    "bad user name or password",
    "not authorized",
)


class BlockingBus:
    """One connection to an MQTT broker; context manager, used once.

    `on_lost` is called once if the connection ends before the context does. Handlers run while the owner calls `wait`
    or `look`, and their exceptions are raised there. The bus pings after `ping_after_s` of silence, but only in these
    calls. So a broker on this machine gets no keep-alive limit, and any other broker one of minutes.
    """

    def __init__(
        self,
        address: Address,
        *,
        user: str | None,
        password: str | None,
        client_id: str,
        will: Will,
        on_lost: Callable[[str], None],
        connection: socket.socket | None = None,
        ping_after_s: float = 5.0,
    ) -> None:
        """Prepare a connection; `connection`: an open socket to use in place of a new one (see `send_log_in`)."""
        self._connection = connection
        self._address = address
        self._connect = _connect_packet(user, password, client_id, will, keepalive_s=_keepalive_s(address))
        self._as_user = f" as {user}" if user else ""
        self._on_lost = on_lost
        self._ping_after_s = ping_after_s
        self._routes = Routes()
        self._unread = bytearray()
        self._replies: dict[int, bytes] = {}  # by the first byte of their packets
        self._nothing_yet: tuple[type[OSError], ...] = (BlockingIOError, TimeoutError)
        self._written_s = 0.0
        self._lost_reason: str | None = None

    def __enter__(self) -> Self:
        try:
            self._socket = self._open_socket()
            if self._connection is None or self._address.tls:
                self._write(self._connect)
            code = self._reply(_CONNACK)[3]
        except OSError as error:
            raise self._refused(str(error)) from error
        if code:
            raise self._refused(_REFUSALS[code - 1] if code <= len(_REFUSALS) else f"code {code}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lost_reason is None:
            self._lost_reason = "closed"
            self._write(_GOODBYE)
        self._socket.close()

    async def publish(self, topic: str, payload: bytes) -> None:
        """Send a message; BrokerError if the connection is gone."""
        self.post([(topic, payload)])

    def post(self, messages: Sequence[tuple[str, bytes]]) -> None:
        """Send several (topic, payload) messages together; BrokerError if the connection is gone."""
        self._check_open()
        self._write(b"".join([publish_packet(topic, payload) for topic, payload in messages]))

    async def subscribe(self, topic_filter: str, handler: Handler) -> None:
        """Subscribe to a filter and wait for the broker's confirmation; BrokerError if it refuses."""
        self._check_open()
        if not self._routes.add(topic_filter, handler):
            return
        body = b"\x00\x01" + length_prefixed(topic_filter.encode()) + b"\x00"
        self._write(bytes([_SUBSCRIBE]) + remaining_length(len(body)) + body)
        try:
            is_refused = self._reply(_SUBACK)[-1] >= _REFUSED
        except ConnectionError as error:
            raise BrokerError(f"{self._where()}: subscribe to {topic_filter}: {error}") from error
        if is_refused:
            raise BrokerError(f"{self._where()}: subscribe to {topic_filter}: refused by the broker")

    async def look(self) -> None:
        """Handle the messages that have arrived, without waiting."""
        self._check_open()
        self._stay_alive()
        self._read(0.0)

    async def wait(self) -> None:
        """Wait until a message arrives and is handled, or the connection is lost."""
        self._check_open()
        self._stay_alive()
        for _ in range(3):
            if self._read(self._ping_after_s):
                return
            self._write(_PING)
        self._lose("the broker does not answer")

    def _open_socket(self) -> socket.socket:
        opened = self._connection or connect(self._address)
        if not self._address.tls:
            return opened
        import ssl  # noqa: PLC0415 - few bots need it, and importing it takes as long as the rest of the bus

        self._nothing_yet += (ssl.SSLWantReadError,)
        return ssl.create_default_context().wrap_socket(opened, server_hostname=self._address.host)

    def _reply(self, kind: int) -> bytes:
        """Return the broker's next packet of this MQTT packet type; ConnectionError if it does not come."""
        until_s = monotonic() + _PATIENCE_S
        while kind not in self._replies:
            if not self._read(max(0.0, until_s - monotonic())) or self._lost_reason is not None:
                raise ConnectionError(self._lost_reason or "no answer")
        return self._replies.pop(kind)

    def _read(self, patience_s: float) -> bool:
        """Handle what arrives within `patience_s`; return True if anything came, the end of the connection included."""
        self._socket.settimeout(patience_s)
        try:
            data = self._socket.recv(_READ_BYTES)
        except self._nothing_yet:
            return False
        except OSError as error:
            self._lose(str(error))
            return True
        if not data:
            self._lose("closed by the broker")
        self._unread += data
        self._take_packets()
        return True

    def _take_packets(self) -> None:
        heard, start = [], 0
        with memoryview(self._unread) as data:
            while (end := packet_end(data, start)) is not None and end <= len(data):
                if is_publish(data[start]):
                    heard.append(read_publish(data, start, end))
                else:
                    self._replies[data[start]] = bytes(data[start:end])
                start = end
        del self._unread[:start]
        for topic, payload in heard:
            for handler in self._routes.find(topic):
                handler(topic, payload)

    def _write(self, data: bytes) -> None:
        self._written_s = monotonic()
        try:
            self._socket.settimeout(None)
            self._socket.sendall(data)
        except OSError:  # the connection is gone: the next read reports it
            pass

    def _stay_alive(self) -> None:
        """Ping if nothing was sent for a while, as a broker ends silent connections."""
        if monotonic() - self._written_s >= self._ping_after_s:
            self._write(_PING)

    def _lose(self, reason: str) -> None:
        self._lost_reason = reason
        self._on_lost(reason)

    def _check_open(self) -> None:
        if self._lost_reason is not None:
            raise BrokerError(f"{self._where()}: expected an open connection, got: {self._lost_reason}")

    def _refused(self, reason: str) -> BrokerError:
        return BrokerError(f"{self._where()}: cannot connect{self._as_user}: {reason}")

    def _where(self) -> str:
        return self._address.socket or self._address.url


def connect(address: Address) -> socket.socket:
    """Return an open connection to a broker, before TLS and MQTT; OSError if it does not answer."""
    if address.socket:
        opened = socket.socket(socket.AF_UNIX)
        opened.connect(address.socket)
        return opened
    opened = socket.create_connection((address.host, address.port), timeout=_PATIENCE_S)
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a small packet may wait 40 ms without it
    return opened


def send_log_in(
    connection: socket.socket, address: Address, *, user: str | None, password: str | None, client_id: str, will: Will
) -> None:
    """Log in over an open connection for a process that inherits it and reads the answer; OSError if that fails.

    Brokers wait some seconds for a log-in, but a process may take longer to start. With TLS the process logs in itself.
    """
    if not address.tls:
        connection.sendall(_connect_packet(user, password, client_id, will, keepalive_s=_keepalive_s(address)))


def run_blocking(coroutine: Coroutine[None, None, T]) -> T:
    """Run a coroutine that awaits only a BlockingBus; return its result. RuntimeError if it suspends."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("expected a coroutine that never suspends, got one that waits for an event loop")


def _keepalive_s(address: Address) -> int:
    """Return the keep-alive in s: 0 (no limit) for a broker on this machine, which notices when a process ends."""
    is_here = address.socket is not None or address.host in {"localhost", "127.0.0.1", "::1"}
    return 0 if is_here else _FAR_KEEPALIVE_S


def _connect_packet(user: str | None, password: str | None, client_id: str, will: Will, *, keepalive_s: int) -> bytes:
    flags = CLEAN_SESSION | HAS_WILL | HAS_USER * (user is not None) | HAS_PASSWORD * (password is not None)
    texts = (client_id, will.topic), (user or "", password or "")
    (client, topic), (name, word) = (tuple(text.encode() for text in pair) for pair in texts)
    return format_connect(Connect(b"MQTT", 4, flags, keepalive_s, client, topic, will.payload, name, word))
