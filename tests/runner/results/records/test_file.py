"""Record files: what is written comes back, in a fixed order of lines, and a damaged file is refused at its place."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from gridjoust.runner.results.packs.folder import pack_paths, write_pack_seal
from gridjoust.runner.results.packs.packing import pack_records
from gridjoust.runner.results.records import file
from gridjoust.runner.results.records.file import (
    RECORDS,
    Outlines,
    changed_ns,
    has_record,
    list_records,
    read_record,
    record_path,
    write_record,
)
from gridjoust.runner.results.records.lines import AnswerLine, Fault, FaultLine, MatchRecord
from gridjoust.runner.wire.errors import RecordError
from tests.runner.results.records.records_builder import make_record

LATE = FaultLine(turn=2, seat=0, fault=Fault.LATE, detail="no answer within 100 ms")


def example() -> MatchRecord:
    """Two turns, a fault in the second, four answers of which one came after the last turn."""
    answers = [AnswerLine(turn=turn, seat=seat, latency_ms=1.5) for turn, seat in ((1, 1), (1, 0), (2, 1), (3, 0))]
    record = make_record(turns=[{0: "up", 1: "left"}, {0: "", 1: "down"}], answers=answers)
    first, second = record.lines
    return msgspec.structs.replace(record, lines=[first, LATE, second])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of the example."""
    (tmp_path / "records").mkdir()
    place = record_path(tmp_path, "m1")
    write_record(place, example())
    return place


def test_what_is_written_comes_back_and_answers_stand_before_the_turn_that_they_led_to(path: Path) -> None:
    assert path.name == "m1.jsonl"
    assert read_record(path) == example()
    kinds = [msgspec.json.decode(line)["type"] for line in path.read_bytes().splitlines()]
    expected = "header answer answer turn fault answer turn answer usage end seal"
    assert kinds == expected.split()


def test_only_whole_records_are_listed_by_name_and_a_newer_one_takes_the_place_of_an_older_at_once(path: Path) -> None:
    write_record(path.with_name("a0.jsonl"), example())
    path.with_name("b1.part").write_text("{")
    assert [found.name for found in list_records(path.parents[1])] == ["a0.jsonl", "m1.jsonl"]
    assert not path.with_suffix(".part").exists()
    write_record(path, make_record("m1", reason="again"))
    assert read_record(path).end.reason == "again"


def drop(*numbers: int) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [line for number, line in enumerate(lines, 1) if number not in numbers]


def called(match: str) -> Callable[[list[bytes]], list[bytes]]:
    return lambda lines: [lines[0].replace(b'"m1"', f'"{match}"'.encode(), 1), *lines[1:]]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [], "line 1: expected a header, got an empty file"),
        (drop(1), "line 1: expected a header, got a line of type 'answer'"),
        (drop(11), "line 10: expected the seal, got a line of type 'end' (record cut short)"),
        (drop(10), "line 9: expected the end line, got a line of type 'usage'"),
        (drop(*range(2, 9), 10), "line 2: expected the end line, got a line of type 'usage'"),
        (drop(2), "seal: expected "),
        (drop(*range(2, 12)), "line 1: expected the seal, got a line of type 'header' (record cut short)"),
        (drop(*range(2, 11)), "line 1: expected the end line, got a line of type 'header'"),
        (drop(9), "expected one usage line, got 0"),
        (called("m2"), "line 1: expected match m1, got m2"),
        (called("../m1"), "line 1: expected a match id of letters and digits, got '../m1'"),
        (called("/tmp/m1"), "line 1: expected a match id of letters and digits, got '/tmp/m1'"),
        (called("m1" * 40), "line 1: expected a match id of letters and digits, got 'm1m1"),
        (lambda lines: [*lines[:9], lines[8], *lines[9:]], "expected one usage line, got 2"),
        (lambda lines: [lines[0].replace(b'"format":3', b'"format":9'), *lines[1:]], "expected record format 3, got 9"),
        (lambda lines: [*lines[:3], lines[3][:20], *lines[4:]], "line 4: expected a line of a match record, got"),
        (lambda lines: [*lines[:4], b'{"type":"turn"}', *lines[5:]], "line 5: expected a line of a match record, got"),
        (lambda lines: [*lines[:4], b"[" * 5000, *lines[5:]], "line 5: expected a line of a match record, got"),
        (lambda lines: [b"\xff" + lines[0], *lines[1:]], "line 1: expected a line of a match record, got"),
    ],
)
def test_a_damaged_record_is_refused_at_its_place_and_a_missing_one_by_its_name(
    path: Path, damage: Callable[[list[bytes]], list[bytes]], said: str
) -> None:
    path.write_bytes(b"\n".join(damage(path.read_bytes().splitlines())))
    with pytest.raises(RecordError) as error:
        read_record(path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)
    with pytest.raises(RecordError, match=r"none\.jsonl: expected a readable record, got No such file"):
        read_record(path.with_name("none.jsonl"))


