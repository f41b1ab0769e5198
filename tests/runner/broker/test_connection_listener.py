"""Who connects is served, refused or ended; a crowd without a log-in costs others nothing."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gridjoust.runner.broker import Account, bot_account
from gridjoust.runner.broker.connection_listener import ConnectionListener
from gridjoust.runner.broker.gate import Refusal, format_refusal, judge, rewrite
from gridjoust.runner.wire.bus.packets import Connect

MODULE = "gridjoust.runner.broker.connection_listener"
KNIGHT = bot_account("cup", "knight.0")
WELCOME = b"\x20\x02\0\0"


class Hall(ConnectionListener):
    """Greets whoever is let in."""

    def judge(self, connect: Connect) -> Account | Refusal:
        return judge(connect, {KNIGHT.user: KNIGHT})

    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(WELCOME)


def connect(password: str) -> bytes:
    return rewrite(Connect(b"MQTT", 4, 0xC0, 10, b"me", b"", b"", KNIGHT.user.encode(), password.encode()))


async def test_a_right_password_is_answered_while_wrong_ones_of_its_address_wait_and_no_crowd_of_them_can_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{MODULE}._WAITING_LIMIT", 3)
    hall, place = Hall(), str(tmp_path / "hall")
    kept: list[asyncio.StreamWriter] = []

    async def ask(password: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_unix_connection(place)
        writer.write(connect(password))
        kept.append(writer)
        return reader

    async with asyncio.timeout(60), await asyncio.start_unix_server(functools.partial(hall.receive, {}), place):
        assert await (await ask("wrong")).read(4) == format_refusal(Refusal.BAD_CREDENTIALS)
        monkeypatch.setattr(hall._guesses, "delay_s", lambda address: 3600.0)
        first = await ask("wrong")
        assert await (await ask(KNIGHT.password)).read(4) == WELCOME
        others = [asyncio.create_task((await ask("wrong")).read(4)) for _ in range(3)]
        with contextlib.suppress(ConnectionResetError):
            assert await first.read(4) == b""  # it has made room, unanswered
        assert not any(other.done() for other in others)
        for other in others:
            other.cancel()
        for writer in kept:
            writer.close()


STRANGER = """
import socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
print("open", flush=True)
link.sendall(bytes.fromhex(input()))
print(link.recv(4).hex())
"""


@contextlib.asynccontextmanager
async def stranger(place: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that has opened a connection, and sends what it reads over it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STRANGER, place, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    yield process
    await process.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell which process has opened a socket")
async def test_a_process_with_many_connections_that_do_not_log_in_pushes_out_its_own_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{MODULE}._WAITING_LIMIT", 3)
    hall, place = Hall(), str(tmp_path / "hall")
    async with asyncio.timeout(60), await asyncio.start_unix_server(functools.partial(hall.receive, {}), place):
        async with stranger(place) as first:
            hoard = [await asyncio.open_unix_connection(place) for _ in range(20)]
            for reader, _ in hoard[:18]:
                with contextlib.suppress(ConnectionResetError):
                    assert await reader.read() == b""
            told, _ = await first.communicate(connect(KNIGHT.password).hex().encode() + b"\n")
            assert bytes.fromhex(told.decode()) == WELCOME
        for _, writer in hoard:
            writer.close()


async def test_a_connection_that_does_not_log_in_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{MODULE}.CONNECT_LIMIT_S", 0.01)
    place = str(tmp_path / "hall")
    async with asyncio.timeout(60), await asyncio.start_unix_server(functools.partial(Hall().receive, {}), place):
        reader, writer = await asyncio.open_unix_connection(place)
        assert await reader.read() == b""
        writer.close()
