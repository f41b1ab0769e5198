"""Reads and writes records by their paths `records/<match>.jsonl`, as files or from packs. The rename is the commit.

A record that has moved into a pack (`runner/results/packs`) keeps its path, which names the match, and is read in the
same way.
"""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gridjoust.runner.results.packs.folder import open_packs, read_pack_seal
from gridjoust.runner.results.records.chain import check_seal, seal_line
from gridjoust.runner.results.records.lines import (
    FORMAT,
    READABLE,
    AnswerLine,
    EndLine,
    FaultLine,
    Header,
    Line,
    MatchRecord,
    SealLine,
    TurnLine,
    UsageLine,
    is_match_id,
)
from gridjoust.runner.wire.errors import OtherVersionError, RecordError, naming
from gridjoust.runner.wire.text import UNREADABLE

if TYPE_CHECKING:
    from gridjoust.runner.results.packs.pack import Pack

RECORDS = "records"  # folder in a tournament's results with one file per match, named after the match
_SUFFIX = ".jsonl"
UNUSED = "unused.txt"  # beside the records: ids of those without a match in the tables, such as of changed bots
MOST_BYTES = 1 << 29  # of a record in a file: no match needs more, but a sparse file can claim any size
_MOST_HEADER = 1 << 24  # bytes; a header contains the map
_AT_ONCE = 256  # files that are written before they are synced
_OF_A_SEAT = (FaultLine, AnswerLine)
_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def record_path(results: Path, match_id: str) -> Path:
    """Return the path of a match's record."""
    return results / RECORDS / record_name(match_id)


def record_name(match_id: str) -> str:
    """Return the file name of a match's record."""
    return f"{match_id}{_SUFFIX}"


def list_records(results: Path) -> list[Path]:
    """Return the path of every record of a results folder, in a file or a pack, sorted by name."""
    folder = results / RECORDS
    return [folder / record_name(match_id) for match_id in sorted(list_ids(results))]


def list_ids(results: Path) -> set[str]:
    """Return the ids of the matches with a record, in a file or a pack."""
    return list_files(results).union(*(pack.ids() for pack in open_packs(results / RECORDS)))


def list_files(results: Path) -> set[str]:
    """Return the ids of the matches whose records are files."""
    try:
        with os.scandir(results / RECORDS) as entries:
            return {entry.name.removesuffix(_SUFFIX) for entry in entries if entry.name.endswith(_SUFFIX)}
    except FileNotFoundError:
        return set()


def has_record(path: Path) -> bool:
    """Return True if the record exists, in a file or a pack."""
    return path.is_file() or _pack_with(path) is not None


def changed_ns(path: Path) -> int:
    """Return when the record's file or pack was last written, in ns since 1970."""
    pack = None if path.is_file() else _pack_with(path)
    return (path if pack is None else pack.path).stat().st_mtime_ns


def write_record(path: Path, record: MatchRecord, *, key: bytes = b"") -> None:
    """Write a complete record, sealed with the key of its results folder if it is in one."""
    write_bytes(path, format_record(record, key=key))


def format_record(record: MatchRecord, *, key: bytes = b"") -> bytes:
    """Return the bytes of a complete record, its seal included."""
    lines = [record.header, *_interleave(record), record.usage, record.end]
    body = b"\n".join(map(_ENCODER.encode, lines)) + b"\n"
    return body + seal_line(body, key)


def write_bytes(path: Path, raw: bytes) -> None:
    """Write a record's bytes atomically: under a temporary name, then renamed."""
    write_all([(path, raw)])


def write_all(records: Iterable[tuple[Path, bytes]]) -> None:
    """Write many records atomically, each synced before its rename; some at a time, as that is cheaper."""
    left = iter(records)
    while batch := list(islice(left, _AT_ONCE)):
        parts = [path.with_suffix(".part") for path, _ in batch]
        for part, (path, raw) in zip(parts, batch, strict=True):
            with naming(path):
                part.write_bytes(raw)
        for part in parts:
            sync(part)
        for part, (path, _) in zip(parts, batch, strict=True):
            part.replace(path)


def sync(path: Path) -> None:
    """Sync a file, or a folder's list of files, to the disk if the system can do that."""
    try:
        descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    except PermissionError:  # a folder, on Windows
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_record(path: Path | str, *, keys: Sequence[bytes] = ()) -> MatchRecord:
    """Read a record and check its seal; RecordError names the line that is wrong.

    >>> import gridjoust as joust
    >>> record = joust.read_record("results/sample/records/d47a8c3bc62e47e8.jsonl")
    >>> record.header.game, record.end.termination.value
    ('bomber', 'completed')

    Args:
        path: `FOLDER/records/MATCH.jsonl` in a results folder, also if the record has moved into a pack
        keys: keys of the results folder, one of which must have sealed the record; without keys only damage shows
    """
    path = Path(path)
    raw, pack = _find(path)
    record = parse_record(path, raw)
    check_seal(path, raw, _keys_of(pack, keys))
    return record


