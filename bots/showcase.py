"""Shows a bot's search to the live page of a run, now and then, past the referee."""

from __future__ import annotations

from time import perf_counter

import msgspec

from gridjoust.bots.lens import Lens
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import BotBus
from gridjoust.runner.wire.shown import shown_topic

SHOW_EVERY_S = 0.25  # by seat: to show costs the bot its time


class Showcase:
    """The lens of one process, and when it was looked through last."""

    def __init__(self, bus: BotBus, prefix: str) -> None:
        self.lens = Lens()
        self._bus = bus
        self._topic = shown_topic(prefix)
        self._shown_s: dict[int, float] = {}  # by seat

    def lens_for(self, seat: int) -> Lens | None:
        """For the next answer; None = it was shown a moment ago."""
        is_due = perf_counter() - self._shown_s.get(seat, 0.0) >= SHOW_EVERY_S
        return self.lens if is_due else None

    async def show(self, question: protocol.TurnMessage) -> None:
        """What the answer has shown, once it has been sent."""
        if layers := self.lens.take():
            self._shown_s[question.seat] = perf_counter()
            told = {"match": question.match, "seat": question.seat, "turn": question.turn, "layers": layers}
            await self._bus.publish(self._topic, msgspec.json.encode(told))
