"""Packs that somebody else made: what they name stays in the folder, and what they hold is bounded."""

from __future__ import annotations

import gzip
import sqlite3
import subprocess
import sys
import tracemalloc
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
import zstandard
from msgspec.structs import replace

from gridjoust import games
from gridjoust.runner.results.kept_records import KeptRecords
from gridjoust.runner.results.packs.folder import pack_paths, write_pack_seal
from gridjoust.runner.results.packs.pack import LARGEST, Pack
from gridjoust.runner.results.packs.packing import pack_records, unpack_records
from gridjoust.runner.results.records.file import (
    RECORDS,
    Outlines,
    list_files,
    parse_record,
    read_bytes,
    read_header,
    read_record,
    record_path,
    write_record,
)
from gridjoust.runner.results.records.lines import TurnLine
from gridjoust.runner.results.secrets import Secrets
from gridjoust.runner.results.tables.columns import TURNS
from gridjoust.runner.results.tables.frames import read_table
from gridjoust.runner.results.tables.text import format_header, read_rows
from gridjoust.runner.wire.errors import ConfigError, RecordError
from tests.runner.results.records.records_builder import make_record

KEY = b"k" * 32
GOOD, EVIL = "0a1b", "c0de"
INSTALLED = {"game_version": games.load_game("bomber").spec.version}
OUTSIDE = "../../other/records/x"


def packed(folder: Path, evil: object = EVIL) -> Path:
    """Return a results folder with two records in a sealed pack, of which one has another name."""
    (folder / "other" / RECORDS).mkdir(parents=True)
    results = folder / "cup"
    (results / RECORDS).mkdir(parents=True)
    for match_id in (GOOD, EVIL):
        write_record(record_path(results, match_id), make_record(match_id, header=INSTALLED), key=KEY)
    pack_records(results, [KEY])
    [pack] = pack_paths(results / RECORDS)
    with closing(sqlite3.connect(pack)) as db, db:
        db.execute("UPDATE match SET match_id = ? WHERE match_id = ?", (evil, EVIL))
    write_pack_seal(pack, key=KEY)
    return results


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.jsonl")}


@pytest.mark.parametrize("evil", [OUTSIDE, "/tmp/x", "a/b", "..", "x\n", "", b"blob", "a" * 65, "é"])
def test_a_pack_that_names_a_match_by_a_path_is_refused_before_anything_is_written(
    evil: object, tmp_path: Path
) -> None:
    results = packed(tmp_path, evil)
    with pytest.raises(RecordError, match="expected a match id of letters and digits"):
        unpack_records(results, [KEY])
    assert files_of(tmp_path) == set()
    with pytest.raises(RecordError, match="expected a match id of letters and digits"):
        Outlines(results)


def test_a_pack_of_plain_ids_is_unpacked(tmp_path: Path) -> None:
    assert unpack_records(packed(tmp_path), [KEY]) == 2
    assert files_of(tmp_path) == {f"cup/records/{match_id}.jsonl" for match_id in (GOOD, EVIL)}


def test_a_run_that_goes_on_sets_such_a_pack_aside_and_keeps_its_other_records(tmp_path: Path) -> None:
    results = packed(tmp_path, OUTSIDE)
    kept = KeptRecords(results, Secrets(seal_key=KEY.hex()))
    kept.take_stock("cup")
    assert files_of(tmp_path) == {f"cup/records/{GOOD}.jsonl"}
    assert list_files(results) == {GOOD}
    [note] = kept.take_notes()
    assert note.startswith("1 pack set aside")
    assert "1 of its records was whole and stays: " in note


MEMORY_MB = 300


def with_frames(folder: Path, **frames: bytes) -> Path:
    """Return the pack of a results folder in which a match, or its kind, has other frames."""
    results = packed(folder)
    [pack] = pack_paths(results / RECORDS)
    with closing(sqlite3.connect(pack)) as db, db:
        for place, frame in frames.items():
            table, column = place.split("_")
            db.execute(f"UPDATE {table} SET {column} = ?", (frame,))
    write_pack_seal(pack, key=KEY)
    return pack


@cache
def bomb(size: int) -> bytes:
    """Return a frame of zeros, a ten-thousandth of what it unpacks to."""
    return zstandard.ZstdCompressor(level=3).compress(bytes(size))


PEAK = """
import re, sys
from pathlib import Path
from gridjoust.runner.results.packs.pack import Pack
from gridjoust.runner.results.tables.columns import TURNS
from gridjoust.runner.results.tables.frames import read_table
from gridjoust.runner.results.tables.text import format_header, read_rows
from gridjoust.runner.wire.errors import ConfigError, RecordError
try:
    found = len(Pack(Path(sys.argv[1])).read(sys.argv[2]) or b"")
except RecordError as error:
    found = str(error)
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
print(found)
"""


