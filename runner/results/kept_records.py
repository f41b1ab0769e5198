"""Checks the records that a results folder holds when a run begins, and moves those that cannot be trusted.

The records are listed once, while the run holds the folder and before any bot starts. A record that appears later, or
is not sealed with the folder's key, was not written by the runner.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from contextlib import closing
from itertools import chain, count
from pathlib import Path

from msgspec.structs import replace

from gridjoust import games
from gridjoust.runner.results.packs.folder import SEAL_SUFFIX, check_pack, pack_paths, write_pack_seal
from gridjoust.runner.results.records.chain import check_seal, sealed_anew
from gridjoust.runner.results.records.file import (
    RECORDS,
    Outlines,
    has_record,
    list_files,
    list_ids,
    parse_header,
    read_bytes,
    read_record,
    record_path,
    write_all,
    write_record,
)
from gridjoust.runner.results.records.lines import READABLE, Header, MatchRecord
from gridjoust.runner.results.secrets import Secrets, save_secrets
from gridjoust.runner.results.tables.kept import KeptTables, load_kept
from gridjoust.runner.wire.errors import ConfigError, OtherVersionError, RecordError
from gridjoust.runner.wire.text import plain_text

DAMAGED = "damaged"  # folder in `records` for changed or incomplete records, or with another folder's seal
STALE = "stale"  # folder in `records` for records of another format or other rules


class KeptRecords:
    """The records of a results folder that the runner has written."""

    def __init__(self, results: Path, secrets: Secrets) -> None:
        self._notes: list[str] = []
        self._results = results
        self._secrets = secrets
        self.key = secrets.keys[0]  # seals records
        self._ids: set[str] = set()
        self._tables: KeptTables | None = None
        self._outlines: Outlines | None = None

    @property
    def ids(self) -> Set[str]:
        """The ids of the matches with a record that can be trusted."""
        return self._ids

    def note(self, line: str) -> None:
        """Add a line that the user must see about the folder."""
        self._notes.append(plain_text(line))

    def take_notes(self) -> list[str]:
        """Return the notes since the last call, one line each."""
        notes, self._notes = self._notes, []
        return notes

    def take_stock(self, tournament: str) -> None:
        """Check every record and set bad ones aside; ConfigError if one is of another tournament."""
        for path in pack_paths(self._results / RECORDS):
            self._take_pack(path, tournament)
        refused: list[tuple[Path, RecordError]] = []
        for match_id in sorted(list_files(self._results)):
            path = record_path(self._results, match_id)
            try:
                header = self._check(path)
            except RecordError as error:
                refused.append((path, error))
                self._ids.discard(match_id)
                continue
            self._require(tournament, header.tournament)
            self._ids.add(match_id)
        self._set_aside(refused)
        if self._secrets.former_key:
            whole = (record_path(self._results, match_id) for match_id in sorted(self._ids & list_files(self._results)))
            write_all((path, sealed_anew(read_bytes(path), self.key)) for path in whole)
        kept = load_kept(self._results, self._secrets.keys)
        self._tables = kept if kept is not None and kept.has_these_columns else None
        if self._secrets.former_key:
            self._secrets = replace(self._secrets, former_key="")
            save_secrets(self._results, self._secrets)

    def tables(self) -> KeptTables | None:
        """Return the part of the folder's result tables that a resumed run can keep; None if nothing can be kept."""
        return self._tables

    def find(self, match_id: str) -> MatchRecord | None:
        """Return the record of a match; None if there is none, or if it cannot be trusted and was set aside."""
        path = record_path(self._results, match_id)
        if not has_record(path):
            return None
        try:
            if match_id not in self._ids:
                raise RecordError(f"{path}: unexpected record: this match has not been played")
            return read_record(path, keys=[self.key])
        except RecordError as error:
            self._set_aside([(path, error)])
            return None

    def outline(self, match_id: str) -> MatchRecord | None:
        """Return header and end of a checked record; the full record if bans or clocks depend on its turns."""
        if match_id not in self._ids:
            return None
        self._outlines = self._outlines or Outlines(self._results)
        outline = self._outlines.read(match_id)
        return outline if _is_plain(outline) else self.find(match_id)

    def write(self, record: MatchRecord) -> None:
        """Write the runner's record of a match; it replaces an earlier one."""
        match_id = record.header.match_id
        write_record(record_path(self._results, match_id), record, key=self.key)
        self._ids.add(match_id)

    def set_aside_strangers(self) -> None:
        """Set aside, at the end of a run, the records that other processes have added meanwhile."""
        strangers = (record_path(self._results, match_id) for match_id in sorted(list_ids(self._results) - self._ids))
        self._set_aside((path, RecordError(f"{path}: unexpected record: not of this run")) for path in strangers)

    def _check(self, path: Path) -> Header:
        """Return the header of a record; RecordError unless the record is exactly as the runner wrote it."""
        raw = read_bytes(path)
        header = parse_header(path, raw.partition(b"\n")[0])
        check_seal(path, raw, self._secrets.keys)
        _check_version(path, header)
        return header

    def _take_pack(self, path: Path, tournament: str) -> None:
        """Take over all records of an intact pack; unpack one with old records, and salvage a damaged one."""
        from gridjoust.runner.results.packs.pack import Pack  # noqa: PLC0415 - most folders have no packs
        from gridjoust.runner.results.packs.packing import salvage, unpack_one  # noqa: PLC0415

        try:
            seal = check_pack(path, self._secrets.keys)
            with closing(Pack(path)) as pack:
                ids, kinds = pack.ids(), pack.kinds()
        except RecordError as error:
            saved = salvage(self._results, path, self._secrets.keys)
            self._set_pack_aside(path, saved, error)
            return
        for kind in kinds:
            self._require(tournament, kind.tournament)
        if not all(kind.format in READABLE and _is_installed(kind.game, kind.game_version) for kind in kinds):
            unpack_one(self._results, path, self._secrets.keys)  # its files are then checked one by one
            return
        self._ids.update(ids)
        if (former := self._secrets.former_key) and former not in seal.former_keys:
            write_pack_seal(path, key=self.key, former_keys=[*seal.former_keys, former])

    def _set_pack_aside(self, path: Path, saved: int, error: RecordError) -> None:
        for part in (path, path.with_suffix(SEAL_SUFFIX)):
            if part.is_file():
                _move(part, self._results / RECORDS / DAMAGED)
        kept = "1 of its records was whole and stays" if saved == 1 else f"{saved} of its records were whole and stay"
        where = self._results / RECORDS / DAMAGED
        self._notes.append(plain_text(f"1 pack set aside in {where}, {kept}: {error}"))

    def _require(self, tournament: str, found: str) -> None:
        if found != tournament:
            raise ConfigError(f"{self._results}: expected results of {tournament}, got results of {found}")

    def _set_aside(self, refused: Iterable[tuple[Path, RecordError]]) -> None:
        by_folder: dict[str, list[RecordError]] = {}
        for path, error in refused:
            folder = STALE if isinstance(error, OtherVersionError) else DAMAGED
            if path.is_file():  # a pack that has appeared meanwhile stays: files count before packs
                _move(path, path.parent / folder)
            by_folder.setdefault(folder, []).append(error)
        for folder, errors in by_folder.items():
            what = "1 record" if len(errors) == 1 else f"{len(errors)} records"
            where = self._results / RECORDS / folder
            self._notes.append(plain_text(f"{what} set aside in {where}, as not valid here; the first: {errors[0]}"))


def _is_plain(outline: MatchRecord) -> bool:
    """Return True if bans and clocks can be computed from the record's end alone, without its turns."""
    clocks = (limits.get("clock") for limits in outline.header.time.values() if isinstance(limits, dict))
    return not any(outline.end.faults) and "work" not in clocks  # the work clock needs the work of every answer


def _is_installed(game: str, version: str) -> bool:
    try:
        return games.load_game(game).spec.version == version
    except ValueError:
        return False


def _check_version(path: Path, header: Header) -> None:
    try:
        version = games.load_game(header.game).spec.version
    except ValueError as error:
        raise OtherVersionError(f"{path}: game: {error}") from None
    if version != header.game_version:
        expected = f"rules of {header.game} {version}"
        raise OtherVersionError(f"{path}: expected {expected}, got {header.game_version}")


def _move(path: Path, folder: Path) -> None:
    """Move a file into a folder, under a new name if its own is taken there."""
    folder.mkdir(exist_ok=True)
    names = chain([path.name], (f"{path.stem}-{number}{path.suffix}" for number in count(2)))
    path.replace(next(place for name in names if not (place := folder / name).exists()))
