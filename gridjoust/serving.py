"""Limits of every HTTP server in Joust: on connections, on the head of a request, and on slow readers.

A connection without a complete request is waiting. It may wait `HEAD_S`, and at most `MOST_WAITING` connections may
wait: one more ends the oldest one of the address that has the most. So unfinished requests, however many, do not block
clients with complete ones, nor slow clients at other addresses.
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gridjoust.runner.wire.inbox import oldest_of_most

MOST_CONNECTIONS = 512
MOST_OF_ONE = 64  # connections per address; a proxy on this machine has no such limit
MOST_WAITING = 64
HEAD_S = 5.0  # for a complete request line with headers, after the connection or the last answer
HEAD_BYTES = 16 * 1024  # limit of the head, unless more comes in one piece
UNREAD_S = 30.0  # after which a reader that reads nothing is disconnected
_BACKLOG = 16  # connections that the system queues; all are accepted at once before one can be ended
_LOCAL = ("127.", "::1")


class LimitedProtocol(H11Protocol):
    """HTTP protocol with limits on waiting connections and slow readers.

    `waiting`: a server's connections without a complete request, the oldest first, with their addresses.
    """

    def __init__(self, *, waiting: dict[LimitedProtocol, str], **options: Any) -> None:
        super().__init__(**options)
        self._waiting = waiting
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or abort it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS or self._has_too_many():
            transport.abort()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of a connection that has ended."""
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Parse the received bytes; with a complete request head the connection no longer counts as waiting."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Pass the connection to the websocket protocol."""
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of an unread body."""
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._wait()

    def pause_writing(self) -> None:
        """Start a time limit, as the client does not read what is sent."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the time limit, as the client reads again."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        super().resume_writing()

    def _has_too_many(self) -> bool:
        host = self._host()
        if host.startswith(_LOCAL):
            return False
        clients = (one.client for one in self.connections if isinstance(one, H11Protocol))
        return sum(client is not None and client[0] == host for client in clients) > MOST_OF_ONE

    def _host(self) -> str:
        return self.client[0] if self.client else "127.0.0.1"

    def _wait(self) -> None:
        self._stop_waiting()
        if len(self._waiting) >= MOST_WAITING:
            oldest = oldest_of_most(self._waiting)
            oldest._stop_waiting()
            oldest.transport.abort()
        self._waiting[self] = self._host()
        self._timer = self.loop.call_later(HEAD_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        self._waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def limited(app: ASGIApp, *, log_level: str = "warning", shutdown_s: int = 1, message_bytes: int = 0) -> uvicorn.Config:
    """Return uvicorn's configuration with limits; `message_bytes`: size limit of websocket messages, 0: none."""
    return uvicorn.Config(
        app,
        http=functools.partial(LimitedProtocol, waiting={}),  # type: ignore[arg-type]
        ws="auto" if message_bytes else "none",
        ws_max_size=message_bytes,
        h11_max_incomplete_event_size=HEAD_BYTES,
        backlog=_BACKLOG,
        timeout_keep_alive=round(HEAD_S),
        log_level=log_level,
        lifespan="off",
        access_log=False,
        proxy_headers=False,  # uvicorn would believe them of every local program
        timeout_graceful_shutdown=shutdown_s,
    )
