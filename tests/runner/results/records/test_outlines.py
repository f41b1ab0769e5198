"""Outlines of records in files and packs: as `read_record` finds them, and without what came between."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from gridjoust.runner.results.packs.packing import pack_records
from gridjoust.runner.results.records.file import RECORDS, read_record, record_path, write_record
from gridjoust.runner.results.records.lines import AnswerLine
from gridjoust.runner.results.records.outlines import Outlines
from gridjoust.runner.wire.errors import RecordError
from tests.runner.results.records.records_builder import make_record

KEY = b"k" * 32


def write(results: Path, match_id: str, duration_ms: float) -> None:
    (results / RECORDS).mkdir(exist_ok=True)
    record = make_record(match_id, turns=[{0: "up"}], answers=[AnswerLine(turn=1, seat=0, action="up")])
    usage = replace(record.usage, duration_ms=duration_ms)
    write_record(record_path(results, match_id), replace(record, usage=usage), key=KEY)


def test_an_outline_is_the_record_without_its_turns_and_answers(tmp_path: Path) -> None:
    write(tmp_path, "a", 1.0)
    whole = read_record(record_path(tmp_path, "a"))
    expected = replace(whole, lines=[], answers=[])
    assert whole != expected
    assert Outlines(tmp_path).read("a") == expected
    pack_records(tmp_path, [KEY])
    assert Outlines(tmp_path).read("a") == expected


def test_a_file_counts_before_packs_and_a_new_pack_before_an_old_one(tmp_path: Path) -> None:
    for number in range(3):
        for match_id in "abc"[number:]:
            write(tmp_path, match_id, float(number))
        if number < 2:
            pack_records(tmp_path, [KEY])
    outlines = Outlines(tmp_path)
    assert [outlines.read(match_id).usage.duration_ms for match_id in "abc"] == [0.0, 1.0, 2.0]


def test_records_that_move_or_come_later_are_found_too(tmp_path: Path) -> None:
    write(tmp_path, "a", 1.0)
    outlines = Outlines(tmp_path)
    pack_records(tmp_path, [KEY])
    write(tmp_path, "b", 2.0)
    assert [outlines.read(match_id).usage.duration_ms for match_id in "ab"] == [1.0, 2.0]
    with pytest.raises(RecordError, match=r"c\.jsonl: expected a readable record, got No such file"):
        outlines.read("c")
