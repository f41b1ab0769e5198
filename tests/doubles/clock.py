"""A clock that tests move by hand, and a loop that they let run until it waits."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

from gridjoust.runner.play.clock import Timer


async def settle() -> None:
    """Let tasks go on as far as they can without time."""
    for _ in range(8):
        await asyncio.sleep(0)


class _ManualTimer:
    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class ManualClock:
    """A clock that stands still until `advance`."""

    def __init__(self) -> None:
        self._now_ms = 0.0
        self._order = count()
        self._planned: list[tuple[float, int, _ManualTimer, Callable[[], None]]] = []

    def now_ms(self) -> float:
        """Time since the clock was made."""
        return self._now_ms

    def call_at(self, when_ms: float, callback: Callable[[], None]) -> Timer:
        """Call during the `advance` that reaches the instant."""
        timer = _ManualTimer()
        heapq.heappush(self._planned, (when_ms, next(self._order), timer, callback))
        return timer

    @property
    def next_ms(self) -> float | None:
        """When the next planned call is due, or None."""
        due = [when_ms for when_ms, _, timer, _ in self._planned if not timer.is_cancelled]
        return min(due, default=None)

    def advance(self, by_ms: float) -> None:
        """Move on, making the planned calls in order, each at its instant."""
        end_ms = self._now_ms + by_ms
        while self._planned and self._planned[0][0] <= end_ms:
            when_ms, _, timer, callback = heapq.heappop(self._planned)
            self._now_ms = max(self._now_ms, when_ms)
            if not timer.is_cancelled:
                callback()
        self._now_ms = end_ms
