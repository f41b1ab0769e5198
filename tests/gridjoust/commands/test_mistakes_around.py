"""What goes wrong around a tournament: broker, sandbox, results, the command line; what people read, the exit code."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from runner.record.file import write_record
from runner.record.lines import MatchRecord
from tests.gridjoust.commands.desk import GOOD, PROCESSES, Desk


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.parametrize("use", ["auto", "embedded"])
def test_a_port_that_is_taken(desk: Desk, taken_port: int, use: str) -> None:
    code, line = desk.run(f"{PROCESSES}broker: {{use: {use}, listen: '127.0.0.1:{taken_port}'}}\n")
    assert code == 3
    assert "expected a broker that starts, got: " in line
    assert "ddress already in use" in line
    assert line.endswith("(log: results/cup/logs/broker.log)\n")


def test_mosquitto_is_missing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    line = "joust: mosquitto: expected it on PATH, got none (broker: {use: embedded} needs no installation)\n"
    assert desk.run(PROCESSES + "broker: {use: mosquitto}\n") == (3, line)


def test_nobody_listens_at_the_external_broker(desk: Desk) -> None:
    expected = "expected a broker that lets anybody in, got: [Errno 111] Connection refused"
    code, line = desk.run(PROCESSES + "broker: {use: external, url: 'mqtt://127.0.0.1:1'}\n")
    assert (code, line) == (3, f"joust: mqtt://127.0.0.1:1: {expected}\n")


def test_bubblewrap_is_missing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    line = "joust: execution.isolation: expected bwrap (bubblewrap) on PATH for 'sandbox', got none\n"
    assert desk.run(PROCESSES + "execution: {isolation: sandbox}\n") == (2, line)


def test_a_second_run_into_the_same_folder(played: Desk) -> None:
    expected = "expected an empty folder, got results: continue with --resume, or choose another --out"
    assert played.run(GOOD) == (2, f"joust: results/cup: {expected}\n")


def test_results_of_another_tournament(played: Desk) -> None:
    (played.folder / "results" / "cup").rename(played.folder / "results" / "pup")
    played.write("pup.yaml", GOOD.replace("tournament: cup", "tournament: pup"))
    line = "joust: results/pup: expected results of pup, got results of cup\n"
    assert played.joust("run", "pup.yaml", "--resume") == (2, line)


def test_a_file_where_results_should_go(desk: Desk) -> None:
    desk.write("out", "")
    desk.write("cup.yaml", GOOD)
    assert desk.joust("run", "cup.yaml", "--out", "out") == (3, "joust: out/cup/records: not a directory\n")


def test_a_record_that_was_cut_short(played: Desk) -> None:
    record = next((played.folder / "results" / "cup" / "records").iterdir())
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:-1]))
    where = record.relative_to(played.folder)
    code, line = played.joust("replay", str(where))
    detail = f"line {len(lines) - 1}: expected the end line, got a line of type 'usage' (record cut short)"
    assert (code, line) == (1, f"joust: {where}: {detail}\n")
    assert played.joust("verify", "results/cup")[1].startswith(f"{where}: {detail}\n")


def test_what_is_no_record(desk: Desk) -> None:
    desk.write("r.jsonl", "{}\n")
    code, line = desk.joust("replay", "r.jsonl")
    assert code == 1
    assert line.startswith("joust: r.jsonl: line 1: expected a line of a match record")


def test_results_that_are_not_there(desk: Desk) -> None:
    line = "joust: none: expected a results folder, got nothing there\n"
    assert desk.joust("verify", "none") == (2, line)


def test_overwrite_starts_anew(played: Desk) -> None:
    record = next((played.folder / "results" / "cup" / "records").iterdir())
    record.write_text("old")
    assert played.joust("run", "cup.yaml", "--overwrite")[0] == 0
    assert played.joust("verify", "results/cup") == (0, "")


def test_results_without_their_table(played: Desk) -> None:
    (played.folder / "results" / "cup" / "results.csv").unlink()
    line = "joust: results/cup: expected one results folder, got no results.csv\n"
    assert played.joust("leaderboard", "results/cup") == (2, line)


def test_a_table_that_somebody_has_edited(played: Desk) -> None:
    table = played.folder / "results" / "cup" / "results.csv"
    table.write_text(table.read_text().replace("bomber", "bommer", 1))
    code, line = played.joust("verify", "results/cup")
    assert (code, line.splitlines()[0]) == (1, "results.csv: row 1: game: expected 'bomber', got 'bommer'")


def test_a_table_with_a_column_less(played: Desk) -> None:
    table = played.folder / "results" / "cup" / "results.csv"
    table.write_text(table.read_text().replace("match_id", "match", 1))
    line = "joust: results/cup/results.csv: expected a column match_id, got none\n"
    assert played.joust("leaderboard", "results/cup") == (2, line)
    assert played.joust("verify", "results/cup") == (2, line)


def test_a_full_disk_keeps_what_was_played(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    written = count()

    def refuse_the_second(path: Path, record: MatchRecord) -> None:
        if next(written):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_record(path, record)

    monkeypatch.setattr("runner.tournament.write_record", refuse_the_second)
    code, line = desk.run(GOOD)
    assert code == 3
    assert line.endswith(".jsonl: no space left on device\n")
    monkeypatch.undo()
    assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
    assert desk.joust("verify", "results/cup") == (0, "")


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("runn cup.yaml", "no such command 'runn'. Did you mean 'run'"),
        ("run", "run: missing argument 'file'; see joust run --help"),
        ("run cup.yaml --parallel many", "run: invalid value for '--parallel': "),
        ("run cup.yaml --parallel 0", "run: invalid value for '--parallel': "),
        ("run cup.yaml --fast", "run: no such option: --fast"),
        ("leaderboard results/cup more", "leaderboard: got unexpected extra argument"),
    ],
)
def test_a_slip_on_the_command_line_is_one_line(desk: Desk, typed: str, line: str) -> None:
    code, told = desk.joust(*typed.split())
    assert code == 2
    assert told.startswith(f"joust: {line}")
    assert told.count("\n") == 1
    assert "--help" in told


def test_a_column_that_nobody_groups_by(played: Desk) -> None:
    code, line = played.joust("leaderboard", "results/cup", "--by", "colour")
    assert code == 2
    assert line.startswith("joust: --by: expected one of game, variant, ")
    assert line.endswith(", got 'colour'\n")


def test_without_a_command_the_help_is_shown(desk: Desk) -> None:
    assert desk.joust() == (2, "")
