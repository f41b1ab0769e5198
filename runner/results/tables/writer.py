"""Turns match records into rows of the three result tables and writes them, one match at a time.

The rows depend on one record only. An interrupted tournament can rebuild the tables from its records.
"""

from __future__ import annotations

import math
import statistics
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from gridjoust.runner.results.records.file import RECORDS
from gridjoust.runner.results.records.lines import Header, MatchRecord, SeatEntry, Termination, TurnLine
from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TURNS, Row, TableSchema, Value
from gridjoust.runner.results.tables.datapackage import add_checksums, write_datapackage
from gridjoust.runner.results.tables.kept import KEPT_TABLES, Extent, KeptTables, TablesSeal, new_digest, save_seal
from gridjoust.runner.results.tables.text import format_columns, format_header, format_rows
from gridjoust.runner.seeds import content_id
from gridjoust.runner.wire.errors import naming

_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no name, no time: equal tables are equal files
_AT_ONCE = 1 << 20  # bytes


class Output:
    """A file that is written anew or continues the kept part of an earlier one; it replaces that one when opened."""

    def __init__(self, path: Path, first: bytes, *, name: str, kept: KeptTables | None = None) -> None:
        self._path = path
        self._digest: Any = new_digest() if kept is None else kept.digests[name]
        self.size = 0 if kept is None else kept.seal.tables[name].size
        part = path.with_name(f"{path.name}.part")
        self._file: BinaryIO = part.open("wb")
        if kept is None:
            self.write(first)
        else:
            with path.open("rb") as old:
                _copy(old, self._file, self.size)
            self._file.flush()
        part.replace(path)

    def write(self, data: bytes) -> None:
        """Write data in one call: if the process is killed, the file has all of it or nothing."""
        with naming(self._path):
            self._file.write(data)
            self._file.flush()
        self._digest.update(data)
        self.size += len(data)

    @property
    def digest(self) -> str:
        """The hash of everything written so far, in hex."""
        return str(self._digest.hexdigest())

    def close(self) -> None:
        """Close the file."""
        with naming(self._path):
            self._file.close()


class PackedOutput(Output):
    """An output compressed with gzip; readers can see every write at once."""

    def __init__(self, path: Path, first: bytes, *, name: str, level: int, kept: KeptTables | None = None) -> None:
        self._deflate = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        self.crc, self.unpacked = (0, 0) if kept is None else (kept.seal.crc, kept.seal.unpacked)
        super().__init__(path, _GZIP_HEADER, name=name, kept=kept)
        if kept is None:
            self.add(first)

    def add(self, data: bytes) -> None:
        """Compress the data and write it."""
        self.crc, self.unpacked = zlib.crc32(data, self.crc), self.unpacked + len(data)
        self.write(self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH))

    def close(self) -> None:
        """Write the gzip trailer and close the file."""
        ends = (self.crc.to_bytes(4, "little"), (self.unpacked % 2**32).to_bytes(4, "little"))
        try:
            self.write(b"".join((self._deflate.flush(), *ends)))
        finally:
            super().close()


def _copy(old: BinaryIO, new: BinaryIO, size: int) -> None:
    while size and (data := old.read(min(size, _AT_ONCE))):
        new.write(data)
        size -= len(data)


SEALED_EVERY = 1000  # matches between two saved seals
_PLAIN = (RESULTS, METRICS)
LEVEL = 5  # compression level: the highest makes files smaller by a fifteenth and takes eight times as long
# fields of a record that have the name of a column
_OF_HEADER = tuple(name for name in Header.__struct_fields__ if name in RESULTS.by_name and name != "seats")
_OF_ENTRY = tuple(name for name in SeatEntry.__struct_fields__ if name in RESULTS.by_name)
_OF_ANSWER = TURNS.names[1:]  # all but the match
_ANSWER_VALUES, _ANSWER_ORDER = attrgetter(*_OF_ANSWER), attrgetter("turn", "seat")


def result_rows(record: MatchRecord) -> list[Row]:
    """Return a row of `results.csv` per seat, in seat order."""
    shared = _match_values(record)
    acted = Counter(int(seat) for line in record.lines if isinstance(line, TurnLine) for seat in line.actions)
    return [
        shared | _seat_values(record, seat) | _measured_values(record, seat) | {"turns_acted": acted[seat]}
        for seat in range(len(record.header.seats))
    ]


def end_rows(outline: MatchRecord) -> list[Row]:
    """Return the rows of `results.csv` without the columns that depend on turns and measurements."""
    shared = _match_values(outline)
    return [shared | _seat_values(outline, seat) for seat in range(len(outline.header.seats))]


def metric_rows(record: MatchRecord) -> list[Row]:
    """Return a row of `metrics.csv` per seat and metric, in seat order and the game's order of metrics."""
    return [
        {
            "match_id": record.header.match_id,
            "seat": seat,
            "bot": record.header.seats[seat].bot,
            "metric": metric,
            "value": value,
            "complete": record.end.termination is Termination.COMPLETED and seat not in record.end.forfeited,
        }
        for seat, metrics in enumerate(record.end.metrics)
        for metric, value in metrics.items()
    ]


def turn_columns(record: MatchRecord) -> list[Sequence[Value]]:
    """Return the columns of `turns.csv.gz`, a row per answer, sorted by turn and seat, as answers arrive in any order.

    In a turn that a forfeit has ended early it is also chance which bots had answered, so it has only rows of faults.
    """
    is_cut = record.end.termination is not Termination.COMPLETED
    counted = (one for one in record.answers if one.fault or not is_cut or one.turn <= record.end.turns)
    answers = sorted(counted, key=_ANSWER_ORDER)
    values = zip(*map(_ANSWER_VALUES, answers), strict=True) if answers else [()] * len(_OF_ANSWER)
    return [[record.header.match_id] * len(answers), *values]


