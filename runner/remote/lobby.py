"""Links to remote bots, and the lobby: it waits for all before the first match, and for each before its own matches.

A remote bot connects and disconnects by itself. The matches of a bot that is away wait once, until the limit
`patience_s` is over; others are played meanwhile. After that the bot forfeits its matches at once, until it is back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gridjoust.runner.broker import Account
from gridjoust.runner.config.values import Execution, ResourceLimits, RoleProgram
from gridjoust.runner.play.launch import Launcher
from gridjoust.runner.play.link import STOP_PATIENCE_S, BotLink, StallMs, no_stall
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Schedule
from gridjoust.runner.schedule.stream import DecidedSchedule
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.errors import ProtocolFault
from gridjoust.runner.wire.inbox import Allowance
from gridjoust.runner.wire.protocol import bot_prefix, decode_status, notice_topic


class RemoteLink(BotLink):
    """The runner's link to the only process of a remote bot."""

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

    def notify(self, text: str) -> None:
        """Send a text to the person who runs the bot."""
        self._bus.post([(self._topic_notice, text.encode())])

    def announce(self, match: str, about: str) -> None:
        """Tell the person that a match begins, and its number among the bot's matches."""
        number = self._begun.setdefault(match, len(self._begun) + 1)
        total = "" if self.match_count is None else f" of {self.match_count}"
        self.notify(f"match {number}{total}: {about}")

    def comeback_ms(self, start_ms: float) -> float:
        """Return how many ms to wait for a reconnection: the bot's patience, or the limit of local bots if longer."""
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
        """Note the bot's fault if it is the first; a bot that crashed or flooded is away until it sends `ready`."""
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


GREET_AGAIN_S = 2.0  # a missing bot is asked again, as its answer may have been dropped by a limit
TOLD, TOLD_PER_S = 12, 0.2  # limit of lines about one bot that connects and disconnects often


@dataclass(frozen=True, slots=True)
class LobbyNews:
    """The remote bots that are connected or missing, and the latest change."""

    there: tuple[str, ...]
    missing: tuple[str, ...]
    is_open: bool  # the first match has not begun
    left_s: float = 0.0  # while it is open: time until it closes even if bots are missing
    line: str = ""  # the change as a sentence; "" when the lobby opens or closes


ShowLobby = Callable[[LobbyNews], None]


def show_nothing(news: LobbyNews) -> None:
    """Ignore lobby updates; the default callback."""


class Lobby:
    """Waits for the remote bots of one run, and reports which are connected."""

    def __init__(self, links: Iterable[BotLink], execution: Execution, *, show: ShowLobby = show_nothing) -> None:
        self._links = {link.bot: link for link in links if isinstance(link, RemoteLink)}
        self._lobby_s, self._patience_s = execution.lobby_s, execution.patience_s
        self._show = show
        self._is_open = True
        self._now_s = asyncio.get_running_loop().time
        self._opened_s = self._now_s()
        self._away_since_s = dict.fromkeys(self._links, self._opened_s)
        self._changed = asyncio.Event()
        self._tellable = {bot: Allowance(TOLD, per_s=TOLD_PER_S) for bot in self._links}
        for link in self._links.values():
            link.on_presence = self._on_presence
            link.patience_ms = 1000 * self._patience_s

    async def gather(self, begin: asyncio.Event | None, totals: Mapping[str, int]) -> None:
        """Wait until all bots are connected, the time is over, or `begin` is set.

        `totals`: number of matches by bot, if known.
        """
        if not self._links:
            return
        for bot, link in self._links.items():
            link.match_count = totals.get(bot)
            await link.greet()
        self._show(self._news())
        told = asyncio.create_task((begin or asyncio.Event()).wait(), name="lobby.begin")
        try:
            while self._missing() and not told.done() and (left_s := self._left_s()) > 0:
                changed = asyncio.ensure_future(
                    self._changed.wait()
                )  # the present event, as it is replaced on a change
                again_s = min(left_s, GREET_AGAIN_S)
                await asyncio.wait({told, changed}, timeout=again_s, return_when=asyncio.FIRST_COMPLETED)
                if changed.cancel():
                    for bot in self._missing():
                        await self._links[bot].greet()
        finally:
            told.cancel()
        self._is_open = False
        now_s = self._now_s()
        self._away_since_s = dict.fromkeys(self._missing(), now_s)
        self._show(self._news())

    def close(self) -> None:
        """Stop reporting disconnections, as all matches have been played."""
        for link in self._links.values():
            link.on_presence = None

    async def present(self, bots: Iterable[str]) -> None:
        """Wait until each remote bot among `bots` is connected, or set its `absence` once its time is over."""
        for bot in bots:
            if (link := self._links.get(bot)) is not None:
                await self._await(link)

    def is_settled(self, bots: Iterable[str]) -> bool:
        """Return True if no remote bot among `bots` is being waited for."""
        links = (self._links[bot] for bot in bots if bot in self._links)
        return all(link.is_there or link.absence for link in links)

    async def _await(self, link: RemoteLink) -> None:
        if not link.is_there:
            await link.greet()
        while not link.is_there:
            left_s = self._away_since_s.setdefault(link.bot, self._now_s()) + self._patience_s - self._now_s()
            if left_s <= 0:
                link.absence = f"the remote bot was not connected within {self._patience_s:g} s"
                return
            try:
                async with asyncio.timeout(min(left_s, GREET_AGAIN_S)):
                    await self._changed.wait()
            except TimeoutError:
                await link.greet()

    def _on_presence(self, link: RemoteLink) -> None:
        """Handle a remote bot that has connected or disconnected."""
        if link.is_there:
            self._away_since_s.pop(link.bot, None)
            link.absence = ""
            line = f"{link.bot} is connected"
        else:
            self._away_since_s[link.bot] = self._now_s()
            patience = "" if self._is_open else f": its matches wait {self._patience_s:g} s for it"
            line = f"{link.bot} has disconnected{patience}"
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        if not self._tellable[link.bot].spend(1):
            return
        self._show(self._news(line))
        if self._is_open:
            self._tell_who_is_missing()

    def _tell_who_is_missing(self) -> None:
        """Tell the people of connected bots which bots are missing."""
        missing = self._missing()
        text = f"waiting for {', '.join(missing)}" if missing else "all bots are connected: the tournament begins"
        for link in self._links.values():
            if link.is_there:
                link.notify(text)

    def _missing(self) -> tuple[str, ...]:
        return tuple(bot for bot, link in self._links.items() if not link.is_there)

    def _left_s(self) -> float:
        return max(0.0, self._opened_s + self._lobby_s - self._now_s())

    def _news(self, line: str = "") -> LobbyNews:
        there = tuple(bot for bot, link in self._links.items() if link.is_there)
        return LobbyNews(there, self._missing(), self._is_open, self._left_s() if self._is_open else 0.0, line)


def matches_of(schedule: Schedule, bots: Sequence[str]) -> dict[str, int]:
    """Count each bot's matches by reading `schedule` to its end; empty if pairings depend on results."""
    if not bots or isinstance(schedule, DecidedSchedule):
        return {}
    counts = dict.fromkeys(bots, 0)
    for pairing in schedule:
        for bot in {entrant.bot for entrant in pairing.entrants} & counts.keys():
            counts[bot] += 1
    return counts
