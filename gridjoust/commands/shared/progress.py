"""Shows the progress of a run: a live bar and table, plain lines, or JSON lines."""

from __future__ import annotations

import json
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import to_builtins
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gridjoust.commands.shared.connected import (
    WaitingRoom,
    lobby_line,
    rows_of,
    seconds_left,
    workers_line,
    workers_table,
)
from gridjoust.commands.shared.forfeits import (
    SHOWN,
    FailureTally,
    Forfeit,
    UncountedTally,
    VoidTally,
    cannot_start,
    forfeit_lines,
    forfeits_of,
    log_lines,
    start_line,
)
from gridjoust.commands.shared.output import wrapped
from gridjoust.leaderboard.live import LiveStanding, LiveStandings
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.engines.batch import WorkerNews
from gridjoust.runner.remote.lobby import LobbyNews
from gridjoust.runner.results.records.lines import Fault, MatchRecord, Termination
from gridjoust.runner.results.records.reasons import reason_of
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.wire.text import one_line

BESIDE_LIVE_ROWS = 5  # lines of the terminal for the bar, the heading, the number of hidden bots and the prompt
MOST_WARNED = 3  # bots that do not play, beside the live table
WORKERS_EVERY_S = 10.0  # between two lines about workers
LINES_EVERY_S = 5.0  # shortest time between two plain lines


class Reporter(ABC):
    """Base class of a run's progress outputs: it counts matches and keeps live standings."""

    def __init__(self, results: Path, files: Mapping[str, str] = MappingProxyType({})) -> None:
        """Start with no matches. `files`: bot -> its `path` in the tournament file."""
        self.titles: Mapping[str, str] = {}  # bot -> what people call it
        self._results = results
        self._files = files
        self._total = 0
        self._done = 0
        self._new = 0
        self._terminations: Counter[Termination] = Counter()
        self._standings = LiveStandings()
        self._forfeits: list[Forfeit] = []
        self._absent: dict[str, str] = {}  # bot that does not play, or did not play a match -> a line
        self._not_started: dict[str, str] = {}  # those of them that cannot start at all
        self._voids: list[str] = []  # a line per match
        self._void_tally = VoidTally()
        self.failures = FailureTally()
        self._uncounted = UncountedTally()
        self._began = time.monotonic()

    @abstractmethod
    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Show the start; `total`: matches, an upper bound unless `is_exact`; `notes`: about broker, seed and bots."""

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Count one more match of the tables; `is_new`: it was played in this run."""
        self._done += 1
        self._new += is_new
        self._terminations[record.end.termination] += 1
        self._standings.add(rows)
        forfeits = forfeits_of(record, self._results)
        for forfeit in forfeits:
            if cannot_start(forfeit):
                self.note_broken(forfeit.bot, forfeit.detail)
            elif forfeit.fault is Fault.FAILED_TO_START:
                self._absent[forfeit.bot] = start_line(forfeit.bot, forfeit.detail, self._files)
        self._forfeits += forfeits
        self._void_tally.add(record)
        self.failures.add(record)
        self._uncounted.add(record)
        if not record.end.counted:
            self._voids.append(f"    {record.header.match_id}: {one_line(reason_of(record.header, record.end))}")

    def note_broken(self, bot: str, reason: str) -> None:
        """Note a bot that cannot start; the first reason is kept."""
        if bot not in self._not_started:
            self._not_started[bot] = self._absent[bot] = start_line(bot, reason, self._files)

    @property
    def not_started(self) -> list[str]:
        """Lines for each bot that cannot start, with its logs; for the end of a run, where people look for them."""
        return [line for bot, told in self._not_started.items() for line in (told, *log_lines(bot, self._results))]

    @abstractmethod
    def lobby(self, news: LobbyNews) -> None:
        """Show which remote bots the run is waiting for, whenever that changes."""

    @abstractmethod
    def tell(self, line: str) -> None:
        """Show a note that is not an error."""

    @abstractmethod
    def workers(self, news: Sequence[WorkerNews]) -> None:
        """Show the state of the workers; called about once a second."""

    @abstractmethod
    def end(self, verdict: str) -> None:
        """Show the end of the run, complete or interrupted; `verdict`: the decision of the format, "" if none."""

    def _rate(self) -> float:
        """Return how many matches of this run are played per second."""
        return self._new / max(1e-9, time.monotonic() - self._began)

    def summary(self) -> list[str]:
        """Return the match counts, then lines on what went wrong."""
        return [self._tally(), *self._summary()]

    def _tally(self) -> str:
        """Return the number of matches by termination: `42 matches: 40 completed, 2 crashed`."""
        counts = (f"{count} {end.words}" for end, count in self._terminations.most_common())
        return f"{plural(self._done, 'match')}: {', '.join(counts) or 'none'}"

    def _summary(self) -> list[str]:
        """Return lines on forfeits, void matches, bots with many void matches, and bots whose work is not counted.

        Bots that cannot start are left to `not_started`.
        """
        count = len(self._voids)
        head = [f"{count} void, not counted; --resume plays {'it' if count == 1 else 'them'} again:"] if count else []
        more = [f"    and {count - SHOWN} more"] if count > SHOWN else []
        suspects = [line for line in (self._void_tally.line(), self._uncounted.line()) if line]
        forfeits = [forfeit for forfeit in self._forfeits if not cannot_start(forfeit)]
        return [
            *forfeit_lines(forfeits, self._results, self._files),
            *head,
            *self._voids[:SHOWN],
            *more,
            *suspects,
        ]


