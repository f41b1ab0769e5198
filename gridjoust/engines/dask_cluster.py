"""Plays batches on a Dask cluster, each as one task. The cluster runs already, or is started on this machine.

A worker gets the job once, as a plugin, and keeps broker and bots from batch to batch. Tasks are not pure, so Dask
never reuses the result of another one; at most `IN_FLIGHT` wait at a worker. In a cluster that is started here no task
is stolen, and a task whose worker dies comes back at once: the dispatcher counts the deaths. A cluster that runs
already keeps its own settings: its scheduler gives a task up after the number of deaths that it allows.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future as Promise
from pathlib import Path
from time import monotonic
from typing import Any

import dask
import msgspec
from distributed import Client, Future, KilledWorker, LocalCluster, WorkerPlugin, get_worker

from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.engines.batch import Batch, Finished, Lost, Outcome, WorkerNews
from gridjoust.runner.engines.dispatch import DEATHS
from gridjoust.runner.engines.job import Job, load_job, make_job
from gridjoust.runner.engines.player import Player, WorkerRuntime, open_player
from gridjoust.runner.wire.errors import BrokerError, JoustError

IN_FLIGHT = 2  # batches of a worker: the one that it plays, and the next
LOOK_S = 1.0  # between two queries for the workers that are connected
CLOSE_S = 10.0
OWN = {"distributed.scheduler.work-stealing": False, "distributed.scheduler.allowed-failures": 0}


class JobPlugin(WorkerPlugin):
    """The part of a run that lives in a Dask worker: the job, and a thread in which matches are played."""

    def __init__(
        self, name: str, job: Job, files: dict[str, bytes], runtime: WorkerRuntime, *, parallel: int, trust: bool
    ) -> None:
        self.name = name
        self._job, self._files, self._runtime = job, files, runtime
        self._parallel, self._trust = parallel, trust
        self._promise: Promise[Player] | None = None
        self._stop: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def setup(self, worker: Any) -> None:
        """Note the worker's name; Dask calls this when the worker starts."""
        self._machine = f"{socket.gethostname()}/{worker.name}"

    def teardown(self, worker: Any) -> None:  # noqa: ARG002 - the library's signature
        """Stop broker and bots; Dask calls this when the worker ends."""
        if self._loop is not None and self._stop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(CLOSE_S)

    def play(self, batch: Batch) -> Finished:
        """Play a batch in this worker's own thread of matches."""
        if self._promise is None:
            self._promise = Promise()
            self._thread = threading.Thread(target=self._run, args=[self._promise], daemon=True, name="joust.player")
            self._thread.start()
        player = self._promise.result()
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(player.play(batch), self._loop).result()

    def _run(self, promise: Promise[Player]) -> None:
        try:
            self._runtime.run_loop(self._serve(promise))
        except BaseException as error:  # it is raised where the player is awaited
            if promise.done():
                raise
            promise.set_exception(error)

    async def _serve(self, promise: Promise[Player]) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        with tempfile.TemporaryDirectory(prefix="joust-work-") as folder:
            scratch = Path(folder)
            loaded = load_job(self._job, scratch, self._files.__getitem__, known_bots=self._runtime.known_bots)
            opened = open_player(
                loaded,
                scratch,
                name=self._machine,
                open_backend=self._runtime.open_backend,
                parallel=self._parallel,
                trust=self._trust,
            )
            async with opened as player:
                promise.set_result(player)
                await self._stop.wait()


def play_on_worker(plugin: str, batch: bytes) -> bytes:
    """Play an encoded batch on this worker and return the encoded records: the function of every Dask task."""
    found = get_worker().plugins[plugin]
    return msgspec.msgpack.encode(found.play(msgspec.msgpack.decode(batch, type=Batch)))


