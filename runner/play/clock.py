"""Time as a value that is passed in, in milliseconds; and how late the runner's event loop and the broker's echo are.

The referee asks before it blames a bot for a late answer, and whenever a timer of the rules goes off: if loop or echo
were late, the answer may have come in time. The pool asks before it counts a bot as lost, since a silent broker loses
bots.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from itertools import takewhile
from typing import Protocol

from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.errors import BrokerError


class Timer(Protocol):
    """A planned call that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """Interface of a clock: monotonic time, and calls at a given instant."""

    def now_ms(self) -> float:
        """Return the time in ms since an arbitrary start."""

    def call_at(self, when_ms: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` on the loop at that instant, or soon if it has passed; the timer can cancel that."""


class LoopClock:
    """A clock of real time, on the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now_ms(self) -> float:
        """Return the time in ms since an arbitrary start."""
        return time.monotonic() * 1000

    def call_at(self, when_ms: float, callback: Callable[[], None]) -> Timer:
        """Call `callback` on the loop at that instant, or soon if it has passed; the timer can cancel that."""
        return self._loop.call_later(max(0.0, when_ms - self.now_ms()) / 1000, callback)


LOOP_EVERY_MS = 20.0  # the loop's pulse
ECHO_EVERY_PULSES = 4
GIVE_UP_S = 60.0  # a broker that echoes nothing for so long is lost,
FROZEN_S = 60.0  # and so is a run that stood still for so long itself
HEARD_MS = 100.0  # of the time between two pulses at the most: a frozen runner's silence is not the broker's
KEPT = 10_000  # samples, about the last 160 s: longer than the timers of the rules mostly are


class LagMonitor:
    """Measures how late the event loop and the broker's echo are; the referee calls its `lag_ms`."""

    def __init__(
        self, *, bus: Bus, clock: Clock, echo_topic: str, on_silent: Callable[[str], None] | None = None
    ) -> None:
        """Prepare to sample; `on_silent` is called once if broker or runner stand still for too long."""
        self._bus = bus
        self._clock = clock
        self._topic = echo_topic
        self._samples: deque[tuple[float, float]] = deque(maxlen=KEPT)  # (when seen, how late)
        self._echo_sent: dict[bytes, float] = {}
        self._pulse_due_ms = self._echoed_ms = clock.now_ms()
        self._on_silent = on_silent
        self._silent_ms = 0.0  # of the broker, while the runner could hear
        self._echoed = asyncio.Event()

    def stall_ms(self, within_ms: float) -> float:
        """Return the worst delay measured within the last `within_ms` milliseconds."""
        now_ms = self._clock.now_ms()
        return self.lag_ms(now_ms - within_ms, now_ms)

    async def echoed(self) -> None:
        """Wait until the next echo message comes back, which proves that the broker answers."""
        self._echoed.clear()
        await self._echoed.wait()

    def lag_ms(self, since_ms: float, until_ms: float) -> float:
        """Return the worst delay, in milliseconds, measured between two instants of the clock."""
        now_ms = self._clock.now_ms()
        recent = takewhile(lambda sample: sample[0] >= since_ms, reversed(self._samples))
        seen = [late_ms for when_ms, late_ms in recent if when_ms - late_ms <= until_ms]
        pending = [now_ms - sent_ms for sent_ms in self._echo_sent.values() if sent_ms <= until_ms]
        overdue_ms = now_ms - self._echoed_ms - ECHO_EVERY_PULSES * LOOP_EVERY_MS  # also if none was sent since
        return max([*seen, *pending, overdue_ms, now_ms - self._pulse_due_ms, 0.0])

    @contextlib.asynccontextmanager
    async def watching(self) -> AsyncIterator[LagMonitor]:
        """Keep sampling while the context is open."""
        await self._bus.subscribe(self._topic, self._on_echo)
        self._echoed_ms = self._clock.now_ms()
        self._pulse_due_ms = self._echoed_ms + LOOP_EVERY_MS
        task = asyncio.create_task(self._beat(), name="lag.beat")
        try:
            yield self
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, BrokerError):
                await task

    async def _beat(self) -> None:
        pulse = 0
        while True:
            if pulse % ECHO_EVERY_PULSES == 0:
                mark = str(pulse).encode()
                self._echo_sent[mark] = self._clock.now_ms()
                await self._bus.publish(self._topic, mark)
            pulse += 1
            self._pulse_due_ms = self._clock.now_ms() + LOOP_EVERY_MS
            due = asyncio.Event()
            self._clock.call_at(self._pulse_due_ms, due.set)
            await due.wait()
            now_ms = self._clock.now_ms()
            late_ms = now_ms - self._pulse_due_ms
            self._samples.append((now_ms, late_ms))
            self._silent_ms += min(LOOP_EVERY_MS + late_ms, HEARD_MS)
            if late_ms >= FROZEN_S * 1000:
                self._give_up(f"the runner itself stood still for {late_ms / 1000:.0f} s")
            elif self._silent_ms >= GIVE_UP_S * 1000:
                self._give_up(f"the broker has not answered for {GIVE_UP_S:g} s")

    def _give_up(self, reason: str) -> None:
        on_silent, self._on_silent = self._on_silent, None
        if on_silent is not None:
            on_silent(reason)

    def _on_echo(self, topic: str, payload: bytes) -> None:  # noqa: ARG002 - the bus's signature
        if payload not in self._echo_sent:
            return
        now_ms = self._clock.now_ms()
        self._silent_ms, self._echoed_ms = 0.0, now_ms
        self._echoed.set()
        for mark, sent_ms in list(self._echo_sent.items()):  # earlier ones are lost: a broker keeps the order
            del self._echo_sent[mark]
            self._samples.append((now_ms, now_ms - sent_ms))
            if mark == payload:
                break
