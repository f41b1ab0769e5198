"""What goes wrong around a tournament: broker, sandbox, results; what people read, the exit code."""

from __future__ import annotations

import errno
import io
import resource
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from gridjoust.runner.processes.sandbox import built_in
from gridjoust.runner.results.records.file import write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.datapackage import write_datapackage
from gridjoust.runner.wire.errors import format_os_error
from tests.gridjoust.commands.desk import GOOD, PROCESSES, Desk


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.mark.gate
@pytest.mark.parametrize("use", ["auto", "embedded"])
def test_a_port_that_is_taken(desk: Desk, taken_port: int, use: str) -> None:
    far = PROCESSES.replace("{name: b, bot: bomber/wanderer}", "{name: b, remote: true}")
    code, line = desk.run(f"{far}broker: {{use: {use}, listen: '127.0.0.1:{taken_port}'}}\n")
    assert code == 3
    assert "broker.listen: cannot open the port: " in line
    assert "ddress already in use" in line
    assert line.endswith("(log: results/cup/logs/tls_proxy.log)\n")


MACHINES = {
    "mosquitto is missing": ("broker: {use: mosquitto}", 3,
        "mosquitto is not on the PATH (broker: {use: embedded} needs no installation)"),
    "nobody listens at the external broker": ("broker: {use: external, url: 'mqtt://127.0.0.1:1'}", 3,
        "mqtt://127.0.0.1:1: cannot connect: [Errno 111] Connection refused"),
}  # fmt: skip


@pytest.mark.parametrize(("wanted", "code", "line"), MACHINES.values(), ids=MACHINES)
def test_what_the_machine_does_not_have(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, wanted: str, code: int, line: str
) -> None:
    monkeypatch.setenv("PATH", str(desk.folder))
    assert desk.run(f"{PROCESSES}{wanted}\n") == (code, f"joust: {line}\n")


def test_where_no_sandbox_works_one_that_is_asked_for_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_in, "abi", lambda: 0)
    monkeypatch.setenv("PATH", str(desk.folder))
    code, line = desk.run(f"{PROCESSES}execution: {{isolation: sandbox}}\n")
    reasons = "bubblewrap: not installed; built-in sandbox: it needs Landlock 6 (Linux 6.12), this kernel has none"
    assert (code, line) == (2, f"joust: execution.isolation: sandbox does not work here: {reasons}\n")


RESULTS: dict[str, tuple[tuple[str, str], str, int, str]] = {
    "a second run into the same folder": (("", ""), "run cup.yaml", 2,
        "joust: results/cup has results: --resume plays what is missing or changed, --overwrite starts anew"),
    "to keep and to delete": (("", ""), "run cup.yaml --resume --overwrite", 2,
        "joust: give --resume or --overwrite, not both: one keeps the results, the other deletes them"),
    "results of another tournament": (("", ""), "run pup.yaml --resume", 2,
        "joust: results/pup: expected results of pup, got results of cup"),
    "a file where results should go": (("", ""), "run cup.yaml --out cup.yaml", 3,
        "joust: cup.yaml/cup/records: not a directory"),
    "a table that somebody has edited": (("bomber", "bommer"), "verify results/cup", 1,
        "results.csv: row 1: game: expected 'bomber', got 'bommer'"),
    "a table with a column less": (("match_id", "match"), "verify results/cup", 2,
        "joust: results/cup/results.csv: the column match_id is missing"),
    "the same in a leaderboard": (("match_id", "match"), "leaderboard results/cup", 2,
        "joust: results/cup/results.csv: the column match_id is missing"),
}  # fmt: skip


