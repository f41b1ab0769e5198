"""The store of a contest: SQLite in its folder. One thread writes; what it has acknowledged is on the disk."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gridjoust.runner.config.programs import with_absolute_paths
from gridjoust.runner.config.values import RoleProgram
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.records.reasons import named_reason, reason_without_words
from gridjoust.runner.wire.errors import ConfigError
from gridjoust.serve.config import Entry, Folders, record_name
from gridjoust.serve.ratings import Met, Prior, Rating, fit, prior_after
from gridjoust.serve.values import Kind, Phase, State

T = TypeVar("T")
FILE = "contest.sqlite"
FORMAT = 3
RATED = (Kind.LADDER.value, Kind.STAFF.value)
WAITING = "matches INDEXED BY matches_waiting WHERE state IN ('queued', 'running')"  # in SQL; quick with many matches
BUSY_S = 10.0  # for the other process of the contest to end its transaction
_SHARED = ("nfs", "cifs", "smb", "9p", "fuse.sshfs")  # file systems on which locks of SQLite do not hold
_MOUNTS = Path("/proc/self/mountinfo")


def name_in_sql(side: str) -> str:
    """Return the SQL expression for the person (or staff bot) on a side of a match; indexes need this exact text."""
    return f"substr({side}, 1, instr({side} || '@', '@') - 1)"


_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE people (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, key_hash TEXT NOT NULL UNIQUE,
    is_staff INTEGER NOT NULL, joined_s REAL NOT NULL, track TEXT NOT NULL DEFAULT '');
CREATE TABLE versions (
    place INTEGER PRIMARY KEY,  -- in the order of receipt
    label TEXT NOT NULL UNIQUE, name TEXT NOT NULL, number INTEGER NOT NULL, content TEXT NOT NULL,
    filename TEXT NOT NULL, received_s REAL NOT NULL, state TEXT NOT NULL, is_active INTEGER NOT NULL DEFAULT 0,
    program TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '', record TEXT NOT NULL DEFAULT '',
    is_late INTEGER NOT NULL DEFAULT 0,  -- received after the deadline and its grace
    tries INTEGER NOT NULL DEFAULT 0, faults_in_row INTEGER NOT NULL DEFAULT 0, admitted_s REAL,
    games INTEGER NOT NULL DEFAULT 0, wins INTEGER NOT NULL DEFAULT 0, draws INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0, forfeits INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
    elo REAL, spread REAL, prior_elo REAL NOT NULL DEFAULT 0, prior_spread REAL, UNIQUE (name, number));
CREATE INDEX versions_by_state ON versions (state, place);
CREATE TABLE steps (
    label TEXT NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, outcome TEXT NOT NULL,
    sentence TEXT NOT NULL DEFAULT '', log TEXT NOT NULL DEFAULT '', ask TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (label, place)) WITHOUT ROWID;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,  -- in the order of queueing
    match_id TEXT NOT NULL UNIQUE,  -- hash of all that decides the match: a result that comes twice is one
    kind TEXT NOT NULL, is_extra INTEGER NOT NULL, batch INTEGER NOT NULL, pair INTEGER NOT NULL,
    pair_id TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL, purpose TEXT NOT NULL, asked_by TEXT,
    seed INTEGER, queued_s REAL NOT NULL, state TEXT NOT NULL, lease_s REAL, played_s REAL,
    points_first REAL, points_second REAL, forfeit_first TEXT, forfeit_second TEXT, seconds REAL, reason TEXT);
CREATE TABLE scores (  -- rated matches of two bots, one < other
    kind TEXT NOT NULL, one TEXT NOT NULL, other TEXT NOT NULL, games INTEGER NOT NULL, points REAL NOT NULL,
    PRIMARY KEY (kind, one, other)) WITHOUT ROWID;
"""
_FIRST, _SECOND = name_in_sql("first"), name_in_sql("second")
_INDEXES = f"""
CREATE INDEX matches_waiting ON matches (state, is_extra, number) WHERE state IN ('queued', 'running');
CREATE INDEX matches_of_first ON matches ({_FIRST}, number);
CREATE INDEX matches_of_second ON matches ({_SECOND}, number);
CREATE INDEX matches_of_both ON matches ({_FIRST}, {_SECOND}, number);
CREATE INDEX matches_by_kind ON matches (kind, number);
CREATE INDEX matches_graded_first ON matches (first, pair) WHERE kind = 'staff';
CREATE INDEX matches_graded_second ON matches (second, pair) WHERE kind = 'staff';
CREATE INDEX matches_by_pair ON matches (pair_id);
CREATE INDEX matches_by_batch ON matches (kind, batch);
CREATE INDEX matches_on_demand ON matches (asked_by, queued_s) WHERE asked_by IS NOT NULL;
"""
_CHANGES = {  # from an earlier format
    2: "ALTER TABLE versions ADD COLUMN is_late INTEGER NOT NULL DEFAULT 0;"
    " ALTER TABLE people ADD COLUMN track TEXT NOT NULL DEFAULT '';",
}


