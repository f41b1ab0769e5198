"""The bots' processes: started when a match needs them, kept for the next one, replaced when they fail."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from types import MappingProxyType

from gridjoust.runner.broker import Account
from gridjoust.runner.play.launch import Launcher
from gridjoust.runner.play.link import MESSAGE_BYTES, STATUS_BYTES, BotLink, NotReady, StallMs, no_stall
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Entrant
from gridjoust.runner.wire.bus import Bus
from gridjoust.runner.wire.protocol import bot_prefix, charge_topic


class BotPool:
    """The processes of every bot; lends links to bots that are ready to a match, and takes them back after it."""

    def __init__(
        self,
        *,
        run: str,
        bus: Bus,
        launcher: Launcher,
        accounts: Mapping[str, Account],
        stall_ms: StallMs = no_stall,
        links: Mapping[str, type[BotLink]] = MappingProxyType({}),
    ) -> None:
        """Make a link for every bot process that may be needed.

        `accounts`: the account of each, by its name `<bot>.<number>`; `links`: bot name -> class of its links.
        """
        self._run = run
        self._bus = bus
        self._launcher = launcher
        self._by_slot = {
            slot: links.get(bot, BotLink)(bot, slot, run=run, bus=bus, account=account, stall_ms=stall_ms)
            for slot, account in accounts.items()
            for bot in [slot.rpartition(".")[0]]
        }
        for link in self._by_slot.values():
            link.slots = [other for other in self._by_slot.values() if other.bot == link.bot]
        self._free = asyncio.Condition()
        self._statuses: set[asyncio.Task[None]] = set()

    @property
    def links(self) -> Collection[BotLink]:
        """The links to all bot processes, started or not."""
        return self._by_slot.values()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[BotPool]:
        """Listen to the bots while the context is open, then end their processes.

        Remote bots are told to leave only at the regular end; after an error or an interrupt they wait for the run to
        continue.
        """
        prefix = bot_prefix(self._run, "+")
        await self._bus.subscribe(f"{prefix}/out", self._on_out)
        await self._bus.subscribe(f"{prefix}/status", self._on_status)
        await self._bus.subscribe(charge_topic(prefix), self._on_charge)
        is_over = False
        try:
            yield self
            is_over = True
        finally:
            leaving = (link for link in self.links if is_over or not link.outlives_the_run)
            await asyncio.gather(*(link.end(for_good=True) for link in leaving), return_exceptions=True)

    @contextlib.asynccontextmanager
    async def seated(
        self, entrants: Sequence[Entrant], banned: Mapping[str, str] = MappingProxyType({})
    ) -> AsyncIterator[list[BotLink]]:
        """Lend a link per entrant, ready or with its `fault` set; wait while all processes of a bot are in matches.

        `banned` bots (bot -> why) are not started: they fail to start, with this reason.
        """
        links = await self._take(entrants)
        pairs = zip(links, entrants, strict=True)
        preparing = [asyncio.ensure_future(self._prepare(link, who, banned.get(who.bot))) for link, who in pairs]
        try:
            await asyncio.gather(*preparing)
            yield links
        finally:
            for one in preparing:  # after an error in one, the others must not start processes that nobody ends
                one.cancel()
            await asyncio.gather(*preparing, return_exceptions=True)
            for link in links:
                link.listener = None
            async with self._free:
                for link in links:
                    link.is_busy = False
                self._free.notify_all()

    async def _take(self, entrants: Sequence[Entrant]) -> list[BotLink]:
        async with self._free:
            while True:
                links: list[BotLink] = []
                for entrant in entrants:
                    links += self._choose(entrant, links)
                if len(links) == len(entrants):
                    for link in links:
                        link.is_busy = True
                    return links
                await self._free.wait()

    def _choose(self, entrant: Entrant, taken: Sequence[BotLink]) -> list[BotLink]:
        """Choose an unused link: one that runs the program, else one without process, else any; [] if all are busy."""
        own = (link for link in self._by_slot.values() if link.bot == entrant.bot)
        free = [link for link in own if not link.is_busy and link not in taken]
        free.sort(key=lambda link: (link.program != entrant.program, link.program is not None))
        return free[:1]

    async def _prepare(self, link: BotLink, entrant: Entrant, ban: str | None) -> None:
        if ban is not None:
            await link.end()
            link.fault = (Fault.FAILED_TO_START, ban)
            return
        await link.prepare(entrant.program, self._launcher, entrant.limits, entrant.time.start_ms)

    def _on_out(self, topic: str, payload: bytes) -> None:
        link = self._by_slot.get(topic.split("/")[3])
        if link is not None and link.admits(payload, MESSAGE_BYTES):
            try:
                link.on_payload(payload)
            except Exception as error:  # ours, not the bot's: it ends the match of this bot and no other
                link.error = error
                link.settle(NotReady(Fault.FAILED_TO_START, repr(error), "an error of the runner"))

    def _on_charge(self, topic: str, payload: bytes) -> None:
        link = self._by_slot.get(topic.split("/")[3])
        if link is not None:
            link.charge(payload.decode())

    def _on_status(self, topic: str, payload: bytes) -> None:
        link = self._by_slot.get(topic.split("/")[3])
        if link is not None and link.admits(payload, STATUS_BYTES):
            task = asyncio.create_task(link.on_status(payload), name=f"status[{link.slot}]")
            self._statuses.add(task)
            task.add_done_callback(self._statuses.discard)
