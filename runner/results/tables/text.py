"""Converts rows to CSV text and back: UTF-8, LF, RFC 4180 quoting, empty = missing."""

from __future__ import annotations

import csv
import gzip
import io
import math
import os
import re
import warnings
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO, cast

from gridjoust.runner.results.tables.columns import Column, Row, TableSchema, Value
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.runner.wire.text import plain_text

MOST_LETTERS = 1 << 20  # characters of a line
_TAIL_BYTES = 1 << 16  # bytes read at a time to find the end of the last complete line
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of formulas; source: OWASP, "CSV Injection"
_NEEDS_QUOTES = re.compile('[",\r\n]')  # csv.writer leaves a bare \r unquoted in some versions of Python


def format_header(table: TableSchema) -> str:
    """Return the first line of the table's file."""
    return ",".join(map(quoted, table.names)) + "\n"


def format_rows(table: TableSchema, rows: Iterable[Row]) -> str:
    """Format rows as CSV lines; KeyError if a row lacks a column."""
    whole = list(rows)
    return format_columns(table, [[row[name] for row in whole] for name in table.names])


def format_columns(table: TableSchema, columns: Sequence[Sequence[Value]]) -> str:
    """Format columns, in file order, as CSV lines; a quarter faster than row by row."""
    cells = [_format_column(column, values) for column, values in zip(table.columns, columns, strict=True)]
    return "".join([f"{','.join(line)}\n" for line in zip(*cells, strict=True)])


def _format_column(column: Column, values: Sequence[Value]) -> list[str]:
    if values.count(None) == len(values):  # most measures of most bots
        return [""] * len(values)
    format_it = formatter(column)
    return ["" if value is None else format_it(value) for value in values]


@lru_cache
def formatter(column: Column) -> Callable[[Any], str]:
    """Return the function that formats values of a column; values from memory and from a record give equal text.

    nan and infinity become missing, as JSON does not have them either.
    """
    decimals = column.decimals

    def number(value: float | str) -> str:
        if not math.isfinite(exact := float(value)):
            return ""
        return repr((exact if decimals is None else round(exact, decimals)) + 0.0)  # + 0.0: no minus before a zero

    def boolean(value: object) -> str:
        return "1" if value else "0"

    def text(value: object) -> str:
        return _cell(str(value))

    ways: dict[str, Callable[[Any], str]] = {"number": number, "integer": str, "boolean": boolean}
    return ways.get(column.type, text)


def require_columns(path: Path, names: Iterable[str]) -> None:
    """Raise a ConfigError unless the file's first line has all of these columns."""
    with reading(path), path.open(encoding="utf-8", newline="\n") as lines:
        columns = next(csv.reader(_whole_lines(lines)), [])
    require_in(path, columns, names)


def require_in(path: Path, found: Collection[str], names: Iterable[str]) -> None:
    """Raise a ConfigError unless all `names` are among the columns `found`."""
    for name in names:
        if name not in found:
            raise ConfigError(f"{path}: the column {name} is missing")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise a ConfigError if the table that is read in the context is damaged or not written by Joust."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="Length of header")  # pandas would leave cells out
            yield
    except EOFError:
        raise ConfigError(f"{path}: the file is incomplete") from None
    except (Warning, ValueError, TypeError, OverflowError, csv.Error, zlib.error, gzip.BadGzipFile) as error:
        [line, *_] = str(error).splitlines() or ["no table"]
        raise ConfigError(f"{path}: expected a table as Joust writes it, got: {plain_text(line, limit=200)}") from None


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table's file as text, without an incomplete last line; ConfigError for a damaged table."""
    opened = gzip.open if path.suffix == ".gz" else open
    with reading(path), opened(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, row in enumerate(csv.DictReader(_whole_lines(cast(TextIO, lines))), 1):
            if None in row or None in row.values():
                raise ValueError(f"row {number} with more or fewer fields than the first line")
            yield row


class WholeLines(io.RawIOBase):
    """Reads a file up to its last complete line at the time of opening; later additions are not read."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._left = self._file.seek(0, os.SEEK_END)
        while self._left:
            start = self._file.seek(max(0, self._left - _TAIL_BYTES))
            self._left = start + self._file.read(self._left - start).rfind(b"\n") + 1
            if self._left > start:
                break
        self._file.seek(0)

    def readable(self) -> bool:
        """Return True, as the file can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into the buffer; return their number, 0 at the end."""
        count = self._file.readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= count
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def _whole_lines(lines: TextIO) -> Iterator[str]:
    while line := lines.readline(MOST_LETTERS):
        if line.endswith("\n"):
            yield line
        elif len(line) == MOST_LETTERS:
            raise ValueError(f"a line of more than {MOST_LETTERS} letters")


def cell_text(text: str) -> str:
    """Return a text with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> [cell_text(text) for text in ("1.0", "=1+1", "@x", "a-b")]
    ['1.0', "'=1+1", "'@x", 'a-b']
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


@lru_cache(maxsize=1024)
def _cell(text: str) -> str:
    """Return a value of a text column as a field; cached, because columns repeat few values."""
    return quoted(cell_text(text))


@lru_cache(maxsize=1024)
def quoted(text: str) -> str:
    """Return the text as a field of a CSV line, in quotes if necessary."""
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
