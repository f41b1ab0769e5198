"""A pack: many match records in one SQLite file, compressed and indexed. It is written once and never changed.

A record is stored as two zstd frames: its head (first line and last lines: players, costs, end, seal) and the lines
between. Frames of one kind share a dictionary made of a few records of that kind. Records are returned byte for byte
as they were added.
"""

from __future__ import annotations

import os
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

import msgspec
import zstandard

from gridjoust.runner.results.records.lines import is_match_id
from gridjoust.runner.wire.errors import RecordError, naming
from gridjoust.runner.wire.text import UNREADABLE

LEVEL = 11  # zstd's level: with 9, packs are 3 to 7 % larger; 12 gains little
MOST = 50_000  # the most matches of a pack
DICTIONARY_BYTES = 512 * 1024
SAMPLED = 32  # records that a kind's dictionary is made from
LARGEST = 64 << 20  # bytes of one record, unpacked: a larger one stays a file; a frame with more counts as damaged
_SHARE = 16  # a dictionary is at most 1/16 of the data that it compresses
_TAIL_LINES = 3  # usage, end, seal
_SCHEMA = """
PRAGMA page_size = 32768;
PRAGMA journal_mode = OFF;
PRAGMA user_version = 1;
"""
_TABLES = {
    "kind": "CREATE TABLE kind (kind INTEGER PRIMARY KEY, format INTEGER, tournament TEXT, game TEXT, "
    "game_version TEXT, head BLOB, body BLOB)",
    "match": "CREATE TABLE match (match_id TEXT PRIMARY KEY, kind INTEGER, head BLOB, body BLOB)",
}
ReadRecord = Callable[[str], bytes]


class Kind(msgspec.Struct, frozen=True):
    """Header values that records in a pack have in common if they share a dictionary for compression."""

    format: int = 0
    tournament: str = ""
    game: str = ""
    game_version: str = ""


class Pack:
    """A pack, open for reading; threads may share it. A RecordError says that it is damaged."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock()
        self._readers: dict[int, tuple[Any, Any]] = {}  # kind -> decompressors of heads and bodies
        try:
            uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
            self._db = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._close = finalize(self, self._db.close)
            self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
            self._check_version()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(error) from None

    def close(self) -> None:
        """Close the file; a pack without references closes itself."""
        self._close()

    def __contains__(self, match_id: str) -> bool:
        return bool(self._ask("SELECT 1 FROM match WHERE match_id = ?", match_id))

    def ids(self) -> list[str]:
        """Return the ids of the matches, sorted."""
        return [self._checked(match_id) for (match_id,) in self._ask("SELECT match_id FROM match ORDER BY match_id")]

    def kinds(self) -> list[Kind]:
        """Return the groups of records with a shared dictionary for compression, by their common header values."""
        return [Kind(*row) for row in self._ask("SELECT format, tournament, game, game_version FROM kind")]

    def read(self, match_id: str) -> bytes | None:
        """Return the bytes of a record as they were added; None if it is not in this pack."""
        if not (rows := self._ask("SELECT kind, head, body FROM match WHERE match_id = ?", match_id)):
            return None
        return self._join(match_id, *rows[0])

    def head(self, match_id: str) -> bytes | None:
        """Return the first line and the last lines of a record; None if it is not in this pack."""
        if not (rows := self._ask("SELECT kind, head FROM match WHERE match_id = ?", match_id)):
            return None
        return self._unpack(match_id, *rows[0])[0]

    def heads(self) -> Iterator[tuple[str, bytes]]:
        """Yield (match id, first line and last lines of its record) of every match, sorted by id."""
        for match_id, kind, head in self._ask("SELECT match_id, kind, head FROM match ORDER BY match_id"):
            yield self._checked(match_id), self._unpack(match_id, kind, head)[0]

    def readable(self) -> Iterator[tuple[str, bytes]]:
        """Yield the records of a damaged pack that can still be read; the search does not use its index."""
        for row in range(1, MOST + 1):
            try:
                rows = self._ask("SELECT match_id, kind, head, body FROM match NOT INDEXED WHERE rowid = ?", row)
                if rows:
                    match_id, *parts = rows[0]
                    yield self._checked(match_id), self._join(match_id, *parts)
            except RecordError:  # this record is damaged
                continue

    def _checked(self, match_id: object) -> str:
        """Return the match id if it is valid, as ids become parts of paths; RecordError for any other value."""
        if not is_match_id(match_id):
            raise self._damaged(f"expected a match id of letters and digits, got {match_id!r:.60}")
        return match_id

    def _check_version(self) -> None:
        ((version,),) = self._db.execute("PRAGMA user_version").fetchall()
        if version != 1:
            raise RecordError(f"{self.path}: expected a pack of match records, version 1, got version {version}")
        # a view in place of a table could return rows without end
        rows = self._db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL LIMIT 9").fetchall()
        if {name: " ".join(str(sql).split()) for name, sql in rows} != _TABLES:  # bytes in a damaged file
            raise self._damaged(f"expected the tables {' and '.join(_TABLES)}, got others")

    def _ask(self, query: str, *values: str | int) -> list[Any]:
        try:
            with self._lock:
                return self._db.execute(query, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(error) from None

    def _join(self, match_id: str, kind: int, head: bytes, body: bytes) -> bytes:
        whole, between = self._unpack(match_id, kind, head, body)
        first, end, tail = whole.partition(b"\n")
        return b"".join((first, end, between, tail))

    def _unpack(self, match_id: str, kind: int, *frames: bytes) -> list[bytes]:
        """Decompress one or two frames of a record: its head, or the head and the lines between.

        `kind`: number of the dictionary for compression.
        """
        try:
            with self._lock:
                if (readers := self._readers.get(kind)) is None:
                    readers = self._readers[kind] = self._load_readers(kind)
                return [_decompress(reader, frame) for reader, frame in zip(readers, frames, strict=False)]
        except (zstandard.ZstdError, sqlite3.Error, TypeError, ValueError, MemoryError) as error:
            raise self._damaged(error, match_id) from None

    def _load_readers(self, kind: int) -> tuple[Any, Any]:
        ((head, body),) = self._db.execute("SELECT head, body FROM kind WHERE kind = ?", (kind,)).fetchall()
        plain = zstandard.ZstdDecompressor()
        texts = (_decompress(plain, each, most=DICTIONARY_BYTES) for each in (head, body))
        made = [zstandard.ZstdDecompressor(dict_data=_dictionary(text)) for text in texts]
        return made[0], made[1]

    def _damaged(self, error: Exception | str, match_id: str = "") -> RecordError:
        where = f": match {match_id}" if match_id else ""
        return RecordError(f"{self.path}{where}: expected a pack of match records, got a damaged file: {error}")


def write_pack(path: Path, ids: Sequence[str], read: ReadRecord) -> None:
    """Write a pack and wait until it is on the disk; `read` returns a record's bytes and is called several times."""
    path.unlink(missing_ok=True)
    with naming(path), closing(sqlite3.connect(path)) as db:
        db.executescript(f"{_SCHEMA}{';'.join(_TABLES.values())};")
        with db:
            _fill(db, ids, read)
    with naming(path), path.open("rb") as written:
        os.fsync(written.fileno())


