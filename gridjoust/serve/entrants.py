"""The people of a contest and their hand-ins: keys, uploads, versions, admission, quotas."""

from __future__ import annotations

import hashlib
import math
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from gridjoust.runner.results.records.file import sync
from gridjoust.serve.config import FAILED, PERSON, ContestFile, Folders
from gridjoust.serve.play.unpacking import MEGA, MOST_PACKED
from gridjoust.serve.store import Store, insert, phase_of
from gridjoust.serve.tables import version_of
from gridjoust.serve.values import STEPS, Admission, ContestError, Outcome, Person, Phase, Quota, State, Step, Version

T = TypeVar("T")
KEY_BYTES = 24
HOUR_S, DAY_S = 3600, 86400
STAFF = "staff"  # name of the person who holds the contest


class Entrants:
    """Base class of `Contest`: the people, their versions and their quotas."""

    def __init__(self, file: ContestFile, store: Store, folders: Folders, now_s: Callable[[], float]) -> None:
        self._file, self._store, self._folders, self._now_s = file, store, folders, now_s
        self.codes: dict[str, str] = {}  # join codes by track; that of a contest without tracks is of "". Set by `open`

    def _write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Make a change and return its result once it is on the disk; ContestError 507 if the disk does not take it."""
        try:
            return self._store.write(change)
        except (sqlite3.OperationalError, OSError) as error:
            raise ContestError(f"nothing was changed: the disk of the contest says: {error}", status=507) from None

    def phase(self) -> Phase:
        """Return the phase of the contest now."""
        return phase_of(self._store, self._file.closes_s, self._now_s())

    def _require_no_final(self) -> None:
        if self.phase() in (Phase.FINAL, Phase.REVEALED):
            raise ContestError("the final has begun", status=409)

    def join(self, code: str, name: str) -> tuple[Person, str]:
        """Add an entrant; return the person and the key, which is shown once.

        ContestError 403 for a wrong code, 400 for a bad name, 409 for a taken one.
        """
        fitting = [track for track, own in self.codes.items() if secrets.compare_digest(code.encode(), own.encode())]
        if not fitting:
            raise ContestError("expected the join code of this contest, got another one", status=403)
        return self._add(name, is_staff=False, track=fitting[0])

    def sign_in(self, key: str) -> Person | None:
        """Return the person with this key, None if there is none."""
        row = self._store.one("SELECT * FROM people WHERE key_hash = ?", (_hash(key),))
        return None if row is None else _person(row)

    def sign_in_as(self, name: str) -> Person:
        """Return the entrant whose name a trusted proxy sends, added if new; ContestError for a bad or taken name."""
        row = self._store.one("SELECT * FROM people WHERE name = ? AND is_staff = 0", (name,))
        return self._add(name, is_staff=False, track=next(iter(self.codes)))[0] if row is None else _person(row)

    def person(self, name: str) -> Person:
        """Return a person by name; ContestError 404 if there is none."""
        row = self._store.one("SELECT * FROM people WHERE name = ?", (name,))
        if row is None:
            raise ContestError(f"nobody here is named {name}", status=404)
        return _person(row)

    def people(self) -> tuple[Person, ...]:
        """Return all entrants in the order in which they joined."""
        return tuple(map(_person, self._store.read("SELECT * FROM people WHERE is_staff = 0 ORDER BY number")))

    def move(self, staff: Person, name: str, track: str) -> Person:
        """Put an entrant into another track. 403 unless staff, 404 if there is no such person or track."""
        require_staff(staff)
        if track not in self.codes:
            raise ContestError(f"there is no track {track}", status=404)
        number = self.person(name).number
        self._write(lambda one: one.execute("UPDATE people SET track = ? WHERE number = ?", (track, number)))
        return self.person(name)

    def renew_key(self, staff: Person, name: str) -> str:
        """Replace the key of a person and return the new one. 403 unless staff, 404 if there is no such person."""
        require_staff(staff)
        return self._new_key(self.person(name))

    def renew_staff_key(self) -> str:
        """Replace the key of staff and return the new one; it is for the person who owns the contest's folder."""
        return self._new_key(self.person(STAFF))

    def _new_key(self, person: Person) -> str:
        key, query = _draw_key(), "UPDATE people SET key_hash = ? WHERE number = ?"
        self._write(lambda one: one.execute(query, (_hash(key), person.number)))
        return key

    def _add(self, name: str, *, is_staff: bool, track: str = "") -> tuple[Person, str]:
        if PERSON.fullmatch(name) is None:
            raise ContestError("expected a name of 1 to 32 letters, digits, - and _")
        if name.lower() in (bot.lower() for bot in self._file.staff) or (name.lower() == STAFF and not is_staff):
            raise ContestError(f"the name {name} is taken", status=409)
        key = _draw_key()

        def change(connection: sqlite3.Connection) -> sqlite3.Row:
            values = {"name": name, "key_hash": _hash(key), "is_staff": int(is_staff), "joined_s": self._now_s()}
            if not insert(connection, "people", **values, track=track):
                raise ContestError(f"the name {name} is taken", status=409)
            row: sqlite3.Row = connection.execute("SELECT * FROM people WHERE name = ?", (name,)).fetchone()
            return row

        return _person(self._write(change)), key

    def receive(self, person: Person, upload: Path, *, filename: str) -> Version:
        """Take over a complete upload and queue it for admission; it is on disk when this returns.

        `upload` is a file in `uploads`, and is moved. The time of receipt is the call's: a version after deadline and
        grace is late. 403 for staff, 409 once the final has begun, 413 above 20 MB, 429 beyond a quota. An upload that
        equals the person's newest version returns that one, unless it was refused, or was late and is not now.
        """
        now_s = self._now_s()
        if person.is_staff:
            raise ContestError("staff bots are in the contest's file; join to hand in", status=403)
        self._require_no_final()
        is_late = self._file.closes_s is not None and now_s > self._file.closes_s
        if upload.stat().st_size > MOST_PACKED:
            raise ContestError(f"larger than {MOST_PACKED // MEGA} MB", status=413)
        content = _digest(upload)
        sync(upload)

        def change(connection: sqlite3.Connection) -> str:
            query = "SELECT * FROM versions WHERE name = ? ORDER BY number DESC LIMIT 1"
            newest = connection.execute(query, (person.name,)).fetchone()
            is_known = newest is not None and newest["content"] == content and newest["is_late"] <= is_late
            if newest is not None and is_known and newest["state"] != State.REFUSED.value:
                upload.unlink()
                return str(newest["label"])
            for quota in self._upload_quotas(person, now_s):
                if not quota.left:
                    text = f"{quota.limit} uploads in {'an hour' if quota.window_s == HOUR_S else 'a day'} at most"
                    raise ContestError(f"{text}; the next one in {minutes(quota.again_in_s)}", status=429)
            number = 1 if newest is None else newest["number"] + 1
            label = f"{person.name}@{number}"
            upload.replace(self._folders.upload(label))
            sync(self._folders.uploads)
            values = {"label": label, "name": person.name, "number": number, "content": content, "filename": filename}
            insert(connection, "versions", **values, received_s=now_s, state=State.WAITING.value, is_late=is_late)
            return label

        return self.version(self._write(change))

    def versions(self, name: str) -> tuple[Version, ...]:
        """Return the versions of a person, newest first."""
        return self._versions("name = ? ORDER BY number DESC", (self.person(name).name,))

    def version(self, label: str) -> Version:
        """Return one version; ContestError 404 if there is none."""
        found = self._versions("label = ?", (label,))
        if not found:
            raise ContestError(f"there is no version {label}", status=404)
        return found[0]

    def waiting(self) -> tuple[Version, ...]:
        """Return the versions in admission, in the order in which they are tested."""
        return self._versions("state IN ('testing', 'waiting') ORDER BY state = 'waiting', place")

    def suspended(self) -> tuple[Version, ...]:
        """Return the active versions that are suspended."""
        return self._versions("state = 'suspended' AND is_active = 1 ORDER BY place")

    def _versions(self, condition: str, values: Sequence[object] = ()) -> tuple[Version, ...]:
        ahead = "(SELECT COUNT(*) FROM versions AS v WHERE v.state = 'waiting' AND v.place <= versions.place)"
        query = f"SELECT *, CASE state WHEN 'waiting' THEN {ahead} END AS position FROM versions WHERE {condition}"  # noqa: S608
        return tuple(version_of(row) for row in self._store.read(query, values))

    def admission(self, label: str, *, viewer: Person | None) -> Admission:
        """Return how a version's admission stands; logs for its owner and staff only."""
        version = self.version(label)
        is_private = not may_see(viewer, version.name)
        rows = self._store.read("SELECT * FROM steps WHERE label = ? ORDER BY place", (version.label,))
        steps = tuple(
            Step(
                row["name"],
                Outcome(row["outcome"]),
                "" if is_private else row["sentence"],
                "" if is_private else row["log"],
                "" if is_private else row["ask"],
            )
            for row in rows
        )
        return Admission(version, steps or tuple(Step(name, Outcome.WAITING) for name in STEPS), is_private)

    def failed_record(self, label: str, *, viewer: Person | None) -> Path:
        """Return the record of the match that ended an admission. 403 unless owner or staff, 404 if there is none."""
        version = self.version(label)
        require_owner(viewer, version.name)
        return _existing(self._folders.admission(version.label) / FAILED, "this admission has no record")

    def code_of(self, label: str, *, viewer: Person | None) -> Path:
        """Return the file of an upload as it was received; 403 unless owner or staff, 404 if there is none."""
        version = self.version(label)
        require_owner(viewer, version.name)
        return _existing(self._folders.upload(version.label), "this upload is gone")

    def retest(self, person: Person, name: str) -> Version:
        """Queue the suspended version of a person for admission again; 403 unless owner or staff, 409 if impossible."""
        require_owner(person, name)
        self._require_no_final()
        query = (
            "UPDATE versions SET state = ?, tries = 0 WHERE name = ? AND is_active = 1 AND state = ? RETURNING label"
        )
        values = (State.WAITING.value, name, State.SUSPENDED.value)
        row = self._write(lambda one: one.execute(query, values).fetchone())
        if row is None:
            raise ContestError(f"no version of {name} is suspended", status=409)
        return self.version(row["label"])

    def quotas(self, person: Person) -> tuple[Quota, ...]:
        """Return the quotas of a person; a void match on demand is not counted."""
        now_s = self._now_s()
        return (*self._upload_quotas(person, now_s), self._match_quota(person, now_s))

    def _upload_quotas(self, person: Person, now_s: float) -> tuple[Quota, Quota]:
        query = "SELECT received_s FROM versions WHERE name = ? AND received_s > ? ORDER BY received_s"
        times = [row["received_s"] for row in self._store.read(query, (person.name, now_s - DAY_S))]
        limits = self._file.section.quotas
        return (
            _quota("uploads", limits.uploads_per_hour, HOUR_S, times, now_s),
            _quota("versions", limits.versions_per_day, DAY_S, times, now_s),
        )

    def _match_quota(self, person: Person, now_s: float) -> Quota:
        query = "SELECT queued_s FROM matches WHERE asked_by = ? AND queued_s > ? AND state != 'void' ORDER BY queued_s"
        times = [row["queued_s"] for row in self._store.read(query, (person.name, now_s - HOUR_S))]
        return _quota("matches", self._file.section.quotas.matches_per_hour, HOUR_S, times, now_s)


