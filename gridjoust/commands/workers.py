"""Shows a run's workers: matches per second, lateness, lost workers, and the time left."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from gridjoust.leaderboard.wording import plural
from gridjoust.runner.engines.batch import WorkerNews

MOST_ROWS = 8  # workers shown in a terminal, the fastest
_THERE = ("ready", "busy")


def rows_of(news: Sequence[WorkerNews]) -> int:
    """Return the number of lines of `workers_table`."""
    return min(len(news), MOST_ROWS) + 2 if news else 0


def workers_table(news: Sequence[WorkerNews]) -> Table:
    """Draw the workers, the fastest first and lost ones last."""
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
    left = "" if left_s is None else f", about {_format_time(left_s)} left"
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


def _format_time(seconds: float) -> str:
    """Return a duration as `40 s`, `12 min` or `3.5 h`."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
