"""The process that plays a contest, managed by the process of its pages: started, read, started again, ended."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from gridjoust.runner.processes.process import end_by_input
from gridjoust.runner.results.records.lines import EndLine
from gridjoust.runner.results.records.reasons import without_words
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.viewer.live_page.boards import Line
from gridjoust.viewer.live_page.live import Live

READY = b"ready\n"
FAREWELL_S = 5.0  # for its end
AGAIN_S = 3.0  # from a failure to its next start
_MOST_LINE = 1 << 24
_LINES = msgspec.json.Decoder(tuple[str, list[Line]])
_log = logging.getLogger("gridjoust")


class Start(msgspec.Struct, frozen=True):
    """The task of the process: the contest's file and folder."""

    file: str
    folder: str
    trust: bool = False


@asynccontextmanager
async def playing(file: Path, folder: Path, *, trust: bool, live: Live) -> AsyncIterator[None]:
    """Keep the process running as long as the context lasts; `live` gets what spectators may see of its matches.

    ConfigError if it does not start.
    """
    start = Start(str(file), str(folder), trust)
    process = await _start(start)
    watching = asyncio.create_task(_watch(process, start, live), name="contest.player")
    following = asyncio.create_task(live.follow(), name="contest.live")
    try:
        yield
    finally:
        for task in (watching, following):
            task.cancel()
        await asyncio.gather(watching, following, return_exceptions=True)


async def _start(start: Start) -> Process:
    """Start the process, and wait until it can play; ConfigError if it ends instead."""
    command = (sys.executable, "-P", "-m", "gridjoust.serve.play.playing")
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=_MOST_LINE)
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
    shown: set[str] = set()
    try:
        while True:
            assert process.stdout is not None
            while (line := await process.stdout.readline()).endswith(
                b"\n"
            ):  # one that was killed may end within a line
                if live.log.readers or line.split(b'"', 2)[1].decode() in shown:  # else nobody sees the match
                    match_id, lines = _LINES.decode(line)
                    live.boards.hear(match_id, [without_words(one) for one in lines])
                    (shown.discard if isinstance(lines[-1], EndLine) else shown.add)(match_id)
            await end_by_input(process, patience_s=FAREWELL_S)
            _log.warning("the process that plays the matches has ended (%s); starting it again", process.returncode)
            await asyncio.sleep(AGAIN_S)
            with suppress(ConfigError):
                process = await _start(start)
    finally:
        await end_by_input(process, patience_s=FAREWELL_S)