class DaskEngine:
    """An engine that plays each batch as a task of a Dask cluster."""

    def __init__(self, client: Client, plugin: str, *, deaths: int) -> None:
        self._client = client
        self._plugin = plugin
        self._deaths = deaths  # workers that have died when a task is given up
        self._loop = asyncio.get_running_loop()
        self._futures: dict[int, Future] = {}
        self._done: asyncio.Queue[int] = asyncio.Queue()
        self._there: tuple[str, ...] = ()
        self._looked_s = -LOOK_S
        self._news: dict[str, WorkerNews] = {}
        self._busy_s: dict[str, float] = {}

    @property
    def room(self) -> int:
        """Number of further batches that can be submitted and would start soon."""
        return IN_FLIGHT * len(self._there) - len(self._futures)

    @property
    def slots(self) -> int:
        """Number of connected workers, at least 1."""
        return max(1, len(self._there))

    def workers(self) -> Sequence[WorkerNews]:
        """Return the state of every worker that has played."""
        return [*self._news.values()]

    def take_notes(self) -> list[str]:
        """Return no notes: the cluster itself reports on its workers."""
        return []

    async def submit(self, batch: Batch) -> None:
        """Submit a batch as a task."""
        number = batch.number
        future = self._client.submit(
            play_on_worker,
            self._plugin,
            msgspec.msgpack.encode(batch),
            key=f"{self._plugin}-{number}",
            pure=False,
            retries=0,
        )
        self._futures[number] = future
        future.add_done_callback(lambda _: self._loop.call_soon_threadsafe(self._done.put_nowait, number))

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        """Return the outcome of the next task that has ended, None without one; BrokerError if the cluster is gone."""
        if monotonic() - self._looked_s >= LOOK_S:
            await self._look()
        try:
            number = await asyncio.wait_for(self._done.get(), min(timeout_s, LOOK_S))
        except TimeoutError:
            return None
        future = self._futures.pop(number, None)
        return None if future is None else await asyncio.to_thread(self._result, number, future)

    async def reject(self, worker: str, reason: str) -> None:
        """Stop the run with a BrokerError: a dishonest worker can run code on the others, so none is trusted."""
        raise BrokerError(f"Dask worker {worker}: {reason}; continue with --resume")

    async def cancel(self, number: int) -> None:
        """Cancel a task that has not started; the result of one that has is dropped."""
        if (future := self._futures.pop(number, None)) is not None:
            await asyncio.to_thread(future.cancel)

    async def _look(self) -> None:
        try:
            self._there = tuple(await asyncio.to_thread(self._client.nthreads))
        except OSError as error:
            raise BrokerError(f"the Dask cluster is gone: {error}; continue with --resume") from None
        self._looked_s = monotonic()

    def _result(self, number: int, future: Future) -> Outcome:
        try:
            finished = msgspec.msgpack.decode(future.result(), type=Finished)
        except KilledWorker as error:
            worker = getattr(error.last_worker, "name", "") or "a worker"
            return Lost(number=number, worker=str(worker), reason="its process ended", deaths=self._deaths)
        except (JoustError, AssertionError):
            raise  # it would fail on every worker
        except Exception as error:  # the cluster lost the task: the batch is submitted again
            return Lost(number=number, worker="a worker", reason=f"{type(error).__name__}: {error}"[:300])
        finally:
            future.release()
        self._note(finished)
        return finished

    def _note(self, finished: Finished) -> None:
        name = finished.worker
        busy_s = self._busy_s[name] = self._busy_s.get(name, 0.0) + finished.seconds
        before = self._news.get(name)
        matches = (before.matches if before else 0) + len(finished.records)
        per_s = matches / busy_s if busy_s else 0.0
        self._news[name] = WorkerNews(name=name, state="busy", matches=matches, per_s=per_s, late_ms=finished.late_ms)


@contextlib.asynccontextmanager
async def open_cluster(loaded: LoadedTournament, runtime: WorkerRuntime, *, trust: bool) -> AsyncIterator[DaskEngine]:
    """Yield an engine on the cluster that the tournament names, or on one that is started on this machine."""
    execution = loaded.config.execution
    job, paths = make_job(loaded)
    files = {digest: path.read_bytes() for digest, path in paths.items()}
    parallel = execution.parallel if isinstance(execution.parallel, int) else 1
    plugin = JobPlugin(f"joust-{secrets.token_hex(4)}", job, files, runtime, parallel=parallel, trust=trust)
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(dask.config.set(OWN if execution.address is None else {}))
        address = execution.address
        if address is None:
            cluster = await asyncio.to_thread(_start_cluster, execution.workers)
            stack.push_async_callback(asyncio.to_thread, cluster.close, CLOSE_S)
            address = cluster.scheduler_address
        client = await asyncio.to_thread(_connect, address)
        stack.push_async_callback(asyncio.to_thread, client.close, CLOSE_S)
        await asyncio.to_thread(client.register_plugin, plugin)
        yield DaskEngine(client, plugin.name, deaths=1 if execution.address is None else DEATHS)
        if execution.address is not None:
            await asyncio.to_thread(client.unregister_worker_plugin, plugin.name)


def _start_cluster(workers: int | None) -> LocalCluster:
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)


def _connect(address: str) -> Client:
    try:
        return Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BrokerError(f"execution.address: {address}: expected a Dask scheduler, got {error}") from None
