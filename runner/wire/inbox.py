"""The messages of a sender: how many it may send and show, and the queue of those that a bot has not handled yet.

Also who loses a place in a crowd that is full.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import ToBot, decode_to_bot

if TYPE_CHECKING:
    import asyncio


Member = TypeVar("Member")
SHOWN_EVERY_S = 0.25  # time between two answers of a seat whose layers reach the live page
_MOST_SEATS = 64  # seats in memory: limited, as a bot may claim any seat


class Allowance:
    """A token bucket that reads the clock only when it seems empty, so that spending costs one subtraction.

    >>> allowance = Allowance(3, per_s=1)
    >>> [allowance.spend(1) for _ in range(4)]
    [True, True, True, False]
    """

    __slots__ = ("_burst", "_filled_s", "_left", "_now_s", "_per_s")

    def __init__(self, burst: float, *, per_s: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._burst = self._left = burst
        self._per_s = per_s
        self._now_s = now_s
        self._filled_s = now_s()

    def spend(self, amount: float) -> bool:
        """Take an amount; return False if that is more than is left."""
        self._left -= amount
        if self._left >= 0:
            return True
        now_s = self._now_s()
        owed = max(self._left, -self._burst)  # after a flood, a sender that stops owes one burst at most
        self._left = min(self._burst, owed + (now_s - self._filled_s) * self._per_s)
        self._filled_s = now_s
        return self._left >= 0

    def grant(self, amount: float) -> None:
        """Allow an additional amount, as the sender was asked for an answer."""
        if self._left < self._burst:
            self._left += amount


def oldest_of_most(crowd: Mapping[Member, object]) -> Member:
    """Return the member that makes room in a full crowd: the oldest one of the sender that has the most.

    `crowd`: members, the oldest first, with their senders. So a hoarder cannot push out a member of somebody else.

    >>> oldest_of_most({"first": "ada", "second": "ben", "third": "ben"})
    'second'
    """
    [(hoarder, _)] = Counter(crowd.values()).most_common(1)
    return next(member for member, sender in crowd.items() if sender == hoarder)


class Pace:
    """Limits how often a seat's search layers reach the live page: those of one answer per `SHOWN_EVERY_S` seconds."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._passed_s: dict[bytes, float] = {}

    def is_due(self, seat: bytes) -> bool:
        """Return True if this seat's layers may be passed on now; the next ones then have to wait."""
        now_s = self._now_s()
        if now_s - self._passed_s.get(seat, -SHOWN_EVERY_S) < SHOWN_EVERY_S:
            return False
        if len(self._passed_s) == _MOST_SEATS:
            self._passed_s.clear()
        self._passed_s[seat] = now_s
        return True


class Inbox:
    """Messages in order of arrival; `on_message` is the bus's handler.

    `note` is called with the reason for each invalid message; `arrived` is set by every message, for waiting tasks.
    """

    def __init__(self, note: Callable[[str], None] | None = None, *, arrived: asyncio.Event | None = None) -> None:
        self._note = note
        self._waiting: deque[ToBot] = deque()
        self._arrived = arrived

    def on_message(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        """Decode one message and append it; pass an invalid one to `note`."""
        try:
            self.put(decode_to_bot(payload))
        except ProtocolFault as fault:
            if self._note is not None:
                self._note(str(fault))

    def put(self, message: ToBot) -> None:
        """Append a message."""
        self._waiting.append(message)
        if self._arrived is not None:
            self._arrived.set()

    async def get(self, wait: Callable[[], Awaitable[object]]) -> ToBot:
        """Take the next message; await `wait` until there is one."""
        while not self._waiting:
            if self._arrived is not None:
                self._arrived.clear()
            await wait()
        return self._waiting.popleft()

    def take(self) -> ToBot | None:
        """Take the next message, or return None if there is none."""
        return self._waiting.popleft() if self._waiting else None

    def peek(self) -> ToBot | None:
        """Return the next message without taking it, or None if there is none."""
        return self._waiting[0] if self._waiting else None
