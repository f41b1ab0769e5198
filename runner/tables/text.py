"""Rows <-> CSV text: UTF-8, LF, RFC 4180 quoting, empty = missing. Knows the columns, not where rows come from."""

from __future__ import annotations

import csv
import gzip
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from runner.tables.columns import Column, Row, Table, Value
from runner.wire.errors import ConfigError

_NEEDS_QUOTES = re.compile('[",\r\n]')  # csv.writer leaves a bare \r unquoted in some versions of Python


def format_header(table: Table) -> str:
    """The first line of the table's file."""
    return _format_lines([table.names])


def format_rows(table: Table, rows: Iterable[Row]) -> str:
    """CSV lines; KeyError if a row lacks a column."""
    return _format_lines([format_value(column, row[column.name]) for column in table.columns] for row in rows)


def format_value(column: Column, value: Value) -> str:
    """One value as the column's text, the same whether it comes from memory or was read from a record.

    What is no number (nan, infinity) is missing, as JSON has no such thing either.
    """
    if value is None:
        return ""
    if column.type == "boolean":
        return "1" if value else "0"
    if column.type != "number":
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        return ""
    rounded = number if column.decimals is None else round(number, column.decimals)
    return repr(rounded + 0.0)  # + 0.0: no minus before a zero


def require_columns(path: Path, names: Iterable[str]) -> None:
    """ConfigError unless the file's first line has all of these columns."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        found = next(csv.reader(_whole_lines(lines)), [])
    for name in names:
        if name not in found:
            raise ConfigError(f"{path}: expected a column {name}, got none")


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table's file as text, one at a time; a last line that was cut short is left out."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for row in csv.DictReader(_whole_lines(lines)):
            yield {name: text for name, text in row.items() if name is not None and text is not None}


def _whole_lines(lines: Iterable[str]) -> Iterator[str]:
    return (line for line in lines if line.endswith("\n"))


def _format_lines(lines: Iterable[Iterable[str]]) -> str:
    return "".join(",".join(map(quoted, line)) + "\n" for line in lines)


def quoted(text: str) -> str:
    """A field of a CSV line."""
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
