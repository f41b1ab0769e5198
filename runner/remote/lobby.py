"""Waits for remote bots: for all before the first match, and with patience before each of theirs. Plays nothing.

A bot that is away keeps its matches waiting until patience is over, once; others are played meanwhile. From then on its
matches are forfeited at once, until it is back.
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
from gridjoust.runner.wire.allowance import Allowance

GREET_AGAIN_S = 2.0  # who is waited for: its answer may have been one message too many
TOLD, TOLD_PER_S = 12, 0.2  # of one bot's coming and going: whoever flickers fills nobody's screen


@dataclass(frozen=True, slots=True)
class LobbyNews:
    """Who of the remote bots is there, and what has just changed."""

    there: tuple[str, ...]
    missing: tuple[str, ...]
    is_open: bool  # the first match has not begun
    left_s: float = 0.0  # while it is open: until it closes, whoever is missing
    line: str = ""  # what has changed, as a sentence; "" when it opens or closes


ShowLobby = Callable[[LobbyNews], None]


def show_nothing(news: LobbyNews) -> None:
    """Where nobody looks."""


class Lobby:
    """The remote bots of one run."""

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
        """Wait until all are there, the time is over, or somebody says to begin; `totals`: their matches, if known."""
        if not self._links:
            return
        for bot, link in self._links.items():
            link.match_count = totals.get(bot)
            await link.greet()
        self._show(self._news())
        told = asyncio.create_task((begin or asyncio.Event()).wait(), name="lobby.begin")
        try:
            while self._missing() and not told.done() and (left_s := self._left_s()) > 0:
                changed = asyncio.ensure_future(self._changed.wait())  # this one: another may be there when it runs
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
        """All has been played: who leaves now is not missed."""
        for link in self._links.values():
            link.on_presence = None

    async def present(self, bots: Iterable[str]) -> None:
        """Wait until every remote one of the bots is there, or patience with it is over: then its `absence` says so."""
        for bot in bots:
            if (link := self._links.get(bot)) is not None:
                await self._await(link)

    def is_settled(self, bots: Iterable[str]) -> bool:
        """Whether none of the bots is waited for, at this moment."""
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
        """A remote bot has come or gone."""
        if link.is_there:
            self._away_since_s.pop(link.bot, None)
            link.absence = ""
            line = f"{link.bot} is there"
        else:
            self._away_since_s[link.bot] = self._now_s()
            patience = "" if self._is_open else f": its matches wait {self._patience_s:g} s for it"
            line = f"{link.bot} has left{patience}"
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        if not self._tellable[link.bot].spend(1):
            return
        self._show(self._news(line))
        if self._is_open:
            self._tell_who_is_missing()

    def _tell_who_is_missing(self) -> None:
        """To those who are there."""
        missing = self._missing()
        text = f"waiting for {', '.join(missing)}" if missing else "all are there: it begins"
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
    """How many matches each of the bots has in a schedule of its own; empty where results decide who plays."""
    if not bots or isinstance(schedule, DecidedSchedule):
        return {}
    counts = dict.fromkeys(bots, 0)
    for pairing in schedule:
        for bot in {entrant.bot for entrant in pairing.entrants} & counts.keys():
            counts[bot] += 1
    return counts
