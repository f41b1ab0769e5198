"""The worker's side: batches are played by the ordinary runner, one after another, with one broker for all of them.

It decides nothing: who may play no more comes with the batch, and a record goes back to the owner, not to a folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Finished
from gridjoust.runner.engines.job import PairingMaker
from gridjoust.runner.plan import Backend, Plan, Played, make_plan, parallel_matches
from gridjoust.runner.play.breakdown import LOGS, tracebacks
from gridjoust.runner.results.records.file import RECORDS, format_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.schedule import Schedule
from gridjoust.runner.tournament import Table, open_table, play_in_order
from gridjoust.runner.wire.errors import ConfigError

OpenBackend = Callable[[Plan], AbstractAsyncContextManager[Backend]]


@dataclass(frozen=True, slots=True)
class _ToldBans:
    """What the owner has decided; nothing is decided here."""

    bans: Mapping[str, str]

    def among(self, bots: Iterable[str]) -> dict[str, str]:
        """Those of the bots that may not play."""
        return {bot: self.bans[bot] for bot in bots if bot in self.bans}

    def are_kept_by(self, record: MatchRecord) -> bool:  # noqa: ARG002 - the owner looks
        """They were when it began."""
        return True

    def is_worth_another_try(self, record: MatchRecord) -> bool:  # noqa: ARG002 - the owner looks
        """Nothing is played twice here."""
        return False

    def enter(self, record: MatchRecord) -> None:
        """The owner takes note."""


class _NothingKept:
    """Records go back to the owner."""

    def find(self, match_id: str) -> MatchRecord | None:  # noqa: ARG002 - nothing is kept
        """Nothing."""
        return None

    def write(self, record: MatchRecord) -> None:
        """Nothing."""


@dataclass(slots=True)
class Player:
    """`play` batches of one job."""

    name: str
    table: Table
    parallel: int
    pairings: PairingMaker
    fresh: list[bytes] = field(default_factory=list)  # records that nobody has taken
    since_s: float = 0.0  # when they were taken last
    since_ms: float = 0.0  # the same by the clock of matches

    async def play(self, batch: Batch) -> Finished:
        """All its matches; ConfigError where one of them would be another match here."""
        pairings = [self.pairings.make(item) for item in batch.items]

        def keep(played: Played) -> None:
            self.fresh.append(format_record(played.record))

        self._begin_part()
        table = replace(self.table, bans=_ToldBans(batch.bans))
        await play_in_order(Schedule(iter(pairings)), table, keep)
        return self.take_part(batch.number, is_whole=True)

    def take_part(self, number: int, *, is_whole: bool = False) -> Finished:
        """What has been played and was not taken yet; lateness and time are of that part."""
        now_s, now_ms = time.monotonic(), self.table.context.clock.now_ms()
        records, self.fresh = self.fresh, []
        part = Finished(
            number=number,
            worker=self.name,
            records=records,
            seconds=now_s - self.since_s,
            parallel=self.parallel,
            late_ms=round(self.table.lag_monitor.lag_ms(self.since_ms, now_ms), 1),
            is_whole=is_whole,
            tracebacks=self._take_tracebacks(),
        )
        self._begin_part()
        return part

    def _begin_part(self) -> None:
        self.since_s, self.since_ms = time.monotonic(), self.table.context.clock.now_ms()

    def _take_tracebacks(self) -> dict[str, str]:
        found = tracebacks(self.table.plan.out)
        texts = {path.stem: path.read_text(encoding="utf-8") for path in found}
        for path in found:
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
    """A player with a broker and bots of its own; its files go below `scratch`."""
    if parallel is not None:
        execution = msgspec.structs.replace(loaded.config.execution, parallel=parallel)
        loaded = msgspec.structs.replace(loaded, config=msgspec.structs.replace(loaded.config, execution=execution))
    plan = make_plan(loaded, lambda _: Schedule(iter(())), scratch / "results", trust=trust)
    for folder in (RECORDS, LOGS):
        await asyncio.to_thread((plan.out / folder).mkdir, parents=True, exist_ok=True)
    async with open_backend(plan) as backend:
        if built := [bot for bot in plan.loaded.broken if bot not in loaded.broken]:
            reason = plan.loaded.broken[built[0]]
            raise ConfigError(f"{built[0]}: expected a bot that can be built here as elsewhere, got: {reason}")
        makes = PairingMaker(plan.loaded)
        async with open_table(plan, backend, _ToldBans({}), _NothingKept()) as table:
            yield Player(name, table, parallel_matches(plan.loaded), makes)
