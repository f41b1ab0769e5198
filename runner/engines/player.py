"""The worker's side: plays batches with the ordinary runner, one after another, with one broker for all of them.

Bans come with the batch, and records go back to the owner instead of into a folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.runner.config.values import BotInfo
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Finished
from gridjoust.runner.engines.job import PairingMaker
from gridjoust.runner.plan import Backend, Plan, make_plan, parallel_matches
from gridjoust.runner.play.breakdown import LOGS, tracebacks
from gridjoust.runner.results.records.file import RECORDS, format_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.schedule import Pairing, Schedule
from gridjoust.runner.tournament import MatchResources, open_resources, play_in_order, play_match
from gridjoust.runner.wire.errors import ConfigError

OpenBackend = Callable[[Plan], AbstractAsyncContextManager[Backend]]


@dataclass(slots=True)
class Player:
    """Plays batches of matches on a worker, all of one tournament."""

    name: str
    resources: MatchResources
    parallel: int
    pairings: PairingMaker
    fresh: list[bytes] = field(default_factory=list)  # records that were not taken yet
    since_s: float = 0.0  # time when records were last taken
    since_ms: float = 0.0  # that time by the clock of matches

    async def play(self, batch: Batch) -> Finished:
        """Play all matches of a batch; ConfigError if one would not be the same match on this machine."""
        pairings = [self.pairings.make(item) for item in batch.items]

        async def play(pairing: Pairing) -> MatchRecord:
            return await play_match(pairing, self.resources, banned=lambda _: batch.bans)

        async def take(record: MatchRecord) -> None:
            self.fresh.append(format_record(record))

        self._begin_part()
        await play_in_order(Schedule(iter(pairings)), self.resources, play=play, take=take)
        return self.take_part(batch.number, is_whole=True)

    def take_part(self, number: int, *, is_whole: bool = False) -> Finished:
        """Return the new records of batch `number`, with times measured since the last call.

        `is_whole`: the batch has been played to its end.
        """
        now_s, now_ms = time.monotonic(), self.resources.context.clock.now_ms()
        records, self.fresh = self.fresh, []
        part = Finished(
            number=number,
            worker=self.name,
            records=records,
            seconds=now_s - self.since_s,
            parallel=self.parallel,
            late_ms=round(self.resources.lag_monitor.lag_ms(self.since_ms, now_ms), 1),
            is_whole=is_whole,
            tracebacks=self._take_tracebacks(),
        )
        self._begin_part()
        return part

    def _begin_part(self) -> None:
        self.since_s, self.since_ms = time.monotonic(), self.resources.context.clock.now_ms()

    def _take_tracebacks(self) -> dict[str, str]:
        files = tracebacks(self.resources.plan.out)
        texts = {path.stem: path.read_text(encoding="utf-8") for path in files}
        for path in files:
            path.unlink()
        return texts


@contextlib.asynccontextmanager
async def open_player(
    loaded: LoadedTournament,
    scratch: Path,
    *,
    name: str,
    open_backend: OpenBackend,
    parallel: int | None = None,
    trust: bool = False,
) -> AsyncIterator[Player]:
    """Open a player with a broker and bots of its own; its files go below `scratch`.

    ConfigError if a bot cannot be built here.
    """
    if parallel is not None:
        execution = msgspec.structs.replace(loaded.config.execution, parallel=parallel)
        loaded = msgspec.structs.replace(loaded, config=msgspec.structs.replace(loaded.config, execution=execution))
    plan = make_plan(loaded, lambda _: Schedule(iter(())), scratch / "results", trust=trust)
    for folder in (RECORDS, LOGS):
        await asyncio.to_thread((plan.out / folder).mkdir, parents=True, exist_ok=True)
    async with open_backend(plan) as backend:
        if not_built := [bot for bot in backend.loaded.broken if bot not in loaded.broken]:
            reason = backend.loaded.broken[not_built[0]]
            raise ConfigError(f"{not_built[0]}: expected a bot that can be built here as elsewhere, got: {reason}")
        plan = replace(plan, loaded=backend.loaded)
        makes = PairingMaker(plan.loaded)
        async with open_resources(plan, backend) as resources:
            yield Player(name, resources, parallel_matches(plan.loaded), makes)


@dataclass(frozen=True, slots=True)
class WorkerRuntime:
    """The functions with which a worker finds bots, starts them and runs an event loop; pickled by reference."""

    known_bots: Mapping[str, BotInfo]
    open_backend: OpenBackend
    run_loop: Callable[[Coroutine[None, None, None]], Any]
