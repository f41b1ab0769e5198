"""The contest as its pages see it: every read and every request of a person goes through `Contest`."""

from __future__ import annotations

import csv
import io
import math
import secrets
import sqlite3
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from gridjoust.games.chance import SEED_LIMIT
from gridjoust.leaderboard.report.match_details import log_excerpt
from gridjoust.runner.config.load import RESOLVED, resolve
from gridjoust.runner.results.maker import describe_environment, hold_folder, mark_folder
from gridjoust.runner.results.records.file import RECORDS, has_record, read_record, record_path
from gridjoust.runner.results.secrets import settle_seed, without_seed
from gridjoust.runner.results.tables.writer import TableWriter
from gridjoust.runner.seeds import Seed, draw_seed
from gridjoust.serve import tables
from gridjoust.serve.config import Arena, ContestFile, Folders, load_contest, record_name, tournament_of
from gridjoust.serve.entrants import STAFF, Entrants, minutes, require_owner, require_staff
from gridjoust.serve.play.child import HELD_S, Start, playing
from gridjoust.serve.store import WAITING, Store, entries_of, insert, set_meta
from gridjoust.serve.values import (
    STEPS,
    About,
    ContestError,
    Final,
    Grades,
    Kind,
    LadderRow,
    MatchFilter,
    MatchPage,
    MatchRow,
    Person,
    Phase,
    VersionRow,
)
from gridjoust.viewer.live_page.live import Live

CODE_BYTES = 6


