"""Compares the tables of two runs of a tournament, without their measured columns."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from gridjoust.runner.results.tables.columns import TABLES, TableSchema
from gridjoust.runner.results.tables.text import read_rows


def first_difference(expected: Path, got: Path) -> str | None:
    """Return the first difference of two results folders: `file: row: column: expected ..., got ...`, or None.

    Measured columns are not compared.
    """
    differences = (table_difference(table, expected / table.file, got / table.file) for table in TABLES)
    return next((difference for difference in differences if difference is not None), None)


def table_difference(table: TableSchema, expected: Path, got: Path) -> str | None:
    """Return the first difference of two files of one table, or None.

    Measured columns are ignored, and so are recent ones that `got` lacks.
    """
    presence = ["the file" if path.exists() else "no file" for path in (expected, got)]
    if presence[0] != presence[1]:
        return f"{table.file}: expected {presence[0]}, got {presence[1]}"
    if not expected.exists():
        return None
    known = next(iter(read_rows(got)), None) or {}
    ignored = {
        column.name
        for column in table.columns
        if column.is_measured or (column.is_recent and known and column.name not in known)
    }
    rows = (
        ({name: text for name, text in row.items() if name not in ignored} for row in read_rows(path))
        for path in (expected, got)
    )
    for number, (want, have) in enumerate(zip_longest(*rows), 1):
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
