"""A fast path for QoS 0 messages: reads and writes them directly on paho's socket; paho does everything else.

With 16 bots, most of a referee's time goes to `aiomqtt.Client.publish` (a task, an event and two passes of the loop per
message) and to paho's reading (four reads of the socket and an object with locks per packet); `benchmarks/messaging.py`
measures both paths. paho's interface for this is public: `socket`, `loop_read`, `loop_write`, `want_write` and the two
socket callbacks. Only the attribute with the paho client is private to aiomqtt. With TLS, or if that attribute is not
as expected, messages take the normal path.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any

import aiomqtt
import paho.mqtt.client as paho

from gridjoust.runner.wire.bus.packets import is_publish, packet_end, publish_packet, publishes, read_publish

_READ_BYTES = 65536
_MOST_TOGETHER = 8  # packets that wait for each other: the first one waits for some hundred microseconds


class DirectLine:
    """Writes PUBLISH packets at once, and passes those that it reads to `receive`; on one event loop.

    Its bytes never mix with paho's own packets (subscriptions, pings): neither writes while the other has a packet half
    sent, and a packet for paho stays in the socket until it is complete. Messages that answer what was read together
    are written together, since a write costs as much as a turn's rules.
    """

    def __init__(
        self,
        client: paho.Client,
        sock: socket.socket,
        loop: asyncio.AbstractEventLoop,
        receive: Callable[[str, bytes], None],
    ) -> None:
        self._client = client
        self._socket = sock
        self._handle = sock.fileno()
        self._loop = loop
        self._receive = receive
        self._queued: list[bytes] = []  # packets that wait for `_flush`
        self._is_queueing = False  # what was read together is being answered
        self._unsent = bytearray()
        self._begun = bytearray()  # the beginning of an incomplete PUBLISH
        self._buffer = memoryview(bytearray(_READ_BYTES))
        self._pause_s = 0.0
        # aiomqtt registers through `call_soon_threadsafe`, because it connects in a thread; from here on everything
        # runs on the loop, so registering can be immediate and unregistering cannot overtake it
        client.on_socket_register_write = self._on_register
        client.on_socket_unregister_write = self._on_unregister
        self._close_socket = client.on_socket_close
        client.on_socket_close = self._on_close
        loop.add_reader(self._handle, self._on_readable)

    def send(self, messages: Iterable[tuple[str, bytes]]) -> None:
        """Write (topic, payload) messages at once, or together with the other answers to what was read together."""
        self._queued += [publish_packet(topic, payload) for topic, payload in messages]
        if not self._is_queueing or len(self._queued) >= _MOST_TOGETHER:
            self._write_queued()

    def _flush(self) -> None:
        self._is_queueing = False
        if self._queued:
            self._write_queued()

    def _write_queued(self) -> None:
        """Write as far as the socket accepts it; the rest follows when it is writable."""
        data = b"".join(self._queued)
        self._queued.clear()
        if not self._unsent and self._client.want_write():
            self._client.loop_write()
        if self._unsent or self._client.want_write():
            self._unsent += data
            return
        sent = self._write(data)
        if sent < len(data):
            self._unsent += data[sent:]
            self._loop.add_writer(self._handle, self._on_writable)

    def read_together(self, within_s: float) -> None:
        """Read at most once every `within_s` from now on, for an owner that does not need every message at once."""
        self._pause_s = within_s
        self._loop.add_reader(self._handle, self._read_and_pause)

    def _read_and_pause(self) -> None:
        self._on_readable()
        if not self._begun:  # else there is more than was read at once
            self._loop.remove_reader(self._handle)
            self._loop.call_later(self._pause_s, self._read_again)

    def _read_again(self) -> None:
        if self._socket.fileno() == self._handle:
            self._loop.add_reader(self._handle, self._read_and_pause)

    def _write(self, data: bytes | bytearray) -> int:
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:  # the connection is gone: the next read reports it
            return len(data)

    def _on_writable(self) -> None:
        if self._unsent:
            del self._unsent[: self._write(self._unsent)]
        if not self._unsent:
            self._client.loop_write()  # unregisters if paho has nothing left to write either

    def _on_register(self, *_: object) -> None:
        if self._socket.fileno() >= 0:
            self._loop.add_writer(self._handle, self._on_writable)

    def _on_unregister(self, *_: object) -> None:
        if not self._unsent:
            self._loop.remove_writer(self._handle)

    def _on_close(self, client: paho.Client, userdata: object, sock: Any) -> None:
        """Remove a closed socket's descriptor from the event loop, as its number may soon belong to another file."""
        self._queued.clear()
        self._unsent.clear()
        self._loop.remove_writer(self._handle)
        if self._close_socket is not None:
            self._close_socket(client, userdata, sock)

    def _on_readable(self) -> None:
        if self._begun:
            self._read_on()
            return
        if (size := self._fill(_READ_BYTES, socket.MSG_PEEK)) is None:
            return
        data = self._buffer[:size]
        packets = list(publishes(data))
        end = packets[-1][0] if packets else 0
        if end < size and is_publish(data[end]):
            self._begun += data[end:]
            end = size
        if end:
            self._socket.recv_into(self._buffer, end)
        elif not size or ((whole := packet_end(data, 0)) is not None and whole <= size):
            self._client.loop_read()  # the end of the connection, or a packet for paho
        for _, topic, payload in packets:
            self._receive(topic, payload)
        if packets and not self._is_queueing:
            self._is_queueing = True
            self._loop.call_soon(self._flush)  # after what the receivers have just put on the loop, in the same pass

    def _read_on(self) -> None:
        """Read more of an incomplete PUBLISH packet, up to its end."""
        with memoryview(self._begun) as begun:
            end = packet_end(begun, 0)
        missing = 1 if end is None else end - len(self._begun)
        if (size := self._fill(min(missing, _READ_BYTES))) is None:
            return
        if not size:
            self._client.loop_read()
            return
        self._begun += self._buffer[:size]
        if size == missing and end is not None:
            with memoryview(self._begun) as begun:
                topic, payload = read_publish(begun, 0, end)
            self._begun.clear()
            self._receive(topic, payload)

    def _fill(self, most: int, flags: int = 0) -> int | None:
        """Read at most `most` bytes into the buffer; return their number, 0 at the end, None if none came yet."""
        try:
            return self._socket.recv_into(self._buffer, most, flags)
        except BlockingIOError:
            return None
        except OSError:
            return 0


def direct_line(client: aiomqtt.Client, receive: Callable[[str, bytes], None]) -> DirectLine | None:
    """Return a fast path for the messages of a connected client, or None if only aiomqtt's normal path is possible."""
    inner = getattr(client, "_client", None)
    sock = inner.socket() if isinstance(inner, paho.Client) else None
    if not isinstance(sock, socket.socket) or isinstance(sock, ssl.SSLSocket):
        return None
    assert isinstance(inner, paho.Client)
    return DirectLine(inner, sock, asyncio.get_running_loop(), receive)
