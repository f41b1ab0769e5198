"""Records as files: `records/<match>.jsonl`. The rename is the commit; knows no rules."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import msgspec

from runner.record.lines import FORMAT, AnswerLine, EndLine, FaultLine, Header, Line, MatchRecord, TurnLine, UsageLine
from runner.wire.errors import RecordError, naming
from runner.wire.text import UNREADABLE

RECORDS = "records"  # folder within a tournament's results, where a file is called as its match
UNUSED = "unused.txt"  # beside them: ids of those that belong to no match of the tables, as of bots that have changed
_MATCH_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")  # it becomes a part of paths

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def record_path(results: Path, match_id: str) -> Path:
    """Where the record of a match is kept."""
    return results / RECORDS / f"{match_id}.jsonl"


def list_records(results: Path) -> list[Path]:
    """Every committed record of a results folder, sorted by name."""
    return sorted((results / RECORDS).glob("*.jsonl"))


def write_record(path: Path, record: MatchRecord) -> None:
    """Write the whole record beside its place, then rename: it is there completely or not at all."""
    lines = [record.header, *_interleave(record), record.usage, record.end]
    temporary = path.with_suffix(".part")
    with naming(path), temporary.open("wb") as out:
        out.write(b"\n".join(map(_ENCODER.encode, lines)) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(path)


def read_record(path: Path) -> MatchRecord:
    """A record from its file; RecordError says which line is wrong."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path}: expected a readable record, got {error.strerror}") from None
    return _assemble(path, [_decode(path, number, text) for number, text in enumerate(raw.splitlines(), 1)])


def _decode(path: Path, number: int, text: bytes) -> Line:
    try:
        return _DECODER.decode(text)
    except UNREADABLE as error:
        raise RecordError(f"{path}: line {number}: expected a line of a match record, got {error}") from None


def _assemble(path: Path, lines: list[Line]) -> MatchRecord:
    header = lines[0] if lines else None
    if not isinstance(header, Header):
        raise RecordError(f"{path}: line 1: expected a header, got {_kind(header)}")
    if header.format != FORMAT:
        raise RecordError(f"{path}: line 1: expected record format {FORMAT}, got {header.format}")
    if not _MATCH_ID.fullmatch(header.match_id):
        raise RecordError(f"{path}: line 1: expected a match id of letters and digits, got {header.match_id!r:.60}")
    if path.parent.name == RECORDS and path.stem != header.match_id:
        raise RecordError(f"{path}: line 1: expected match {path.stem}, got {header.match_id}")
    end = lines[-1]
    if not isinstance(end, EndLine):
        raise RecordError(f"{path}: line {len(lines)}: expected the end line, got {_kind(end)} (record cut short)")
    usages = [line for line in lines if isinstance(line, UsageLine)]
    if len(usages) != 1:
        raise RecordError(f"{path}: expected one usage line, got {len(usages)}")
    return MatchRecord(
        header=header,
        lines=[line for line in lines if isinstance(line, TurnLine | FaultLine)],
        answers=[line for line in lines if isinstance(line, AnswerLine)],
        usage=usages[0],
        end=end,
    )


def _interleave(record: MatchRecord) -> Iterator[TurnLine | FaultLine | AnswerLine]:
    """Turn and fault lines in order, the measured lines of a turn before its turn line."""
    answers = deque(record.answers)
    for line in record.lines:
        while answers and isinstance(line, TurnLine) and answers[0].turn <= line.turn:
            yield answers.popleft()
        yield line
    yield from answers


def _kind(line: Line | None) -> str:
    return "an empty file" if line is None else f"a line of type {type(line).__struct_config__.tag!r}"