@pytest.mark.parametrize(("edit", "typed", "code", "line"), RESULTS.values(), ids=RESULTS)
def test_results_that_do_not_fit(played: Desk, edit: tuple[str, str], typed: str, code: int, line: str) -> None:
    played.write("pup.yaml", GOOD.replace("tournament: cup", "tournament: pup"))
    (played.folder / "results" / "pup").symlink_to("cup")
    table = played.folder / "results" / "cup" / "results.csv"
    table.write_text(table.read_text().replace(*edit, 1))
    write_datapackage(table.parent)  # without checksums: those have tests of their own
    left, told = played.joust(*typed.split())
    assert (left, told.splitlines()[0]) == (code, line)
    table.unlink()
    line = "joust: results/cup: expected one results folder, got no results.csv\n"
    assert played.joust("leaderboard", "results/cup") == (2, line)


def test_a_record_that_was_cut_short_or_is_none(played: Desk) -> None:
    record = next((played.folder / "results" / "cup" / "records").iterdir())
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(lines[:-1]))
    where = record.relative_to(played.folder)
    detail = f"line {len(lines) - 1}: expected the seal, got a line of type 'end' (record cut short)"
    assert played.joust("replay", str(where)) == (1, f"joust: {where}: {detail}\n")
    assert played.joust("verify", "results/cup")[1].startswith(f"{where}: {detail}\n")
    record.write_text("{}\n")
    code, line = played.joust("replay", str(where))
    assert (code, line.partition(", got")[0]) == (1, f"joust: {where}: line 1: expected a line of a match record")


@pytest.mark.gate
def test_overwrite_starts_anew(played: Desk) -> None:
    record = next((played.folder / "results" / "cup" / "records").iterdir())
    record.write_text("old")
    assert played.joust("run", "cup.yaml", "--overwrite")[0] == 0
    assert played.joust("verify", "results/cup") == (0, "")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """As on a disk that is full: no file of this process grows beyond the size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.default("1000-tournament.yaml", "9000-datapackage.json")
@pytest.mark.parametrize(
    ("size", "file"),
    [(1000, "tournament.yaml"), (9000, "datapackage.json"), (41000, "report.html")],
)
def test_a_full_disk_is_one_line_with_the_file_and_the_way_on(desk: Desk, size: int, file: str) -> None:
    desk.write("cup.yaml", GOOD)
    with files_up_to(size):
        code, line = desk.joust("run", "cup.yaml")
    what = "file too large; finished matches are saved: continue with --resume"
    assert (code, line) == (3, f"joust: results/cup/{file}: {what}\n")
    if file == "report.html":
        assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
        assert desk.joust("verify", "results/cup") == (0, "")


class FullFile(io.RawIOBase):
    """A file on a disk that is full."""

    def write(self, _: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.e2e
def test_a_full_folder_for_temporary_files_names_itself(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **_: FullFile())
    what = "no space left on device; finished matches are saved: continue with --resume"
    file = f"{PROCESSES}execution: {{isolation: process}}\nbroker: {{use: embedded}}\n"
    assert desk.run(file) == (3, f"joust: {tmp_path}: {what}\n")


def test_a_system_without_a_place_for_temporary_files_is_not_blamed_on_the_results(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", "Scratch")
    monkeypatch.setattr(tempfile, "tempdir", None)
    with files_up_to(0), pytest.raises(FileNotFoundError) as refused:
        tempfile.gettempdir()
    line = format_os_error(refused.value, "results/cup")
    assert line.startswith("temporary files: no usable temporary directory found in ['Scratch', '/tmp', ")
    assert line.endswith(f", '{tmp_path}']: free space, or set TMPDIR")


@pytest.mark.gate
def test_a_full_disk_keeps_what_was_played(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    written = count()

    def refuse_the_second(path: Path, record: MatchRecord, **sealed: bytes) -> None:
        if next(written):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_record(path, record, **sealed)

    monkeypatch.setattr("gridjoust.runner.results.kept_records.write_record", refuse_the_second)
    code, line = desk.run(GOOD)
    assert code == 3
    assert line.endswith(".jsonl: no space left on device; finished matches are saved: continue with --resume\n")
    monkeypatch.undo()
    assert desk.joust("run", "cup.yaml", "--resume")[0] == 0
    assert desk.joust("verify", "results/cup") == (0, "")