@pytest.mark.parametrize(
    ("field", "most", "more"),
    [("expanded", 2**53, 2**53 + 1), ("reused", -(2**53), -(2**53) - 1), ("plan_cost", 1e15, 1.1e15)],
)
def test_a_measured_number_is_read_up_to_its_limit(path: Path, field: str, most: float, more: float) -> None:
    for value in (most, more):
        answer = AnswerLine(turn=1, seat=0)
        answer = msgspec.structs.replace(answer, **{field: value})
        write_record(path, msgspec.structs.replace(example(), answers=[answer]))
        if value == most:
            assert getattr(read_record(path).answers[0], field) == most
    with pytest.raises(RecordError, match=rf"line \d+: expected a line of a match record.*\.{field}"):
        read_record(path)


def test_answers_closed_their_questions_in_records_that_do_not_say_so(path: Path) -> None:
    assert {answer.final for answer in read_record(path).answers} == {True}
    assert b"final" not in path.read_bytes()


def test_a_bot_that_is_gone_has_crashed_and_a_flood_is_a_crash_too_but_not_the_end() -> None:
    assert [fault.value for fault in Fault if fault.is_fatal] == ["crashed", "disconnected", "failed_to_start"]
    assert [fault.value for fault in Fault if fault.is_crash and not fault.is_fatal] == ["flooding"]


@pytest.mark.parametrize("version", [2, 3])
def test_records_of_the_format_before_are_read_too(version: int, tmp_path: Path) -> None:
    old = make_record(header={"format": version})
    write_record(tmp_path / "m1.jsonl", old)
    assert read_record(tmp_path / "m1.jsonl") == old


def test_a_file_may_have_the_most_bytes_of_a_record_and_no_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = path.stat().st_size
    monkeypatch.setattr(file, "MOST_BYTES", size)
    assert read_record(path) == example()
    monkeypatch.setattr(file, "MOST_BYTES", size - 1)
    with pytest.raises(RecordError, match=f"expected a record of at most {size - 1} bytes, got {size}"):
        read_record(path)


def test_outside_a_results_folder_a_record_may_be_called_anything(path: Path, tmp_path: Path) -> None:
    assert read_record(path.rename(tmp_path / "the final.jsonl")) == example()


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


def test_a_record_is_there_in_a_file_or_in_a_pack_and_was_changed_when_that_was_written(tmp_path: Path) -> None:
    for match_id in "ab":
        write(tmp_path, match_id, 1.0)
        if match_id == "a":
            pack_records(tmp_path, [KEY])
    [pack] = pack_paths(tmp_path / RECORDS)
    os.utime(pack, ns=(7, 7_000))
    os.utime(record_path(tmp_path, "b"), ns=(8, 8_000))
    assert [has_record(record_path(tmp_path, match_id)) for match_id in "abc"] == [True, True, False]
    assert [changed_ns(record_path(tmp_path, match_id)) for match_id in "ab"] == [7_000, 8_000]


def test_former_keys_of_a_pack_seal_its_records_beside_the_keys_of_the_folder(tmp_path: Path) -> None:
    other = b"o" * 32
    write(tmp_path, "a", 1.0)
    pack_records(tmp_path, [KEY])
    [pack] = pack_paths(tmp_path / RECORDS)
    path = record_path(tmp_path, "a")
    assert read_record(path).header.match_id == "a"
    with pytest.raises(RecordError, match="not written by its run"):
        read_record(path, keys=[other])
    write_pack_seal(pack, key=other, former_keys=[KEY.hex()])
    assert read_record(path, keys=[other]).header.match_id == "a"
