"""Match records -> the rows of the three result tables, and their files, one match at a time. Keeps no rows in memory.

The rows are a pure fold of one record. The tables are always written from their start: an interrupted tournament
rebuilds them from its records.
"""

from __future__ import annotations

import gzip
import math
import statistics
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from runner.record.file import RECORDS
from runner.record.lines import AnswerLine, Header, MatchRecord, SeatEntry, TurnLine
from runner.seeds import content_id
from runner.tables.checksums import add_checksums
from runner.tables.columns import METRICS, RESULTS, TURNS, Row, Table, Value
from runner.tables.datapackage import write_datapackage
from runner.tables.text import format_header, format_rows
from runner.wire.errors import naming

LEVEL = 5  # of compression: the highest makes files smaller by a fifteenth and takes eight times as long

# what a record calls like the column
_OF_HEADER = tuple(name for name in Header.__struct_fields__ if name in RESULTS.by_name and name != "seats")
_OF_ENTRY = tuple(name for name in SeatEntry.__struct_fields__ if name in RESULTS.by_name)
_OF_ANSWER = tuple(name for name in AnswerLine.__struct_fields__ if name in TURNS.by_name)
_ANSWER_VALUES, _ANSWER_ORDER = attrgetter(*_OF_ANSWER), attrgetter("turn", "seat")


def result_rows(record: MatchRecord) -> list[Row]:
    """A row per seat, in seat order."""
    shared = _match_values(record)
    acted = Counter(int(seat) for line in record.lines if isinstance(line, TurnLine) for seat in line.actions)
    return [
        shared | _seat_values(record, seat) | _measured_values(record, seat) | {"turns_acted": acted[seat]}
        for seat in range(len(record.header.seats))
    ]


def metric_rows(record: MatchRecord) -> list[Row]:
    """A row per seat and metric, in seat order, metrics in the game's order."""
    return [
        {
            "match_id": record.header.match_id,
            "seat": seat,
            "bot": record.header.seats[seat].bot,
            "metric": metric,
            "value": value,
        }
        for seat, metrics in enumerate(record.end.metrics)
        for metric, value in metrics.items()
    ]


def turn_rows(record: MatchRecord) -> list[Row]:
    """A row per answer by turn and seat: the order in which bots happened to answer a turn is chance."""
    names, match_id = ("match_id", *_OF_ANSWER), record.header.match_id
    answers = sorted(record.answers, key=_ANSWER_ORDER)
    return [dict(zip(names, (match_id, *_ANSWER_VALUES(answer)), strict=True)) for answer in answers]


def _match_values(record: MatchRecord) -> dict[str, Value]:
    header, end, usage = record.header, record.end, record.usage
    # without the stamps: in real-time games no two are alike
    actions = [line.actions for line in record.lines if isinstance(line, TurnLine)]
    return {name: getattr(header, name) for name in _OF_HEADER} | {
        "seats": len(header.seats),
        "termination": end.termination.value,
        "reason": end.reason,
        "turns": end.turns,
        "counted": end.counted,
        "started_utc": usage.started_utc,
        "duration_ms": usage.duration_ms,
        "machine": usage.machine or None,
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
    """`with TableWriter(folder) as tables: rows = tables.add(record)` replaces the folder's tables.

    Whenever somebody reads, and whatever happens to the process: all tables hold whole matches, and `results.csv` only
    those that the others have too. Each table replaces that of an earlier run at once, `results.csv` first. Once the
    writer is closed they have checksums. `rows` counts what has been added to each, by the table's name.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = ExitStack()
        self.rows: dict[str, int] = dict.fromkeys((RESULTS.name, METRICS.name, TURNS.name), 0)

    def __enter__(self) -> TableWriter:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_datapackage(self._folder)
        with ExitStack() as files:
            self._results = files.enter_context(_begin(self._folder / RESULTS.file, format_header(RESULTS)))
            self._metrics = files.enter_context(_begin(self._folder / METRICS.file, format_header(METRICS)))
            self._packed = files.enter_context(_begin(self._folder / TURNS.file, ""))
            # no time and no file name inside: equal tables are equal files
            self._turns = files.enter_context(gzip.GzipFile("", "wb", LEVEL, fileobj=self._packed, mtime=0))
            self._files = files.pop_all()
        self._turns.write(format_header(TURNS).encode())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with naming(self._folder / TURNS.file):
            self._files.close()
        if kind is None:
            add_checksums(self._folder, self.rows)

    def add(self, record: MatchRecord) -> list[Row]:
        """Append one match to every table; its rows of `results.csv` are returned."""
        rows, metrics, turns = result_rows(record), metric_rows(record), turn_rows(record)
        with naming(self._folder / TURNS.file):
            self._turns.write(format_rows(TURNS, turns).encode())
            self._turns.flush()
            self._packed.flush()
        self._append(self._metrics, METRICS, metrics)
        self._append(self._results, RESULTS, rows)  # last: a match is there when its results are
        for table, added in ((RESULTS, rows), (METRICS, metrics), (TURNS, turns)):
            self.rows[table.name] += len(added)
        return rows

    def _append(self, out: BinaryIO, table: Table, rows: Iterable[Row]) -> None:
        """One write for all lines of a match: a killed process leaves all of them or none."""
        with naming(self._folder / table.file):
            out.write(format_rows(table, rows).encode())
            out.flush()


def _begin(path: Path, header: str) -> BinaryIO:
    """The file, with its header from the moment at which it replaces an earlier one."""
    part = path.with_name(f"{path.name}.part")
    out = part.open("wb")
    out.write(header.encode())
    out.flush()
    part.replace(path)
    return out