class Store:
    """An open store; `write` runs a transaction in the one writing thread, `read` a query in the caller's."""

    def __init__(self, folder: Path, *, is_synced: bool = True) -> None:
        """Open the store in a folder, and make it if there is none; ConfigError on a disk that cannot hold it.

        `is_synced`: a change is on the disk when it is done; else a power cut, but no kill, may undo the last ones.
        """
        if kind := shared_file_system(folder):
            raise ConfigError(f"{folder}: expected a disk of this machine, got {kind}, on which SQLite's locks fail")
        self._file, self._is_synced = folder / FILE, is_synced
        self._idle: list[sqlite3.Connection] = []  # one is in the hands of one thread at a time
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._writing = self._writer.submit(self._prepare).result()

    def read(self, query: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        rows = connection.execute(query, values).fetchall()
        self._idle.append(connection)
        return rows

    def one(self, query: str, values: Sequence[object] = ()) -> sqlite3.Row | None:
        """Return the first row of a query; None if there is none."""
        return next(iter(self.read(query, values)), None)

    def start_write(self, change: Callable[[sqlite3.Connection], T]) -> Future[T]:
        """Begin a change as one transaction; the future is done once it is on the disk, or has failed as a whole."""
        return self._writer.submit(self._transaction, change)

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Make a change as one transaction; return its result once it is on the disk."""
        return self.start_write(change).result()

    def meta(self, key: str) -> str | None:
        """Return the value of a key of the contest, such as its join code; None if it is not set."""
        row = self.one("SELECT value FROM meta WHERE key = ?", (key,))
        return None if row is None else str(row["value"])

    def close(self) -> None:
        """Finish all writes, then close the store."""
        self._writer.shutdown()
        for connection in (self._writing, *self._idle):
            connection.close()
        self._idle.clear()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA synchronous = {'FULL' if self._is_synced else 'NORMAL'}")  # FULL syncs each commit
        return connection

    def _prepare(self) -> sqlite3.Connection:
        """Return the connection that writes, and make the tables if the store is new; ConfigError if it is unfit."""
        connection = self._connect()
        self._file.chmod(0o600)  # the log beside it gets the same rights
        [mode] = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise ConfigError(f"{self._file}: expected a disk that can hold a write-ahead log, got journal mode {mode}")
        [found] = connection.execute("PRAGMA user_version").fetchone()
        if found not in (0, *_CHANGES, FORMAT):
            raise ConfigError(f"{self._file}: expected a contest of format {FORMAT}, got format {found}")
        if found != FORMAT:
            tables = _CHANGES.get(found, f"{_SCHEMA} {_INDEXES}")
            connection.executescript(f"BEGIN IMMEDIATE; {tables} PRAGMA user_version = {FORMAT}; COMMIT;")
        return connection

    def _transaction(self, change: Callable[[sqlite3.Connection], T]) -> T:
        connection = self._writing
        connection.execute("BEGIN IMMEDIATE")  # one that turned from reading to writing would never wait
        try:
            result = change(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Set the value of a key of the contest."""
    connection.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (key, value))


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> int:
    """Add a row, unless one with its key is there; return how many were added. Names of columns come from the code."""
    names, places = ", ".join(values), ", ".join("?" * len(values))
    query = f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING"  # noqa: S608 - no input in it
    return connection.execute(query, tuple(values.values())).rowcount


