"""Remote bots whose connection breaks in the middle of a match: back in time, or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from bots.api import Bot, Observation
from bots.harness import Harness
from bots.random_bot import RandomBot
from gridjoust.in_process import InProcessLauncher
from runner.record.lines import MatchRecord
from runner.tournament import Backend, Plan, Played, prepare_folder, run_tournament
from runner.wire.bus import MemoryBroker, MemoryBus, Will
from runner.wire.protocol import Status, encode
from runner.wire.topics import bot_prefix
from tests.runner.memory_cup import make_cup

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

    def __init__(self, broker: MemoryBroker, plan: Plan, *, comes_back: bool) -> None:
        self._broker = broker
        self._plan = plan
        self._comes_back = comes_back
        self.connections = 0

    async def play(self) -> None:
        cut = asyncio.Event()
        await self._connect(lambda bus: _cutting_bot(bus, cut), until=cut)
        if self._comes_back:
            await self._connect(lambda _: RandomBot, until=asyncio.Event())

    async def _connect(self, make_class: Callable[[MemoryBus], type[Bot]], *, until: asyncio.Event) -> None:
        account = self._plan.accounts["far.0"]
        prefix = bot_prefix(self._plan.run, "far.0")
        will = Will(f"{prefix}/status", encode(Status(online=False)))
        self.connections += 1
        async with self._broker.connect(read=account.read, write=account.write, will=will) as bus:
            serving = asyncio.create_task(Harness(make_class(bus), bus=bus, prefix=prefix).run())
            await until.wait()
            serving.cancel()


def _cutting_bot(bus: MemoryBus, cut: asyncio.Event) -> type[Bot]:
    class Cutting(RandomBot):
        def act(self, observation: Observation) -> str:
            if observation.turn == 4:
                bus.lose("cable cut")
                cut.set()
            return super().act(observation)

    return Cutting


async def play(folder: Path, *, start_ms: int, comes_back: bool) -> tuple[MatchRecord, Cable]:
    plan = make_cup(CUP.replace("START_MS", str(start_ms)), folder)
    prepare_folder(plan, resume=False)
    broker = MemoryBroker()
    cable = Cable(broker, plan, comes_back=comes_back)
    played: list[Played] = []
    async with broker.connect() as bus:
        backend = Backend(bus, InProcessLauncher(broker, plan.run), asyncio.get_running_loop().create_future())
        far = asyncio.create_task(cable.play())
        await run_tournament(plan, backend, on_played=played.append)
        far.cancel()
    return played[0].record, cable


async def test_a_bot_that_does_not_come_back_loses_by_disconnection(tmp_path: Path) -> None:
    record, _ = await play(tmp_path, start_ms=400, comes_back=False)
    assert record.end.termination.value == "disconnected"
    assert "did not come back in 400 ms" in record.end.reason
    far = next(seat for seat, entry in enumerate(record.header.seats) if entry.bot == "far")
    assert record.end.forfeited == [far]
    assert record.end.ranks[far] == 2


async def test_a_bot_that_comes_back_plays_on(tmp_path: Path) -> None:
    record, cable = await play(tmp_path, start_ms=5_000, comes_back=True)
    assert cable.connections == 2
    assert record.end.termination.value == "completed"
    assert record.end.turns == 12
    assert record.end.forfeited == []
