"""Rows <-> CSV text: UTF-8, LF, RFC 4180 quoting, empty = missing. Knows the columns, not where rows come from."""

from __future__ import annotations

import csv
import gzip
import math
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.tables.columns import Column, Row, Table, Value
from runner.wire.errors import ConfigError
from runner.wire.text import plain_text

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
    with reading(path), path.open(encoding="utf-8", newline="\n") as lines:
        found = next(csv.reader(_whole_lines(lines)), [])
    require_in(path, found, names)


def require_in(path: Path, found: Collection[str], names: Iterable[str]) -> None:
    """ConfigError unless all of these columns are among those found."""
    for name in names:
        if name not in found:
            raise ConfigError(f"{path}: expected a column {name}, got none")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """ConfigError for a table that is damaged or somebody else's making."""
    try:
        yield
    except EOFError:
        raise ConfigError(f"{path}: expected a whole file, got one that was cut short") from None
    except (ValueError, TypeError, OverflowError, csv.Error, zlib.error, gzip.BadGzipFile) as error:
        [line, *_] = str(error).splitlines() or ["no table"]
        raise ConfigError(f"{path}: expected a table as Joust writes it, got: {plain_text(line, limit=200)}") from None


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table's file as text, one at a time; a last line that was cut short is left out."""
    opened = gzip.open if path.suffix == ".gz" else open
    with reading(path), opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, row in enumerate(csv.DictReader(_whole_lines(lines)), 1):
            if None in row or None in row.values():
                raise ValueError(f"row {number} with more or fewer fields than the first line")
            yield row


def _whole_lines(lines: Iterable[str]) -> Iterator[str]:
    return (line for line in lines if line.endswith("\n"))


def _format_lines(lines: Iterable[Iterable[str]]) -> str:
    return "".join(",".join(map(quoted, line)) + "\n" for line in lines)


def quoted(text: str) -> str:
    """A field of a CSV line."""
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
