"""Shows who is connected to a run: remote bots, which may be waited for, and workers with their speed."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.table import Table
from rich.text import Text

from gridjoust.leaderboard.wording import plural
from gridjoust.runner.engines.batch import WorkerNews
from gridjoust.runner.remote.lobby import LobbyNews


class WaitingRoom:
    """The terminal's table of remote bots while the run waits for them."""

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
        """Return a table with a row for each remote bot."""
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
    """Yield an event that the Enter key sets, if standard input is a terminal."""
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


MOST_ROWS = 8  # workers shown in a terminal, the fastest
_THERE = ("ready", "busy")


def rows_of(news: Sequence[WorkerNews]) -> int:
    """Return how many lines the table of `workers_table` has."""
    return min(len(news), MOST_ROWS) + 2 if news else 0


def workers_table(news: Sequence[WorkerNews]) -> Table:
    """Return a table of the workers, the fastest first and lost ones last."""
    table = Table(title=f"{len(_there(news))} of {len(news)} workers", title_justify="left", box=None, pad_edge=False)
    for name in ("worker", "state", "matches", "/s", "late"):
        table.add_column(name, justify="left" if name in ("worker", "state") else "right", no_wrap=True)
    for worker in sorted(news, key=lambda one: (one.state not in _THERE, -one.per_s))[:MOST_ROWS]:
        shown = (worker.name, worker.note or worker.state, str(worker.matches), f"{worker.per_s:.1f}")
        table.add_row(*map(Text, shown), Text(f"{worker.late_ms:.0f} ms"))
    return table


def workers_line(news: Sequence[WorkerNews], matches_left: int) -> str:
    """Return the state of the workers as a line.

    >>> workers_line([WorkerNews(name="pc1", state="busy", matches=40, per_s=2.0, late_ms=3.0)], 120)
    '1 worker, 2.0/s, about 1 min left: pc1 2.0/s 3 ms late'
    """
    there = _there(news)
    left_s = seconds_left(news, matches_left)
    left = "" if left_s is None else f", about {format_time(left_s)} left"
    each = ", ".join(f"{worker.name} {worker.per_s:.1f}/s {worker.late_ms:.0f} ms late" for worker in there[:MOST_ROWS])
    more = f" and {len(there) - MOST_ROWS} more" if len(there) > MOST_ROWS else ""
    return f"{plural(len(there), 'worker')}, {_rate(news):.1f}/s{left}{f': {each}' if each else ''}{more}"


def page_line(news: Sequence[WorkerNews]) -> str:
    """Return the line about workers on the live page.

    >>> page_line([WorkerNews(name="pc1", state="busy", per_s=2.0), WorkerNews(name="pc2", state="gone")])
    'Played on 1 worker, 2.0 matches/s; boards are not shown here.'
    """
    count = plural(len(_there(news)), "worker")
    return f"Played on {count}, {_rate(news):.1f} matches/s; boards are not shown here."


def seconds_left(news: Sequence[WorkerNews], matches_left: int) -> float | None:
    """Return the estimated seconds for the matches that are left; None if no worker has finished a match."""
    rate = _rate(news)
    return round(max(0, matches_left) / rate, 1) if rate else None


def _there(news: Sequence[WorkerNews]) -> list[WorkerNews]:
    return [worker for worker in news if worker.state in _THERE]


def _rate(news: Sequence[WorkerNews]) -> float:
    """Return the matches per second of all connected workers."""
    return sum(worker.per_s for worker in _there(news))


def format_time(seconds: float) -> str:
    """Return a duration as `40 s`, `12 min` or `3.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
