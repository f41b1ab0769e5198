"""What both doors of ours do: take connections, read who comes, turn away who may not. Hands the others on.

Whoever does not log in is ended after two seconds, or earlier where too many wait. Whoever has shown many wrong
passwords is told so later and later.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import TypeVar

import msgspec

from gridjoust.runner.broker.accounts import Account
from gridjoust.runner.broker.gate import Refusal, format_refusal
from gridjoust.runner.broker.guesses import LONGEST_S, Guesses
from gridjoust.runner.processes.not_dumpable import set_dumpable
from gridjoust.runner.wire.bus.connecting import Connect, parse_connect

CONNECT_LIMIT_S = 2.0
_WAITING_LIMIT = 64  # connections of a listener that have not logged in: one more ends the oldest
_CONNECT_LIMIT_BYTES = 128 * 1024  # a will may carry 64 kB

log = logging.getLogger("joust.broker")
S = TypeVar("S")


class Reception(ABC):
    """Takes the connections of one or more listeners."""

    def __init__(self) -> None:
        self._guesses = Guesses()
        self._unanswered: dict[asyncio.StreamWriter, None] = {}  # whose password was wrong, once too often

    @abstractmethod
    def judge(self, connect: Connect) -> Account | Refusal:
        """Whose connection this is, or why it is refused."""

    @abstractmethod
    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Until the connection ends."""

    async def receive(
        self, waiting: dict[asyncio.StreamWriter, None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one connection until it ends; `waiting` are those of its listener that have not logged in."""
        _join(waiting, writer)
        try:
            connect = await _read_connect(reader)
        except (ValueError, TimeoutError) as error:
            log.warning("no connect: %s", error or type(error).__name__)
            connect = None
        finally:
            waiting.pop(writer, None)
        if connect is None:
            writer.close()
            return
        verdict = self.judge(connect)
        if isinstance(verdict, Refusal):
            await self._refuse(verdict, connect, writer)
            return
        await self.serve(verdict, connect, reader, writer)

    async def _refuse(self, refusal: Refusal, connect: Connect, writer: asyncio.StreamWriter) -> None:
        address = _address_of(writer)
        delay_s = self._guesses.delay_s(address) if refusal is Refusal.BAD_CREDENTIALS else 0.0
        if delay_s < LONGEST_S:  # from then on there is nothing new to say
            later = f", told after {delay_s:g} s" if delay_s else ""
            log.warning("refused %r from %s: %s%s", connect.user, address, refusal.name.lower(), later)
        if delay_s:
            _join(self._unanswered, writer)
            await asyncio.sleep(delay_s)
            self._unanswered.pop(writer, None)
        writer.write(format_refusal(refusal))
        writer.close()


def _join(crowd: dict[asyncio.StreamWriter, None], writer: asyncio.StreamWriter) -> None:
    """One more connection of those that wait; where they are too many, the oldest is ended."""
    if len(crowd) >= _WAITING_LIMIT:
        oldest = next(iter(crowd))
        del crowd[oldest]
        oldest.transport.abort()
    crowd[writer] = None


def _address_of(writer: asyncio.StreamWriter) -> str:
    """Of the other side, without its port; a unix socket has none."""
    peer = writer.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else "local"


async def read_head(reader: asyncio.StreamReader) -> tuple[bytes, int]:
    """The first bytes of a packet, and how many follow; ValueError if they do not end."""
    head, length = await reader.readexactly(1), 0
    for shift in (0, 7, 14, 21):
        digit = await reader.readexactly(1)
        head += digit
        length |= (digit[0] & 0x7F) << shift
        if digit[0] < 0x80:
            return head, length
    raise ValueError("expected a length of at most four bytes, got more")


async def _read_connect(reader: asyncio.StreamReader) -> Connect | None:
    """The first packet, None if there is none; ValueError if it is no CONNECT or too long, TimeoutError if late."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):  # whoever only looks whether we listen
        async with asyncio.timeout(CONNECT_LIMIT_S):
            head, length = await read_head(reader)
            if head[:1] != b"\x10":
                raise ValueError(f"expected a connect packet, got {head[:1]!r}")
            if not 0 < length <= _CONNECT_LIMIT_BYTES:
                raise ValueError(f"expected a connect of at most {_CONNECT_LIMIT_BYTES} bytes, got {length}")
            return parse_connect(await reader.readexactly(length))
    return None


def run_alone(serve: Callable[[S], Coroutine[None, None, None]], kind: type[S]) -> None:
    """Serve in a process of its own, by the settings on its standard input."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    set_dumpable(dumpable=False)  # bots may be of the same user
    settings = msgspec.json.decode(sys.stdin.buffer.read(), type=kind)
    asyncio.run(serve(settings))
