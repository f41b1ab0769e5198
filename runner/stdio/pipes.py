"""The two pipes of a bot, both bounded: messages that it does not read are dropped, and a flooding bot must wait."""

from __future__ import annotations

import asyncio
import fcntl
import sys
import termios
from collections.abc import AsyncIterator
from typing import IO

from gridjoust.runner.wire.inbox import Allowance
from gridjoust.runner.wire.protocol import ANSWER_LIMIT_BYTES, PACKET_LIMIT_BYTES, SHOWN_LIMIT_BYTES

UNREAD_LIMIT = 2 * PACKET_LIMIT_BYTES  # the most bytes that wait for the bot to read them
BURST_LINES, LINES_PER_S = 200, 400  # lines that the bot may write in addition to granted ones
GRANT_LINES = 2  # lines granted for each line that the bot is sent
_LINE_BYTES = 4096  # a longer line counts as several
SHOWING_LINE_BYTES = 1 << 20  # the most bytes of an answer with layers of the search
SHOWING_GRANT_LINES = GRANT_LINES + SHOWN_LIMIT_BYTES // _LINE_BYTES  # enough for an answer with layers
_PAUSE_S = 0.05  # pause of reading if a bot writes too much; the bot blocks meanwhile
_INT_BYTES = 4


class _Counting(asyncio.StreamReaderProtocol):
    """Stream protocol that counts the bytes received from the bot."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        super().__init__(reader)
        self.received = 0
        self.is_within_line = False

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self.is_within_line = not data.endswith(b"\n")
        super().data_received(data)


class Pipes:
    """Lines to and from one bot process; made by `open_pipes`."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        coming: _Counting,
        transports: tuple[asyncio.WriteTransport, asyncio.ReadTransport],
        files: tuple[IO[bytes], IO[bytes]],
        *,
        grant_lines: int = GRANT_LINES,
    ) -> None:
        """Take over open pipes; `transports`, `files`: of the bot's input and output. A transport closes its file.

        `grant_lines`: how many more lines the bot may write for each line that it is sent.
        """
        self._reader = reader
        self._coming = coming
        self._writer, self._output_transport = transports
        self._input, self._output = files
        self.position = 0  # bytes of the bot's output up to the end of the line that was read last
        self._allowance = Allowance(BURST_LINES, per_s=LINES_PER_S)
        self._grant_lines = grant_lines

    def can_take(self, size: int) -> bool:
        """Return True if there is room for `size` bytes; there is none if the bot is gone or does not read."""
        return not self._writer.is_closing() and self._writer.get_write_buffer_size() + size <= UNREAD_LIMIT

    def send(self, line: bytes) -> None:
        """Send one line, given without its line end."""
        self._writer.write(line + b"\n")
        self._allowance.grant(self._grant_lines)

    def has_unread(self) -> bool:
        """Return True if the bot has not read everything yet; False if the system cannot tell."""
        if self._writer.is_closing():
            return False
        return self._writer.get_write_buffer_size() > 0 or _waiting_bytes(self._input) > 0

    def written(self) -> int:
        """Return how many bytes the bot has written so far, with those that are not read yet."""
        return self._coming.received + _waiting_bytes(self._output)

    def silence(self) -> str:
        """Say why no answer can be read from what the bot has written; "" if it has written whole lines."""
        if not self.written():
            return "nothing came on standard output: did you flush?"
        return "the last line on standard output has no end: write a newline" if self._coming.is_within_line else ""

    def close_input(self) -> None:
        """Close the bot's input, so that the bot reads the end of it."""
        if not self._writer.is_closing():
            self._writer.close()

    def close(self) -> None:
        """Close both pipes at once, unread data is lost; a descendant of the bot may keep its ends open."""
        if not self._writer.is_closing() or self._writer.get_write_buffer_size():
            self._writer.abort()
        self._output_transport.close()

    async def lines(self) -> AsyncIterator[bytes | None]:
        """Yield the bot's lines until it closes its output; None in place of a line above the limit.

        Lines are read only as fast as the bot's allowance permits.
        """
        is_too_long = False
        while True:
            try:
                line = await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as overrun:
                self.position += len(await self._reader.readexactly(overrun.consumed))
                if not is_too_long:
                    yield None
                is_too_long = True
                await self._pay(overrun.consumed)
                continue
            except asyncio.IncompleteReadError as end:
                self.position += len(end.partial)
                if end.partial and not is_too_long:
                    yield end.partial
                return
            self.position += len(line)
            if not is_too_long:
                yield line
            is_too_long = False
            await self._pay(len(line))

    async def _pay(self, size: int) -> None:
        may_go_on = self._allowance.spend(1 + size / _LINE_BYTES)
        while not may_go_on:
            await asyncio.sleep(_PAUSE_S)
            may_go_on = self._allowance.spend(0)


async def open_pipes(stdin: IO[bytes], stdout: IO[bytes], *, streams_search: bool = False) -> Pipes:
    """Return the runner's ends of a child's pipes; `streams_search`: lines may also contain the bot's search."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=SHOWING_LINE_BYTES if streams_search else ANSWER_LIMIT_BYTES)
    output, coming = await loop.connect_read_pipe(lambda: _Counting(reader), stdout)
    writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, stdin)
    grant_lines = SHOWING_GRANT_LINES if streams_search else GRANT_LINES
    return Pipes(reader, coming, (writer, output), (stdin, stdout), grant_lines=grant_lines)


def _waiting_bytes(pipe: IO[bytes]) -> int:
    """Count the bytes that wait in a pipe, from either end; 0 if it is closed or the system cannot tell."""
    try:
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(_INT_BYTES)), sys.byteorder)
    except (OSError, ValueError):  # ValueError: the file is closed and has no descriptor any more
        return 0
