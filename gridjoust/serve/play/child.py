"""The process that plays a contest, managed by the process of its pages: started, read, started again, ended."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec

from gridjoust.runner.processes.process import end_by_input
from gridjoust.runner.results.records.reasons import without_words
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.viewer.live_page.boards import Line
from gridjoust.viewer.live_page.live import LOOK_EVERY_S, Live

READY = b"ready\n"
FAREWELL_S = 5.0  # for its end
HELD_S = 15.0  # for a player that was left alone to end, while it holds the results
AGAIN_S = 3.0  # from one start to the next one, if it ends at once
WATCHED, UNWATCHED = b"+", b"-"  # to the process: if a page of boards is open, so that lines of matches are wanted
_MOST_LINE = 1 << 24
_LINES = msgspec.json.Decoder(tuple[str, list[Line]])
_log = logging.getLogger("gridjoust")


class Start(msgspec.Struct, frozen=True):
    """The task of the process: the contest's file and folder."""

    file: str
    folder: str
    trust: bool = False


@asynccontextmanager
async def begun() -> AsyncIterator[Process]:
    """Start the process before its task is known, as it takes a while to load; end it with the context."""
    process = await _begin()
    try:
        yield process
    finally:
        await end_by_input(process, patience_s=FAREWELL_S)


async def _begin() -> Process:
    command = (sys.executable, "-P", "-m", "gridjoust.serve.play.playing")
    return await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=_MOST_LINE)


@asynccontextmanager
async def playing(start: Start, live: Live, *, process: Process | None = None) -> AsyncIterator[None]:
    """Keep the process running as long as the context lasts; `live` gets what spectators may see of its matches.

    `process`: one that has begun and has no task yet. ConfigError if it cannot play.
    """
    process = await _give(process or await _begin(), start)
    watching = asyncio.create_task(_watch(process, start, live), name="contest.player")
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _give(process: Process, start: Start) -> Process:
    """Give the process its task, and wait until it can play; ConfigError if it ends instead."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(start) + b"\n")
    is_ready = False
    try:
        is_ready = await process.stdout.readline() == READY
    finally:
        if not is_ready:
            await end_by_input(process, patience_s=FAREWELL_S)
    if not is_ready:
        raise ConfigError("the matches cannot be played; the line before says why")
    return process


async def _watch(process: Process, start: Start, live: Live) -> None:
    """Pass lines of matches on to the live boards; start the process again if it ends."""
    try:
        while True:
            began_s = time.monotonic()
            telling = asyncio.create_task(_tell(process, live), name="contest.boards")
            try:
                await _hear(process, live)
            finally:
                telling.cancel()
            await end_by_input(process, patience_s=FAREWELL_S)
            _log.warning("the process that plays the matches has ended (%s); starting it again", process.returncode)
            await asyncio.sleep(max(0.0, began_s + AGAIN_S - time.monotonic()))
            with suppress(ConfigError):
                process = await _give(await _begin(), start)
    finally:
        await end_by_input(process, patience_s=FAREWELL_S)


async def _hear(process: Process, live: Live) -> None:
    """Take lines of matches until the process ends; one that is killed may end within a line."""
    assert process.stdout is not None
    while (line := await process.stdout.readline()).endswith(b"\n"):
        match_id, lines = _LINES.decode(line)
        live.boards.hear(match_id, [without_words(one) for one in lines])


async def _tell(process: Process, live: Live) -> None:
    """Update the live boards while a page shows them, and tell the process whether one does."""
    assert process.stdin is not None
    is_watched = False
    while True:
        if is_watched != bool(live.log.readers):
            is_watched = not is_watched
            process.stdin.write(WATCHED if is_watched else UNWATCHED)
        if is_watched:
            live.look()
        await asyncio.sleep(LOOK_EVERY_S)
