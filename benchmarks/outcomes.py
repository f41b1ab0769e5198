"""Read the results of a tournament, and compare them with an undisturbed run of the same tournament."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figures
from gridjoust.runner.results.records.file import list_records, read_record
from gridjoust.runner.results.records.lines import MatchRecord, Termination
from gridjoust.runner.results.tables.columns import RESULTS
from gridjoust.runner.results.tables.text import read_rows

_COLUMNS = [column.name for column in RESULTS.columns if not column.is_measured]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Records by match, rows of the results by match and seat without measured columns, and repeated rows."""

    records: dict[str, MatchRecord]
    rows: dict[tuple[str, str], dict[str, str]]
    doubled: int = 0


def read_outcome(results: Path) -> Outcome:
    """Read the outcome from a results folder."""
    found = [
        ((row["match_id"], row["seat"]), {name: row[name] for name in _COLUMNS})
        for row in read_rows(results / RESULTS.file)
    ]
    records = {path.stem: read_record(path) for path in list_records(results)}
    return Outcome(records, dict(found), len(found) - len(dict(found)))


def has_void_matches(results: Path) -> bool:
    """Return True if `--resume` would play matches again."""
    return any(read_record(path).end.termination is Termination.VOID for path in list_records(results))


def compare(quiet: Outcome, got: Outcome, figures: Figures, *, victim: str) -> None:
    """Check that rows and hashes of records equal the quiet run's, except in matches that only the victim spoilt."""
    for _ in range(got.doubled):
        figures.fail("doubled rows", "the same match and seat")
    for key in quiet.rows.keys() ^ got.rows.keys():
        figures.fail("lost rows" if key in quiet.rows else "doubled rows", str(key))
    excused = {match for match, record in got.records.items() if is_alone_to_blame(victim, record)}
    for key, row in got.rows.items():
        if row["bot"] != victim and row["faults"] != "0":
            figures.fail("innocent bots blamed", f"{key}: {row}")
        if key[0] not in excused and row != quiet.rows.get(key):
            figures.fail("differing rows", f"{key}: {row}")
    for match in got.records.keys() & quiet.records.keys() - excused:
        if got.records[match].end.hash != quiet.records[match].end.hash:
            figures.fail("differing rows", f"{match}: the chain: {got.records[match].end.reason}")


def is_alone_to_blame(bot: str, record: MatchRecord) -> bool:
    """Return True if the match has faults, all of them by this bot."""
    return {seat.bot for seat, faults in zip(record.header.seats, record.end.faults, strict=True) if faults} == {bot}
