"""A contest in memory, for tests of its pages: people join, versions pass or fail their admission as the test says."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec

from gridjoust.runner.results.records.file import record_path, write_record
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.serve.config import record_name
from gridjoust.serve.contest import Contest
from gridjoust.serve.values import (
    About,
    Admission,
    ContestError,
    Final,
    FinalRow,
    GradeRow,
    Grades,
    Kind,
    LadderRow,
    MatchFilter,
    MatchPage,
    MatchRow,
    Outcome,
    Person,
    Phase,
    Quota,
    Score,
    Side,
    State,
    Step,
    Threshold,
    Version,
    VersionRow,
)
from gridjoust.simulation import play
from gridjoust.viewer.live_page.live import Live

START_S = 1_800_000_000.0
CODE = "letmein"
STEPS = ("unpack", "build", "doctor", "self-match")


class FakeContest(Contest):
    """Keeps all in memory; `decide` ends an admission, `enter_match` and `finish_final` are what a schedule does."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.results, self.uploads = folder, folder / "results", folder / "uploads"
        self.uploads.mkdir(parents=True)
        (self.results / "records").mkdir(parents=True)
        self.codes = {"": CODE}
        self.live = Live(self.results, is_live=True)
        self.about = About(
            "Class cup", ("bomber",), "bomber", (("bomber", "bomber", {}),), START_S + 3600, 60, ("random",), STEPS
        )
        self.now_s = START_S
        self.staff = Person(0, "teacher", is_staff=True, joined_s=START_S)
        self.keys = {"staff-key": "teacher"}
        self.persons: dict[str, Person] = {}
        self.kept: dict[str, list[Version]] = {}
        self.tested: dict[str, tuple[Step, ...]] = {}
        self.received: dict[str, Path] = {}
        self.played: list[MatchRow] = []
        self.logs: dict[tuple[str, str], str] = {}
        self.asked: list[MatchRow] = []
        self.now = Phase.OPEN
        self.uploads_left = 10
        self.outcome = Final(0, 0, 0, 0)
        self.on_receive: Callable[[Version], None] = lambda version: None

    def close(self) -> None:
        pass

    # what the schedule would do

    def decide(self, label: str, *, log: str = "", failed: str = "") -> None:
        """End the admission of a version: it passes, or fails in one step with this log."""
        version = self.version(label)
        steps, is_over = [], False
        for name in STEPS:
            if is_over:
                steps.append(Step(name, Outcome.WAITING))
            elif name == failed:
                is_over = True
                steps.append(Step(name, Outcome.FAILED, "the bot crashed in turn 3", log, "joust ask bot.py --turn 3"))
            else:
                steps.append(Step(name, Outcome.PASSED, "as it should be"))
        self.tested[label] = tuple(steps)
        if failed:
            self._put(replace(version, state=State.REFUSED, position=None, reason=log.splitlines()[-1]))
            return
        for other in self.kept[version.name]:
            self._put(replace(other, is_active=other.is_active and other.is_late != version.is_late))
        self._put(replace(version, state=State.ADMITTED, position=None, is_active=True))

    def enter_match(self, *labels: str, points: tuple[float, ...] = (1.0, 0.0), kind: Kind = Kind.LADDER) -> str:
        """Play a short match in this process, and keep its record under the names of these versions."""
        return self.keep(renamed(short_match(len(self.played)), *labels), points=points, kind=kind)

    def keep(
        self, record: MatchRecord, *, points: tuple[float, ...] = (1.0, 0.0), kind: Kind = Kind.LADDER, reason: str = ""
    ) -> str:
        """Keep a record as a played match."""
        match_id = record.header.match_id
        labels = [re.sub(r"-(\d+)$", r"@\1", seat.bot) for seat in record.header.seats]
        write_record(record_path(self.results, match_id), record)
        sides = tuple(self._side(label, got) for label, got in zip(labels, points, strict=True))
        reason = reason or "completed: last bot alive"
        self.played.append(
            MatchRow(match_id, kind, sides, "played", START_S + len(self.played), reason, may_watch=True)
        )
        return match_id

    def _side(self, label: str, points: float | None = None) -> Side:
        return Side(label, label.partition("@")[0], is_staff=label in self.about.staff, points=points)

    def _put(self, version: Version) -> None:
        self.kept[version.name] = [version if one.number == version.number else one for one in self.kept[version.name]]

    # people

    def join(self, code: str, name: str) -> tuple[Person, str]:
        track = next((track for track, own in self.codes.items() if own == code), None)
        if track is None:
            raise ContestError("this is not the join code", status=403)
        if name in self.persons or not name.isascii() or not name.replace("-", "").isalnum():
            raise ContestError(f"the name {name!r} is taken, or has other letters than a-z, 0-9 and -", status=409)
        key = f"key-of-{name}-{len(self.keys)}"
        self.persons[name] = Person(len(self.persons) + 1, name, is_staff=False, joined_s=self.now_s, track=track)
        self.kept[name] = []
        self.keys[key] = name
        return self.persons[name], key

    def sign_in(self, key: str) -> Person | None:
        name = self.keys.get(key)
        return None if name is None else self.persons.get(name, self.staff)

    def sign_in_as(self, name: str) -> Person:
        return self.persons[name] if name in self.persons else self.join(CODE, name)[0]

    def person(self, name: str) -> Person:
        if name not in self.persons:
            raise ContestError("nobody has this name", status=404)
        return self.persons[name]

    def people(self) -> tuple[Person, ...]:
        return tuple(self.persons.values())

    def move(self, staff: Person, name: str, track: str) -> Person:
        assert staff.is_staff
        self.persons[name] = replace(self.person(name), track=track)
        return self.persons[name]

    def renew_key(self, staff: Person, name: str) -> str:
        assert staff.is_staff
        self.person(name)
        self.keys = {key: of for key, of in self.keys.items() if of != name} | {f"new-key-of-{name}": name}
        return f"new-key-of-{name}"

    # versions

    def receive(self, person: Person, upload: Path, *, filename: str) -> Version:
        if self.now in (Phase.FINAL, Phase.REVEALED):
            raise ContestError("the final has begun", status=409)
        if not self.uploads_left:
            raise ContestError("no uploads left; one more in 6 min", status=429)
        self.uploads_left -= 1
        number, content = len(self.kept[person.name]) + 1, hashlib.sha256(upload.read_bytes()).hexdigest()
        label = f"{person.name}@{number}"
        self.received[label] = upload.rename(self.folder / f"{label}-{filename}")
        version = Version(
            label,
            person.name,
            number,
            content,
            self.now_s,
            State.WAITING,
            is_active=False,
            position=1,
            is_late=self.now is Phase.FROZEN,
        )
        self.kept[person.name].append(version)
        self.tested[label] = tuple(Step(name, Outcome.WAITING) for name in STEPS)
        self.on_receive(version)
        return version

    def versions(self, name: str) -> tuple[Version, ...]:
        return tuple(reversed(self.kept.get(name, [])))

    def version(self, label: str) -> Version:
        for version in self.kept.get(label.partition("@")[0], []):
            if version.label == label:
                return version
        raise ContestError(f"there is no version {label}", status=404)

    def waiting(self) -> tuple[Version, ...]:
        return tuple(one for kept in self.kept.values() for one in kept if one.state in (State.WAITING, State.TESTING))

    def admission(self, label: str, *, viewer: Person | None) -> Admission:
        version, steps = self.version(label), self.tested[label]
        is_private = not self._is_own(viewer, version.name)
        shown = tuple(replace(step, log="", ask="") for step in steps) if is_private else steps
        return Admission(version, shown, is_private)

    def code_of(self, label: str, *, viewer: Person | None) -> Path:
        if not self._is_own(viewer, self.version(label).name):
            raise ContestError("code is for its owner and staff", status=403)
        return self.received[label]

    def failed_record(self, label: str, *, viewer: Person | None) -> Path:
        return self.code_of(label, viewer=viewer)

    def retest(self, person: Person, name: str) -> Version:
        if not self._is_own(person, name):
            raise ContestError("this is somebody else's bot", status=403)
        raise ContestError("the bot is not suspended", status=409)

    def suspended(self) -> tuple[Version, ...]:
        return ()

    def _is_own(self, viewer: Person | None, name: str) -> bool:
        return viewer is not None and (viewer.is_staff or viewer.name == name)

    # tables

    def _active(self, track: str = "", *, is_late: bool = False) -> list[Version]:
        names = [name for name, person in self.persons.items() if track in ("", person.track)]
        versions = (version for name in names for version in self.kept.get(name, []))
        return [version for version in versions if version.is_active and version.is_late == is_late]

    def ladder(self, track: str = "") -> tuple[LadderRow, ...]:
        return tuple(
            LadderRow(rank, one.name, one.label, 60.0 - 40 * rank, 30.0, 12, 6, 2, 4, 0, True, False, False)
            for rank, one in enumerate(self._active(track), start=1)
        )

    def history(self, name: str) -> tuple[VersionRow, ...]:
        admitted = [version for version in self.kept.get(name, []) if version.state is State.ADMITTED]
        rows: list[VersionRow] = []
        for version in admitted:
            gain, spread = (None, None) if not rows else (90.0, 20.0)
            rows.append(VersionRow(version, 90.0 * len(rows), 15.0, 40, gain, spread))
        return tuple(rows)

    def grades(self, track: str = "") -> Grades:
        score = Score(70.0, 60.0, 80.0, 20)
        rows, late = (
            tuple(
                GradeRow(rank, one.name, one.label, score, (("random", score),), 0, "pass", True)
                for rank, one in enumerate(self._active(track, is_late=is_late), start=1)
            )
            for is_late in (False, True)
        )
        return Grades(("random",), (Threshold("good", 80.0), Threshold("pass", 60.0, "random")), 20, rows, late)

    def grades_csv(self) -> str:
        return "name,reached\n" + "".join(f"{row.name},{row.reached}\n" for row in self.grades().rows)

    def ladder_csv(self) -> str:
        return "rank,name\n" + "".join(f"{row.rank},{row.name}\n" for row in self.ladder())

    # matches

    def queue(self, *, viewer: Person | None, limit: int = 50) -> tuple[MatchRow, ...]:
        planned = [
            MatchRow(
                "m" * 16, Kind.STAFF, (self._side(one.label), self._side("random")), "queued", None, starts_in_s=40
            )
            for one in self._active()
        ]
        return (*self.asked, *planned)

    def next_match(self, name: str) -> MatchRow | None:
        rows = (row for row in self.queue(viewer=None) if any(side.name == name for side in row.sides))
        return next(rows, None)

    def matches(
        self, wanted: MatchFilter, *, viewer: Person | None, before: int | None = None, limit: int = 50
    ) -> MatchPage:
        found = [row for row in reversed(self.played) if self._fits(row, wanted, viewer)]
        start = 0 if before is None else before
        rest = start + limit
        return MatchPage(tuple(found[start:rest]), rest if rest < len(found) else None)

    def _fits(self, row: MatchRow, wanted: MatchFilter, viewer: Person | None) -> bool:
        names = {side.name for side in row.sides}
        lost = not wanted.lost or any(side.name == wanted.name and side.points == 0 for side in row.sides)
        is_wanted = {wanted.name, wanted.opponent} - {""} <= names and wanted.kind in (None, row.kind)
        return lost and is_wanted and not self._hides(row, viewer)

    def _hides(self, row: MatchRow, viewer: Person | None) -> bool:
        is_staff = viewer is not None and viewer.is_staff
        return row.kind is Kind.FINAL and self.now is not Phase.REVEALED and not is_staff

    def match(self, match_id: str, *, viewer: Person | None) -> MatchRow:
        for row in self.played:
            if row.match_id == match_id and not self._hides(row, viewer):
                return row
        raise ContestError(f"there is no match {match_id!r}", status=404)

    def record_of(self, match_id: str, *, viewer: Person | None) -> Path:
        return record_path(self.results, self.match(match_id, viewer=viewer).match_id)

    def log_of(self, match_id: str, label: str, *, viewer: Person | None) -> str:
        if not self._is_own(viewer, label.partition("@")[0]):
            raise ContestError("logs are for their owner and staff", status=403)
        return self.logs.get((match_id, label), "")

    def request_match(self, person: Person, opponent: str, *, seed: int | None = None) -> MatchRow:
        own = next((one for one in self._active() if one.name == person.name), None)
        if own is None:
            raise ContestError("no version of yours plays yet", status=409)
        row = MatchRow(f"ask{seed:013}", Kind.DEMAND, (self._side(own.label), self._side(opponent)), "queued", None)
        self.asked.append(row)
        return row

    def quotas(self, person: Person) -> tuple[Quota, ...]:
        return (Quota("uploads", self.uploads_left, 10, 3600, 0.0), Quota("versions", 29, 30, 86400, 0.0))

    # freeze and final

    def phase(self) -> Phase:
        return self.now

    def start_final(self, staff: Person) -> None:
        if self.now is not Phase.FROZEN:
            raise ContestError("the deadline has not passed", status=409)
        self.now = Phase.FINAL
        active = self._active()
        rows = tuple(
            FinalRow(rank, one.name, one.label, 9.0 - rank, 10, -10.0 * rank, 20.0)
            for rank, one in enumerate(active, 1)
        )
        self.outcome = Final(0, 10, 0, len(rows), rows)

    def finish_final(self) -> None:
        self.outcome = replace(self.outcome, played=self.outcome.planned)

    def final(self, *, viewer: Person | None) -> Final:
        if viewer is not None and viewer.is_staff:
            return self.outcome
        shown = self.outcome.rows[len(self.outcome.rows) - self.outcome.revealed :]
        return replace(self.outcome, rows=shown)

    def reveal(self, staff: Person, places: int) -> Final:
        self.outcome = replace(self.outcome, revealed=places)
        self.now = Phase.REVEALED if places == self.outcome.places else Phase.FINAL
        return self.outcome


def short_match(seed: int, *, ticks: int = 12) -> MatchRecord:
    """Play a match of two bots in this process."""
    return play("bomber", ["random", "random"], seed=seed, params={"max_ticks": ticks}).record


def renamed(record: MatchRecord, *labels: str) -> MatchRecord:
    """Return a record with other names of its bots."""
    names = map(record_name, labels)
    seats = [msgspec.structs.replace(seat, bot=name) for seat, name in zip(record.header.seats, names, strict=True)]
    return msgspec.structs.replace(record, header=msgspec.structs.replace(record.header, seats=seats))
