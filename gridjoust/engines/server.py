"""The owner's server: workers fetch the job, its files and batches over HTTP, and bring back records.

Every request carries the run's token. A worker gets the files that the tournament lists, by their digests, and nothing
else of this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridjoust.engines import talk
from gridjoust.engines.roll import Roll, Worker
from gridjoust.engines.talk import Beat, Entry, Failed, Offer
from runner.engines.batch import Batch, Finished, Outcome, WorkerNews
from runner.wire.text import plain_text

S = TypeVar("S", bound=msgspec.Struct)
Answer = Callable[[Request], Awaitable[Response]]
CLOSING_S = 2  # for answers that are under way


class WorkerServer:
    """An engine whose workers come by themselves."""

    def __init__(self, roll: Roll, offer: Offer, files: Mapping[str, Path], *, token: str) -> None:
        self.roll = roll
        self.is_complete = False  # all has been played: workers may leave
        self._offer = msgspec.msgpack.encode(offer)
        self._files = files
        self._bearer = f"Bearer {token}".encode()
        self._is_closing = False
        self._changed = asyncio.Event()  # for the owner
        self._queued = asyncio.Event()  # for workers that wait; a new one for every batch

    @property
    def room(self) -> int:
        """How many more batches would be taken soon."""
        return self.roll.room

    @property
    def slots(self) -> int:
        """Workers that are there."""
        return max(1, len(self.roll.present))

    def workers(self) -> Sequence[WorkerNews]:
        """Every worker that there is or was."""
        return [worker.news() for worker in self.roll.workers.values()]

    @property
    def listed(self) -> Sequence[str]:
        """Digests of the files that workers may have."""
        return [*self._files]

    def take_notes(self) -> list[str]:
        """What people should know about workers."""
        notes, self.roll.notes = self.roll.notes, []
        return notes

    async def submit(self, batch: Batch) -> None:
        """For the next worker that asks."""
        self.roll.queue.append(batch)
        self._wake_workers()

    async def next_finished(self, timeout_s: float) -> Outcome | None:
        """The next batch that is back or lost."""
        self.roll.bury(time.monotonic())
        if not self.roll.outcomes:
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), timeout_s)
        return self.roll.outcomes.popleft() if self.roll.outcomes else None

    async def reject(self, worker: str, reason: str) -> None:
        """Drop it; it may enter again, and is looked at from the beginning."""
        self.roll.reject(worker, plain_text(reason, limit=talk.MOST_REASON))

    async def cancel(self, number: int) -> None:
        """It is not handed out any more; whoever plays it goes on in vain."""
        self.roll.cancel(number)

    def close(self) -> None:
        """Nobody gets anything any more."""
        self._is_closing = True
        self._wake_workers()

    def app(self) -> Starlette:
        """The server's routes."""
        below = f"{talk.ENTER}/{{id}}"
        return Starlette(
            routes=[
                Route(talk.JOB, self._asked(self._job)),
                Route(f"{talk.FILE}/{{digest}}", self._asked(self._file)),
                Route(talk.ENTER, self._asked(self._enter), methods=["POST"]),
                Route(f"{below}/{talk.NEXT}", self._asked(self._next), methods=["POST"]),
                Route(f"{below}/{talk.BEAT}", self._asked(self._beat), methods=["POST"]),
                Route(f"{below}/{talk.FINISHED}", self._asked(self._finished), methods=["POST"]),
                Route(f"{below}/{talk.FAILED}", self._asked(self._failed), methods=["POST"]),
                Route(f"{below}/{talk.LEAVE}", self._asked(self._leave), methods=["POST"]),
            ]
        )

    def _asked(self, answer: Answer) -> Answer:
        """The answer to those who have the token."""

        async def checked(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode("latin-1", "replace")
            if not hmac.compare_digest(given, self._bearer):
                return Response("expected the token of this run", 401)
            if self._is_closing:
                return self._over()
            try:
                return await answer(request)
            except (msgspec.DecodeError, msgspec.ValidationError) as error:
                return Response(f"expected a worker's message, got {error}", 400)
            finally:
                self._changed.set()

        return checked

    async def _job(self, _request: Request) -> Response:
        return Response(self._offer)

    async def _file(self, request: Request) -> Response:
        path = self._files.get(request.path_params["digest"])
        if path is None:
            return Response("expected a file of this tournament", 404)
        return Response(await asyncio.to_thread(path.read_bytes))

    async def _enter(self, request: Request) -> Response:
        entry = await _body(request, Entry)
        refusal = self.roll.enter(entry, time.monotonic())
        return Response(refusal, 403) if refusal else Response([*self.roll.workers][-1])

    async def _next(self, request: Request) -> Response:
        has = await _body(request, list[int])
        worker = self._worker(request)
        if worker is None:
            return _unknown()
        self.roll.reconcile(worker, has)
        end_s = time.monotonic() + talk.POLL_S
        while (batch := self.roll.hand_out(worker)) is None:
            left_s = end_s - time.monotonic()
            if self._is_closing:
                return self._over()
            if left_s <= 0 or not worker.is_there:
                return Response(status_code=talk.NOTHING)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._queued.wait(), left_s)
            self.roll.hear(worker.id, time.monotonic())
        return Response(msgspec.msgpack.encode(batch))

    async def _beat(self, request: Request) -> Response:
        beat = await _body(request, Beat)
        if (worker := self._worker(request)) is None:
            return _unknown()
        worker.playing = beat.playing
        return Response()

    async def _finished(self, request: Request) -> Response:
        finished = await _body(request, Finished)
        if (worker := self._worker(request)) is None:
            return _unknown()
        self.roll.finish(worker, finished)
        return Response()

    async def _failed(self, request: Request) -> Response:
        failed = await _body(request, Failed)
        if (worker := self._worker(request)) is None:
            return _unknown()
        self.roll.fail(worker, failed.reason)
        return Response()

    async def _leave(self, request: Request) -> Response:
        if (worker := self._worker(request)) is not None:
            self.roll.leave(worker)
        return Response()

    def _worker(self, request: Request) -> Worker | None:
        return self.roll.hear(request.path_params["id"], time.monotonic())

    def _over(self) -> Response:
        return Response("over" if self.is_complete else "stopped", talk.GONE)

    def _wake_workers(self) -> None:
        self._queued.set()
        self._queued = asyncio.Event()


@contextlib.asynccontextmanager
async def serving(server: WorkerServer, listening: socket.socket) -> AsyncIterator[None]:
    """Answer workers on this socket while the context is open."""
    config = uvicorn.Config(
        server.app(), log_level="warning", lifespan="off", access_log=False, timeout_graceful_shutdown=CLOSING_S
    )
    running = _Quiet(config)
    task = asyncio.create_task(running.serve(sockets=[listening]), name="workers.server")
    try:
        yield
    finally:
        server.close()
        running.should_exit = True
        await task


class _Quiet(uvicorn.Server):
    """Leaves signals to the run."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Of none."""
        yield


async def _body(request: Request, kind: Any) -> Any:
    """The message in a request's body; too much of it is an error of the worker's."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > talk.MOST_BODY:
            raise msgspec.ValidationError(f"more than {talk.MOST_BODY} bytes")
        parts.append(part)
    return msgspec.msgpack.decode(b"".join(parts), type=kind)


def _unknown() -> Response:
    return Response("expected a worker of this run", talk.UNKNOWN)
