"""Server-sent events for any number of pages: all read one list, each at its own speed.

A slow reader delays no other: it continues where it stopped. The format is that of WHATWG HTML, section 9.2.
"""

from __future__ import annotations

import asyncio
import os
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

QUIET_S = 15.0  # without events, after which a comment keeps the stream alive
GATHER_S = 0.02  # events within this time are sent together
MOST_BYTES = 16_000_000  # limit of one topic's events; further ones are dropped
_AT_ONCE = 200  # events in one write
_RETRY = b"retry: 500\n\n"


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    topic: str
    text: bytes


class EventLog:
    """Numbered events by topic, kept until `forget`, and one state; only its newest version is sent."""

    def __init__(self, *, on_reader: Callable[[], None] = lambda: None) -> None:
        """Make an empty log; `on_reader` is called whenever a page opens a stream."""
        self.readers = 0
        self.is_closed = False
        self._on_reader = on_reader
        self._epoch = os.urandom(4).hex()  # numbers of another server are not valid here
        self._entries: list[_Entry] = []
        self._sizes: dict[str, int] = {}
        self._over: set[str] = set()
        self._last = 0
        self._state = b""
        self._version = 0
        self._news = asyncio.Event()
        self._ringing: asyncio.TimerHandle | None = None

    def add(self, topic: str, event: dict[str, Any]) -> None:
        """Append an event for all pages."""
        self._last += 1
        head = f"id: {self._epoch}.{self._last}\nevent: board\ndata: "
        text = head.encode() + msgspec.json.encode(event) + b"\n\n"
        size = self._sizes.get(topic, 0) + len(text)
        if size <= MOST_BYTES:
            self._sizes[topic] = size
            self._entries.append(_Entry(self._last, topic, text))
            self._ring_soon()

    def set_state(self, state: dict[str, Any]) -> None:
        """Set the state; readers get it only if it has changed."""
        text = b"event: state\ndata: " + msgspec.json.encode(state) + b"\n\n"
        if text != self._state:
            self._state = text
            self._version += 1
            self._ring_soon()

    def end(self, topic: str) -> None:
        """Mark a topic as complete: new readers do not get its events any more."""
        self._over.add(topic)

    def forget(self, topic: str) -> None:
        """Delete the events of a topic, also for pages that have not read them."""
        self._entries = [entry for entry in self._entries if entry.topic != topic]
        self._sizes.pop(topic, None)
        self._over.discard(topic)

    def close(self) -> None:
        """End all streams once they have sent the remaining events."""
        self.is_closed = True
        self._ring()

    async def stream(self, last_id: str) -> AsyncIterator[bytes]:
        """Yield a page's stream after the event with this id; from the beginning for "" or another server's id."""
        at, shown = self._number_of(last_id), 0
        missed = frozenset() if at else frozenset(self._over)
        self.readers += 1
        self._on_reader()
        try:
            yield _RETRY
            while True:
                news, parts = self._news, []
                if self._version != shown:
                    shown = self._version
                    parts.append(self._state)
                entries = self._after(at)
                if entries:
                    at = entries[-1].number
                    parts += [entry.text for entry in entries if entry.topic not in missed]
                if parts or entries:
                    yield b"".join(parts)
                elif self.is_closed:
                    return
                elif not await _rings(news, QUIET_S):
                    yield b": nothing new\n\n"
        finally:
            self.readers -= 1

    def _number_of(self, event_id: str) -> int:
        epoch, _, number = event_id.partition(".")
        return int(number) if epoch == self._epoch and number.isascii() and number.isdecimal() else 0

    def _after(self, number: int) -> list[_Entry]:
        start = bisect_right(self._entries, number, key=lambda entry: entry.number)
        return self._entries[start : start + _AT_ONCE]

    def _ring_soon(self) -> None:
        if self._ringing is None:
            self._ringing = asyncio.get_running_loop().call_later(GATHER_S, self._ring)

    def _ring(self) -> None:
        self._ringing = None
        rung, self._news = self._news, asyncio.Event()
        rung.set()


async def _rings(news: asyncio.Event, patience_s: float) -> bool:
    """Return True if the event is set within `patience_s`."""
    try:
        async with asyncio.timeout(patience_s):
            await news.wait()
    except TimeoutError:
        return False
    return True
