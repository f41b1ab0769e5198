"""The values that owner and workers exchange, and the interface of an engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import msgspec

Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Parallel = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class Item(msgspec.Struct, frozen=True, array_like=True):
    """One match of a batch, with everything that a worker with the job needs to plan it again under the same id."""

    match_id: str
    variant: int  # place among the tournament's variants
    bots: tuple[str, ...]  # by side
    seed: int
    round: int
    reason: str


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that one worker plays, one after another or several at once."""

    number: int  # unique in the run; a copy of a batch has a number of its own
    items: tuple[Item, ...]
    bans: dict[str, str] = {}  # banned bots -> the reason


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A batch, or a part of it, that a worker has sent back; matches missing in a whole batch were not played."""

    number: int
    worker: str
    records: list[bytes]  # each a whole record, sealed without a key
    seconds: Seconds = 0.0  # duration by the worker's clock
    parallel: Parallel = 1  # matches at once
    late_ms: Milliseconds = 0.0  # worst lateness of the worker's event loop in that time
    is_whole: bool = True  # False: the rest is still being played
    tracebacks: dict[str, str] = {}  # match id -> traceback, for matches that ended through a bug


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A batch that will not come back: its worker is dead, silent or not trusted any more."""

    number: int
    worker: str
    reason: str
    deaths: int = 1  # workers that died on it


Outcome = Finished | Lost


class WorkerNews(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one worker, for the progress display."""

    name: str
    state: str  # trial, ready, busy, gone, dropped
    matches: int = 0  # matches that it has played
    per_s: float = 0.0  # matches per second while it was busy
    late_ms: float = 0.0
    note: str = ""  # why it was dropped


class Engine(Protocol):
    """Has batches played on workers: `submit`, `next_finished`, `cancel`.

    `room` may change at any time; a change ends `next_finished`.
    """

    @property
    def room(self) -> int:
        """The number of batches that can be submitted now without a long wait."""

    @property
    def slots(self) -> int:
        """The number of workers that play matches at present, at least 1."""

    def workers(self) -> Sequence[WorkerNews]:
        """Return the state of every present or former worker."""

    def take_notes(self) -> list[str]:
        """Return the notes about workers for the user since the last call."""

    async def submit(self, batch: Batch) -> None:
        """Send a batch to a worker."""

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        """Return the next batch that has come back or is lost; None if `room` has changed or the time is over."""

    async def reject(self, worker: str, reason: str) -> None:
        """Give no more batches to a worker that is no longer trusted; the batches that it has are lost."""

    async def cancel(self, number: int) -> None:
        """Cancel a batch whose result is not needed any more; the result may still come."""
