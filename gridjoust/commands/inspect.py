"""Looking at what a tournament left behind: verify, replay."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gridjoust.commands.people import turn_drawer
from runner.record.file import list_records, read_record
from runner.record.lines import MatchRecord
from runner.record.replay import Moment, game_of, verify
from runner.record.replay import replay as replay_states
from runner.tables.columns import RESULTS, STANDINGS
from runner.tables.compare import first_difference
from runner.tables.text import read_rows, require_columns
from runner.tables.writer import TableWriter
from runner.wire.errors import ConfigError, RecordError


def find_results(folder: Path) -> Path:
    """The results folder itself, also when its parent was named and holds just one; ConfigError otherwise."""
    if (folder / RESULTS.file).is_file():
        return folder
    if not folder.is_dir():
        raise ConfigError(f"{folder}: expected a results folder, got nothing there")
    inside = [path.parent for path in sorted(folder.glob(f"*/{RESULTS.file}"))]
    if len(inside) == 1:
        return inside[0]
    got = ", ".join(path.name for path in inside) or "no results.csv"
    raise ConfigError(f"{folder}: expected one results folder, got {got}")


# ---- verify ---------------------------------------------------------------------------------------------------------


def verify_results(folder: Path, *, as_json: bool) -> int:
    """Check every record by the rules, then the tables against the records; 1 if anything does not hold."""
    results = find_results(folder)
    paths = list_records(results)
    problems: list[dict[str, object]] = []
    for path in paths:
        try:
            divergence = verify(read_record(path))
        except RecordError as error:
            detail = str(error).removeprefix(f"{path}: ")
            problems.append({"record": str(path), "turn": None, "detail": detail})
            continue
        if divergence is not None:
            problems.append({"record": str(path), "turn": divergence.turn, "detail": divergence.detail})
    if not problems and (difference := _table_difference(results)):
        problems.append({"record": None, "turn": None, "detail": difference})
    if as_json:
        print(json.dumps({"results": str(results), "records": len(paths), "problems": problems}))
    else:
        _print_problems(results, len(paths), problems)
    return 1 if problems else 0


def _table_difference(results: Path) -> str | None:
    """Where the tables differ from what the records say, or None. The tables' order is the schedule's, kept."""
    by_id = {path.stem: path for path in list_records(results)}
    require_columns(results / RESULTS.file, ("match_id",))
    listed = list(dict.fromkeys(row["match_id"] for row in read_rows(results / RESULTS.file)))
    unknown = [match_id for match_id in listed if match_id not in by_id]
    if unknown:
        return f"{RESULTS.file}: match {unknown[0]}: expected a record, got none"
    with tempfile.TemporaryDirectory() as scratch:
        with TableWriter(Path(scratch)) as tables:
            for match_id in listed:
                tables.add(read_record(by_id[match_id]))
        if (results / STANDINGS.file).is_file():
            _write_standings(Path(scratch))
        return first_difference(Path(scratch), results)


def _write_standings(folder: Path) -> None:
    from leaderboard.ranking import make_leaderboard
    from leaderboard.read import read_seats
    from leaderboard.standings import write_standings

    write_standings(folder / STANDINGS.file, make_leaderboard(read_seats(folder)).standings)


def _print_problems(results: Path, count: int, problems: Sequence[dict[str, object]]) -> None:
    if not problems:
        print(f"{results}: {count} records verified: every turn, hash and table row agrees with the rules")
        return
    for problem in problems:
        where = f"{problem['record']}: " if problem["record"] else ""
        at = f"first diverging turn {problem['turn']}: " if problem["turn"] is not None else ""
        print(f"{where}{at}{problem['detail']}", file=sys.stderr)
    print(f"{results}: {len(problems)} problems in {count} records", file=sys.stderr)


# ---- replay ---------------------------------------------------------------------------------------------------------


def replay_record(path: Path, *, speed: float | None, only_turn: int | None, omniscient: bool) -> int:
    """Draw every turn; Enter steps on a terminal, `speed` turns a second otherwise.

    Games that draw a turn step by step show what everyone saw, unless `omniscient` asks for everything.
    """
    record = read_record(path)
    game = game_of(record)
    draw_turn = None if omniscient else turn_drawer(record.header.game)
    print(_title(record))
    shown, before = 0, None
    for moment in replay_states(record):
        view = game.public_view(moment.state)
        if only_turn is None or moment.turn == only_turn:
            shown += 1
            print(f"\n{_caption(moment)}")
            steps: list[str] = []
            if draw_turn is not None and before is not None:
                steps = draw_turn(before, view, game.briefing(moment.state, 0))
            print("\n".join(steps or [game.render(moment.state)]), flush=True)
            if only_turn is None and moment.turn < record.end.turns:
                _pause(speed)
        before = view
    if only_turn is not None and not shown:
        raise ConfigError(f"--turn: expected 0 to {record.end.turns}, got {only_turn}")
    if only_turn is None:
        print(f"\n{record.end.termination.value}: {record.end.reason}")
    return 0


def _title(record: MatchRecord) -> str:
    header = record.header
    seats = ", ".join(f"seat {number} {seat.bot}" for number, seat in enumerate(header.seats))
    return f"{header.variant}, round {header.round}, seed {header.seed}: {seats}"


def _caption(moment: Moment) -> str:
    if moment.line is None:
        return "turn 0: the deal"
    actions = ", ".join(f"seat {seat} {action}" for seat, action in moment.line.actions.items())
    return f"turn {moment.turn}: {actions or 'the clock'}"


def _pause(speed: float | None) -> None:
    if speed is not None:
        time.sleep(1 / speed)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        input("Enter: next turn, Ctrl-C: stop ")