def read_bytes(path: Path) -> bytes:
    """Read a record's bytes without checking them; RecordError if it is missing."""
    return _find(path)[0]


def read_sealed(path: Path, keys: Sequence[bytes]) -> tuple[bytes, Sequence[bytes]]:
    """Read a record's bytes and the keys that may have sealed it: these, and former ones named by its pack."""
    raw, pack = _find(path)
    return raw, _keys_of(pack, keys)


def parse_record(path: Path, raw: bytes) -> MatchRecord:
    """Parse a record from its bytes without checking its seal; a RecordError names the wrong line."""
    lines = io.BytesIO(raw)  # read one by one, as a damaged record may consist of line ends only
    header = parse_header(path, lines.readline().rstrip(b"\n"))
    return _assemble(path, header, [_decode(path, number, text) for number, text in enumerate(lines, 2)])


def read_header(path: Path) -> Header:
    """Read only the header of a record; RecordError if it is missing."""
    try:
        with path.open("rb") as file:
            return parse_header(path, file.readline(_MOST_HEADER).rstrip(b"\n"))
    except OSError as error:
        packs, match_id = _packs_of(path)
        for pack in packs:
            if (head := pack.head(match_id)) is not None:
                return parse_header(path, head.partition(b"\n")[0])
        raise RecordError(f"{path}: expected a readable record, got {error.strerror}") from None


def parse_outline(path: Path | str, raw: bytes) -> MatchRecord:
    """Parse a record without its turns, faults and answers, which `raw` may leave out; RecordError for a bad line."""
    first, *last = raw.partition(b"\n")[:1] + tuple(raw.rsplit(b"\n", 4)[1:4])
    lines = [_decode(path, number, text) for number, text in enumerate(last, 2)]
    header = parse_header(path, first)
    match lines:
        case [UsageLine() as usage, EndLine() as end, SealLine()]:
            _check_lengths(path, len(header.seats), usage, end)
            return MatchRecord(header=header, lines=[], answers=[], usage=usage, end=end)
        case _:
            return _assemble(path, header, lines)


def parse_header(path: Path | str, text: bytes) -> Header:
    """Parse the first line of a record; RecordError if it is no valid header, OtherVersionError for another format."""
    header = _decode(path, 1, text) if text else None
    if not isinstance(header, Header):
        raise RecordError(f"{path}: line 1: expected a header, got {_kind(header)}")
    if header.format not in READABLE:
        raise OtherVersionError(f"{path}: line 1: expected record format {FORMAT}, got {header.format}")
    if not is_match_id(header.match_id):
        raise RecordError(f"{path}: line 1: expected a match id of letters and digits, got {header.match_id!r:.60}")
    folder, name = _split(path)
    match_id, _, _ = name.partition(".")
    if match_id != header.match_id and _is_of_records(folder):
        raise RecordError(f"{path}: line 1: expected match {match_id}, got {header.match_id}")
    return header


def _find(path: Path) -> tuple[bytes, Pack | None]:
    if not os.access(path, os.F_OK) and (packed := _find_packed(path)):  # faster than a failed attempt to open it
        return packed
    try:
        return _read_file(path), None
    except OSError as error:
        if packed := _find_packed(path):  # it has moved into a pack meanwhile
            return packed
        raise RecordError(f"{path}: expected a readable record, got {error.strerror}") from None


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        if (size := os.fstat(file.fileno()).st_size) > MOST_BYTES:
            raise RecordError(f"{path}: expected a record of at most {MOST_BYTES} bytes, got {size}")
        return file.read()


def _find_packed(path: Path) -> tuple[bytes, Pack] | None:
    packs, match_id = _packs_of(path)
    for pack in packs:
        if (raw := pack.read(match_id)) is not None:
            return raw, pack
    return None


def _keys_of(pack: Pack | None, keys: Sequence[bytes]) -> Sequence[bytes]:
    """Return the keys for a record, with the former keys of its pack; without keys, seals are not checked at all."""
    return keys if pack is None or not keys else [*keys, *read_pack_seal(pack.path).keys]


def _pack_with(path: Path) -> Pack | None:
    """Return the newest pack with the record, or None."""
    packs, match_id = _packs_of(path)
    return next((pack for pack in packs if match_id in pack), None)


