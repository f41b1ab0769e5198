"""The line to a remote bot, which comes and goes by itself, and to the person beside it. Waits for nobody."""

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
    """The one slot of a remote bot."""

    outlives_the_run = True

    def __init__(
        self, bot: str, slot: str, *, run: str, bus: Bus, account: Account, stall_ms: StallMs = no_stall
    ) -> None:
        super().__init__(bot, slot, run=run, bus=bus, account=account, stall_ms=stall_ms)
        self.on_presence: Callable[[RemoteLink], None] | None = None  # it has come or gone
        self.absence = ""  # why it is waited for no more
        self.patience_ms = 0.0  # with a connection that is lost during a match
        self.match_count: int | None = None  # of all its matches, if that is known
        self._topic_notice = notice_topic(bot_prefix(run, slot))
        self._begun: dict[str, int] = {}  # match -> its number among those of the bot
        self._was_there = False
        self._gone = asyncio.Event()

    @property
    def is_there(self) -> bool:
        """Whether it is connected and has said `ready`."""
        return self.is_online and self.ready is not None

    async def greet(self) -> None:
        """Ask for its `ready`: it may have come before anybody listened."""
        await self.send(self._hello)

    async def notify(self, text: str) -> None:
        """Tell the person beside it."""
        await self._bus.publish(self._topic_notice, text.encode())

    async def announce(self, match: str, about: str) -> None:
        """Tell that a match begins, and which of its matches that is."""
        number = self._begun.setdefault(match, len(self._begun) + 1)
        total = "" if self.match_count is None else f" of {self.match_count}"
        await self.notify(f"match {number}{total}: {about}")

    def comeback_ms(self, start_ms: float) -> float:
        """Patience, where that is longer than other bots are given."""
        return max(start_ms, self.patience_ms)

    def on_payload(self, payload: bytes) -> None:
        """Bytes from the bot, which is there then, although its birth was perhaps not heard."""
        before = self.ready
        super().on_payload(payload)
        self.is_online |= self.ready is not None and self.ready is not before
        self._tell_presence()

    async def on_status(self, payload: bytes) -> None:
        """Birth or last will; whoever comes back between matches is asked again whether it is ready."""
        was_online = self.is_online
        await super().on_status(payload)
        if self.is_online and not was_online and self.ready is not None and self.listener is None:
            await self.greet()
        with contextlib.suppress(ProtocolFault):
            if not decode_status(payload).online:
                self._gone.set()
        self._tell_presence()

    def fail(self, fault: Fault, detail: str, excuse: str = "") -> None:
        """The first reason counts; a bot that has broken off, or was not heard out, is away until it says `ready`."""
        super().fail(fault, detail, excuse)
        if fault in (Fault.CRASHED, Fault.FLOODING):
            self.is_online = False
            self._tell_presence()

    async def prepare(self, program: RoleProgram, launcher: Launcher, limits: ResourceLimits, start_ms: float) -> None:
        """Have it ready, unless it is waited for no more; its faults of other matches are forgotten."""
        self.fault, self.excuse = None, ""
        if self.absence:
            self.fail(Fault.FAILED_TO_START, self.absence)
            return
        if not self.is_there:
            self.ready = None  # it is asked again, and may just be coming back
        await super().prepare(program, launcher, limits, start_ms)

    async def end(self, *, for_good: bool = False) -> None:
        """Ask it to leave; at the end of the run it is given a moment to hear that."""
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
