"""Time as a value that is passed in, in milliseconds throughout."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A call that has been planned."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """Monotonic time, and calls at a given instant."""

    def now_ms(self) -> float:
        """Return the time since an arbitrary start."""

    def call_at(self, when_ms: float, callback: Callable[[], None]) -> Timer:
        """Call on the loop at that instant (at once if it has passed)."""


class LoopClock:
    """Real time for the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now_ms(self) -> float:
        """Return the time since an arbitrary start."""
        return time.monotonic() * 1000

    def call_at(self, when_ms: float, callback: Callable[[], None]) -> Timer:
        """Call on the loop at that instant (at once if it has passed)."""
        return self._loop.call_later(max(0.0, when_ms - self.now_ms()) / 1000, callback)
