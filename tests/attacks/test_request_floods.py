"""Connections without end to the servers of ours: whoever sends whole requests is answered, and the run plays on."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gridjoust import serving
from gridjoust.serving import HEAD_BYTES, limited
from tests.attacks.request_flood import Flood
from tests.e2e.joust_process import joust, start_joust, until
from tests.joust_here import joust as joust_here

WHOLE = b"GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HALF = WHOLE[:-2]
LARGE = 8 << 20


async def hello(_request: Request) -> Response:
    return PlainTextResponse("hello")


async def large(_request: Request) -> Response:
    return Response(bytes(LARGE))


class Served:
    """A small app within the limits; how many connections it has."""

    def __init__(self) -> None:
        routes = [Route("/hello", hello, methods=["GET", "POST"]), Route("/large", large)]
        self.server = uvicorn.Server(limited(Starlette(routes=routes), log_level="critical"))
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]

    @property
    def connections(self) -> int:
        return len(self.server.server_state.connections)

    async def send(
        self, data: bytes, *, sender: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(sender, 0))
        writer.write(data)
        return reader, writer

    async def ask(self, data: bytes = WHOLE) -> bytes:
        """All that comes until the server ends the connection."""
        reader, writer = await self.send(data)
        try:
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()


@contextlib.asynccontextmanager
async def served() -> AsyncIterator[Served]:
    made = Served()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.closing(made.listening))
        task = asyncio.create_task(made.server._serve([made.listening]))
        await until(lambda: made.server.started)
        yield made
        made.server.should_exit = True
        await task


async def test_half_finished_requests_keep_nobody_out_who_sends_a_whole_one() -> None:
    async with served() as server:
        crowd = [await server.send(HALF) for _ in range(3 * serving.MOST_WAITING)]
        assert b"hello" in await server.ask()
        await until(lambda: server.connections <= serving.MOST_WAITING)
        ended = [reader for reader, _ in crowd if reader.at_eof() or reader.exception()]
        assert len(ended) >= 2 * serving.MOST_WAITING
        for _, writer in crowd:
            writer.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address")
async def test_half_finished_requests_of_one_address_do_not_push_out_a_slow_one_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "HEAD_S", 600.0)
    async with served() as server:
        reader, slow = await server.send(HALF, sender="127.0.0.2")
        await until(lambda: server.connections == 1)
        crowd = [await server.send(HALF) for _ in range(2 * serving.MOST_WAITING)]
        await until(lambda: server.connections == serving.MOST_WAITING)
        slow.write(WHOLE[len(HALF) :])
        assert b"hello" in await reader.read()
        for _, writer in [*crowd, (reader, slow)]:
            writer.close()


@pytest.mark.parametrize(
    "begun", [b"", b"G", HALF, b"POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234"]
)
async def test_who_does_not_finish_a_request_is_ended_after_a_while(
    begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HEAD_S", 0.05)
    async with served() as server:
        answer = await asyncio.wait_for(server.ask(begun), 30)
        assert (b"hello" in answer) == begun.startswith(b"POST")
        await until(lambda: server.connections == 0)


async def test_a_connection_that_is_kept_for_more_requests_is_ended_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with served() as server:
        reader, writer = await server.send(WHOLE.replace(b"close", b"keep-alive"))
        assert await reader.readuntil(b"hello")
        monkeypatch.setattr(serving, "HEAD_S", 0.05)
        writer.write(WHOLE.replace(b"close", b"keep-alive"))
        assert await reader.readuntil(b"hello")
        assert await asyncio.wait_for(reader.read(), 30) == b""
        writer.close()


@pytest.mark.parametrize("bytes_each", [HEAD_BYTES // 2, 64 * HEAD_BYTES])
async def test_the_head_of_a_request_is_bounded(bytes_each: int) -> None:
    async with served() as server:
        answer = await server.ask(HALF + b"X: " + b"x" * bytes_each + b"\r\n\r\n")
        assert (b"hello" in answer) == (bytes_each < HEAD_BYTES)


async def test_connections_are_bounded_until_one_of_them_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    async with served() as server:
        crowd = [await server.send(HALF) for _ in range(3)]
        await until(lambda: server.connections == 3)
        assert await server.ask() == b""
        crowd[0][1].close()
        await until(lambda: server.connections == 2)
        assert b"hello" in await server.ask()
        for _, writer in crowd:
            writer.close()


async def test_who_reads_nothing_of_an_answer_is_ended_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "UNREAD_S", 0.05)
    async with served() as server:
        _, writer = await server.send(WHOLE.replace(b"/hello", b"/large"))
        await until(lambda: server.server.server_state.total_requests == 0 and server.connections == 1)
        await until(lambda: server.connections == 0)
        writer.close()
        monkeypatch.setattr(serving, "UNREAD_S", 60.0)  # this one reads, as fast as the machine lets it
        assert len(await server.ask(WHOLE.replace(b"/hello", b"/large"))) > LARGE


CUP = """
tournament: cup
games: [{game: bomber, params: {max_ticks: 12}}]
format: {rounds: 2}
time: {turn_ms: 60000, grace_ms: 60000}
execution: {where: workers, isolation: none}
bots: [{name: a, bot: bomber/wanderer}, {name: b, bot: random}]
"""
FILES, CROWD = 200, 400


def sockets_of(pid: int) -> int:
    """TCP sockets that a process has open."""
    return len(psutil.Process(pid).net_connections(kind="tcp"))


@pytest.mark.gate
@pytest.mark.e2e
def test_a_run_for_workers_plays_on_whatever_strangers_do_to_its_port(tmp_path: Path) -> None:
    (tmp_path / "cup.yaml").write_text(CUP)
    run = start_joust("run", "cup.yaml", "--listen", "127.0.0.1:0", folder=tmp_path, files=FILES)
    assert run.stdout is not None
    line = next(one for one in run.stdout if "joust work " in one)
    found = re.search(r"http://127\.0\.0\.1:(\d+) --token (\S+)", line)
    assert found is not None
    port, token = found.groups()
    with Flood(int(port), HALF, count=CROWD) as flood:
        assert sockets_of(run.pid) == 0
        done = joust("work", f"http://127.0.0.1:{port}", "--token", token, "--trust", folder=tmp_path)
        assert flood.sent >= CROWD
    out, err = run.communicate(timeout=60)
    assert (run.returncode, "Traceback" in out + err) == (0, False), err
    assert done.returncode == 0, done.stderr
    verified = joust_here("verify", "results/cup", folder=tmp_path)
    assert (verified.returncode, verified.stderr) == (0, "")
