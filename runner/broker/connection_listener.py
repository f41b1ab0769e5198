"""Accepts MQTT connections for the built-in broker and the TLS proxy: reads the CONNECT and refuses bad ones.

A connection that does not log in is ended after ten seconds, or earlier if too many wait: then whoever holds the most
loses one. After many wrong passwords from one address, their answers are delayed more and more.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import TypeVar

import msgspec

from gridjoust.runner.broker.accounts import Account
from gridjoust.runner.broker.gate import Refusal, format_refusal
from gridjoust.runner.broker.guesses import LONGEST_S, Guesses
from gridjoust.runner.processes.users import set_dumpable
from gridjoust.runner.wire.bus.packets import Connect, parse_connect
from gridjoust.runner.wire.inbox import oldest_of_most

CONNECT_LIMIT_S = 10.0  # on a busy machine a program may take seconds from its connection to its log-in
_WAITING_LIMIT = 64  # connections of a listener that have not logged in; one more ends another
_CONNECT_LIMIT_BYTES = 128 * 1024  # a will may carry 64 kB

log = logging.getLogger("joust.broker")
S = TypeVar("S")
Crowd = dict[asyncio.StreamWriter, str | int]  # connections without a log-in, the oldest first, and who opened them


class ConnectionListener(ABC):
    """Base class that accepts MQTT connections, checks their log-in, and serves or refuses them."""

    def __init__(self) -> None:
        self._guesses = Guesses()
        self._unanswered: Crowd = {}  # connections whose refusal is delayed

    @abstractmethod
    def judge(self, connect: Connect) -> Account | Refusal:
        """Return the account of a connection, or the reason for refusing it."""

    @abstractmethod
    async def serve(
        self, account: Account, connect: Connect, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve an admitted connection until it ends."""

    async def receive(self, waiting: Crowd, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Admit or refuse a new connection, and serve it; `waiting`: its listener's connections without a log-in."""
        _join(waiting, writer)
        try:
            connect = await _read_connect(reader)
        except (ValueError, TimeoutError) as error:
            log.warning("no valid CONNECT: %s", error or type(error).__name__)
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
        if delay_s < LONGEST_S:  # later ones are not logged, so that they do not fill the log
            later = f", answered after {delay_s:g} s" if delay_s else ""
            log.warning("refused %r from %s: %s%s", connect.user, address, refusal.name.lower(), later)
        if delay_s:
            _join(self._unanswered, writer)
            await asyncio.sleep(delay_s)
            self._unanswered.pop(writer, None)
        writer.write(format_refusal(refusal))
        writer.close()


def _join(crowd: Crowd, writer: asyncio.StreamWriter) -> None:
    """Add a connection to those that have not logged in yet; if there are too many, end one of whoever has the most."""
    if len(crowd) >= _WAITING_LIMIT:
        oldest = oldest_of_most(crowd)
        del crowd[oldest]
        oldest.transport.abort()
    crowd[writer] = _process_of(writer) or _address_of(writer)


def _process_of(writer: asyncio.StreamWriter) -> int:
    """Return the id of the process that opened a unix socket; 0 over TCP, and where the system does not tell."""
    opened: socket.socket = writer.get_extra_info("socket")
    if opened.family != socket.AF_UNIX or not hasattr(socket, "SO_PEERCRED"):
        return 0
    process: int
    process, _, _ = struct.unpack("3i", opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return process


def _address_of(writer: asyncio.StreamWriter) -> str:
    """Return the address of the peer without its port; "local" for a unix socket."""
    peer = writer.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) else "local"


async def read_head(reader: asyncio.StreamReader) -> tuple[bytes, int]:
    """Read the fixed header of a packet; return it and the number of bytes that follow. ValueError if malformed."""
    head, length = await reader.readexactly(1), 0
    for shift in (0, 7, 14, 21):
        digit = await reader.readexactly(1)
        head += digit
        length |= (digit[0] & 0x7F) << shift
        if digit[0] < 0x80:
            return head, length
    raise ValueError("expected a length of at most four bytes, got more")


async def _read_connect(reader: asyncio.StreamReader) -> Connect | None:
    """Read the CONNECT; None if the connection ends, ValueError for another or a long packet, TimeoutError if late."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):  # a program that only tests the port
        async with asyncio.timeout(CONNECT_LIMIT_S):
            head, length = await read_head(reader)
            if head[:1] != b"\x10":
                raise ValueError(f"expected a connect packet, got {head[:1]!r}")
            if not 0 < length <= _CONNECT_LIMIT_BYTES:
                raise ValueError(f"expected a connect of at most {_CONNECT_LIMIT_BYTES} bytes, got {length}")
            return parse_connect(await reader.readexactly(length))
    return None


def run_alone(serve: Callable[[S], Coroutine[None, None, None]], kind: type[S]) -> None:
    """Run `serve` as the whole process, with the settings from standard input."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    set_dumpable(dumpable=False)  # bots of the same user could read its memory otherwise
    settings = msgspec.json.decode(sys.stdin.buffer.read(), type=kind)
    asyncio.run(serve(settings))
