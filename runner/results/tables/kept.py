"""Finds the part of an earlier run's tables that can be kept, by `tables.seal` beside them.

While a run writes its tables, it regularly saves their sizes, number of matches and hashes, sealed with the key of the
results folder like its records. A resumed run then adds to these tables; otherwise it would write them again from every
record.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

import msgspec

from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS, Row, Value
from gridjoust.runner.results.tables.text import format_header
from gridjoust.runner.wire.text import UNREADABLE

FILE = "tables.seal"
KEPT_TABLES = (RESULTS, METRICS, TURNS)
_AT_ONCE = 1 << 20  # bytes
_GZIP_END = 10  # the last, empty block, checksum and size


class Digest(Protocol):
    """Interface of a hash of bytes that are added step by step."""

    def update(self, data: bytes, /) -> None:
        """Add these bytes to the hash."""

    def hexdigest(self) -> str:
        """Return the hash of all bytes so far, in hex."""


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """The beginning of a table's file: number of bytes, their hash, number of rows."""

    size: int
    digest: str
    rows: int


class TablesSeal(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `tables.seal`. `crc` and `unpacked` (bytes) are of the table of answers before compression."""

    matches: int
    tables: dict[str, Extent]
    crc: int
    unpacked: int
    mac: str = ""


class KeptTables:
    """The tables of a folder, or their beginnings, that are unchanged since a run wrote them."""

    def __init__(self, folder: Path, seal: TablesSeal, digests: Mapping[str, Digest]) -> None:
        self.folder = folder
        self.seal = seal
        self.digests = digests  # a writer continues them with the rows that it adds

    def matches(self) -> Iterator[tuple[str, list[Row]]]:
        """Yield each match's id and rows of `results.csv`, in file order."""
        for match_id, own in groupby(self.cells(), key=itemgetter(0)):
            yield match_id, [_KeptRow(row) for row in own]

    def cells(self) -> Iterator[list[str]]:
        """Yield the rows of `results.csv` as text."""
        with (self.folder / RESULTS.file).open("rb") as file:
            rows = csv.reader(_lines(file.readline, self.seal.tables[RESULTS.name].size))
            next(rows)
            yield from rows

    @property
    def has_these_columns(self) -> bool:
        """True if the files have the columns of this version, so that rows can be added."""
        return all(_first_line(self.folder / table.file) == format_header(table).encode() for table in KEPT_TABLES)

    @property
    def is_all(self) -> bool:
        """True if the files contain nothing after the kept part, except the trailer of the compressed one."""
        more = {
            table.name: (self.folder / table.file).stat().st_size - self.seal.tables[table.name].size
            for table in KEPT_TABLES
        }
        return not more[RESULTS.name] and not more[METRICS.name] and more[TURNS.name] <= _GZIP_END


def load_kept(folder: Path, keys: Sequence[bytes]) -> KeptTables | None:
    """Load the part of a folder's tables that can be kept; None if there are none, or they were changed."""
    try:
        seal = msgspec.json.decode((folder / FILE).read_bytes(), type=TablesSeal)
    except (OSError, *UNREADABLE):
        return None
    if not any(hmac.compare_digest(_mac(seal, key), seal.mac) for key in keys):
        return None
    digests = {}
    for table in KEPT_TABLES:
        extent = seal.tables[table.name]
        digest = _digest_of(folder / table.file, extent.size)
        if digest is None or digest.hexdigest() != extent.digest:
            return None
        digests[table.name] = digest
    return KeptTables(folder, seal, digests)


def save_seal(folder: Path, seal: TablesSeal, key: bytes) -> None:
    """Replace `tables.seal` atomically, sealed with the key."""
    part = folder / f"{FILE}.part"
    part.write_bytes(msgspec.json.encode(msgspec.structs.replace(seal, mac=_mac(seal, key))) + b"\n")
    part.replace(folder / FILE)


def _first_line(path: Path) -> bytes:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        return file.readline()


def new_digest() -> Any:
    """Return a new hash object, to be fed with the bytes of a table."""
    return hashlib.blake2b(digest_size=16)


def _digest_of(path: Path, size: int) -> Any:
    """Return the hash of a file's first `size` bytes; None if it is shorter."""
    digest = new_digest()
    try:
        with path.open("rb") as file:
            while size and (data := file.read(min(size, _AT_ONCE))):
                digest.update(data)
                size -= len(data)
    except OSError:
        return None
    return None if size else digest


def _mac(seal: TablesSeal, key: bytes) -> str:
    content = msgspec.json.encode(msgspec.structs.replace(seal, mac=""))
    return hashlib.blake2b(content, digest_size=16, key=key).hexdigest()


def _lines(read_line: Callable[[], bytes], size: int) -> Iterator[str]:
    """Yield the lines within the first `size` bytes of a file."""
    while size > 0:
        line = read_line()
        size -= len(line)
        yield line.decode()


class _KeptRow(Row):
    """A row of a kept table whose cells are parsed only when they are read, as few of them are.

    It reverses the format of `gridjoust.runner.results.tables.text`, except that a missing text is "".
    """

    __slots__ = ("_cells",)

    def __init__(self, cells: Sequence[str]) -> None:
        if len(cells) != len(RESULTS.names):
            raise ValueError(f"expected a row of {len(RESULTS.names)} cells, got {len(cells)}")
        self._cells = cells

    def __getitem__(self, name: str) -> Value:
        at, parse = _PARSED[name]
        text = self._cells[at]
        if parse is None:
            return text
        return parse(text) if text else None

    def __iter__(self) -> Iterator[str]:
        return iter(_PARSED)

    def __len__(self) -> int:
        return len(_PARSED)


_PARSERS: dict[str, Callable[[str], Value]] = {"number": float, "integer": int, "boolean": "1".__eq__}
_PARSED = {column.name: (at, _PARSERS.get(column.type)) for at, column in enumerate(RESULTS.columns)}
