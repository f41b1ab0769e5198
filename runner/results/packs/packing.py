"""Moves records from files into packs, and back. It can be stopped at any point without losing a record.

A tournament packs while it plays, in a process of its own with the lowest priority; a run that ends early stops it too.
The program `python -m gridjoust.runner.results.packs.packing RESULTS` packs the matches whose ids it reads from
standard input.

A pack is written under a temporary name, synced to the disk, read back, compared with the files, sealed and renamed.
The rename is the commit: the files count until then and are removed after it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gridjoust.runner.processes.start import input_file
from gridjoust.runner.results.packs.folder import (
    PACKS,
    SUFFIX,
    check_pack,
    open_packs,
    pack_paths,
    remove_pack,
    write_pack_seal,
)
from gridjoust.runner.results.packs.pack import LARGEST, MOST, Pack, write_pack
from gridjoust.runner.results.records.chain import check_seal, sealed_anew
from gridjoust.runner.results.records.file import (
    RECORDS,
    list_files,
    parse_header,
    read_bytes,
    record_path,
    sync,
    write_all,
)
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.wire.errors import JoustError, RecordError


@dataclass(frozen=True, slots=True)
class Packed:
    """The number of records that have moved, and the reasons for those that were refused."""

    matches: int = 0
    refused: tuple[RecordError, ...] = ()


def pack_records(
    results: Path, keys: Sequence[bytes], *, only: Collection[str] | None = None, most: int = MOST
) -> Packed:
    """Move the records of a results folder into packs; with `only`, those of these matches.

    `keys`: those that seal the folder's records. An incomplete record, or one with another seal, stays a file.
    """
    files = list_files(results)
    ids, refused = _sort_out(results, sorted(files if only is None else files.intersection(only)), keys)
    ids = [match_id for match_id in ids if not _is_packed(results, match_id)]
    for start in range(0, len(ids), most):
        _pack(results, ids[start : start + most], keys)
    return Packed(len(ids), tuple(refused))


def unpack_records(results: Path, keys: Sequence[bytes]) -> int:
    """Turn all packed records into files; return their number. RecordError for a changed pack."""
    packs = pack_paths(results / RECORDS)[::-1]  # the newest first, as an existing file is never replaced
    count = sum(unpack_one(results, path, keys) for path in packs)
    shutil.rmtree(results / RECORDS / PACKS, ignore_errors=True)  # remains of packing that was stopped
    return count


def unpack_one(results: Path, path: Path, keys: Sequence[bytes]) -> int:
    """Turn the records of one pack into files, remove the pack, and return the number of new files."""
    former = check_pack(path, keys).keys
    with closing(Pack(path)) as pack:
        records = ((match_id, pack.read(match_id) or b"") for match_id in pack.ids())
        if former:
            records = ((one, _under(raw, record_path(results, one), keys)) for one, raw in records)
        count = _write_out(results, records)
    remove_pack(path)
    return count


def salvage(results: Path, path: Path, keys: Sequence[bytes]) -> int:
    """Turn the intact records of a damaged pack, sealed with one of the keys, into files; return their number."""
    try:
        with closing(Pack(path)) as pack:
            intact = ((match_id, raw) for match_id, raw in pack.readable() if _is_whole(results, match_id, raw, keys))
            return _write_out(results, intact)
    except RecordError:  # no record can be read
        return 0


def _is_whole(results: Path, match_id: str, raw: bytes, keys: Sequence[bytes]) -> bool:
    path = record_path(results, match_id)
    try:
        parse_header(path, raw.partition(b"\n")[0])
        check_seal(path, raw, keys)
    except RecordError:
        return False
    return True


def _write_out(results: Path, records: Iterable[tuple[str, bytes]]) -> int:
    """Write the (match id, bytes) records that have no file yet, and sync them to the disk; return their number."""
    present = list_files(results)
    count = 0

    def missing() -> Iterator[tuple[Path, bytes]]:
        nonlocal count
        for match_id, raw in records:
            if match_id not in present:
                count += 1
                yield record_path(results, match_id), raw

    write_all(missing())
    sync(results / RECORDS)
    return count


def _under(raw: bytes, path: Path, keys: Sequence[bytes]) -> bytes:
    """Return a record of the pack `path`, with a new seal unless its seal was made with one of `keys`."""
    try:
        check_seal(path, raw, keys)
    except RecordError:
        return sealed_anew(raw, keys[0])
    return raw


def _sort_out(results: Path, ids: Sequence[str], keys: Sequence[bytes]) -> tuple[list[str], list[RecordError]]:
    good, refused = [], []
    for match_id in ids:
        path = record_path(results, match_id)
        try:
            raw = read_bytes(path)
            if len(raw) > LARGEST:
                raise RecordError(
                    f"{path}: expected at most {LARGEST} bytes for a pack, got {len(raw)}: it stays a file"
                )
            parse_header(path, raw.partition(b"\n")[0])
            check_seal(path, raw, keys)
        except RecordError as error:
            refused.append(error)
        else:
            good.append(match_id)
    return good, refused


def _is_packed(results: Path, match_id: str) -> bool:
    """Finish a stopped packing: return True, and remove the file, if the newest pack contains the same record."""
    path = record_path(results, match_id)
    packs = (pack for pack in open_packs(results / RECORDS) if match_id in pack)
    if (pack := next(packs, None)) is None or pack.read(match_id) != read_bytes(path):
        return False
    path.unlink()
    return True


def _pack(results: Path, ids: Sequence[str], keys: Sequence[bytes]) -> None:
    folder = results / RECORDS / PACKS
    folder.mkdir(exist_ok=True)
    last = max((int(path.stem) for path in pack_paths(results / RECORDS) if path.stem.isdecimal()), default=0)
    place = folder / f"{last + 1:04}{SUFFIX}"
    part = place.with_suffix(".part")

    def read(match_id: str) -> bytes:
        return read_bytes(record_path(results, match_id))

    write_pack(part, ids, read)
    with closing(Pack(part)) as pack:
        for match_id in ids:
            if pack.read(match_id) != read(match_id):
                raise RecordError(f"{part}: match {match_id}: expected what its file says, got something else")
    write_pack_seal(place, key=keys[0] if keys else b"", of=part)
    part.replace(place)
    sync(folder)
    for match_id in ids:
        record_path(results, match_id).unlink()


class BackgroundPacking:
    """Packs matches as soon as they fill a pack: `enter` adds a finished match, `finish` packs the rest."""

    def __init__(self, results: Path, note: Callable[[str], None], *, most: int = MOST) -> None:
        """Pack records of `results`, `most` at a time; `note` takes a sentence about records that cannot be packed."""
        self._results = results
        self._note = note
        self._most = most
        self._waiting: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - `close` closes it

    def enter(self, match_id: str) -> None:
        """Add a finished match; start packing if enough matches wait and no process is running."""
        self._waiting.append(match_id)
        if len(self._waiting) >= self._most and (self._process is None or self._process.poll() is not None):
            self._reap()
            self._begin()

    async def finish(self) -> None:
        """Pack all entered matches and wait for that."""
        if self._process is not None:
            await asyncio.to_thread(self._process.wait)
            self._reap()
        if self._waiting:
            self._begin()
            await self.finish()

    def close(self) -> None:
        """Stop packing; every record stays readable where it is."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _begin(self) -> None:
        with input_file("\n".join(self._waiting).encode()) as ids:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(self._results)],
                stdin=ids,
                stderr=self._said,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self._waiting = []

    def _reap(self) -> None:
        if self._process is not None and self._process.wait() != 0:
            self._said.seek(0)
            lines = self._said.read().decode(errors="replace").splitlines() or ["it was stopped"]
            self._note(f"records were not packed and stay files: {lines[-1]}")
        self._process = None


def main(results: Path) -> int:
    """Pack the records named on standard input; write to standard error why a record was not packed."""
    if hasattr(os, "nice"):
        os.nice(19)
    secrets = load_secrets(results)
    try:
        packed = pack_records(results, () if secrets is None else secrets.keys, only=sys.stdin.read().split())
    except (JoustError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for refused in packed.refused:
        sys.stderr.write(f"{refused}\n")
    return 1 if packed.refused else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
