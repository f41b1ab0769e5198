"""An engine in the test's process: workers that play for real, die by a seeded chance, and sometimes answer twice."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from gridjoust.in_process import open_in_process
from gridjoust.runner.engines.batch import Batch, Lost, Outcome, WorkerNews
from gridjoust.runner.engines.dispatch import Dispatcher
from gridjoust.runner.engines.job import load_job, make_job
from gridjoust.runner.engines.owner import run_on_engine
from gridjoust.runner.engines.player import Player, open_player
from gridjoust.runner.plan import Plan, prepare_folder
from gridjoust.runner.table_sink import Played
from gridjoust.tournament import KnownBots

BATCH_S = 0.2


class Fleet:
    """`death` is how likely a worker dies on a batch; the next one takes its place."""

    def __init__(self, players: Sequence[Player], death: float = 0.0, seed: int = 0) -> None:
        self.deaths = 0
        self.rejected: list[tuple[str, str]] = []
        self._free = [*players]
        self._players = players
        self._death = death
        self._chance = random.Random(seed)
        self._outcomes: asyncio.Queue[Outcome] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def room(self) -> int:
        return len(self._free)

    @property
    def slots(self) -> int:
        return len(self._players)

    def workers(self) -> Sequence[WorkerNews]:
        return [WorkerNews(name=player.name, state="ready") for player in self._players]

    def take_notes(self) -> list[str]:
        return []

    async def submit(self, batch: Batch) -> None:
        task = asyncio.create_task(self._play(self._free.pop(), batch))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        for task in self._tasks:
            if task.done():
                task.result()
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(self._outcomes.get(), timeout_s)
        return None

    async def reject(self, worker: str, reason: str) -> None:
        self.rejected.append((worker, reason))
        for player in self._players:
            if player.name == worker and player in self._free:
                self._free.remove(player)

    async def cancel(self, number: int) -> None:
        """Its result comes all the same."""

    async def _play(self, player: Player, batch: Batch) -> None:
        is_dead = self._chance.random() < self._death
        played = batch.items[: self._chance.randrange(len(batch.items) + 1)] if is_dead else batch.items
        finished = await player.play(replace(batch, items=played))
        self._free.append(player)
        if is_dead:
            self.deaths += 1
            self._outcomes.put_nowait(Lost(number=batch.number, worker=player.name, reason="killed"))
        if not is_dead or self._chance.random() < 0.2:  # a worker that was taken for dead may answer late
            self._outcomes.put_nowait(finished)


@contextlib.asynccontextmanager
async def open_fleet(plan: Plan, scratch: Path, workers: int, *, death: float = 0.0) -> AsyncIterator[Fleet]:
    job, files = make_job(plan.loaded)
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for number in range(workers):
            own = scratch / f"worker{number}"
            loaded = load_job(job, own, lambda digest: files[digest].read_bytes(), known_bots=KnownBots())
            opened = open_player(loaded, own, name=f"pc{number}", open_backend=open_in_process)
            players.append(await stack.enter_async_context(opened))
        yield Fleet(players, death)


async def play_on_fleet(
    plan: Plan, scratch: Path, workers: int, *, death: float = 0.0, resume: bool = False
) -> tuple[list[Played], Fleet]:
    prepared = prepare_folder(plan, resume=resume)
    played: list[Played] = []
    async with open_fleet(prepared, scratch, workers, death=death) as fleet:
        dispatcher = Dispatcher(target_s=BATCH_S)
        await run_on_engine(prepared, fleet, on_played=played.append, dispatcher=dispatcher)
    return played, fleet