class RichReporter(Reporter):
    """Shows a progress bar with rate and time left above the live top of the leaderboard."""

    def __init__(self, console: Console, results: Path, files: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__(results, files)
        self._console = console
        self._lobby = WaitingRoom()
        self._workers: Sequence[WorkerNews] = ()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]:.1f}/s"),
            TimeRemainingColumn(),
            console=console,
        )
        self._live = Live(console=console, get_renderable=self.draw, refresh_per_second=4, transient=True)

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Show the progress bar."""
        for note in notes:
            self._console.print(wrapped(note, self._console.width), style="yellow", markup=False, soft_wrap=True)
        self._task = self._bar.add_task(title if is_exact else f"{title}, at most", total=total, rate=0.0)
        self._live.start()

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Count the match and move the progress bar."""
        super().played(record, rows, is_new=is_new)
        self._bar.update(self._task, completed=self._done, rate=self._rate())

    def lobby(self, news: LobbyNews) -> None:
        """Show the remote bots as a table while the run waits for them, and the result as a line above the bar."""
        self._lobby.enter(news)
        if news.line and not news.is_open:
            self._console.print(
                wrapped(news.line, self._console.width), style="yellow", markup=False, highlight=False, soft_wrap=True
            )

    def tell(self, line: str) -> None:
        """Print the note above the bar."""
        self._console.print(wrapped(line, self._console.width), markup=False, highlight=False, soft_wrap=True)

    def workers(self, news: Sequence[WorkerNews]) -> None:
        """Show the workers in a table below the bar."""
        self._workers = news

    def end(self, verdict: str) -> None:  # noqa: ARG002 - it is shown below the standings
        """Replace the progress bar by match counts and the summary."""
        self._live.stop()
        for line in self.summary():
            self._console.print(wrapped(line, self._console.width), highlight=False, markup=False, soft_wrap=True)

    def draw(self) -> Group:
        """Draw the bar, bots that do not play, and as many bots as fit, best first; or those that the run waits for."""
        if self._lobby.is_open:
            return Group(self._lobby.draw(), self._bar)
        ranked = self._standings.top()
        shown = [workers_table(self._workers)] if self._workers else []
        absent = self._draw_absent()
        fitting = max(1, self._console.height - BESIDE_LIVE_ROWS - rows_of(self._workers) - len(absent))
        hidden = [f"and {len(ranked) - fitting} more bots"] if len(ranked) > fitting else []
        return Group(self._bar, *absent, *shown, live_table(ranked[:fitting], self.titles), *hidden)

    def _draw_absent(self) -> list[Text]:
        """Draw the lines on bots that do not play, which go when the run ends."""
        told = list(self._absent.values())
        more = [f"and {len(told) - MOST_WARNED} more bots do not play"] if len(told) > MOST_WARNED else []
        lines = [row for line in told[:MOST_WARNED] for row in wrapped(line, self._console.width).splitlines()]
        return [Text(line, "red", no_wrap=True, overflow="ellipsis") for line in (*lines, *more)]


def live_table(ranked: Sequence[tuple[int, LiveStanding]], titles: Mapping[str, str] = MappingProxyType({})) -> Table:
    """Draw ranks, scores and the last results of each bot, the newest at the right."""
    have_opponents = any(row.points is not None for _, row in ranked)
    table = Table(box=None, pad_edge=False)
    titled, met = ["title"] if titles else [], ["W-D-L"] if have_opponents else []
    names = ("#", "bot", *titled, "score" if have_opponents else "returns", "matches", *met, "last")
    for name in names:
        table.add_column(name, justify="left" if name in ("bot", "title", "last") else "right", no_wrap=True)
    for rank, row in ranked:
        outcomes = f"{row.wins}-{row.draws}-{row.losses}" if row.points is not None else ""
        last = ("" if row.points is not None else " ").join(row.last)
        own_title = [titles.get(row.bot, "")] if titles else []
        shown = (
            str(rank),
            row.bot,
            *own_title,
            _score(row),
            str(row.matches),
            *([outcomes] if have_opponents else []),
            last,
        )
        table.add_row(*map(Text, shown))  # Text, as names may contain markup
    return table