def shared_file_system(folder: Path, mounts: Path = _MOUNTS) -> str:
    """Return the kind of the network file system that holds a folder; "" if it is on a disk of this machine."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    place, best, kind = folder.resolve(), -1, ""
    for line in lines:
        before, _, after = line.partition(" - ")
        point, found = Path(before.split()[4].replace("\\040", " ")), after.split()[0]
        if place.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), found
    return kind if kind.startswith(_SHARED) else ""


def queue(
    connection: sqlite3.Connection, rows: Iterable[dict[str, Any]], now_s: float, facts: Mapping[str, str]
) -> None:
    """Queue matches that are new or were void; also set `facts`, values of keys of the contest, in this transaction."""
    for row in rows:
        if not insert(connection, "matches", **row, queued_s=now_s, state="queued"):
            again = "UPDATE matches SET state = 'queued' WHERE match_id = ? AND state = 'void'"
            connection.execute(again, (row["match_id"],))
    for key, value in facts.items():
        set_meta(connection, key, value)


def enter(connection: sqlite3.Connection, number: int, record: MatchRecord, *, suspend_after: int) -> None:
    """Enter the result of a match, once: a second call changes nothing.

    A version that forfeits `suspend_after` matches in a row is suspended.
    """
    row = connection.execute("SELECT * FROM matches WHERE number = ?", (number,)).fetchone()
    if row is None or row["state"] == "played":
        return
    end, seconds, labels = record.end, record.usage.duration_ms / 1000, (row["first"], row["second"])
    seats = [[entry.bot for entry in record.header.seats].index(record_name(label)) for label in labels]
    points = [end.points[seat] or 0.0 for seat in seats]
    forfeits = [end.termination.words if seat in end.forfeited else "" for seat in seats]
    connection.execute(
        "UPDATE matches SET state = ?, played_s = ?, points_first = ?, points_second = ?, forfeit_first = ?,"
        " forfeit_second = ?, seconds = ?, reason = ? WHERE number = ?",
        (
            "played" if end.counted else "void",
            time.time(),
            *points,
            *forfeits,
            seconds,
            _reason(record, labels),
            number,
        ),
    )
    if not end.counted or row["kind"] == Kind.DEMAND.value:
        return
    _add_score(connection, row["kind"], *labels, points[0])
    if row["kind"] in RATED:
        for label, own, forfeit in zip(labels, points, forfeits, strict=True):
            _tally(connection, label, own, forfeit, seconds)
            _suspend(connection, label, row["match_id"], forfeit, suspend_after)


def _reason(record: MatchRecord, labels: Sequence[str]) -> str:
    """Return how a match has ended, as everybody may know it: without the texts that bots sent with their faults."""
    label_of = {record_name(label): label for label in labels}
    bots = [label_of[entry.bot] for entry in record.header.seats]
    return named_reason(reason_without_words(record.end), bots, record.end.forfeited)


def _tally(connection: sqlite3.Connection, label: str, points: float, forfeit: str, seconds: float) -> None:
    connection.execute(
        "UPDATE versions SET games = games + 1, wins = wins + ?, draws = draws + ?, losses = losses + ?,"
        " forfeits = forfeits + ?, seconds = seconds + ?, faults_in_row = CASE WHEN ? THEN faults_in_row + 1 ELSE 0 END"
        " WHERE label = ?",
        (points == 1, 0 < points < 1, points == 0, bool(forfeit), seconds, bool(forfeit), label),
    )


def _suspend(connection: sqlite3.Connection, label: str, match_id: str, forfeit: str, after: int) -> None:
    reason = f"forfeited {after} matches in a row, the last: {forfeit}"
    found = connection.execute(
        "UPDATE versions SET state = ?, reason = ?, record = ? WHERE label = ? AND state = ? AND faults_in_row >= ?",
        (State.SUSPENDED.value, reason, match_id, label, State.ADMITTED.value, after),
    )
    if found.rowcount:
        forget_queued(connection, label)


def _add_score(connection: sqlite3.Connection, kind: str, first: str, second: str, points: float) -> None:
    """Add a match to the sums of two bots; `points`: what the first one got."""
    one, other, own = (first, second, points) if first < second else (second, first, 1 - points)
    connection.execute(
        "INSERT INTO scores VALUES (?, ?, ?, 1, ?) ON CONFLICT DO UPDATE SET games = games + 1, points = points + ?",
        (kind, one, other, own, own),
    )


def save_ratings(connection: sqlite3.Connection, ratings: dict[str, Rating]) -> None:
    """Save the ratings of versions that play."""
    rows = [(rating.elo, rating.spread, label) for label, rating in ratings.items()]
    connection.executemany("UPDATE versions SET elo = ?, spread = ? WHERE label = ? AND is_active = 1", rows)


def admit(connection: sqlite3.Connection, label: str, program: str, now_s: float) -> None:
    """Admit a version; it plays from now on in place of the version before it, unless a later one plays already.

    A late version leaves the one that counts in its place, and replaces an earlier late one alone.
    """
    own = connection.execute("SELECT * FROM versions WHERE label = ?", (label,)).fetchone()
    query = "SELECT * FROM versions WHERE name = ? AND is_active = 1 AND is_late = ? AND label != ?"
    before = connection.execute(query, (own["name"], own["is_late"], label)).fetchone()
    is_newest = before is None or before["number"] < own["number"]
    rated = None if before is None or before["elo"] is None else Rating(before["elo"], before["spread"])
    prior = prior_after(rated) if own["prior_spread"] is None else Prior(own["prior_elo"], own["prior_spread"])
    connection.execute(
        "UPDATE versions SET state = ?, program = ?, is_active = ?, admitted_s = ?, prior_elo = ?, prior_spread = ?,"
        " reason = '', record = '', faults_in_row = 0 WHERE label = ?",
        (State.ADMITTED.value, program, int(is_newest), now_s, prior.elo, prior.spread, label),
    )
    if before is not None and is_newest:
        connection.execute("UPDATE versions SET is_active = 0 WHERE label = ?", (before["label"],))
        forget_queued(connection, before["label"])


def forget_queued(connection: sqlite3.Connection, label: str) -> None:
    """Remove the queued pairs of a version, except those with a match that is running or played."""
    connection.execute(
        f"DELETE FROM {WAITING} AND state = 'queued' AND (first = ? OR second = ?) AND asked_by IS NULL AND NOT EXISTS"  # noqa: S608
        " (SELECT 1 FROM matches AS half WHERE half.pair_id = matches.pair_id AND half.state IN ('running', 'played'))",
        (label, label),
    )


def entries_of(store: Store, folders: Folders, labels: Sequence[str]) -> list[Entry]:
    """Return the programs of admitted versions, with absolute paths."""
    marks = ", ".join("?" * len(labels))
    rows = store.read(f"SELECT label, program FROM versions WHERE program != '' AND label IN ({marks})", labels)  # noqa: S608
    return [
        Entry(row["label"], with_absolute_paths(msgspec.json.decode(row["program"], type=RoleProgram), folder=home))
        for row in rows
        for home in [folders.home(row["label"])]
    ]


def phase_of(store: Store, closes_s: float | None, now_s: float) -> Phase:
    """Return the phase of a contest."""
    if store.meta("final_seed") is not None:
        return Phase.REVEALED if store.meta("is_revealed") is not None else Phase.FINAL
    return Phase.FROZEN if closes_s is not None and now_s > closes_s else Phase.OPEN


def ladder_ratings(store: Store, staff: Sequence[str]) -> dict[str, Rating]:
    """Return the ratings of all bots that play now, staff included, by one joint fit."""
    query = "SELECT label, is_active, elo, prior_elo, prior_spread FROM versions WHERE program != '' AND is_late = 0"
    rows = store.read(query)
    priors = {row["label"]: Prior(row["prior_elo"], row["prior_spread"]) for row in rows if row["is_active"]}
    fixed = {row["label"]: row["elo"] for row in rows if not row["is_active"] and row["elo"] is not None}
    query = "SELECT one, other, SUM(games), SUM(points) FROM scores WHERE kind IN (?, ?) GROUP BY one, other"
    return fit({**priors, **{name: Prior() for name in staff}}, (Met(*row) for row in store.read(query, RATED)), fixed)


def final_ratings(store: Store, staff: Sequence[str]) -> dict[str, Rating]:
    """Return the ratings of the final, from its own matches alone; every bot starts with the same prior."""
    query = "SELECT one, other, games, points FROM scores WHERE kind = 'final'"
    met = [Met(*row) for row in store.read(query)]
    playing = store.read("SELECT label FROM versions WHERE is_active = 1 AND is_late = 0 AND state = 'admitted'")
    names = {row["label"] for row in playing} | {name for sums in met for name in (sums.one, sums.other)}
    return fit({name: Prior() for name in (*names, *staff)}, met, {})
