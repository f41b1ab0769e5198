"""A broker whose side of the line tests play by hand: packet by packet, in a thread, at a unix socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gridjoust.runner.wire.bus import Address
from gridjoust.runner.wire.bus.packets import packet_end

LET_IN, SUBSCRIBED, PONG = b"\x20\x02\x00\x00", b"\x90\x03\x00\x01\x00", b"\xd0\x00"
SUBSCRIBE, PING, GOODBYE = b"\x82\x06\x00\x01\x00\x01a\x00", b"\xc0\x00", b"\xe0\x00"

Heard = list[tuple[str, bytes]]


class Far:
    """The broker: reads packet by packet, says what the test wants."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self._data = b""

    def packet(self) -> bytes:
        """The next packet, whole; b"" at the end."""
        while (end := packet_end(memoryview(self._data), 0)) is None or end > len(self._data):
            more = self.line.recv(65536)
            if not more:
                return b""
            self._data += more
        packet, self._data = self._data[:end], self._data[end:]
        return packet

    def replying(self, *answers: bytes) -> list[bytes]:
        """What comes, each packet answered in turn."""
        came = []
        for answer in answers:
            came.append(self.packet())
            if answer:  # to write nothing to somebody who has left is an error too
                self.line.sendall(answer)
        return came


@contextmanager
def playing(folder: Path, play: Callable[[Far], object]) -> Iterator[Address]:
    """A broker at a unix socket that plays its part in a thread."""
    address = Address("localhost", 1883, socket=str(folder / "s"))
    failed: list[BaseException] = []

    def serve() -> None:
        line, _ = server.accept()
        line.settimeout(60)
        with line:
            try:
                play(Far(line))
            except BaseException as error:
                failed.append(error)

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address.socket or "")
        server.listen()
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield address
        thread.join(20)
    assert not failed, failed
    assert not thread.is_alive()
