"""Publishes a bot's search for the live page of a run, a few times a second at most; the referee takes no part."""

from __future__ import annotations

from time import perf_counter

import msgspec

from gridjoust.bots.lens import Lens
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import BotBus
from gridjoust.runner.wire.shown import shown_topic

SHOW_EVERY_S = 0.25  # per seat, because showing costs the bot time


class Showcase:
    """The layers that one process shows, and when each seat showed its last ones."""

    def __init__(self, bus: BotBus, prefix: str) -> None:
        self.lens = Lens()
        self._bus = bus
        self._topic = shown_topic(prefix)
        self._shown_s: dict[int, float] = {}  # time of the last publication, by seat

    def lens_for(self, seat: int) -> Lens | None:
        """Return the lens for the seat's next answer, or None if the seat has published less than SHOW_EVERY_S ago."""
        is_due = perf_counter() - self._shown_s.get(seat, 0.0) >= SHOW_EVERY_S
        return self.lens if is_due else None

    async def show(self, question: protocol.TurnMessage) -> None:
        """Publish what the answer has shown; called after it has been sent."""
        if layers := self.lens.take():
            self._shown_s[question.seat] = perf_counter()
            told = {"match": question.match, "seat": question.seat, "turn": question.turn, "layers": layers}
            await self._bus.publish(self._topic, msgspec.json.encode(told))