class PlainReporter(Reporter):
    """Prints plain lines for logs: at the start, every few seconds, and at the end."""

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Print the notes and the number of matches."""
        self._printed_s, self._total = self._began, total
        self._told_of_workers = self._began
        self._of = "/" if is_exact else " of at most "
        print(*notes, f"{title}: {'' if is_exact else 'at most '}{plural(total, 'match')}", sep="\n", flush=True)

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Print the number of matches and the leaders, at most every `LINES_EVERY_S`."""
        super().played(record, rows, is_new=is_new)
        now = time.monotonic()
        if now - self._printed_s < LINES_EVERY_S and self._done < self._total:
            return
        self._printed_s = now
        leaders = ", ".join(f"{row.bot} {_score(row)}" for _, row in self._standings.top(3))
        print(f"{self._done}{self._of}{self._total} matches, {self._rate():.1f}/s, leading: {leaders}", flush=True)

    def lobby(self, news: LobbyNews) -> None:
        """Print a line for every change of the connected remote bots."""
        print(lobby_line(news), flush=True)

    def tell(self, line: str) -> None:
        """Print the note as a line."""
        print(line, flush=True)

    def workers(self, news: Sequence[WorkerNews]) -> None:
        """Print a line about the workers, at most every `WORKERS_EVERY_S`."""
        now = time.monotonic()
        if news and now - self._told_of_workers >= WORKERS_EVERY_S:
            self._told_of_workers = now
            print(workers_line(news, self._total - self._done), flush=True)

    def end(self, verdict: str) -> None:  # noqa: ARG002 - it is shown below the standings
        """Print match counts and the summary."""
        print(*self.summary(), sep="\n", flush=True)


class JsonReporter(Reporter):
    """Prints one JSON object per line on standard output."""

    def begin(self, title: str, total: int, notes: Sequence[str], *, is_exact: bool) -> None:
        """Print the event `started`."""
        self._total, self._told_of_workers = total, self._began
        _print_event("started", tournament=title, matches=total, is_exact=is_exact, notes=list(notes))

    def played(self, record: MatchRecord, rows: list[Row], *, is_new: bool) -> None:
        """Print the event `match`."""
        super().played(record, rows, is_new=is_new)
        _print_event(
            "match",
            done=self._done,
            matches=self._total,
            match_id=record.header.match_id,
            bots=[seat.bot for seat in record.header.seats],
            ranks=record.end.ranks,
            termination=record.end.termination.value,
            reason=record.end.reason,
            forfeits=to_builtins(forfeits_of(record, self._results)),
            is_new=is_new,
        )

    def lobby(self, news: LobbyNews) -> None:
        """Print the event `lobby`."""
        _print_event("lobby", there=news.there, missing=news.missing, is_open=news.is_open, line=news.line)

    def tell(self, line: str) -> None:
        """Print the event `note`."""
        _print_event("note", line=line)

    def workers(self, news: Sequence[WorkerNews]) -> None:
        """Print the event `workers`, at most every `WORKERS_EVERY_S`."""
        now = time.monotonic()
        if news and now - self._told_of_workers >= WORKERS_EVERY_S:
            self._told_of_workers = now
            left_s = seconds_left(news, self._total - self._done)
            _print_event("workers", workers=to_builtins(news), left_s=left_s)

    def end(self, verdict: str) -> None:
        """Print the event `ended` with match counts and the verdict."""
        terminations = {end.value: count for end, count in self._terminations.items()}
        _print_event("ended", done=self._done, terminations=terminations, verdict=verdict)


def make_reporter(results: Path, *, as_json: bool, files: Mapping[str, str]) -> Reporter:
    """Return the JSON output if asked for, the live output on a terminal, plain lines otherwise."""
    if as_json:
        return JsonReporter(results, files)
    console, is_watched = Console(), sys.stdout.isatty()
    if console.is_terminal and is_watched:
        return RichReporter(console, results, files)
    return PlainReporter(results, files)


def _score(row: LiveStanding) -> str:
    """Return the score: points per match in %, or mean returns in a single-player game."""
    return f"{row.returns_mean:.2f}" if row.score_pct is None else f"{row.score_pct:.1f} %"


def _print_event(event: str, **values: object) -> None:
    print(json.dumps({"event": event, **values}), flush=True)
