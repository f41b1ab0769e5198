"""What a person (or a machine) sees while a tournament runs: a live bar and table, plain lines, or JSON lines."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import to_builtins
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from gridjoust.commands.forfeits import Forfeits, forfeits_of
from leaderboard.live import LiveStanding, LiveStandings
from leaderboard.standings import format_points
from runner.record.lines import MatchRecord
from runner.tables.columns import Row

TOP = 8  # bots in the live table
LINES_EVERY_S = 5.0  # plain lines, at the most this often


class Reporter(Protocol):
    """Hears of the tournament as it goes."""

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """It starts; `total` is the most it can be unless it `is_exact`; `notes`: the broker, what it waits for."""

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """One more match is in the tables."""

    def end(self, verdict: str) -> None:
        """It is over or interrupted; `verdict` is what the schedule has decided, if anything."""


class Counts:
    """Matches done, new and faulty, and the live standings."""

    def __init__(self, results: Path) -> None:
        self.total = 0
        self.done = 0
        self.new = 0
        self.terminations: Counter[str] = Counter()
        self.live = LiveStandings()
        self.forfeits = Forfeits(results)
        self._began = time.monotonic()

    def add(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Count one match."""
        self.done += 1
        self.new += is_new
        self.terminations[record.end.termination.value] += 1
        self.live.add(rows)
        self.forfeits.add(record)

    @property
    def rate(self) -> float:
        """New matches per second."""
        return self.new / max(1e-9, time.monotonic() - self._began)

    def tally(self) -> str:
        """`40 completed, 2 crashed`."""
        return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in self.terminations.most_common())


class RichReporter:
    """A progress bar with rate and time left above the live top of the table."""

    def __init__(self, console: Console, results: Path) -> None:
        self._console = console
        self._counts = Counts(results)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]:.1f}/s"),
            TimeRemainingColumn(),
            console=console,
        )
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=4, transient=True)

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Show the bar."""
        for note in notes:
            self._console.print(note, style="yellow", markup=False)
        self._task = self._bar.add_task(title if is_exact else f"{title}, at most", total=total, rate=0.0)
        self._live.start()

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Move the bar."""
        self._counts.add(record, rows, is_new=is_new)
        self._bar.update(self._task, completed=self._counts.done, rate=self._counts.rate)

    def end(self, verdict: str) -> None:  # noqa: ARG002 - it is shown below the standings
        """Take the bar away and leave the tally."""
        self._live.stop()
        self._console.print(f"{self._counts.done} matches: {self._counts.tally() or 'none'}", highlight=False)
        for line in self._counts.forfeits.lines():
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def _draw(self) -> Group:
        return Group(self._bar, _live_table(self._counts.live.top(TOP)))


class PlainReporter:
    """Lines for logs: at the start, now and then, and at the end."""

    def __init__(self, results: Path) -> None:
        self._counts = Counts(results)
        self._told = time.monotonic()

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Say what is to come."""
        self._counts.total = total
        self._of = "/" if is_exact else " of at most "
        for note in notes:
            print(note)
        print(f"{title}: {'' if is_exact else 'at most '}{total} matches", flush=True)

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Say how far it is, not too often."""
        self._counts.add(record, rows, is_new=is_new)
        now = time.monotonic()
        if now - self._told < LINES_EVERY_S and self._counts.done < self._counts.total:
            return
        self._told = now
        leaders = ", ".join(f"{row.bot} {_points(row)}" for _, row in self._counts.live.top(3))
        rate = f"{self._counts.rate:.1f}/s"
        done = f"{self._counts.done}{self._of}{self._counts.total} matches"
        print(f"{done}, {rate}, leading: {leaders}", flush=True)

    def end(self, verdict: str) -> None:  # noqa: ARG002 - it is shown below the standings
        """The tally."""
        tally = f"{self._counts.done} matches: {self._counts.tally() or 'none'}"
        print("\n".join([tally, *self._counts.forfeits.lines()]), flush=True)


class JsonReporter:
    """One JSON object a line on standard output."""

    def __init__(self, results: Path) -> None:
        self._counts = Counts(results)
        self._results = results

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """The start."""
        self._counts.total = total
        started = {"tournament": title, "matches": total, "is_exact": is_exact, "notes": list(notes)}
        _print_json({"event": "started", **started})

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """One match."""
        self._counts.add(record, rows, is_new=is_new)
        _print_json(
            {
                "event": "match",
                "done": self._counts.done,
                "matches": self._counts.total,
                "match_id": record.header.match_id,
                "bots": [seat.bot for seat in record.header.seats],
                "ranks": record.end.ranks,
                "termination": record.end.termination.value,
                "reason": record.end.reason,
                "forfeits": [to_builtins(forfeit) for forfeit in forfeits_of(record, self._results)],
                "is_new": is_new,
            }
        )

    def end(self, verdict: str) -> None:
        """The tally, and what was decided."""
        tally = {"done": self._counts.done, "terminations": dict(self._counts.terminations)}
        _print_json({"event": "ended", **tally, "verdict": verdict})


def make_reporter(results: Path, *, as_json: bool) -> Reporter:
    """JSON if asked for, rich on a terminal, plain lines elsewhere."""
    if as_json:
        return JsonReporter(results)
    console = Console()
    return RichReporter(console, results) if console.is_terminal and sys.stdout.isatty() else PlainReporter(results)


def _live_table(top: list[tuple[int, LiveStanding]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in ("#", "bot", "matches", "points", "W-D-L"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for rank, row in top:
        table.add_row(str(rank), row.bot, str(row.matches), _points(row), f"{row.wins}-{row.draws}-{row.losses}")
    return table


def _points(row: LiveStanding) -> str:
    return f"{row.returns_mean:.2f}" if row.points is None else format_points(row.points)


def _print_json(value: object) -> None:
    print(json.dumps(value), flush=True)