def _packs_of(path: Path) -> tuple[tuple[Pack, ...], str]:
    """Return the packs that may contain the record of this path, newest first, and the match id in the path."""
    folder, name = _split(path)
    is_record = name.endswith(_SUFFIX) and _is_of_records(folder)
    return open_packs(folder) if is_record else (), name.removesuffix(_SUFFIX)


def _split(path: Path | str) -> tuple[str, str]:
    """Split a path into folder and name as text, which is ten times as fast as with `Path`."""
    folder, _, name = str(path).rpartition(os.sep)
    return folder, name


def _is_of_records(folder: str) -> bool:
    return folder.rpartition(os.sep)[2] == RECORDS


def _decode(path: Path | str, number: int, text: bytes) -> Line:
    try:
        return _DECODER.decode(text)
    except UNREADABLE as error:
        raise RecordError(
            f"{path}: line {number}: expected a line of a match record, got other text ({error})"
        ) from None


def _assemble(path: Path | str, header: Header, lines: list[Line]) -> MatchRecord:
    """Make a record of its header and the lines after it; RecordError if they are incomplete or do not fit."""
    if not lines or not isinstance(lines[-1], SealLine):
        got = _kind(lines[-1] if lines else header)
        raise RecordError(f"{path}: line {len(lines) + 1}: expected the seal, got {got} (record cut short)")
    if len(lines) < 2 or not isinstance(end := lines[-2], EndLine):
        got = _kind(lines[-2] if len(lines) > 1 else header)
        raise RecordError(f"{path}: line {len(lines)}: expected the end line, got {got}")
    names = {str(seat) for seat in range(len(header.seats))}
    if strange := next((at for at, line in enumerate(lines, 2) if not _is_of(line, names)), None):
        raise RecordError(f"{path}: line {strange}: expected seats 0 to {len(names) - 1}, got others")
    usages = [line for line in lines if isinstance(line, UsageLine)]
    if len(usages) != 1:
        raise RecordError(f"{path}: expected one usage line, got {len(usages)}")
    _check_lengths(path, len(header.seats), usages[0], end)
    return MatchRecord(
        header=header,
        lines=[line for line in lines if isinstance(line, TurnLine | FaultLine)],
        answers=[line for line in lines if isinstance(line, AnswerLine)],
        usage=usages[0],
        end=end,
    )


def _check_lengths(path: Path | str, seats: int, usage: UsageLine, end: EndLine) -> None:
    """Raise a RecordError unless every list has a value for each seat."""
    lists = (end.returns, end.ranks, end.points, end.metrics, end.faults, usage.cpu_ms, usage.peak_mb)
    if any(len(values) != seats for values in lists) or not all(0 <= seat < seats for seat in end.forfeited):
        raise RecordError(f"{path}: usage and end: expected lists of {seats} seats, got others")


def _is_of(line: Line, seats: Set[str]) -> bool:
    """Return True if a line of a record names only these seats."""
    if isinstance(line, TurnLine):
        return line.actions.keys() <= seats
    return not isinstance(line, _OF_A_SEAT) or 0 <= line.seat < len(seats)


def _interleave(record: MatchRecord) -> Iterator[TurnLine | FaultLine | AnswerLine]:
    """Yield turn and fault lines in order, with the answers of a turn before its turn line."""
    answers = deque(record.answers)
    for line in record.lines:
        while answers and isinstance(line, TurnLine) and answers[0].turn <= line.turn:
            yield answers.popleft()
        yield line
    yield from answers


def _kind(line: Line | None) -> str:
    return "an empty file" if line is None else f"a line of type {type(line).__struct_config__.tag!r}"


class Outlines:
    """Reads headers and ends of the records that exist when this is made, and of files that are added later."""

    def __init__(self, results: Path) -> None:
        self._folder = results / RECORDS
        self._pack_of: dict[str, Pack] = {}
        for pack in reversed(open_packs(self._folder)):  # the newest counts, a file before all packs
            self._pack_of |= dict.fromkeys(pack.ids(), pack)
        for match_id in list_files(results):
            self._pack_of.pop(match_id, None)

    def read(self, match_id: str) -> MatchRecord:
        """Read header and end of a record, without its turns, faults and answers; RecordError if one is invalid."""
        path = f"{self._folder}{os.sep}{record_name(match_id)}"
        pack = self._pack_of.get(match_id)
        head = None if pack is None else pack.head(match_id)
        return parse_outline(path, read_bytes(Path(path)) if head is None else head)
