"""A bot's line that answers at once, for matches without bots."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gridjoust.runner.broker import bot_account
from gridjoust.runner.play.link import BotLink, NotReady
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus.memory import MemoryBroker

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 5}}]
format: {swap_seats: false}
time: {turn_ms: 30000, start_ms: 300, grace_ms: 5000}
bots: [{name: a, bot: random}, {name: b, bot: random}]
"""

Seated = Callable[["PlayedLink"], NotReady | None]


class PlayedLink(BotLink):
    """Answers "wait" to every question; `seated` is what comes of its start."""

    def __init__(self, bot: str, seated: Seated = lambda link: None, *, plays: list[str] | None = None) -> None:
        bus = MemoryBroker().connect()
        super().__init__(bot, f"{bot}.0", run="run", bus=bus, account=bot_account("run", f"{bot}.0"))
        self.ready = protocol.Ready(protocol=1, plays=plays or [])
        self._seated = seated

    def packet(self, payload: bytes) -> tuple[str, bytes]:
        message = protocol.decode_to_bot(payload)
        if isinstance(message, protocol.TurnMessage) and self.listener is not None:
            answer = protocol.Action(match=message.match, ask=message.ask, seat=message.seat, action="wait")
            self.listener.on_payload(protocol.encode(answer))
        return super().packet(payload)

    async def seat(self, start: protocol.Start, *, patience_ms: float | None) -> NotReady | None:
        outcome = self._seated(self)
        await asyncio.sleep(0)
        return outcome
