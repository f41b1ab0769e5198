"""The progress of a tournament from the tables of its folder: standings, last results, time left, faults.

Each call of `look` reads only the rows that were added since the last one.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from gridjoust.leaderboard.live import LiveStandings
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.wire.text import plain_text
from gridjoust.viewer.matches import Row, matches_of
from gridjoust.viewer.table_tail import TableTail

SHOWN = 12  # results and faults
_MOST_LETTERS = 120


@dataclass(slots=True)
class Progress:
    """The progress of one results folder; call `look`, then `state`."""

    results: Path
    _table: TableTail = field(init=False)
    _rest: list[Row] = field(default_factory=list)  # rows of a match that is not yet complete
    _standings: LiveStandings = field(default_factory=LiveStandings)
    _faults: Counter[str] = field(default_factory=Counter)
    _last: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=SHOWN))
    _faulty: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=SHOWN))
    _done: int = 0
    _pace: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=60))  # when -> matches done

    def __post_init__(self) -> None:
        self._table = TableTail(self.results / RESULTS.file)

    def look(self) -> list[str]:
        """Read new rows and return the ids of their matches."""
        if self._table.look():
            self._start_again()
        return self._enter(self._table.rows) if self._table.rows else []

    def state(self, *, is_live: bool) -> dict[str, Any]:
        """Return the data that pages show beside the boards; its texts are safe to show, but not markup."""
        planned = read_planned(self.results)
        total = None if planned is None else planned.matches
        is_over = planned is not None and planned.is_over
        titles = {} if planned is None else planned.titles
        return {
            "tournament": plain_text(self.results.absolute().name, limit=_MOST_LETTERS),
            "done": self._done,
            "total": total,
            "is_exact": planned is not None and planned.is_exact,
            "is_over": is_over,
            "is_live": is_live,
            "left_s": None if is_over or total is None else self._left_s(total),
            "standings": self._ranked(titles),
            "last": list(self._last)[::-1],
            "faulty": list(self._faulty)[::-1],
        }

    def _start_again(self) -> None:
        self._done, self._standings = 0, LiveStandings()
        for kept in (self._rest, self._faults, self._last, self._faulty, self._pace):
            kept.clear()

    def _enter(self, news: list[Row]) -> list[str]:
        rows = [*self._rest, *news]
        whole = len(rows) - _unfinished(rows)
        rows, self._rest = rows[:whole], rows[whole:]
        self._standings.add(rows)
        for row in rows:
            self._faults[row["bot"]] += int(row["faults"] or 0)
        entered = list(matches_of(rows))
        for match in entered:
            self._last.append(match)
            if any(seat[6] for seat in match["seats"]):
                self._faulty.append(match)
        self._done += len(entered)
        self._pace.append((time.monotonic(), self._done))
        return [match["id"] for match in entered]

    def _left_s(self, total: int) -> float | None:
        """Estimate the seconds left from the pace of the last matches; None without enough data."""
        (began_s, before), (seen_s, now) = (self._pace[0], self._pace[-1]) if self._pace else ((0.0, 0), (0.0, 0))
        if now == before or seen_s == began_s:
            return None
        return round((total - self._done) * (seen_s - began_s) / (now - before))

    def _ranked(self, titles: Mapping[str, str]) -> list[dict[str, Any]]:
        return [
            {
                "place": place,
                "bot": plain_text(row.bot, limit=_MOST_LETTERS),
                "title": plain_text(titles.get(row.bot, ""), limit=_MOST_LETTERS),
                "score": f"{row.returns_mean:.2f}" if row.score_pct is None else f"{row.score_pct:.1f} %",
                "matches": row.matches,
                "met": "" if row.points is None else f"{row.wins}–{row.draws}–{row.losses}",
                "last": list(row.last),
                "faults": self._faults[row.bot],
            }
            for place, row in self._standings.top()
        ]


def _unfinished(rows: Sequence[Row]) -> int:
    """Return how many of the last rows belong to a match whose other rows are still being written."""
    if not rows:
        return 0
    last = sum(1 for _ in takewhile(lambda row: row["match_id"] == rows[-1]["match_id"], reversed(rows)))
    return last if last < int(rows[-1]["seats"]) else 0
