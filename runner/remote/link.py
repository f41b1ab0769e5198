"""The link to a remote bot, which connects and disconnects by itself, and to the person who runs it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import Launcher
from gridjoust.runner.play.link import STOP_PATIENCE_S, BotLink, StallMs, no_stall
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.protocol import bot_prefix, decode_status, notice_topic


class RemoteLink(BotLink):
    """The link to the only process of a remote bot."""

    outlives_the_run = True

    def __init__(
        self, bot: str, slot: str, *, run: str, bus: Bus, account: Account, stall_ms: StallMs = no_stall
    ) -> None:
        super().__init__(bot, slot, run=run, bus=bus, account=account, stall_ms=stall_ms)
        self.on_presence: Callable[[RemoteLink], None] | None = None  # called when it connects or disconnects
        self.absence = ""  # why the run does not wait for it any more; "" if it does
        self.patience_ms = 0.0  # limit for a reconnection during a match
        self.match_count: int | None = None  # number of all its matches, if known
        self._topic_notice = notice_topic(bot_prefix(run, slot))
        self._begun: dict[str, int] = {}  # match -> its number among the bot's matches
        self._was_there = False
        self._gone = asyncio.Event()

    @property
    def is_there(self) -> bool:
        """True if the bot is connected and has sent `ready`."""
        return self.is_online and self.ready is not None

    async def greet(self) -> None:
        """Send `hello` and so ask for `ready`, as the bot may have connected before the runner listened."""
        await self.send(self._hello)

    async def notify(self, text: str) -> None:
        """Send a text to the person who runs the bot."""
        await self._bus.publish(self._topic_notice, text.encode())

    async def announce(self, match: str, about: str) -> None:
        """Tell the person that a match begins, and its number among the bot's matches."""
        number = self._begun.setdefault(match, len(self._begun) + 1)
        total = "" if self.match_count is None else f" of {self.match_count}"
        await self.notify(f"match {number}{total}: {about}")

    def comeback_ms(self, start_ms: float) -> float:
        """Return how long to wait for a reconnection: the patience, or the limit for other bots if that is longer."""
        return max(start_ms, self.patience_ms)

    def on_payload(self, payload: bytes) -> None:
        """Handle a message of the bot; after `ready` it counts as connected even if its sign of life was missed."""
        before = self.ready
        super().on_payload(payload)
        self.is_online |= self.ready is not None and self.ready is not before
        self._tell_presence()

    async def on_status(self, payload: bytes) -> None:
        """Handle a sign of life or last will; a bot that reconnects between matches is asked for `ready` again."""
        was_online = self.is_online
        await super().on_status(payload)
        if self.is_online and not was_online and self.ready is not None and self.listener is None:
            await self.greet()
        with contextlib.suppress(ProtocolFault):
            if not decode_status(payload).online:
                self._gone.set()
        self._tell_presence()

    def fail(self, fault: Fault, detail: str, excuse: str = "") -> None:
        """Note a fault, the first one counts; a bot that crashed or flooded is away until it sends `ready`."""
        super().fail(fault, detail, excuse)
        if fault in (Fault.CRASHED, Fault.FLOODING):
            self.is_online = False
            self._tell_presence()

    async def prepare(self, program: RoleProgram, launcher: Launcher, limits: ResourceLimits, start_ms: float) -> None:
        """Make the bot ready for a match, unless the run has stopped waiting for it; forget faults of other matches."""
        self.fault, self.excuse = None, ""
        if self.absence:
            self.fail(Fault.FAILED_TO_START, self.absence)
            return
        if not self.is_there:
            self.ready = None  # ask again, as it may be reconnecting
        await super().prepare(program, launcher, limits, start_ms)

    async def end(self, *, for_good: bool = False) -> None:
        """Ask the bot to leave; at the end of the run, wait a moment until it has received that."""
        was_there = self.is_there
        self._gone.clear()
        await super().end(for_good=for_good)
        if for_good and was_there:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._gone.wait(), STOP_PATIENCE_S)

    def _tell_presence(self) -> None:
        if self.on_presence is not None and self.is_there != self._was_there:
            self._was_there = self.is_there
            self.on_presence(self)