class Contest(Entrants):
    """A contest in its folder. Methods are synchronous, quick and safe in any thread; ContestError refuses a request.

    `viewer` arguments: the person who looks, None for anybody. What was acknowledged is on disk.
    """

    def __init__(
        self, file: ContestFile, source: Path, store: Store, seed: Seed, folders: Folders, now_s: Callable[[], float]
    ) -> None:
        """Take the parts of an open contest; `open` makes them."""
        super().__init__(file, store, folders, now_s)
        self._source, self._seed = source, seed
        self._stack = ExitStack()
        self.folder = folders.root  # uploads, bots, store
        self.results = folders.results  # the results folder with the records of all matches
        self.uploads = folders.uploads / "parts"  # for uploads while they stream in; on the same disk as the rest
        self.live = Live(folders.results, is_live=True)  # boards of running matches; `live.log` has their events
        self.staff_key = ""  # set if this start has made it: show it once
        variants = file.loaded.variants
        self.about = About(
            title=file.name,
            games=tuple(dict.fromkeys(one.name for one in variants)),
            game=variants[0].entry.game,
            variants=tuple((one.name, one.entry.game, dict(one.entry.params)) for one in variants),
            deadline_s=file.deadline_s,
            grace_s=file.section.grace_s,
            staff=file.staff,
            admission_steps=STEPS,
            tracks=tuple(one.name for one in file.section.tracks),
        )

    @classmethod
    def open(cls, file: Path, *, out: Path, trust: bool = False, now_s: Callable[[], float] = time.time) -> Self:
        """Open the contest of a file, in `out`/NAME; ConfigError for a mistake in it, or a folder in use."""
        loaded = load_contest(file, trust=trust)
        folders = Folders((out / loaded.name).absolute())
        for folder in (folders.uploads / "parts", folders.bots, folders.root / "admission", folders.results / RECORDS):
            folder.mkdir(parents=True, exist_ok=True)
        for private in (folders.uploads, folders.root / "admission"):
            private.chmod(0o700)
        with ExitStack() as stack:
            stack.enter_context(hold_folder(folders.root))
            for left in (folders.uploads / "parts").iterdir():  # uploads that a kill has cut short
                left.unlink()
            with hold_folder(folders.results, patience_s=HELD_S):
                is_new = not (folders.results / RESOLVED).is_file()
                seeded, kept, _ = settle_seed(loaded.loaded, folders.results, resume=not is_new)
                mark_folder(folders.results, resolve(without_seed(loaded.loaded)), describe_environment())
            store = Store(folders.root)
            stack.callback(store.close)
            contest = cls(loaded, file, store, kept.seed or seeded.config.seed, folders, now_s)
            contest._begin()
            contest._stack = stack.pop_all()
        return contest

    def _begin(self) -> None:
        """Draw the join code and the key of staff at the first start; tracks have their codes in the file."""
        code = self._file.section.code or self._store.meta("code") or secrets.token_hex(CODE_BYTES)
        self._write(lambda one: set_meta(one, "code", code))
        self.codes = {one.name: one.code for one in self._file.section.tracks} or {"": code}
        if self._store.one("SELECT 1 FROM people WHERE is_staff = 1") is None:
            _, self.staff_key = self._add(STAFF, is_staff=True)

    def close(self) -> None:
        """Close the store; matches that run are played again at the next start."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @asynccontextmanager
    async def playing(self, process: Process | None = None) -> AsyncIterator[None]:
        """Play matches and admissions in a process of their own as long as the context lasts.

        `process`: one that has begun (`gridjoust.serve.play.child.begun`). ConfigError if it cannot play; if it ends
        later, another one is started.
        """
        start = Start(str(self._source.absolute()), str(self.folder), self._file.trust)
        async with playing(start, self.live, process=process):
            yield

    # tables

    def ladder(self, track: str = "") -> tuple[LadderRow, ...]:
        """Return the ladder among entrants, or those of a track, best first."""
        return tables.ladder(self._store, track)

    def history(self, name: str) -> tuple[VersionRow, ...]:
        """Return the rating of each admitted version of a person, oldest first."""
        return tables.history(self._store, name)

    def grades(self, track: str = "") -> Grades:
        """Return the table of grades, of all entrants or those of a track."""
        staff, thresholds, pairs = self._file.staff, self._file.thresholds, self._file.section.grades.pairs
        rows, late = (
            tables.grade_rows(self._store, staff, thresholds, pairs, is_late=is_late, track=track)
            for is_late in (False, True)
        )
        return Grades(staff, thresholds, pairs, rows, late)

    def grades_csv(self) -> str:
        """Return the grades as CSV: name, version, rank, score, forfeits, threshold reached, late or not, track."""
        head = ("name", "version", "rank", "score", "low", "high", "pairs", "complete", "forfeits", "reached", "late")
        grades, tracks = self.grades(), self._tracks()
        rows = [
            (
                *(row.name, row.label, row.rank),
                *(("", "", "", 0) if (own := row.score) is None else (own.percent, own.low, own.high, own.pairs)),
                *(row.is_complete, row.forfeits, row.reached, is_late, tracks[row.name]),
            )
            for rows_of, is_late in ((grades.rows, False), (grades.late, True))
            for row in rows_of
        ]
        return _csv((*head, "track"), rows)

    def _tracks(self) -> dict[str, str]:
        return {person.name: person.track for person in self.people()}

    def ladder_csv(self) -> str:
        """Return the ladder as CSV."""
        head = ("rank", "name", "label", "elo", "spread", "games", "wins", "draws", "losses", "forfeits")
        tracks = self._tracks()
        rows = [[*(getattr(row, name) for name in head), tracks[row.name]] for row in self.ladder()]
        return _csv((*head, "track"), rows)

    def write_tables(self) -> None:
        """Write the result tables of all matches that everybody may see into `results`, from the records."""
        query = f"SELECT match_id FROM matches WHERE state = 'played' AND {self._public(None)} ORDER BY number"  # noqa: S608
        with TableWriter(self.results) as written:
            for row in self._store.read(query):
                if has_record(path := record_path(self.results, row["match_id"])):
                    written.add(read_record(path))

    # matches

    def queue(self, *, viewer: Person | None, limit: int = 50) -> tuple[MatchRow, ...]:
        """Return running and queued matches in the order in which they start."""
        return tables.queued(self._store, self._public(viewer))[:limit]

    def next_match(self, name: str) -> MatchRow | None:
        """Return the next match of a person, with an estimate of when it starts."""
        rows = tables.queued(self._store, self._public(None))
        return next((row for row in rows if any(side.name == name for side in row.sides)), None)

    def matches(
        self, wanted: MatchFilter, *, viewer: Person | None, before: int | None = None, limit: int = 50
    ) -> MatchPage:
        """Return played matches, newest first; those of a hidden final for staff only."""
        return tables.match_page(self._store, wanted, self._public(viewer), before=before, limit=limit)

    def match(self, match_id: str, *, viewer: Person | None) -> MatchRow:
        """Return one match; ContestError 404 if there is none, or if the viewer may not see it."""
        row = tables.match_row(self._store, match_id, self._public(viewer))
        if row is None:
            raise ContestError(f"there is no match {match_id}", status=404)
        return row

    def record_of(self, match_id: str, *, viewer: Person | None) -> Path:
        """Return the path of a played match's record; ContestError 403 or 404 if the viewer may not have it."""
        if not self.match(match_id, viewer=viewer).may_watch:
            raise ContestError("the other match of this pair is still to be played on the same seed", status=403)
        return record_path(self.results, match_id)

    def log_of(self, match_id: str, label: str, *, viewer: Person | None) -> str:
        """Return what a version printed in a match; ContestError 403 unless owner or staff, 404 if it was not in it."""
        row = self.match(match_id, viewer=viewer)
        side = next((one for one in row.sides if one.label == label), None)
        if side is None:
            raise ContestError(f"{label} is not in this match", status=404)
        require_owner(viewer, "" if side.is_staff else side.name)
        return log_excerpt(self.results, bot=record_name(label), match_id=match_id)

    def request_match(self, person: Person, opponent: str, *, seed: int | None = None) -> MatchRow:
        """Queue an unrated match of a person's active version against `opponent`, an entrant or a staff bot.

        If this match exists already, with the same `seed`, return it. ContestError 429 beyond the quota, 409 once the
        final has begun.
        """
        self._require_no_final()
        if seed is not None and not 0 <= seed < SEED_LIMIT:
            raise ContestError(f"seed: expected a whole number from 0 to {SEED_LIMIT - 1}, got {seed}")
        own, other = self._playing(person.name), opponent
        if opponent not in self._file.staff:
            other = self._playing(self.person(opponent).name)
        if own == other:
            raise ContestError("expected another bot as the opponent, got your own")
        entries = entries_of(self._store, self._folders, [own, other])
        arena = Arena(tournament_of(self._file, entries, seed=self._seed, start=self._folders.bots))
        number = secrets.randbelow(SEED_LIMIT) if seed is None else seed
        pair = arena.rows(own, other, purpose=Kind.DEMAND.value, number=0, seed=number)
        row = next(one for one in pair if one["first"] == own)
        now_s = self._now_s()

        def change(connection: sqlite3.Connection) -> None:
            quota = self._match_quota(person, now_s)
            values = {"kind": Kind.DEMAND.value, "is_extra": 1, "batch": -1, "asked_by": person.name}
            if connection.execute("SELECT 1 FROM matches WHERE match_id = ?", (row["match_id"],)).fetchone():
                return  # the same match was played: here it is
            if not quota.left:
                again = minutes(quota.again_in_s)
                raise ContestError(f"{quota.limit} matches an hour at most; the next one in {again}", status=429)
            insert(connection, "matches", **row, **values, queued_s=now_s, state="queued")

        self._write(change)
        return self.match(row["match_id"], viewer=person)

    def _playing(self, name: str) -> str:
        query = (
            "SELECT label FROM versions WHERE name = ? AND is_active = 1 AND state = 'admitted' ORDER BY number DESC"
        )
        if (row := self._store.one(query, (name,))) is None:
            raise ContestError(f"no version of {name} plays now", status=409)
        return str(row["label"])

    # freeze and final

    def start_final(self, staff: Person) -> None:
        """Begin the final of all active versions, on a secret seed. 403 unless staff, 409 if it cannot begin now."""
        require_staff(staff)
        if self.phase() in (Phase.FINAL, Phase.REVEALED):
            raise ContestError("the final has begun already", status=409)
        if self.phase() is Phase.OPEN and self._file.deadline_s is not None:
            raise ContestError("the final begins after the deadline", status=409)
        if any(not version.is_late for version in self.waiting()):
            raise ContestError("versions are still in admission", status=409)
        if len([row for row in self.ladder() if not row.is_suspended]) < 2:
            raise ContestError("a final needs two versions that play", status=409)

        def change(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO meta VALUES ('final_seed', ?) ON CONFLICT DO NOTHING", (draw_seed(),))
            connection.execute(f"DELETE FROM {WAITING} AND state = 'queued'")  # noqa: S608

        self._write(change)

    def final(self, *, viewer: Person | None) -> Final:
        """Return the final as the viewer may see it; staff see all places."""
        if self._store.meta("final_seed") is None:
            return Final(0, 0, 0, 0)
        rows = tables.final_rows(self._store, self._file.staff)
        batches = self._file.section.final_batches
        revealed = min(int(self._store.meta("revealed") or 0), len(rows))
        shown = rows if viewer is not None and viewer.is_staff else rows[len(rows) - revealed :]
        return Final(
            played=tables.final_played(self._store),
            planned=batches * 2 * math.ceil(len(rows) / 2),
            revealed=revealed,
            places=len(rows),
            rows=shown,
        )

    def reveal(self, staff: Person, places: int) -> Final:
        """Show everybody the last `places` places of the final. 403 unless staff, 409 while matches are missing."""
        require_staff(staff)
        final = self.final(viewer=staff)
        if not final.is_played:
            raise ContestError("the final is not played yet", status=409)
        shown = max(0, min(places, final.places))

        def change(connection: sqlite3.Connection) -> None:
            set_meta(connection, "revealed", str(shown))
            if shown == final.places:
                set_meta(connection, "is_revealed", "yes")

        self._write(change)
        return self.final(viewer=staff)

    def _public(self, viewer: Person | None) -> str:
        """Return the SQL condition that holds for the matches that a viewer may see."""
        is_hidden = self.phase() is Phase.FINAL and not (viewer is not None and viewer.is_staff)
        return f"kind != '{Kind.FINAL.value}'" if is_hidden else "1"


def _csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([round(value, 2) if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue()
