"""The contest as its pages see it: every read and every request of a person goes through `Contest`."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from gridjoust.serve.values import (
    About,
    Admission,
    Final,
    Grades,
    LadderRow,
    MatchFilter,
    MatchPage,
    MatchRow,
    Person,
    Phase,
    Quota,
    Version,
    VersionRow,
)
from gridjoust.viewer.live_page.live import Live


class Contest:
    """A contest in its folder. Methods are synchronous, quick and safe in any thread; ContestError refuses a request.

    `viewer` arguments: the person who looks, None for anybody. What was acknowledged is on disk.
    """

    about: About
    folder: Path  # of the contest: uploads, bots, store
    results: Path  # the results folder with the records of all matches, for `gridjoust.viewer`
    uploads: Path  # folder for uploads while they stream in; on the same disk as the rest
    join_code: str
    live: Live  # boards of running matches; `live.log` is the EventLog for `/events`

    @classmethod
    def open(cls, file: Path, *, out: Path, trust: bool = False, now_s: Callable[[], float] = time.time) -> Self:
        """Open the contest of a file, in `out`/NAME; ConfigError for a mistake in it, or a folder in use."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the store; matches that run are played again at the next start."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play matches and admissions in a process of their own as long as the context lasts."""
        raise NotImplementedError
        yield

    # people

    def join(self, code: str, name: str) -> tuple[Person, str]:
        """Add an entrant; return the person and the key, which is shown once. 403 for a wrong code, 409 for a name."""
        raise NotImplementedError

    def sign_in(self, key: str) -> Person | None:
        """Return the person with this key, None if there is none."""
        raise NotImplementedError

    def sign_in_as(self, name: str) -> Person:
        """Return the person of a name that a trusted proxy vouches for; add an entrant if it is new."""
        raise NotImplementedError

    def person(self, name: str) -> Person:
        """Return a person by name; 404."""
        raise NotImplementedError

    def people(self) -> tuple[Person, ...]:
        """Return all entrants in the order in which they joined."""
        raise NotImplementedError

    def renew_key(self, staff: Person, name: str) -> str:
        """Replace the key of a person; the old one is void. 403 unless staff."""
        raise NotImplementedError

    # versions

    def receive(self, person: Person, upload: Path, *, filename: str) -> Version:
        """Take over a complete upload and queue it for admission; it is on disk when this returns.

        `upload` is a file in `uploads`, and is moved. The time of receipt is the call's: 409 after deadline and grace.
        413 above 20 MB, 429 beyond a quota. An upload that equals the person's newest version returns that version.
        """
        raise NotImplementedError

    def versions(self, name: str) -> tuple[Version, ...]:
        """Return the versions of a person, newest first."""
        raise NotImplementedError

    def version(self, label: str) -> Version:
        """Return one version; 404."""
        raise NotImplementedError

    def admission(self, label: str, *, viewer: Person | None) -> Admission:
        """Return how a version's admission stands; logs for its owner and staff only."""
        raise NotImplementedError

    def code_of(self, label: str, *, viewer: Person | None) -> Path:
        """Return the upload as it was received; 403 unless owner or staff."""
        raise NotImplementedError

    def retest(self, person: Person, name: str) -> Version:
        """Queue the suspended version of a person for admission again; 409 if it is not suspended."""
        raise NotImplementedError

    def suspended(self) -> tuple[Version, ...]:
        """Return the active versions that are suspended."""
        raise NotImplementedError

    # tables

    def ladder(self) -> tuple[LadderRow, ...]:
        """Return the ladder among entrants, best first."""
        raise NotImplementedError

    def history(self, name: str) -> tuple[VersionRow, ...]:
        """Return the rating of each admitted version of a person, oldest first."""
        raise NotImplementedError

    def grades(self) -> Grades:
        """Return the table of grades."""
        raise NotImplementedError

    def grades_csv(self) -> str:
        """Return the grades as CSV: name, version, rank, score, low, high, forfeits, threshold reached."""
        raise NotImplementedError

    def ladder_csv(self) -> str:
        """Return the ladder as CSV."""
        raise NotImplementedError

    # matches

    def queue(self, *, viewer: Person | None, limit: int = 50) -> tuple[MatchRow, ...]:
        """Return running and queued matches in the order in which they start."""
        raise NotImplementedError

    def next_match(self, name: str) -> MatchRow | None:
        """Return the next match of a person, with an estimate of when it starts."""
        raise NotImplementedError

    def matches(
        self, wanted: MatchFilter, *, viewer: Person | None, before: int | None = None, limit: int = 50
    ) -> MatchPage:
        """Return played matches, newest first; those of a hidden final for staff only."""
        raise NotImplementedError

    def match(self, match_id: str, *, viewer: Person | None) -> MatchRow:
        """Return one match; 404 if there is none, or if the viewer may not know of it."""
        raise NotImplementedError

    def record_of(self, match_id: str, *, viewer: Person | None) -> Path:
        """Return the record of a played match (for `gridjoust.viewer.files`); 403, 404."""
        raise NotImplementedError

    def log_of(self, match_id: str, label: str, *, viewer: Person | None) -> str:
        """Return what a version printed in a match; 403 unless owner or staff."""
        raise NotImplementedError

    def request_match(self, person: Person, opponent: str, *, seed: int | None = None) -> MatchRow:
        """Queue an unrated match of a person's active version; `opponent`: an entrant or a staff bot. 429, 409."""
        raise NotImplementedError

    def quotas(self, person: Person) -> tuple[Quota, ...]:
        """Return the quotas of a person; a void match on demand is not counted."""
        raise NotImplementedError

    # freeze and final

    def phase(self) -> Phase:
        """Return the phase of the contest now."""
        raise NotImplementedError

    def start_final(self, staff: Person) -> None:
        """Draw a secret seed and queue the final among the active versions; 409 before the deadline or twice."""
        raise NotImplementedError

    def final(self, *, viewer: Person | None) -> Final:
        """Return the final as the viewer may see it; staff see all places."""
        raise NotImplementedError

    def reveal(self, staff: Person, places: int) -> Final:
        """Show this many places of the final to everybody, from the last one up; 403, 409 while matches are missing."""
        raise NotImplementedError
