"""Remote bots whose connection breaks in the middle of a match: back in time, or not."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from bots.api import Bot, Observation
from bots.harness import Harness
from bots.random_bot import RandomBot
from gridjoust.in_process import InProcessLauncher
from runner.record.lines import MatchRecord
from runner.tournament import Backend, Plan
from runner.wire.bus import MemoryBroker, MemoryBus, Will
from runner.wire.protocol import Status, encode
from runner.wire.topics import bot_prefix
from tests.runner.memory_cup import make_cup, play_cup

CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 12}}]
format: {swap_seats: false}
time: {turn_ms: 150, start_ms: START_MS, grace_ms: 2000}
faults: {limit: 100}
bots: [{name: far, remote: true}, {name: near, bot: bomber/wanderer}]
"""


class Cable:
    """A remote bot's line: cut at the fourth question; the bot may plug in again, as a new process would."""

    def __init__(self, *, comes_back: bool) -> None:
        self._comes_back = comes_back
        self.connections = 0

    @contextlib.asynccontextmanager
    async def open(self, plan: Plan) -> AsyncIterator[Backend]:
        """A backend in this process with the remote bot at the other end of the line."""
        broker = MemoryBroker()
        async with broker.connect() as bus:
            far = asyncio.create_task(self._play(broker, plan))
            yield Backend(bus, InProcessLauncher(broker, plan.run), asyncio.get_running_loop().create_future())
            far.cancel()

    async def _play(self, broker: MemoryBroker, plan: Plan) -> None:
        account, prefix = plan.accounts["far.0"], bot_prefix(plan.run, "far.0")
        will = Will(f"{prefix}/status", encode(Status(online=False)))
        for make_class in (_cutting_bot, lambda bus, cut: RandomBot)[: 1 + self._comes_back]:
            self.connections += 1
            cut = asyncio.Event()
            async with broker.connect(read=account.read, write=account.write, will=will) as bus:
                serving = asyncio.create_task(Harness(make_class(bus, cut), bus=bus, prefix=prefix).run())
                await cut.wait()
                serving.cancel()


def _cutting_bot(bus: MemoryBus, cut: asyncio.Event) -> type[Bot]:
    class Cutting(RandomBot):
        def act(self, observation: Observation) -> str:
            if observation.turn == 4:
                bus.lose("cable cut")
                cut.set()
            return super().act(observation)

    return Cutting


async def play(folder: Path, cable: Cable, *, start_ms: int) -> MatchRecord:
    [played] = await play_cup(make_cup(CUP.replace("START_MS", str(start_ms)), folder), open_it=cable.open)
    return played.record


async def test_a_bot_that_does_not_come_back_loses_by_disconnection(tmp_path: Path) -> None:
    record = await play(tmp_path, Cable(comes_back=False), start_ms=400)
    assert record.end.termination.value == "disconnected"
    assert "did not come back in 400 ms" in record.end.reason
    far = next(seat for seat, entry in enumerate(record.header.seats) if entry.bot == "far")
    assert (record.end.forfeited, record.end.ranks[far]) == ([far], 2)


async def test_a_bot_that_comes_back_plays_on(tmp_path: Path) -> None:
    cable = Cable(comes_back=True)
    end = (await play(tmp_path, cable, start_ms=5_000)).end
    assert cable.connections == 2
    assert (end.termination.value, end.turns, end.forfeited) == ("completed", 12, [])
