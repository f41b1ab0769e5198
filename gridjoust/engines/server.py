"""The owner's server for workers: they fetch the job, its files and batches, and return records.

They connect to a separate process (`gridjoust.engines.front`), which forwards requests with the run's token. A worker
can read only the files that the tournament lists, by their digests.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gridjoust.engines import messages
from gridjoust.engines.messages import (
    CLOSE,
    Answered,
    Asked,
    Beat,
    Entry,
    Failed,
    Offer,
    Opening,
    read_frame,
    write_frame,
)
from gridjoust.engines.registry import Worker, WorkerRegistry
from gridjoust.engines.self_test import record_self_test
from gridjoust.runner.broker.listening import LOOPBACK, parse_place, reachable_hosts
from gridjoust.runner.engines.batch import Batch, Finished, Outcome, WorkerNews
from gridjoust.runner.engines.job import make_job
from gridjoust.runner.plan import Plan
from gridjoust.runner.results.secrets import write_private
from gridjoust.runner.wire.errors import BrokerError, ConfigError, format_os_error
from gridjoust.runner.wire.text import plain_text

TOKEN = "workers.token"  # noqa: S105 - file in the results folder until the run is complete

Reply = tuple[int, bytes]  # status and content
_PATIENCE_S = 30.0  # for the start of the HTTP process
_FAREWELL_S = 5.0  # for its end
_UNKNOWN: Reply = (messages.UNKNOWN, b"expected a worker of this run")


class WorkerServer:
    """An engine whose workers connect over HTTP."""

    def __init__(self, registry: WorkerRegistry, offer: Offer, files: Mapping[str, Path]) -> None:
        self.registry = registry
        self.is_complete = False  # all matches have been played: workers may leave
        self._offer = msgspec.msgpack.encode(offer)
        self._files = files
        self._answers: dict[str, Callable[[Asked], Awaitable[Reply]]] = {
            "job": self._job,
            "files": self._file,
            "workers": self._enter,
            messages.NEXT: self._next,
            messages.BEAT: self._beat,
            messages.FINISHED: self._finished,
            messages.FAILED: self._failed,
            messages.LEAVE: self._leave,
        }
        self._is_closing = False
        self._failure = ""  # why workers can no longer be reached
        self._changed = asyncio.Event()  # set for the owner at every request
        self._queued = asyncio.Event()  # for workers that wait; a new one for every batch

    @property
    def room(self) -> int:
        """Number of further batches that the workers would start soon."""
        return self.registry.room

    @property
    def slots(self) -> int:
        """Number of registered workers, at least 1."""
        return max(1, len(self.registry.present))

    def workers(self) -> Sequence[WorkerNews]:
        """Return the state of every worker, former ones included."""
        return [worker.news() for worker in self.registry.workers.values()]

    @property
    def listed(self) -> Sequence[str]:
        """Digests of the files that workers may download."""
        return [*self._files]

    def take_notes(self) -> list[str]:
        """Return the notes about workers since the last call, for the user."""
        notes, self.registry.notes = self.registry.notes, []
        return notes

    async def submit(self, batch: Batch) -> None:
        """Queue a batch for the next worker that asks."""
        self.registry.queue.append(batch)
        self._wake_workers()

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        """Return the next finished or lost batch, None after the timeout; BrokerError if workers cannot be reached."""
        self.registry.bury(time.monotonic())
        if not self.registry.outcomes:
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), timeout_s)
        if self._failure and not self.registry.outcomes:
            raise BrokerError(self._failure)
        return self.registry.outcomes.popleft() if self.registry.outcomes else None

    async def reject(self, worker: str, reason: str) -> None:
        """Drop a worker; it may register again with a new self-test."""
        self.registry.reject(worker, plain_text(reason, limit=messages.MOST_REASON))

    async def cancel(self, number: int) -> None:
        """Remove a batch from the queue; the result of one that is being played is dropped."""
        self.registry.cancel(number)

    def close(self) -> None:
        """Answer every further request with the end of the run."""
        self._is_closing = True
        self._wake_workers()

    def fail(self, reason: str) -> None:
        """Note that workers can no longer be reached, so that the run stops waiting for them."""
        self._failure = reason
        self._changed.set()

    async def answer(self, asked: Asked) -> Answered:
        """Answer one request of a worker; status 400 for a malformed body."""
        try:
            status, content = (
                (messages.GONE, self._last_word()) if self._is_closing else await self._answers[asked.what](asked)
            )
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            status, content = 400, f"expected a worker's message, got {error}".encode()
        finally:
            self._changed.set()
        return Answered(number=asked.number, status=status, content=content)

    async def _job(self, _asked: Asked) -> Reply:
        return 200, self._offer

    async def _file(self, asked: Asked) -> Reply:
        path = self._files.get(asked.of)
        if path is None:
            return 404, b"expected a file of this tournament"
        return 200, await asyncio.to_thread(path.read_bytes)

    async def _enter(self, asked: Asked) -> Reply:
        refusal = self.registry.enter(_decode(asked, Entry), time.monotonic())
        return (403, refusal.encode()) if refusal else (200, [*self.registry.workers][-1].encode())

    async def _next(self, asked: Asked) -> Reply:
        has: list[int] = _decode(asked, list[int])
        worker = self._worker(asked)
        if worker is None:
            return _UNKNOWN
        self.registry.reconcile(worker, has)
        end_s = time.monotonic() + messages.POLL_S
        while (batch := self.registry.hand_out(worker)) is None:
            left_s = end_s - time.monotonic()
            if self._is_closing:
                return messages.GONE, self._last_word()
            if left_s <= 0 or not worker.is_there:
                return messages.NOTHING, b""
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._queued.wait(), left_s)
            self.registry.hear(worker.id, time.monotonic())
        return 200, msgspec.msgpack.encode(batch)

    async def _beat(self, asked: Asked) -> Reply:
        beat = _decode(asked, Beat)
        if (worker := self._worker(asked)) is None:
            return _UNKNOWN
        worker.playing = beat.playing
        return 200, b""

    async def _finished(self, asked: Asked) -> Reply:
        finished = _decode(asked, Finished)
        if (worker := self._worker(asked)) is None:
            return _UNKNOWN
        self.registry.finish(worker, finished)
        return 200, b""

    async def _failed(self, asked: Asked) -> Reply:
        failed = _decode(asked, Failed)
        if (worker := self._worker(asked)) is None:
            return _UNKNOWN
        self.registry.fail(worker, failed.reason)
        return 200, b""

    async def _leave(self, asked: Asked) -> Reply:
        if (worker := self._worker(asked)) is not None:
            self.registry.leave(worker)
        return 200, b""

    def _worker(self, asked: Asked) -> Worker | None:
        return self.registry.hear(asked.of, time.monotonic())

    def _last_word(self) -> bytes:
        return b"over" if self.is_complete else b"stopped"

    def _wake_workers(self) -> None:
        self._queued.set()
        self._queued = asyncio.Event()


@contextlib.asynccontextmanager
async def serving(server: WorkerServer, listening: socket.socket, *, token: str) -> AsyncIterator[None]:
    """Answer workers on this socket while the context is open; a separate process takes over the socket.

    BrokerError if that process does not start.
    """
    ours, theirs = socket.socketpair()
    numbers = (listening.fileno(), theirs.fileno())
    command = (sys.executable, "-P", "-m", "gridjoust.engines.front", *map(str, numbers))
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, pass_fds=numbers)
    for end in (listening, theirs):
        end.close()
    reader, writer = await asyncio.open_connection(sock=ours)
    hearing: asyncio.Task[None] | None = None
    try:
        await write_frame(writer, Opening(token=token))
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await read_frame(reader, Answered)
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            raise BrokerError("execution.listen: the process that workers connect to did not start") from None
        hearing = asyncio.create_task(_hear(server, reader, writer), name="workers.hear")
        yield
    finally:
        server.close()
        await _end(process, writer, hearing)


async def _hear(server: WorkerServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each forwarded request in a task of its own until the HTTP process ends."""

    async def answer(asked: Asked) -> None:
        with contextlib.suppress(OSError):
            await write_frame(writer, await server.answer(asked))

    try:
        async with asyncio.TaskGroup() as group:
            with contextlib.suppress(asyncio.IncompleteReadError, OSError):
                while True:
                    asked = await read_frame(reader, Asked)
                    group.create_task(answer(asked), name=f"workers.{asked.what}")
            server.close()
    finally:
        server.fail("the process that workers connect to has ended; continue with --resume")


