"""What goes to a worker and what comes back, as values, and what an engine is. Plays nothing and sends nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

import msgspec

Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Milliseconds = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Parallel = Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class Item(msgspec.Struct, frozen=True, array_like=True):
    """One match of a batch: enough for whoever has the job to plan it again, under the same id."""

    match_id: str
    variant: int  # place among the tournament's variants
    bots: tuple[str, ...]  # by side
    seed: int
    round: int
    reason: str


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that one worker plays one after another, or several at once."""

    number: int  # of this run; a copy of a batch has a number of its own
    items: tuple[Item, ...]
    bans: dict[str, str] = {}  # bots that may play no more -> why


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A batch, or a part of it, came back. What is whole and lacks matches has not played them."""

    number: int
    worker: str
    records: list[bytes]  # each a whole record, sealed without a key
    seconds: Seconds = 0.0  # it took, by the worker's clock
    parallel: Parallel = 1  # matches at once
    late_ms: Milliseconds = 0.0  # worst lateness of the worker's loop meanwhile
    is_whole: bool = True  # False: the rest is still being played
    tracebacks: dict[str, str] = {}  # match id -> of those that broke off


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A batch does not come back: its worker is dead, silent or not to be believed."""

    number: int
    worker: str
    reason: str
    deaths: int = 1  # workers that died on it


Outcome = Finished | Lost


class WorkerNews(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker does, for whoever watches."""

    name: str
    state: str  # trial, ready, busy, gone, dropped
    matches: int = 0  # that it has played
    per_s: float = 0.0  # matches, while it was busy
    late_ms: float = 0.0
    note: str = ""  # why it was dropped


class Engine(Protocol):
    """Has batches played: `submit`, `next_finished`, `cancel`.

    `room` says how many more batches it would take now; it may change at any time, which ends `next_finished` too.
    """

    @property
    def room(self) -> int:
        """How many more batches can be submitted without any of them waiting long."""

    @property
    def slots(self) -> int:
        """Workers that play at present, at least 1."""

    def workers(self) -> Sequence[WorkerNews]:
        """Every worker that there is or was."""

    def take_notes(self) -> list[str]:
        """What people should know about workers, since this was last asked."""

    async def submit(self, batch: Batch) -> None:
        """Have it played."""

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        """The next batch that has come back or is lost; None when `room` has changed or the time is over."""

    async def reject(self, worker: str, reason: str) -> None:
        """Give nothing more to a worker that is not to be believed; what it has in hand is lost."""

    async def cancel(self, number: int) -> None:
        """Its result is not wanted any more; whether it comes nevertheless does not matter."""
