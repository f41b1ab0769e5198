"""Wrong passwords wait for their answer, right ones do not."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from pathlib import Path

import pytest

from gridjoust.runner.broker import Account, bot_account
from gridjoust.runner.broker.connection_listener import ConnectionListener
from gridjoust.runner.broker.gate import Refusal, format_refusal, judge, rewrite
from gridjoust.runner.broker.guesses import FREE, LONGEST_S, Guesses
from gridjoust.runner.wire.bus.packets import Connect

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
    monkeypatch.setattr("gridjoust.runner.broker.connection_listener._WAITING_LIMIT", 3)
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


def test_each_wrong_password_of_an_address_waits_longer_than_the_one_before_and_those_of_another_do_not() -> None:
    now_s = 0.0
    guesses = Guesses(now_s=lambda: now_s)
    delays = [guesses.delay_s("192.0.2.1") for _ in range(100)]
    assert delays[:FREE] == [0.0] * FREE
    assert delays[FREE : FREE + 4] == [0.1, 0.2, 0.4, 0.8]
    assert delays[-1] == LONGEST_S
    assert guesses.delay_s("192.0.2.2") == 0.0
    now_s = 100.0
    assert guesses.delay_s("192.0.2.1") == 0.0


def test_no_more_addresses_are_remembered_than_the_latest() -> None:
    guesses = Guesses(now_s=lambda: 0.0)
    for _ in range(FREE + 1):
        guesses.delay_s("192.0.2.1")
    for number in range(2000):
        guesses.delay_s(f"2001:db8::{number:x}")
    assert len(guesses._wrong) <= 1024
    assert guesses.delay_s("192.0.2.1") == 0.0
