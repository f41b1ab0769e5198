"""The HTTP process that workers connect to: it forwards complete requests with a valid token to the run.

The run has one socket, to this process, so that attacks on the HTTP connections do not reach it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import itertools
import os
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gridjoust.engines import messages
from gridjoust.engines.messages import CLOSE, READY, Answered, Asked, read_frame, write_frame
from gridjoust.runner.processes.users import set_dumpable
from gridjoust.serving import limited

CLOSING_S = 2  # for requests that are being answered
BODY_S = 300.0  # for the body of a request
BODIES = 4  # bodies that are read, or wait for the run, at once
_BELOW = (messages.NEXT, messages.BEAT, messages.FINISHED, messages.FAILED, messages.LEAVE)


@dataclass(slots=True, kw_only=True)
class Front:
    """The HTTP server for workers: `app` forwards each request to the run and returns its answer, until `is_over`."""

    bearer: bytes
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    is_over: asyncio.Event = field(default_factory=asyncio.Event)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)
    _open: dict[int, asyncio.Future[Answered]] = field(default_factory=dict)
    _bodies: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(BODIES))

    def app(self) -> Starlette:
        """Build the app with its routes."""
        return Starlette(
            routes=[
                Route(messages.JOB, self._answer),
                Route(f"{messages.FILE}/{{of}}", self._answer),
                Route(messages.ENTER, self._answer, methods=["POST"]),
                *(Route(f"{messages.ENTER}/{{of}}/{what}", self._answer, methods=["POST"]) for what in _BELOW),
            ]
        )

    async def hear(self) -> None:
        """Receive the run's answers until the run ends; then answer all open requests with "stopped"."""
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while True:
                answered = await read_frame(self.reader, Answered)
                if answered.number == CLOSE:
                    self.is_over.set()
                elif (future := self._open.get(answered.number)) is not None and not future.done():
                    future.set_result(answered)
        for number, future in self._open.items():
            if not future.done():
                future.set_result(Answered(number=number, status=messages.GONE, content=b"stopped"))
        self.is_over.set()

    async def _answer(self, request: Request) -> Response:
        given = request.headers.get("authorization", "").encode("latin-1", "replace")
        if not hmac.compare_digest(given, self.bearer):
            return Response("expected the token of this run", 401)
        what = request.url.path.rpartition("/")[2] if request.method == "POST" else request.url.path.split("/")[1]
        number = next(self._numbers)
        answered = self._open[number] = asyncio.get_running_loop().create_future()
        try:
            async with self._bodies:
                body = await _body(request)
                await write_frame(
                    self.writer, Asked(number=number, what=what, of=request.path_params.get("of", ""), body=body)
                )
            found = await answered
        except (TimeoutError, ValueError) as error:
            return Response(f"expected a worker's message, got {error or 'none in time'}", 400)
        except OSError:
            return Response("stopped", messages.GONE)
        finally:
            del self._open[number]
        return Response(found.content, found.status)


async def _body(request: Request) -> bytes:
    """Read a request's body; ValueError for one that is too long, TimeoutError for one that is too slow."""
    parts, size = [], 0
    async with asyncio.timeout(BODY_S):
        async for part in request.stream():
            size += len(part)
            if size > messages.MOST_BODY:
                raise ValueError(f"more than {messages.MOST_BODY} bytes")
            parts.append(part)
    return b"".join(parts)


class _Server(uvicorn.Server):
    """A uvicorn server that ignores signals: it ends when the run does."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no signal handlers."""
        yield


async def serve(listening: socket.socket, to_run: socket.socket) -> None:
    """Serve workers over HTTP until the run has ended and open requests are answered."""
    reader, writer = await asyncio.open_connection(sock=to_run)
    token = (await read_frame(reader, messages.Opening)).token
    front = Front(bearer=f"Bearer {token}".encode(), reader=reader, writer=writer)
    server = _Server(limited(front.app(), shutdown_s=CLOSING_S))
    serving = asyncio.create_task(server.serve(sockets=[listening]), name="front.pages")
    hearing = asyncio.create_task(front.hear(), name="front.hear")
    await write_frame(writer, Answered(number=READY, status=200, content=b""))
    await front.is_over.wait()
    server.should_exit = True
    await serving
    hearing.cancel()


if __name__ == "__main__":
    os.setpgid(0, 0)  # Ctrl-C is the run's
    set_dumpable(dumpable=False)
    asyncio.run(serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:3])))
