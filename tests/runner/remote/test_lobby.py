"""The lobby with remote bots that are only played: who is waited for, how long, and what each is told."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gridjoust.runner.broker import bot_account
from gridjoust.runner.config.load import load_tournament
from gridjoust.runner.config.values import Execution, ResourceLimits, RoleProgram, TimeLimits
from gridjoust.runner.play.pool import BotPool
from gridjoust.runner.remote.lobby import TOLD, Lobby, LobbyNews, RemoteLink, matches_of
from gridjoust.runner.results.records.lines import Fault
from gridjoust.runner.schedule import Entrant, make_schedule
from gridjoust.runner.wire import protocol
from gridjoust.runner.wire.bus import Will
from gridjoust.runner.wire.bus.memory import MemoryBroker, MemoryBus
from gridjoust.runner.wire.inbox import Allowance
from gridjoust.runner.wire.protocol import bot_prefix, notice_topic
from tests.doubles.clock import settle
from tests.doubles.virtual_time import in_virtual_time

FOREVER = 10_000
REMOTE = RoleProgram(remote=True)


class Far:
    """A remote bot that says `ready` when it is asked."""

    def __init__(self, bus: MemoryBus, prefix: str) -> None:
        self.heard: list[protocol.ToBot] = []
        self.notices: list[str] = []
        self._bus, self._prefix = bus, prefix
        self._tasks: set[asyncio.Task[None]] = set()

    async def come(self) -> None:
        await self._bus.subscribe(f"{self._prefix}/in", self.hear)
        await self._bus.subscribe(notice_topic(self._prefix), lambda _, payload: self.notices.append(payload.decode()))
        await self.report(online=True)

    async def report(self, *, online: bool) -> None:
        await self._bus.publish(f"{self._prefix}/status", protocol.encode(protocol.Status(online=online)))
        await settle()

    def hear(self, topic: str, payload: bytes) -> None:
        message = protocol.decode_to_bot(payload)
        self.heard.append(message)
        if isinstance(message, protocol.Hello):
            ready = protocol.encode(protocol.Ready(protocol=protocol.PROTOCOL))
            task = asyncio.get_running_loop().create_task(self._bus.publish(f"{self._prefix}/out", ready))
            self._tasks.add(task)


class Hall:
    """A lobby, its pool, and the bots that come."""

    def __init__(self, broker: MemoryBroker, pool: BotPool, lobby: Lobby, news: list[LobbyNews]) -> None:
        self.pool, self.lobby, self.news = pool, lobby, news
        self.links = {link.bot: link for link in pool.links if isinstance(link, RemoteLink)}
        self._broker = broker

    @contextlib.asynccontextmanager
    async def bot(self, name: str) -> AsyncIterator[Far]:
        """It comes, and leaves as one does that is cut off."""
        account, prefix = bot_account("run", f"{name}.0", secret="s"), bot_prefix("run", f"{name}.0")
        will = Will(f"{prefix}/status", protocol.encode(protocol.Status(online=False)))
        async with self._broker.connect(read=account.read, write=account.write, will=will) as bus:
            far = Far(bus, prefix)
            await far.come()
            yield far
            bus.lose("cable cut")
            await settle()

    def gathering(self, begin: asyncio.Event | None = None) -> asyncio.Task[None]:
        return asyncio.create_task(self.lobby.gather(begin, {"ada": 4}))

    async def seat(self, bot: str) -> tuple[Fault, str] | None:
        """Its fault when a match begins."""
        async with self.pool.seated([Entrant(bot, REMOTE, "", (0,), TimeLimits(start_ms=50), ResourceLimits())]) as [
            link
        ]:
            return link.fault


@contextlib.asynccontextmanager
async def open_hall(*, lobby_s: int = FOREVER, patience_s: int = FOREVER) -> AsyncIterator[Hall]:
    broker, names = MemoryBroker(), ("ada", "ben")
    async with broker.connect() as bus:
        accounts = {f"{name}.0": bot_account("run", f"{name}.0", secret="s") for name in names}
        launcher: object = None  # nobody is started
        links = dict.fromkeys(names, RemoteLink)
        pool = BotPool(run="run", bus=bus, launcher=launcher, accounts=accounts, links=links)  # type: ignore[arg-type]
        news: list[LobbyNews] = []
        async with pool.open():
            yield Hall(
                broker,
                pool,
                Lobby(pool.links, Execution(lobby_s=lobby_s, patience_s=patience_s), show=news.append),
                news,
            )


@in_virtual_time
async def test_it_begins_when_all_are_there_and_everybody_is_told_who_is_missing() -> None:
    async with open_hall() as hall, hall.bot("ada") as ada:
        gathering = hall.gathering()
        await settle()
        assert (gathering.done(), hall.news[-1].missing) == (False, ("ben",))
        async with hall.bot("ben") as ben:
            await gathering
            assert [one.line for one in hall.news] == ["ada is connected", "", "ben is connected", ""]
            assert (hall.news[-1].is_open, hall.news[-1].missing) == (False, ())
            assert ada.notices[-1] == ben.notices[-1] == "all bots are connected: the tournament begins"
            assert "waiting for ben" in ada.notices


@in_virtual_time
async def test_no_bot_is_missed_however_soon_it_comes_after_another() -> None:
    for passes in range(8):
        async with open_hall() as hall:
            gathering = hall.gathering()
            await settle()
            for link in hall.links.values():
                link.is_online, link.ready = True, protocol.Ready(protocol=protocol.PROTOCOL)
                link._tell_presence()
                for _ in range(passes):
                    await asyncio.sleep(0)
            async with asyncio.timeout(60):
                await gathering
            assert hall.news[-1].there == ("ada", "ben")
            for link in hall.links.values():
                link.is_online = False  # nobody is there to be waited for


@pytest.mark.parametrize("how", ["time", "Enter"])
@in_virtual_time
async def test_it_begins_without_who_is_missing_when_the_time_is_over_or_somebody_says_so(how: str) -> None:
    begin = asyncio.Event()
    async with open_hall(lobby_s=0 if how == "time" else FOREVER) as hall:
        gathering = hall.gathering(begin)
        await settle()
        if how == "Enter":
            assert not gathering.done()
            begin.set()
        await gathering
        assert (hall.news[-1].is_open, hall.news[-1].missing) == (False, ("ada", "ben"))


@in_virtual_time
async def test_a_match_waits_for_a_bot_that_is_away_and_a_late_one_plays() -> None:
    async with open_hall(lobby_s=0) as hall:
        await hall.gathering()
        waiting = asyncio.create_task(hall.lobby.present(["ada", "somebody else"]))
        await settle()
        assert not waiting.done()
        async with hall.bot("ada"):
            await waiting
            assert await hall.seat("ada") is None
            assert hall.news[-1].line == "ada is connected"
        assert hall.news[-1].line == f"ada has disconnected: its matches wait {FOREVER} s for it"


@in_virtual_time
async def test_when_patience_is_over_matches_are_forfeited_until_it_is_back() -> None:
    async with open_hall(lobby_s=0, patience_s=0) as hall:
        await hall.gathering()
        for _ in range(4):  # as often as would be a quarantine
            await hall.lobby.present(["ada"])
            fault = (Fault.FAILED_TO_START, "the remote bot was not connected within 0 s")
            assert await hall.seat("ada") == fault
        async with hall.bot("ada"):
            await hall.lobby.present(["ada"])
            assert await hall.seat("ada") is None
        await hall.lobby.present(["ada"])
        assert await hall.seat("ada") == fault


@in_virtual_time
async def test_a_bot_that_flickers_fills_nobodys_screen_and_is_there_when_it_is() -> None:
    async with open_hall(lobby_s=0) as hall, hall.bot("ben") as ben:
        await hall.gathering()
        told = len(hall.news)
        async with hall.bot("ada") as ada:
            for _ in range(20):  # fewer than would be a flood
                await ada.report(online=False)
                await ada.report(online=True)
            async with asyncio.timeout(60):
                await hall.lobby.present(["ada"])
            assert hall.links["ada"].is_there
        assert 2 < len(hall.news) - told < 2 * TOLD
        assert len(ben.notices) < 2 * TOLD


@in_virtual_time
async def test_a_bot_whose_statuses_are_a_flood_is_there_once_it_behaves_and_away_once_it_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    monkeypatch.setattr("gridjoust.runner.play.link.Allowance", functools.partial(Allowance, now_s=lambda: now_s))
    monkeypatch.setattr("gridjoust.runner.remote.lobby.GREET_AGAIN_S", 0.01)
    async with open_hall(lobby_s=0, patience_s=20) as hall:
        async with hall.bot("ada") as ada:
            await hall.gathering()
            for _ in range(200):
                await ada.report(online=False)
                await ada.report(online=True)
            link = hall.links["ada"]
            present = asyncio.create_task(hall.lobby.present(["ada"]))
            await settle()
            assert not link.is_there
            now_s = 10.0
            async with asyncio.timeout(60):
                await present
            assert (link.is_there, link.absence) == (True, "")
        assert not link.is_there


@in_virtual_time
async def test_a_bot_that_came_before_anybody_listened_is_there() -> None:
    async with open_hall() as hall, hall.bot("ben"):
        hall.links["ben"].is_online, hall.links["ben"].ready = False, None
        gathering = hall.gathering()
        async with hall.bot("ada"):
            await gathering
        assert hall.links["ben"].is_there


@in_virtual_time
async def test_the_person_beside_a_bot_is_told_which_match_begins_and_nobody_beside_others_is() -> None:
    async with open_hall(lobby_s=0) as hall, hall.bot("ada") as ada, hall.bot("ben") as ben:
        await hall.gathering()
        for match in ("one", "two", "two"):  # the second is played again
            hall.links["ada"].announce(match, "bomber")
        hall.links["ben"].announce("one", "bomber")
        await settle()
        assert ada.notices[-3:] == ["match 1 of 4: bomber", "match 2 of 4: bomber", "match 2 of 4: bomber"]
        assert ben.notices[-1] == "match 1: bomber"


@in_virtual_time
async def test_bots_are_sent_away_when_all_is_over_and_wait_when_the_run_broke_off() -> None:
    async with open_hall(lobby_s=0) as hall, hall.bot("ada") as ada:
        await hall.gathering()
        hall.lobby.close()
        with contextlib.suppress(ZeroDivisionError):
            async with hall.pool.open():
                raise ZeroDivisionError
        assert not any(isinstance(message, protocol.Stop) for message in ada.heard)
        leaving = asyncio.create_task(hall.links["ada"].end(for_good=True))
        await settle()
        assert isinstance(ada.heard[-1], protocol.Stop)
        assert not leaving.done()  # it is given a moment to hear that
        await ada.report(online=False)
        await leaving


CUP = """
tournament: cup
seed: 1
games: [{game: bomber}]
format: {FORMAT}
bots: [{name: a, bot: random}, {name: ada, remote: true}, {name: b, bot: random}]
"""


def test_matches_are_counted_where_they_are_known_in_advance(tmp_path: Path) -> None:
    counts = []
    for form in ("type: round_robin, rounds: 2", "type: knockout"):
        (tmp_path / "cup.yaml").write_text(CUP.replace("FORMAT", form))
        counts.append(matches_of(make_schedule(load_tournament(tmp_path / "cup.yaml")), ["ada"]))
    assert counts == [{"ada": 8}, {}]
