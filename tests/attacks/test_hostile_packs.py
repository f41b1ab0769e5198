"""Packs that somebody else made: what they name stays in the folder, and what they hold is bounded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import games
from runner.kept_records import KeptRecords
from runner.record.file import RECORDS, list_files, record_path, write_record
from runner.record.outlines import Outlines
from runner.record.packing import pack_records, unpack_records
from runner.record.packs import pack_paths, write_pack_seal
from runner.results_secrets import Secrets
from runner.wire.errors import RecordError
from tests.runner.record.records_builder import make_record

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
