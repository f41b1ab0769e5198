"""Receives a hand-in: the raw body is counted while it streams, and on disk before the answer."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from starlette.requests import ClientDisconnect, Request

from gridjoust.serve.play.unpacking import MOST_PACKED
from gridjoust.serve.values import ContestError

BODY_S = 300.0  # for the whole body
AT_ONCE = 64  # bodies that are received at once; others wait
_MOST_LETTERS = 100  # of a file's name


@dataclass(slots=True, kw_only=True)
class Uploads:
    """Receives bodies into new files of one folder: at most `MOST_PACKED` bytes each, and one an account at a time."""

    folder: Path
    _busy: set[str] = field(default_factory=set)
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def receive(self, request: Request, *, account: str) -> Path:
        """Save the whole body on disk and return its file; ContestError if the body is refused."""
        announced = request.headers.get("content-length", "")
        if announced.isascii() and announced.isdecimal() and int(announced) > MOST_PACKED:
            raise self._too_large()
        if account in self._busy:
            raise ContestError("another hand-in of yours is being received; wait for its answer", status=409)
        self._busy.add(account)
        path = self.folder / f"{secrets.token_hex(16)}.part"
        try:
            async with self._slots, asyncio.timeout(BODY_S):
                await self._write(path, request.stream())
        except BaseException as error:
            path.unlink(missing_ok=True)
            if isinstance(error, TimeoutError):
                raise ContestError(f"the file did not arrive within {BODY_S:.0f} s", status=408) from None
            if isinstance(error, ClientDisconnect):
                raise ContestError("the connection was lost; nothing was handed in", status=400) from None
            raise
        finally:
            self._busy.discard(account)
        return path

    async def _write(self, path: Path, parts: AsyncIterator[bytes]) -> None:
        size = 0
        with path.open("xb") as file:
            async for part in parts:
                size += len(part)
                if size > MOST_PACKED:
                    raise self._too_large()
                file.write(part)
            if not size:
                raise ContestError("the file is empty", status=400)
            await asyncio.to_thread(_sync, file, path.parent)

    def _too_large(self) -> ContestError:
        return ContestError(f"a hand-in may have {MOST_PACKED / 1e6:g} MB packed; this one is larger", status=413)


def _sync(file: BinaryIO, folder: Path) -> None:
    """Write a file and its folder's entry to disk."""
    file.flush()
    os.fsync(file.fileno())
    entry = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(entry)
    finally:
        os.close(entry)


def file_name_of(path: str) -> str:
    """Return the name of a file without folders, as a person may have typed it; ContestError if there is none.

    >>> file_name_of("C:\\\\bots\\\\mine.py"), file_name_of("../mine.py")
    ('mine.py', 'mine.py')
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    if not name or name in (".", "..") or len(name) > _MOST_LETTERS or not name.isprintable():
        raise ContestError("expected the name of a file in the address, such as /hand-in/bot.py", status=400)
    return name
