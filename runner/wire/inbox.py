"""The queue of messages that a bot has received and not yet handled."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import ToBot, decode_to_bot

if TYPE_CHECKING:
    import asyncio


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