def _match_values(record: MatchRecord) -> dict[str, Value]:
    header, end, usage = record.header, record.end, record.usage
    # without the stamps, which differ in every real-time match
    actions = [line.actions for line in record.lines if isinstance(line, TurnLine)]
    return {name: getattr(header, name) for name in _OF_HEADER} | {
        "seats": len(header.seats),
        "termination": end.termination.value,
        "reason": end.reason,
        "turns": end.turns,
        "counted": end.counted,
        "started_utc": usage.started_utc,
        "duration_ms": usage.duration_ms,
        "machine": usage.machine,
        "record": f"{RECORDS}/{header.match_id}.jsonl",
        "actions_id": content_id(actions) if actions else "",
    }


def _seat_values(record: MatchRecord, seat: int) -> dict[str, Value]:
    entry, end = record.header.seats[seat], record.end
    others = dict.fromkeys(other.bot for other in record.header.seats if other.team != entry.team)
    return {name: getattr(entry, name) for name in _OF_ENTRY} | {
        "seat": seat,
        "opponents": " ".join(others),
        "returns": end.returns[seat],
        "rank": end.ranks[seat],
        "points": end.points[seat],
        "faults": end.faults[seat],
        "forfeited": seat in end.forfeited,
    }


def _measured_values(record: MatchRecord, seat: int) -> dict[str, Value]:
    answers = [answer for answer in record.answers if answer.seat == seat]
    planning_ms = _known(answer.planning_ms for answer in answers)
    latency_ms = _known(answer.latency_ms for answer in answers)
    expanded = _known(answer.expanded for answer in answers)
    return {
        "planning_ms_total": math.fsum(planning_ms) if planning_ms else None,
        # nearest rank: the smallest value with 95 % of the values at or below it
        "planning_ms_p95": sorted(planning_ms)[math.ceil(len(planning_ms) * 95 / 100) - 1] if planning_ms else None,
        "latency_ms_p50": statistics.median(latency_ms) if latency_ms else None,
        "cpu_ms": record.usage.cpu_ms[seat],
        "peak_mb": record.usage.peak_mb[seat],
        "nodes_expanded": int(sum(expanded)) if expanded else None,
        "searches": sum(nodes > 0 for nodes in expanded) if expanded else None,
    }


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


class TableWriter:
    """Writes the tables of a folder: `with TableWriter(folder) as tables: rows = tables.add(record)`.

    At any time, even after the process is killed, every match in `results.csv` is complete in all tables. Each table
    replaces that of an earlier run atomically, `results.csv` first. Closing the writer adds checksums. `rows` counts
    the rows of each table, by table name.
    """

    def __init__(self, folder: Path, *, key: bytes = b"", kept: KeptTables | None = None) -> None:
        """Prepare to write; `key` seals the tables for a resumed run, `kept`: earlier tables to add to."""
        self._folder = folder
        self._key = key
        self._kept = kept
        self._files = ExitStack()
        self._is_whole = True  # True: all tables have the same matches
        self.matches = 0
        self.rows: dict[str, int] = {}

    def __enter__(self) -> TableWriter:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_datapackage(self._folder)
        kept, folder = self._kept, self._folder
        self._is_whole = True
        self.matches = 0 if kept is None else kept.seal.matches
        self.rows = {table.name: 0 if kept is None else kept.seal.tables[table.name].rows for table in KEPT_TABLES}
        with ExitStack() as files:
            made = [Output(folder / table.file, _first(table), name=table.name, kept=kept) for table in _PLAIN]
            self._results, self._metrics = (files.enter_context(closing(each)) for each in made)
            turns = PackedOutput(folder / TURNS.file, _first(TURNS), name=TURNS.name, level=LEVEL, kept=kept)
            self._turns = files.enter_context(closing(turns))
            self._files = files.pop_all()
        self._save_seal()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._save_seal()
        self._files.close()
        if kind is None:
            add_checksums(self._folder, self.rows)

    def kept_matches(self) -> Iterator[tuple[str, list[Row]]]:
        """Yield the matches that are in the tables already, with their rows of `results.csv`, in order."""
        return iter(()) if self._kept is None else self._kept.matches()

    def begin_anew(self) -> None:
        """Start the tables again without any match."""
        self._files.close()
        self._kept = None
        self.__enter__()

    def add(self, record: MatchRecord) -> list[Row]:
        """Append one match to every table; return its rows of `results.csv`."""
        rows, metrics, turns = result_rows(record), metric_rows(record), turn_columns(record)
        self._is_whole = False
        self._turns.add(format_columns(TURNS, turns).encode())
        self._metrics.write(format_rows(METRICS, metrics).encode())
        self._results.write(format_rows(RESULTS, rows).encode())  # last: a match is there when its results are
        for table, added in ((RESULTS, rows), (METRICS, metrics), (TURNS, turns[0])):
            self.rows[table.name] += len(added)
        self.matches, self._is_whole = self.matches + 1, True
        if self.matches % SEALED_EVERY == 0:
            self._save_seal()
        return rows

    def _save_seal(self) -> None:
        if self._key and self._is_whole:
            outputs = dict(zip(self.rows, (self._results, self._metrics, self._turns), strict=True))
            tables = {
                name: Extent(size=out.size, digest=out.digest, rows=self.rows[name]) for name, out in outputs.items()
            }
            crc, unpacked = self._turns.crc, self._turns.unpacked
            seal = TablesSeal(matches=self.matches, tables=tables, crc=crc, unpacked=unpacked)
            save_seal(self._folder, seal, self._key)


def _first(table: TableSchema) -> bytes:
    return format_header(table).encode()
