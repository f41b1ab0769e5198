"""The process that serves the live page of a run; it reads the broker with a read-only account.

It is a separate process with a lower priority than the matches, so that requests for pages do not delay the referee.
The first line of its standard input is its task. Each further line is a note for the page or, in runs without a broker,
lines of a match's record or a bot's debug layers. It ends at the end of its input.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec

from gridjoust.runner.wire.bus import RUNNER_KEEPALIVE_S
from gridjoust.runner.wire.bus.mqtt import MqttBus
from gridjoust.runner.wire.protocol import bot_prefix, lines_topic, shown_topic
from gridjoust.viewer.address import READY, Task
from gridjoust.viewer.live_page.boards import Line
from gridjoust.viewer.live_page.live import Live
from gridjoust.viewer.live_page.searches import LatestSearches
from gridjoust.viewer.server import PageServer, make_app

NICENESS = 10
GATHER_S = 0.02  # messages within this time are read at once, for fewer context switches beside the referee
_MOST_LINE = 1 << 24


class ShownLine(msgspec.Struct, frozen=True):
    """A line from the run with a bot's debug layers, used without a broker."""

    topic: str
    shown: msgspec.Raw


_TOLD = msgspec.json.Decoder(str | tuple[str, list[Line]] | ShownLine)


async def _hear(bus: MqttBus, live: Live, task: Task) -> None:
    await bus.subscribe(lines_topic(task.run, "+"), live.boards.on_message)
    if live.searches is not None:
        await bus.subscribe(shown_topic(bot_prefix(task.run, "+")), live.searches.on_message)


async def _follow(told: asyncio.StreamReader, live: Live) -> None:
    """Handle the lines that the run writes until the input ends."""
    async for line in told:
        match _TOLD.decode(line):
            case str(note):
                live.note = note
                live.look()
            case match_id, lines:
                live.boards.hear(match_id, lines)
            case ShownLine(topic, shown) if live.searches is not None:
                live.searches.on_message(topic, bytes(shown))


async def watch() -> None:
    """Serve the live page of a run until standard input ends."""
    told = asyncio.StreamReader(limit=_MOST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    task = msgspec.json.decode(await told.readline(), type=Task)
    live = Live(Path(task.results), is_live=True)
    live.searches = LatestSearches(live.boards) if task.streams_search else None
    async with AsyncExitStack() as stack:
        if task.address is not None:
            bus = MqttBus(
                task.address,
                user=task.user,
                password=task.password,
                client_id=f"{task.run}-watcher",
                keepalive_s=RUNNER_KEEPALIVE_S,
                gather_s=GATHER_S,
            )
            await stack.enter_async_context(bus)
            await _hear(bus, live, task)
        listening = stack.enter_context(socket.socket(fileno=task.socket))
        app = make_app(Path(task.results), hosts=task.hosts, log=live.log, searches=live.searches)
        server = PageServer(app, on_exit=live.log.close)
        serving = asyncio.create_task(server.serve(sockets=[listening]), name="watcher.pages")
        following = asyncio.create_task(live.follow(), name="watcher.folder")
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()
        await _follow(told, live)
        live.end()
        following.cancel()
        live.log.close()
        server.should_exit = True
        await serving


if __name__ == "__main__":
    os.setpgid(0, 0)  # Ctrl-C goes to the run, which ends the input; a new session would look like a bot
    os.nice(NICENESS)
    if hasattr(os, "SCHED_BATCH"):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))  # it never preempts the matches
    asyncio.run(watch())
