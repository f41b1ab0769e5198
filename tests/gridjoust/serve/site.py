"""A contest's site in a thread of the test, at an address that a browser can open."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gridjoust.serve.contest import Contest
from gridjoust.serve.web import ContestServer, make_app
from gridjoust.viewer.address import listen


@dataclass(frozen=True, slots=True)
class Site:
    """A served contest: its address, and the loop of its server."""

    address: str
    loop: asyncio.AbstractEventLoop

    def call(self, act: Callable[[], object]) -> None:
        """Do something where the server runs."""
        self.loop.call_soon_threadsafe(act)


@contextmanager
def serve(contest: Contest, *, plays: bool = False) -> Iterator[Site]:
    """Serve a contest while the context lasts; `plays`: play its matches too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    listening = listen("127.0.0.1", 0)
    app = make_app(contest, hosts=["127.0.0.1"], starter=lambda game: f"# a bot for {game}")
    over, is_open = asyncio.Event(), threading.Event()

    async def run() -> None:
        server = ContestServer(app, on_exit=contest.live.log.close)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        if plays:
            async with contest.playing():
                is_open.set()
                await over.wait()
        else:
            is_open.set()
            await over.wait()
        contest.live.log.close()
        server.should_exit = True
        await serving

    running = asyncio.run_coroutine_threadsafe(run(), loop)
    try:
        assert is_open.wait(60) or running.result(timeout=1) is None
        yield Site(f"http://127.0.0.1:{listening.getsockname()[1]}/", loop)
    finally:
        loop.call_soon_threadsafe(over.set)
        running.result(timeout=60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=60)
