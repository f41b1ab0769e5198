"""Waits for remote bots: for all of them before the first match, and for each before its own matches.

The matches of a bot that is away wait once, until the limit `patience_s` is over; others are played meanwhile. After
that it forfeits its matches at once, until it is back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gridjoust.runner.config.values import Execution
from gridjoust.runner.play.link import BotLink
from gridjoust.runner.remote.link import RemoteLink
from gridjoust.runner.schedule import Schedule
from gridjoust.runner.schedule.stream import DecidedSchedule
from gridjoust.runner.wire.inbox import Allowance

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
        self._notices: set[asyncio.Task[None]] = set()
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
        """Wait until each remote bot among `bots` is connected or its time is over; then its `absence` says so."""
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
                link.absence = f"the remote bot was not there, after {self._patience_s:g} s of patience"
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
                task = asyncio.create_task(link.notify(text), name=f"lobby[{link.bot}]")
                self._notices.add(task)
                task.add_done_callback(self._notices.discard)

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
