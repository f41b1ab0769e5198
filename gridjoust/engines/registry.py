"""Registry of a run's HTTP workers: the batches of each, which are dead, and which are too late to keep time limits.

It uses no sockets and no clock: the server passes every event with its time.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from msgspec.structs import replace

from gridjoust.engines.messages import SILENT_S, Entry
from gridjoust.runner.engines.batch import Batch, Finished, Lost, Outcome, WorkerNews

IN_HAND = 2  # batches of a worker: the one that it plays, and the next
LATEST = 5  # last batches by which a worker's lateness is judged
MOST_WORKERS = 10_000  # registrations in one run
OUTLIER = 5.0  # a worker is too late if its median is that many times the others'


@dataclass(slots=True)
class Worker:
    """A worker that has passed its self-test and is registered with a run."""

    id: str
    entry: Entry
    heard_s: float
    in_hand: dict[int, Batch] = field(default_factory=dict)
    playing: int = 0  # number of a batch
    matches: int = 0
    busy_s: float = 0.0
    late_ms: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST))
    state: str = "ready"
    note: str = ""

    @property
    def is_there(self) -> bool:
        """True if the worker may get batches."""
        return self.state == "ready"

    def news(self) -> WorkerNews:
        """Return the worker's state and speed for display; lateness in ms."""
        state = "busy" if self.is_there and self.in_hand else self.state
        per_s = self.matches / self.busy_s if self.busy_s else 0.0
        late_ms = median(self.late_ms) if self.late_ms else self.entry.report.late_ms
        return WorkerNews(
            name=self.entry.name,
            state=state,
            matches=self.matches,
            per_s=per_s,
            late_ms=late_ms,
            note=self.note,
        )


class WorkerRegistry:
    """The workers of a run and its queue of batches; `outcomes` collects finished and lost batches."""

    def __init__(self, *, hashes: Sequence[str], job: str, grace_ms: float, judges_lateness: bool = True) -> None:
        self.workers: dict[str, Worker] = {}
        self.queue: deque[Batch] = deque()
        self.outcomes: deque[Outcome] = deque()
        self.notes: list[str] = []  # about workers, for people
        self._hashes = tuple(hashes)
        self._job = job
        self._grace_ms = grace_ms
        self._judges_lateness = judges_lateness
        self._names: dict[str, int] = {}

    @property
    def present(self) -> list[Worker]:
        """Workers that may get batches."""
        return [worker for worker in self.workers.values() if worker.is_there]

    @property
    def room(self) -> int:
        """Number of further batches that the workers would start soon."""
        return sum(IN_HAND - len(worker.in_hand) for worker in self.present) - len(self.queue)

    def enter(self, entry: Entry, now_s: float) -> str:
        """Register a worker, at the end of `workers`; return "" if that worked, else why it is refused."""
        if entry.job != self._job:
            return "the tournament has changed: restart the worker"
        if entry.report.hashes != self._hashes:
            return self._refuse(
                entry, "self-test failed: its rules or its Python compute other states for recorded turns"
            )
        if self._judges_lateness and entry.report.late_ms > self._grace_ms:
            late = f"its event loop is {entry.report.late_ms:.0f} ms late when idle (limit {self._grace_ms:.0f} ms)"
            return self._refuse(entry, late)
        if len(self.workers) >= MOST_WORKERS:
            return f"expected at most {MOST_WORKERS} workers in a run"
        number = self._names[entry.name] = self._names.get(entry.name, 0) + 1
        if number > 1:
            entry = replace(entry, name=f"{entry.name}-{number}")
        worker = Worker(secrets.token_urlsafe(16), entry, now_s)
        self.workers[worker.id] = worker
        self.notes.append(f"worker {entry.name} registered; it plays {entry.parallel} matches at once")
        return ""

    def hear(self, worker_id: str, now_s: float) -> Worker | None:
        """Record a heartbeat and return its worker; None for an unknown or dropped worker."""
        worker = self.workers.get(worker_id)
        if worker is None or not worker.is_there:
            return None
        worker.heard_s = now_s
        return worker

    def hand_out(self, worker: Worker) -> Batch | None:
        """Return the next batch for a worker; None if the queue is empty or the worker has enough."""
        if not self.queue or not worker.is_there or len(worker.in_hand) >= IN_HAND:
            return None
        batch = self.queue.popleft()
        worker.in_hand[batch.number] = batch
        return batch

    def reconcile(self, worker: Worker, has: Sequence[int]) -> None:
        """Compare a worker's batches with the numbers that it says it has; batches that never arrived are lost."""
        for number in [number for number in worker.in_hand if number not in has]:
            del worker.in_hand[number]
            self.outcomes.append(Lost(number=number, worker=worker.entry.name, reason="never arrived", deaths=0))

    def finish(self, worker: Worker, finished: Finished) -> None:
        """Take a worker's finished batch, or the part that it has played so far."""
        if finished.number not in worker.in_hand:
            return
        if finished.is_whole:
            del worker.in_hand[finished.number]
        worker.matches += len(finished.records)
        worker.busy_s += finished.seconds
        worker.late_ms.append(finished.late_ms)
        named = replace(finished, worker=worker.entry.name)
        self.outcomes.append(named)
        if self._judges_lateness and (why := self._lateness(worker)):
            self._dismiss(worker, "dropped", why)

    def fail(self, worker: Worker, reason: str) -> None:
        """Drop a worker that cannot play."""
        self._dismiss(worker, "dropped", reason)

    def reject(self, name: str, why: str) -> None:
        """Drop a worker by its name."""
        for worker in self.present:
            if worker.entry.name == name:
                self._dismiss(worker, "dropped", why)

    def leave(self, worker: Worker) -> None:
        """Sign off a worker that leaves; its batches count as lost."""
        self._dismiss(worker, "gone", "left")

    def bury(self, now_s: float) -> None:
        """Drop workers without a heartbeat for `SILENT_S`; the batch that each was playing is blamed for its death."""
        for worker in self.present:
            if now_s - worker.heard_s > SILENT_S:
                playing = worker.playing or next(iter(worker.in_hand), 0)
                self._dismiss(worker, "gone", f"silent for {SILENT_S:.0f} s", killer=playing)

    def cancel(self, number: int) -> None:
        """Remove a batch from the queue, as its result is no longer needed."""
        for batch in self.queue:
            if batch.number == number:
                self.queue.remove(batch)
                self.outcomes.append(Lost(number=number, worker="", reason="not needed", deaths=0))
                return

    def _lateness(self, worker: Worker) -> str:
        """Return why the worker is much later than the others; "" if it is not."""
        own = worker.late_ms
        others = [median(other.late_ms) for other in self.present if other is not worker and other.late_ms]
        if len(own) < LATEST or not others:
            return ""
        late_ms, usual_ms = median(own), median(others)
        if late_ms <= max(self._grace_ms, OUTLIER * usual_ms):
            return ""
        return f"its event loop was {late_ms:.0f} ms late in each batch, those of other workers {usual_ms:.0f} ms"

    def _dismiss(self, worker: Worker, state: str, why: str, killer: int = 0) -> None:
        worker.state, worker.note = state, why
        for number in worker.in_hand:
            deaths = 1 if number == killer else 0
            self.outcomes.append(Lost(number=number, worker=worker.entry.name, reason=why, deaths=deaths))
        worker.in_hand.clear()
        self.notes.append(f"worker {worker.entry.name} {state}: {why}")

    def _refuse(self, entry: Entry, why: str) -> str:
        self.notes.append(f"worker {entry.name} refused: {why}")
        return why
