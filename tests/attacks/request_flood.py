"""Half-finished requests, sent until the context is left: a bounded number is open at a time."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections import deque

MOST_SENT = 4000


class Flood:
    """`sent` connections so far; of `count` none is closed by this side."""

    def __init__(self, port: int, data: bytes, *, count: int) -> None:
        self.sent = 0
        self._address, self._data = ("127.0.0.1", port), data
        self._crowd: deque[socket.socket] = deque(maxlen=count)
        self._is_over = threading.Event()
        self._is_full = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> Flood:
        self._thread.start()
        self._is_full.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        for one in self._crowd:
            one.close()

    def _send(self) -> None:
        while not self._is_over.is_set() and self.sent < MOST_SENT:
            with contextlib.suppress(OSError):
                one = socket.create_connection(self._address, timeout=5)
                one.sendall(self._data)
                if len(self._crowd) == self._crowd.maxlen:
                    self._crowd[0].close()
                self._crowd.append(one)
            self.sent += 1
            if self.sent == self._crowd.maxlen:
                self._is_full.set()