async def _end(process: Process, writer: asyncio.StreamWriter, hearing: asyncio.Task[None] | None) -> None:
    """Let the HTTP process answer open requests and exit; kill it after `_FAREWELL_S`."""
    with contextlib.suppress(OSError):
        await write_frame(writer, Answered(number=CLOSE, status=messages.GONE, content=b""))
    try:
        async with asyncio.timeout(_FAREWELL_S):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if hearing is not None:
        await hearing
    writer.close()


def _decode(asked: Asked, kind: Any) -> Any:
    return msgspec.msgpack.decode(asked.body, type=kind)


@contextlib.asynccontextmanager
async def open_server(plan: Plan, *, say: Callable[[str], None]) -> AsyncIterator[WorkerServer]:
    """Open the server of a plan for workers; `say` gets the command with which they connect."""
    config = plan.loaded.config
    host, port = parse_place(config.execution.listen or f"{LOOPBACK}:0", key="execution.listen")
    job, files = make_job(plan.loaded)
    recorded, hashes = record_self_test(plan.loaded)
    is_timed = config.execution.isolation != "none"
    registry = WorkerRegistry(hashes=hashes, job=job.digest, grace_ms=config.time.grace_ms, judges_lateness=is_timed)
    token = _token_of(plan.out)
    server = WorkerServer(registry, Offer(job=job, self_test=tuple(recorded)), files)
    with _listening(host, port) as opened:
        port = opened.getsockname()[1]
        for reachable in reachable_hosts(host)[:1]:
            shown = f"[{reachable}]" if ":" in reachable else reachable
            say(f"workers: joust work http://{shown}:{port} --token {token}")
        async with serving(server, opened, token=token):
            yield server
            server.is_complete = True
    (plan.out / TOKEN).unlink()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(f"execution.listen: {host}:{port}: {format_os_error(error)}") from None


def _token_of(out: Path) -> str:
    """Return the run's token for workers; a resumed run keeps its token, so that they can come back."""
    file = out / TOKEN
    if file.is_file():
        return file.read_text(encoding="utf-8").strip()
    token = secrets.token_urlsafe(24)
    write_private(file, token.encode())
    return token
