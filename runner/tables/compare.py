"""Whether two runs of a tournament came out the same: all tables but their measured columns. Judges no records."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from runner.tables.columns import TABLES, Table, measured_columns


def first_difference(expected: Path, got: Path) -> str | None:
    """Where two results folders first differ, as `file: row: column: expected ..., got ...`, or None.

    Measured columns are left aside.
    """
    differences = (_table_difference(table, expected / table.file, got / table.file) for table in TABLES)
    return next((found for found in differences if found is not None), None)


def _table_difference(table: Table, expected: Path, got: Path) -> str | None:
    if expected.exists() != got.exists():
        return f"{table.file}: expected {_presence(expected)}, got {_presence(got)}"
    if not expected.exists():
        return None
    rows = zip_longest(_read(expected, table), _read(got, table))
    for number, (want, have) in enumerate(rows, 1):
        if want != have:
            return f"{table.file}: row {number}: {_row_difference(want, have)}"
    return None


def _row_difference(want: dict[str, str] | None, have: dict[str, str] | None) -> str:
    if want is None or have is None:
        return f"expected {'a row' if want else 'the end'}, got {'a row' if have else 'the end'}"
    if want.keys() != have.keys():
        return f"expected columns {' '.join(want)}, got {' '.join(have)}"
    name = next(name for name in want if want[name] != have[name])
    return f"{name}: expected {want[name]!r}, got {have[name]!r}"


def _read(path: Path, table: Table) -> Iterator[dict[str, str]]:
    measured = measured_columns(table)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for row in csv.DictReader(lines):
            yield {name: text for name, text in row.items() if name not in measured}


def _presence(path: Path) -> str:
    return "the file" if path.exists() else "no file"