def split(raw: bytes) -> tuple[bytes, bytes]:
    """Split a record into its head (first line and last lines) and the lines between; b"" if there are none."""
    first = raw.find(b"\n") + 1
    tail = len(raw)
    for _ in range(_TAIL_LINES):
        tail = raw.rfind(b"\n", first, max(first, tail - 1)) + 1 or first
    return raw[:first] + raw[tail:], raw[first:tail]


def _fill(db: sqlite3.Connection, ids: Sequence[str], read: ReadRecord) -> None:
    numbers: dict[Kind, int] = {}
    writers: list[tuple[Any, Any]] = []
    kind_of = {match_id: _kind_of(read(match_id)) for match_id in ids}
    of_kind: defaultdict[Kind, list[str]] = defaultdict(list)
    for match_id, kind in kind_of.items():
        of_kind[kind].append(match_id)
    for kind, members in of_kind.items():
        numbers[kind] = len(numbers)
        parts = zip(*(split(read(match_id)) for match_id in _sampled(members)), strict=True)
        dictionaries = [_sample_text(part, len(members)) for part in parts]
        writers.append((_compressor(dictionaries[0]), _compressor(dictionaries[1])))
        plain = zstandard.ZstdCompressor(level=LEVEL)
        kept = [plain.compress(each) for each in dictionaries]
        row = (numbers[kind], *msgspec.structs.astuple(kind), *kept)
        db.execute("INSERT INTO kind VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    db.executemany("INSERT INTO match VALUES (?, ?, ?, ?)", _rows(ids, read, kind_of, numbers, writers))


def _rows(
    ids: Iterable[str],
    read: ReadRecord,
    kind_of: dict[str, Kind],
    numbers: dict[Kind, int],
    writers: Sequence[tuple[Any, Any]],
) -> Iterator[tuple[str, int, bytes, bytes]]:
    for match_id in ids:
        number = numbers[kind_of[match_id]]
        heads, bodies = writers[number]
        head, body = split(read(match_id))
        yield match_id, number, heads.compress(head), bodies.compress(body)


def _kind_of(raw: bytes) -> Kind:
    try:
        return msgspec.json.decode(raw.partition(b"\n")[0], type=Kind)
    except UNREADABLE:
        return Kind()


def _sampled(ids: Sequence[str]) -> Sequence[str]:
    """Return a sample of the ids, evenly spread."""
    return ids[:: max(1, len(ids) // SAMPLED)][:SAMPLED]


def _sample_text(parts: Sequence[bytes], matches: int) -> bytes:
    """Join samples, up to the size that a dictionary for `matches` records may have."""
    most = min(DICTIONARY_BYTES, sum(map(len, parts)) * matches // len(parts) // _SHARE)
    return b"".join(parts)[:most]


def _compressor(dictionary: bytes) -> Any:
    made = _dictionary(dictionary)
    if made is not None:
        made.precompute_compress(level=LEVEL)
    return zstandard.ZstdCompressor(level=LEVEL, dict_data=made, write_checksum=True)


def _decompress(reader: Any, frame: bytes, *, most: int = LARGEST) -> bytes:
    """Decompress a frame; ValueError, before memory is allocated, if it would have more than `most` bytes."""
    if (size := zstandard.frame_content_size(frame)) > most:
        raise ValueError(f"expected at most {most} bytes, got a frame of {size}")
    unpacked: bytes = reader.decompress(frame, max_output_size=most)  # the limit for frames without a size
    return unpacked


def _dictionary(text: bytes) -> Any:
    return zstandard.ZstdCompressionDict(text, dict_type=zstandard.DICT_TYPE_RAWCONTENT) if text else None