def read_apart(pack: Path, match_id: str = GOOD) -> tuple[int, str]:
    """Read a match in a process of its own: the memory that it took at most, in MB, and the size or the refusal.

    The kernel's `ru_maxrss` is no use: it begins with the size of the process that forked.
    """
    command = [sys.executable, "-c", PEAK, str(pack), match_id]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, cwd=Path(__file__).parents[2]
    )
    peak, found = done.stdout.splitlines()
    return int(peak), found


@pytest.mark.gate
@pytest.mark.parametrize("place", ["match_body", "match_head", "kind_head", "kind_body"])
def test_a_pack_of_kilobytes_takes_no_gigabytes(place: str, tmp_path: Path) -> None:
    pack = with_frames(tmp_path, **{place: bomb(1 << 30)})
    assert pack.stat().st_size < 1 << 20
    peak_mb, found = read_apart(pack)
    assert "expected at most" in found
    assert "got a frame of 1073741824" in found
    assert peak_mb < MEMORY_MB


@pytest.mark.gate
def test_a_frame_that_does_not_name_its_size_is_bounded_too(tmp_path: Path) -> None:
    compressor = zstandard.ZstdCompressor(level=3).compressobj()
    frame = compressor.compress(bytes(1 << 28)) + compressor.flush()
    assert zstandard.frame_content_size(frame) == -1
    peak_mb, found = read_apart(with_frames(tmp_path, match_body=frame))
    assert "expected a pack of match records, got a damaged file" in found
    assert peak_mb < MEMORY_MB


def test_a_frame_of_the_largest_size_is_read(tmp_path: Path) -> None:
    pack = with_frames(tmp_path, match_body=zstandard.ZstdCompressor(level=3).compress(bytes(LARGEST)))
    with closing(Pack(pack)) as opened:
        head = opened.head(GOOD)
        assert head is not None
        assert len(opened.read(GOOD) or b"") == LARGEST + len(head)


def test_a_view_in_place_of_a_table_is_refused_before_it_is_asked(tmp_path: Path) -> None:
    [pack] = pack_paths(packed(tmp_path) / RECORDS)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS match_id FROM n"
    with closing(sqlite3.connect(pack)) as db, db:
        db.execute("DROP TABLE match")
        db.execute(f"CREATE VIEW match AS {endless}")
    with pytest.raises(RecordError, match="expected the tables kind and match, got others"):
        Pack(pack)


@pytest.mark.gate
def test_a_record_too_large_for_a_pack_stays_a_file(tmp_path: Path) -> None:
    results = packed(tmp_path)
    unpack_records(results, [KEY])
    wait = TurnLine(turn=1, stamp=0, actions={"0": "x" * (LARGEST + 1)})
    record = make_record(EVIL, header=INSTALLED)
    write_record(record_path(results, EVIL), replace(record, lines=[wait]), key=KEY)
    done = pack_records(results, [KEY])
    assert (done.matches, list_files(results)) == (1, {EVIL})
    assert f"expected at most {LARGEST} bytes for a pack" in str(done.refused[0])


def test_a_file_of_holes_is_no_record(tmp_path: Path) -> None:
    path = record_path(packed(tmp_path), "f00d")
    with path.open("wb") as file:
        file.truncate(1 << 40)
    for read in (read_record, read_bytes, read_header):
        with pytest.raises(RecordError):
            read(path)


def test_a_record_of_line_ends_alone_is_refused_at_the_first(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_record(path, make_record("a"))
    assert parse_record(path, path.read_bytes()).header.match_id == "a"
    raw = path.read_bytes().partition(b"\n")[0] + b"\n" * (32 << 20)
    tracemalloc.start()
    with pytest.raises(RecordError, match="line 2"):
        parse_record(path, raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20


def zipped(path: Path, text: bytes, zeros: int) -> None:
    with gzip.open(path, "wb", compresslevel=9) as file:
        file.write(text)
        for _ in range(zeros >> 20):
            file.write(bytes(1 << 20))


@pytest.mark.gate
def test_a_compressed_table_is_bounded_by_what_tables_come_to(tmp_path: Path) -> None:
    path = tmp_path / TURNS.file
    zipped(path, format_header(TURNS).encode(), 80 << 20)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ConfigError, match="more than 67108864 bytes in a compressed table"):
        read_table(path, TURNS)
    with pytest.raises(ConfigError, match="a line of more than 1048576 letters"):
        list(read_rows(path))
    zipped(path, format_header(TURNS).encode(), 0)
    assert len(read_table(path, TURNS)) == len(list(read_rows(path))) == 0
