"""Writes the result tables, one match at a time, in the order in which matches are added. Keeps no rows in memory.

The tables are always written from their start: an interrupted tournament rebuilds them from its records.
"""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from runner.record.lines import MatchRecord
from runner.tables.columns import METRICS, RESULTS, TURNS, Row
from runner.tables.datapackage import write_datapackage
from runner.tables.rows import metric_rows, result_rows, turn_rows
from runner.tables.text import format_header, format_rows
from runner.wire.errors import naming


class TableWriter:
    """`with TableWriter(folder) as tables: rows = tables.add(record)` replaces the folder's tables.

    After each match `results.csv` and `metrics.csv` hold whole matches, whatever happens to the process next;
    `turns.csv.gz` is complete once the writer is closed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = ExitStack()

    def __enter__(self) -> TableWriter:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_datapackage(self._folder)
        with ExitStack() as files:
            self._results = files.enter_context((self._folder / RESULTS.file).open("wb"))
            self._metrics = files.enter_context((self._folder / METRICS.file).open("wb"))
            raw = files.enter_context((self._folder / TURNS.file).open("wb"))
            # no time and no file name inside: equal tables are equal files
            self._turns = files.enter_context(gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
            self._files = files.pop_all()
        _append(self._results, format_header(RESULTS))
        _append(self._metrics, format_header(METRICS))
        self._turns.write(format_header(TURNS).encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with naming(self._folder / TURNS.file):
            self._files.close()

    def add(self, record: MatchRecord) -> list[Row]:
        """Append one match to every table; its rows of `results.csv` are returned."""
        rows = result_rows(record)
        with naming(self._folder / TURNS.file):
            self._turns.write(format_rows(TURNS, turn_rows(record)).encode())
        _append(self._metrics, format_rows(METRICS, metric_rows(record)))
        _append(self._results, format_rows(RESULTS, rows))  # last: a match is there when its results are
        return rows


def _append(out: BinaryIO, text: str) -> None:
    """One write for all lines of a match: a killed process leaves all of them or none."""
    with naming(out.name):
        out.write(text.encode())
        out.flush()
