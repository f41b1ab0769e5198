"""Records in packs: the same bytes, found by the same paths, and none is lost wherever packing is stopped."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.runner.results.packs import packing
from gridjoust.runner.results.packs.folder import check_pack, pack_paths, write_pack_seal
from gridjoust.runner.results.packs.pack import Pack, split, write_pack
from gridjoust.runner.results.packs.packing import pack_records, unpack_records
from gridjoust.runner.results.records.file import (
    RECORDS,
    has_record,
    list_records,
    read_bytes,
    read_header,
    read_record,
    record_path,
    write_record,
)
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.wire.errors import RecordError
from tests.runner.results.records.records_builder import make_record

KEY, OTHER = b"k" * 32, b"o" * 32
IDS = [f"{number:04x}" for number in range(8)]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Eight records of two games, of unlike length."""
    (tmp_path / RECORDS).mkdir()
    rng = random.Random(1)
    for number, match_id in enumerate(IDS):
        record = make_record(
            match_id,
            turns=[{0: "up", 1: rng.choice(["down", "wait"])} for _ in range(number)],
            answers=[AnswerLine(turn=1, seat=0, action="up", latency_ms=rng.random())],
        )
        game = ("bomber", "ricochet")[number % 2]
        write_record(
            record_path(tmp_path, match_id), replace(record, header=replace(record.header, game=game)), key=KEY
        )
    return tmp_path


def contents(results: Path) -> dict[str, bytes]:
    return {path.stem: read_bytes(path) for path in list_records(results)}


def files(results: Path) -> list[str]:
    return sorted(path.stem for path in (results / RECORDS).glob("*.jsonl"))


def test_packed_records_are_found_by_their_paths_and_come_back_as_the_same_files(results: Path) -> None:
    before, paths = contents(results), list_records(results)
    headers = [read_header(path) for path in paths]

    assert pack_records(results, [KEY], most=3).matches == 8
    assert files(results) == []
    assert [path.name for path in pack_paths(results / RECORDS)] == ["0001.pack", "0002.pack", "0003.pack"]
    assert list_records(results) == paths
    assert contents(results) == before
    assert [read_header(path) for path in paths] == headers
    assert [read_record(path, keys=[KEY]).header for path in paths] == headers
    assert has_record(paths[0])
    assert not has_record(record_path(results, "none"))

    assert unpack_records(results, [KEY]) == 8
    assert files(results) == IDS
    assert contents(results) == before
    assert not (results / RECORDS / "packs").exists()


def test_a_record_that_is_not_there_is_missed_in_one_line(results: Path) -> None:
    pack_records(results, [KEY])
    with pytest.raises(RecordError, match=r"none\.jsonl: expected a readable record, got No such file"):
        read_bytes(record_path(results, "none"))


def test_any_bytes_come_back(tmp_path: Path) -> None:
    rng = random.Random(2)
    texts = [b"", b"\n", b"\n\n\n\n", b"a", b"a\nb\nc\nd", b"a\nb\nc\nd\ne\n", rng.randbytes(5000)]
    texts += [b"\n".join(rng.randbytes(rng.randrange(4)) for _ in range(rng.randrange(9))) for _ in range(200)]
    held = {f"m{number}": text for number, text in enumerate(texts)}
    write_pack(tmp_path / "any.pack", list(held), held.__getitem__)
    pack = Pack(tmp_path / "any.pack")
    assert {match_id: pack.read(match_id) for match_id in held} == held
    assert split(b"header\nturn\nturn\nusage\nend\nseal\n") == (b"header\nusage\nend\nseal\n", b"turn\nturn\n")


def test_records_that_are_not_as_their_run_wrote_them_stay_files(results: Path) -> None:
    changed, forged = record_path(results, IDS[3]), record_path(results, IDS[7])
    changed.write_bytes(changed.read_bytes().replace(b'"up"', b'"no"', 1))
    write_record(forged, read_record(forged), key=OTHER)
    packed = pack_records(results, [KEY])
    assert packed.matches == 6
    assert ["(changed)" in str(packed.refused[0]), "(not written by its run)" in str(packed.refused[1])] == [True] * 2
    assert files(results) == [IDS[3], IDS[7]]


