"""`joust verify`: replay the matches of a results folder and compare records, tables and schedule."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, find_results, read_text
from gridjoust.commands.shared.output import say
from gridjoust.commands.shared.recomputed import RecomputedSchedule
from gridjoust.commands.shared.verify_tables import has_seal, sealed_tables_difference
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.results import replay
from gridjoust.runner.results.maker import require_no_run
from gridjoust.runner.results.packs.folder import check_pack, pack_paths
from gridjoust.runner.results.records.file import RECORDS, UNUSED, list_ids, list_records, read_record
from gridjoust.runner.results.secrets import FILE as SECRETS
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.results.tables.columns import RESULTS, STANDINGS
from gridjoust.runner.results.tables.compare import first_difference
from gridjoust.runner.results.tables.datapackage import damaged_tables, description_difference, is_described
from gridjoust.runner.results.tables.schedule_file import FILE as SCHEDULE
from gridjoust.runner.results.tables.schedule_file import read_planned
from gridjoust.runner.results.tables.text import read_rows, require_columns
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.wire.errors import ConfigError, OtherVersionError, RecordError
from gridjoust.runner.wire.text import plain_text


def verify(
    results: ResultsArgument,
    as_json: JsonOption = False,
    tables_only: Annotated[
        bool,
        typer.Option("--tables-only", help="Check checksums and results only; do not replay matches."),
    ] = False,
) -> int:
    """Replay all matches by the rules and check that hashes, results, tables, pairings and seeds agree."""
    folder = find_results(results)
    require_no_run(folder)
    unused, paths = set[str](), list[Path]()
    if not (problems := _pack_problems(folder)):
        unused = _unused(folder)
        paths = [path for path in list_records(folder) if path.stem not in unused]
        problems = [] if tables_only else _record_problems(folder, paths)
        problems = problems or _table_problems(folder, paths, is_quick=tables_only and has_seal(folder))
    if as_json:
        counts = {"records": len(paths), "unused": len(unused)}
        print(json.dumps({"results": str(folder), **counts, "problems": problems}))
    else:
        _print_problems(folder, len(paths), problems, unused=len(unused), tables_only=tables_only)
    return 1 if problems else 0


def _record_problems(results: Path, paths: Sequence[Path]) -> list[dict[str, object]]:
    """Return the problems of all records; records of other versions cannot be checked and are one problem together."""
    secrets = load_secrets(results)
    keys = () if secrets is None else secrets.keys
    problems, others = [], []
    for path in paths:
        try:
            divergence = replay.verify_file(path, keys)
        except OtherVersionError as error:
            others.append(str(error))
        except Exception as error:  # a damaged record, or rules that fail
            detail = str(error) if isinstance(error, RecordError) else f"the rules failed: {error!r}"
            problems.append(_problem(detail.removeprefix(f"{path}: "), path=path))
        else:
            if divergence is not None:
                problems.append(_problem(divergence.detail, path=path, divergence=divergence))
    if others:
        what = f"{len(others)} of {len(paths)} records are of another version, try --resume; the first: {others[0]}"
        problems.append(_problem(what))
    elif paths and secrets is None:
        problems.append(_problem(f"{results / SECRETS} is missing: it contains the key of the records' seals"))
    return problems


def _pack_problems(results: Path) -> list[dict[str, object]]:
    """Return the problems of damaged packs; with them it is unknown which matches were played."""
    secrets, problems = load_secrets(results), []
    for path in pack_paths(results / RECORDS):
        try:
            check_pack(path, () if secrets is None else secrets.keys)
        except RecordError as error:
            problems.append(_problem(str(error)))
    return problems


def _problem(
    detail: str, *, path: Path | None = None, divergence: replay.Divergence | None = None
) -> dict[str, object]:
    turn, last = (None, None) if divergence is None else (divergence.turn, divergence.last)
    return {"record": None if path is None else str(path), "turn": turn, "last": last or turn, "detail": detail}


def _unused(results: Path) -> set[str]:
    """Return the ids of records that the last run did not use, for example of another version of a game."""
    file = results / UNUSED
    return list_ids(results).intersection(read_text(file).split()) if file.is_file() else set()


def _table_problems(results: Path, records: Sequence[Path], *, is_quick: bool) -> list[dict[str, object]]:
    """Return the problems of the tables: differences from the records, and changes after the run."""
    damaged = [f"{damage}; --resume makes the tables again" for damage in damaged_tables(results)]
    try:
        ids = [path.stem for path in records]
        difference = sealed_tables_difference(results, ids) if is_quick else _table_difference(results, records)
    except ConfigError as error:  # a table that cannot be read
        if not damaged:
            raise
        difference = str(error)
    return [_problem(detail) for detail in (difference, *damaged) if detail]


def _table_difference(results: Path, records: Sequence[Path]) -> str | None:
    """Return the first difference between tables and records, or None. The tables are in the order of the schedule."""
    by_id = {path.stem: path for path in records}
    require_columns(results / RESULTS.file, ("match_id",))
    listed = dict.fromkeys(row["match_id"] for row in read_rows(results / RESULTS.file))
    if unknown := [match_id for match_id in listed if match_id not in by_id]:
        return f"{RESULTS.file}: match {unknown[0]} has no record"
    if lost := [match_id for match_id in by_id if match_id not in listed]:
        number = f"{len(lost)} of {len(by_id)}"
        return f"{RESULTS.file}: match {lost[0]} has no rows ({number} records have none; try --resume)"
    planned = read_planned(results)
    schedule = None if planned is None else RecomputedSchedule(results, planned, (by_id[one] for one in listed))
    with tempfile.TemporaryDirectory() as scratch:
        with TableWriter(Path(scratch)) as tables:
            for match_id in listed:
                record = read_record(by_id[match_id])
                rows = tables.add(record)
                if schedule is not None and (difference := schedule.add(record.header, rows)):
                    return difference
        if schedule is not None and (difference := schedule.end()):
            return difference
        counts = dict(tables.rows)
        if (results / STANDINGS.file).is_file() or is_described(results, STANDINGS):
            from gridjoust.leaderboard.board import whole_board
            from gridjoust.leaderboard.frame.seats import read_seats
            from gridjoust.leaderboard.standings import write_tables

            decision = schedule.decision if schedule else None
            counts |= write_tables(Path(scratch), whole_board(read_seats(Path(scratch)), planned, decision=decision))
        return first_difference(Path(scratch), results) or description_difference(results, counts)


def _print_problems(
    results: Path, count: int, problems: Sequence[dict[str, object]], *, unused: int, tables_only: bool
) -> None:
    if not problems and tables_only:
        say(f"{results}: the tables of {plural(count, 'record')} are unchanged; turns were not checked")
        return
    if not problems:
        is_planned = (results / SCHEDULE).is_file()
        seeds = "agrees with the rules, every match with the seed" if is_planned else "agrees with the rules"
        say(f"{results}: {plural(count, 'record')} verified: every turn, hash and table row {seeds}")
        if not is_planned:
            say(f"{results}: seeds and pairings were not checked: there is no {SCHEDULE}")
        if unused:
            say(f"{results}: not checked: {plural(unused, 'more record')} that no table uses (see {UNUSED})")
        return
    for problem in problems:
        where = f"{problem['record']}: " if problem["record"] else ""
        turn, last = problem["turn"], problem["last"]
        among = f"{turn}" if turn == last else f"{turn} to {last}"
        at = f"first diverging turn {among}: " if turn is not None else ""
        say(plain_text(f"{where}{at}{problem['detail']}"), to_errors=True)
    what = plural(count, "record") if count else "packs of records"
    say(f"{results}: {plural(len(problems), 'problem')} in {what}", to_errors=True)