def _person(row: sqlite3.Row) -> Person:
    return Person(row["number"], row["name"], bool(row["is_staff"]), row["joined_s"], row["track"])


def _draw_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def _hash(key: str) -> str:
    """Return the hash that is stored in place of a key; as keys are random and long, it reveals nothing."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _digest(file: Path) -> str:
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def may_see(viewer: Person | None, name: str) -> bool:
    """Return True if the viewer is this person, or staff."""
    return viewer is not None and (viewer.is_staff or viewer.name == name)


def require_owner(viewer: Person | None, name: str) -> None:
    """Raise ContestError unless the viewer is this person, or staff."""
    if not may_see(viewer, name):
        raise ContestError("only its owner and staff may see this", status=403)


def require_staff(person: Person) -> None:
    """Raise ContestError unless the person is staff."""
    if not person.is_staff:
        raise ContestError("only staff may do this", status=403)


def _existing(path: Path, otherwise: str) -> Path:
    if not path.is_file():
        raise ContestError(otherwise, status=404)
    return path


def _quota(name: str, limit: int, window_s: int, times: Sequence[float], now_s: float) -> Quota:
    """Return a quota; `times`: when it was used, sorted."""
    used = [moment for moment in times if moment > now_s - window_s]
    left = max(0, limit - len(used))
    again_s = 0.0 if left or not used else used[len(used) - limit] + window_s - now_s if limit else float(window_s)
    return Quota(name, left, limit, window_s, max(0.0, again_s))


def minutes(seconds: float) -> str:
    """Return a time in whole minutes, for people."""
    return f"{max(1, math.ceil(seconds / 60))} min"