def test_a_file_counts_before_its_pack_and_a_new_pack_before_an_old_one(results: Path) -> None:
    pack_records(results, [KEY])
    path = record_path(results, IDS[0])
    write_record(path, replace(read_record(path), end=replace(read_record(path).end, reason="again")), key=KEY)
    assert read_record(path).end.reason == "again"
    pack_records(results, [KEY])
    assert files(results) == []
    assert read_record(path).end.reason == "again"
    unpack_records(results, [KEY])
    assert read_record(path).end.reason == "again"


class _KilledError(Exception):
    """Stands for a process that ends where it is."""


def _die_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """From now on the `step`-th change of the folder, or bringing to the disk, does not happen; gives their count."""
    done = 0

    def dying(real: Callable[..., object]) -> Callable[..., object]:
        def change(*args: object, **options: object) -> object:
            nonlocal done
            done += 1
            if done == step:
                raise _KilledError
            return real(*args, **options)

        return change

    monkeypatch.setattr(Path, "replace", dying(Path.replace))
    monkeypatch.setattr(Path, "unlink", dying(Path.unlink))
    monkeypatch.setattr(os, "fsync", dying(os.fsync))
    monkeypatch.setattr(packing, "write_pack", dying(write_pack))
    return lambda: done


def test_packing_may_be_killed_at_every_step(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, step, is_over = contents(results), 0, False
    while not is_over:
        step += 1
        with monkeypatch.context() as patch:
            _die_at(step, patch)
            try:
                pack_records(results, [KEY], most=5)
                is_over = True
            except _KilledError:
                pass
        assert contents(results) == before, f"killed at step {step}"
        if not is_over and step % 2:  # what is left over is gone on with, or packed from the start
            unpack_records(results, [KEY])
    assert step > 10
    assert files(results) == []


@pytest.mark.gate
def test_unpacking_may_be_killed_at_every_step(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, step, is_over = contents(results), 0, False
    while not is_over:
        step += 1
        pack_records(results, [KEY], most=5)
        with monkeypatch.context() as patch:
            _die_at(step, patch)
            try:
                unpack_records(results, [KEY])
                is_over = True
            except _KilledError:
                pass
        assert contents(results) == before, f"killed at step {step}"
    assert step > 10
    assert files(results) == IDS


@pytest.mark.parametrize("at", range(0, 100, 7))
def test_a_damaged_pack_says_so_in_one_line(results: Path, at: int) -> None:
    before = contents(results)
    pack_records(results, [KEY])
    (path,) = pack_paths(results / RECORDS)
    raw = bytearray(path.read_bytes())
    place = len(raw) * at // 100
    raw[place : place + 300] = random.Random(at).randbytes(300)
    path.write_bytes(raw)
    with pytest.raises(RecordError, match=r"0001\.pack: seal: expected [0-9a-f]{32} for its bytes, got .* \(changed\)"):
        check_pack(path, [KEY])
    os.utime(path.parent, ns=(at, at))  # not the pack that is open
    with suppress(RecordError):  # where it is read at all, a record is whole
        for match_id, found in contents(results).items():
            assert found == before[match_id]


def test_a_pack_that_is_none_says_so(results: Path) -> None:
    (results / RECORDS / "packs").mkdir()
    (results / RECORDS / "packs" / "0001.pack").write_text("no database, whatever its name says, but some text\n" * 9)
    with pytest.raises(RecordError, match=r"0001\.pack: expected a pack of match records, got a damaged file: "):
        list_records(results)


def test_a_pack_of_another_version_says_so(results: Path) -> None:
    pack_records(results, [KEY])
    (path,) = pack_paths(results / RECORDS)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 2")
    db.close()
    with pytest.raises(RecordError, match="expected a pack of match records, version 1, got version 2"):
        Pack(path)


def test_a_pack_under_a_new_key_names_the_one_that_its_records_have(results: Path) -> None:
    before = contents(results)
    pack_records(results, [KEY])
    (path,) = pack_paths(results / RECORDS)
    with pytest.raises(RecordError, match="not written by its run"):
        check_pack(path, [OTHER])
    write_pack_seal(path, key=OTHER, former_keys=[KEY.hex()])
    assert check_pack(path, [OTHER]).keys == (KEY,)
    assert read_record(record_path(results, IDS[5]), keys=[OTHER]).header.match_id == IDS[5]
    unpack_records(results, [OTHER])
    assert contents(results) != before
    assert [read_record(path, keys=[OTHER]).header.match_id for path in list_records(results)] == IDS
