"""`joust verify --tables-only`: check that tables are unchanged and agree with the results in the records."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from gridjoust.runner.results.records.file import Outlines
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.columns import PAIRINGS, RESULTS, STANDINGS, Row
from gridjoust.runner.results.tables.datapackage import is_described
from gridjoust.runner.results.tables.kept import FILE, KeptTables, load_kept
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.results.tables.text import cell_text, formatter
from gridjoust.runner.results.tables.writer import end_rows
from gridjoust.runner.wire.errors import RecordError

_OF_TURNS = ("turns_acted", "actions_id")
_COMPARED = [column for column in RESULTS.columns if not column.is_measured and column.name not in _OF_TURNS]
_NAMES = [column.name for column in _COMPARED]
_pick = itemgetter(*map(RESULTS.names.index, _NAMES))


def _cell(value: object) -> str:
    return cell_text(str(value))


_WRITERS = [(column.name, _cell if column.type == "string" else formatter(column)) for column in _COMPARED]


def has_seal(results: Path) -> bool:
    """Return True if the run has stored checksums of its tables; runs of earlier versions have none."""
    return (results / FILE).is_file()


def sealed_tables_difference(results: Path, records: Collection[str]) -> str | None:
    """Return the first problem of sealed tables, or None; `records`: ids of the matches that they must contain."""
    secrets = load_secrets(results)
    kept = None if secrets is None else load_kept(results, secrets.keys)
    if kept is None or not kept.is_all:
        return f"{FILE}: the tables were changed after their run; --resume makes them again"
    unseen = set(records)
    difference = next(_row_differences(results, kept, unseen), None)
    if difference is None and unseen:
        number = f"{len(unseen)} of {len(records)}"
        return f"{RESULTS.file}: match {min(unseen)} has no rows ({number} records have none; try --resume)"
    return difference or _standings_difference(results)


def _row_differences(results: Path, kept: KeptTables, unseen: set[str]) -> Iterator[str]:
    outlines = Outlines(results)
    for match_id, rows in groupby(kept.cells(), key=itemgetter(0)):
        where = f"{RESULTS.file}: match {match_id}"
        if match_id not in unseen:
            yield f"{where} has no record"
            return
        unseen.remove(match_id)
        try:
            expected = end_rows(outlines.read(match_id))
        except RecordError as error:
            yield f"{where}: {error}"
            return
        got = list(rows)
        if len(got) != len(expected):
            yield f"{where}: expected {len(expected)} rows, got {len(got)}"
        for want, have in zip(expected, got, strict=False):
            texts, found = _texts(want), _pick(have)
            if texts != found:
                name, text, cell = next(one for one in zip(_NAMES, texts, found, strict=True) if one[1] != one[2])
                yield f"{where}: {name}: expected {text!r}, got {cell!r}"


def _texts(row: Row) -> tuple[str, ...]:
    """Return the compared cells of a row as text."""
    return tuple(["" if (value := row[name]) is None else write(value) for name, write in _WRITERS])


def _standings_difference(results: Path) -> str | None:
    """Return the first difference of `standings.csv` or `pairings.csv`, if they exist, from the other tables."""
    made = [one for one in (STANDINGS, PAIRINGS) if (results / one.file).is_file() or is_described(results, one)]
    if not made:
        return None
    from gridjoust.leaderboard.board import whole_board
    from gridjoust.leaderboard.frame.seats import read_seats
    from gridjoust.leaderboard.standings import write_tables
    from gridjoust.runner.results.tables.compare import table_difference

    with tempfile.TemporaryDirectory() as scratch:
        write_tables(Path(scratch), whole_board(read_seats(results), read_planned(results)))
        differences = (table_difference(one, Path(scratch) / one.file, results / one.file) for one in made)
        return next((found for found in differences if found is not None), None)
