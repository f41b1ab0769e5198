"""Shows the lobby in the terminal: which remote bots are connected, which are missing, and the time left."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.table import Table
from rich.text import Text

from gridjoust.runner.remote.lobby import LobbyNews


class WaitingRoom:
    """The terminal's table while the run waits for remote bots."""

    def __init__(self) -> None:
        self._news: LobbyNews | None = None
        self._closes_s = 0.0

    @property
    def is_open(self) -> bool:
        """True while the run waits for remote bots."""
        return self._news is not None and self._news.is_open

    def enter(self, news: LobbyNews) -> None:
        """Handle a lobby update."""
        self._news, self._closes_s = news, time.monotonic() + news.left_s

    def draw(self) -> Table:
        """Draw a row for each remote bot."""
        assert self._news is not None
        left_s = max(0.0, self._closes_s - time.monotonic())
        table = Table(title=f"remote bots; {_closing(left_s)}", title_justify="left", box=None, show_header=False)
        for bot in self._news.there:
            table.add_row(Text(bot), Text("connected", style="green"))
        for bot in self._news.missing:
            table.add_row(Text(bot), Text("missing", style="yellow"))
        return table


def lobby_line(news: LobbyNews) -> str:
    """Return a lobby update as a line.

    >>> lobby_line(LobbyNews(there=("ada",), missing=("ben",), is_open=False))
    'starting without ben'
    """
    if not news.is_open:
        starting = f"starting without {', '.join(news.missing)}" if news.missing else "starting: all bots are connected"
        return news.line or starting
    waiting = (
        f"waiting for {', '.join(news.missing)}; {_closing(news.left_s)}" if news.missing else "all bots are connected"
    )
    return f"{news.line}; {waiting}" if news.line else waiting


def _closing(left_s: float) -> str:
    enter = "; press Enter to start now" if sys.stdin.isatty() else ""
    return f"starting in {left_s:.0f} s at the latest{enter}"


@contextmanager
def enter_begins() -> Iterator[asyncio.Event]:
    """Yield an event that Enter sets, if standard input is a terminal."""
    begin, loop = asyncio.Event(), asyncio.get_running_loop()
    if not sys.stdin.isatty():
        yield begin
        return

    def on_line() -> None:
        sys.stdin.readline()
        begin.set()

    loop.add_reader(sys.stdin, on_line)
    try:
        yield begin
    finally:
        loop.remove_reader(sys.stdin)
