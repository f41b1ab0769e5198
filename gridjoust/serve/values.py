"""Values of a contest as its pages show them; all are frozen. Times end in `_s`: seconds since 1970, UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from gridjoust.games.api import ParamValue

STEPS = ("unpack", "build", "environment", "doctor", "self-match", "staff match")  # of an admission


class ContestError(Exception):
    """A request that the contest refuses, with the reason in one line; `status` is the HTTP status that fits."""

    def __init__(self, reason: str, *, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status  # 400 bad input, 403 not allowed, 404 not found, 409 not now, 413 too large, 429 quota


class Phase(Enum):
    """The phase of a contest."""

    OPEN = "open"  # versions are received and rated matches are played
    FROZEN = "frozen"  # after the deadline and its grace: versions meet staff only, and so do late ones
    FINAL = "final"  # the final is played or waits for its reveal; its results are hidden
    REVEALED = "revealed"  # staff have shown the last place of the final


class State(Enum):
    """The state of a version."""

    WAITING = "waiting"  # received, waits for admission
    TESTING = "testing"  # admission runs
    ADMITTED = "admitted"  # plays, or has played until a later version was admitted
    REFUSED = "refused"  # a step of the admission failed
    SUSPENDED = "suspended"  # faulted too often in a row; plays no more until a clean doctor run


class Outcome(Enum):
    """The outcome of one step of an admission."""

    WAITING = "waiting"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a key: an entrant, or staff."""

    number: int
    name: str  # also the name of the person's bot
    is_staff: bool
    joined_s: float
    track: str = ""  # "" for staff, and in a contest without tracks


@dataclass(frozen=True, slots=True)
class Version:
    """One hand-in of a person; `label` (`ada@3`) names it everywhere."""

    label: str
    name: str  # of the person
    number: int  # of the person's versions, from 1
    content: str  # hash of the upload
    received_s: float
    state: State
    is_active: bool  # it is the person's version that plays; with a late one, two are
    position: int | None = None  # place in the queue for admission, from 1; None: not waiting
    reason: str = ""  # why it was refused or suspended
    record: str = ""  # id of the match because of which it was suspended
    is_late: bool = False  # received after the deadline: it meets staff bots alone and counts in no table but `late`


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an admission, in plain words; `log` and `ask` are for its owner and staff only."""

    name: str  # unpack, build, environment, doctor, self-match, staff match
    outcome: Outcome
    sentence: str = ""
    log: str = ""  # end of the output
    ask: str = ""  # the `joust ask` command that repeats the failing question; "" if there is none


@dataclass(frozen=True, slots=True)
class Admission:
    """The admission of a version: its steps in order; those after a failure stay `waiting`."""

    version: Version
    steps: tuple[Step, ...]
    is_private: bool = False  # True: the viewer may not see logs, so `log` and `ask` are empty


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One entrant of the ladder with the rating of its active version."""

    rank: int
    name: str
    label: str
    elo: float
    spread: float  # standard error of `elo`
    games: int  # rated matches of this version
    wins: int
    draws: int
    losses: int
    forfeits: int
    is_provisional: bool  # fewer than 16 games
    is_suspended: bool  # or tested again after that
    is_over_budget: bool  # sits out batches, as its matches take longer than its share
    record: str = ""  # of the match because of which it is suspended


@dataclass(frozen=True, slots=True)
class VersionRow:
    """The rating of one version of a person, for the person's page; None as long as it has no match."""

    version: Version
    elo: float | None
    spread: float | None
    games: int
    gain: float | None  # Elo over the version before it
    gain_spread: float | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """A line in the table of grades: a version with at least `score` percent against `against` reaches `grade`."""

    grade: str
    score: float  # percent of the points
    against: str = ""  # a staff bot; "": all of them, each with the same weight


@dataclass(frozen=True, slots=True)
class Score:
    """Percent of the points against one staff bot, or all of them, with a 95 % interval."""

    percent: float
    low: float
    high: float
    pairs: int


@dataclass(frozen=True, slots=True)
class GradeRow:
    """The grade of one entrant: its active version against the staff bots."""

    rank: int
    name: str
    label: str
    score: Score | None  # against all staff bots; None before the first pair
    by_staff: tuple[tuple[str, Score | None], ...]
    forfeits: int
    reached: str  # the grade of the best threshold; "" if none
    is_complete: bool  # all pairs that count are played


@dataclass(frozen=True, slots=True)
class Grades:
    """The table of grades."""

    staff: tuple[str, ...]  # weakest first
    thresholds: tuple[Threshold, ...]  # best grade first
    pairs: int  # that count against each staff bot
    rows: tuple[GradeRow, ...]
    late: tuple[GradeRow, ...] = ()  # of versions received after the deadline


class Kind(Enum):
    """The purpose of a match."""

    LADDER = "ladder"
    STAFF = "staff"  # counts for grades and ladder
    DEMAND = "on demand"  # unrated
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class Side:
    """One bot in a match; the results are None before its end."""

    label: str
    name: str
    is_staff: bool
    points: float | None = None
    forfeit: str = ""  # termination by which it lost: late, illegal, crashed, …


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in lists, queued, running or played."""

    match_id: str
    kind: Kind
    sides: tuple[Side, ...]  # by seat
    state: str  # queued, running, played, void
    played_s: float | None
    reason: str = ""  # how it ended, as a sentence
    may_watch: bool = False  # by the viewer of the list
    starts_in_s: float | None = None  # estimate, if it is queued


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The matches that a list shows; "" and False: no restriction."""

    name: str = ""
    opponent: str = ""
    lost: bool = False  # only losses of `name`
    kind: Kind | None = None


@dataclass(frozen=True, slots=True)
class MatchPage:
    """One page of a list of matches, newest first; give `older` as `before` for the next page."""

    matches: tuple[MatchRow, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class Quota:
    """One quota of a person."""

    name: str  # uploads, versions, matches
    left: int
    limit: int
    window_s: int
    again_in_s: float  # until one more is free; 0 if `left` > 0


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A place of the final."""

    rank: int
    name: str
    label: str
    points: float
    games: int
    elo: float
    spread: float


@dataclass(frozen=True, slots=True)
class Final:
    """The final as the viewer may see it: `rows` has revealed places only, best first."""

    played: int
    planned: int
    revealed: int
    places: int
    rows: tuple[FinalRow, ...] = field(default=())

    @property
    def is_played(self) -> bool:
        """True if all matches are played."""
        return self.planned > 0 and self.played >= self.planned


@dataclass(frozen=True, slots=True)
class About:
    """Fixed facts of the contest, for every page."""

    title: str
    games: tuple[str, ...]  # variants by name
    game: str  # the first variant's game, for the guide
    variants: tuple[tuple[str, str, Mapping[str, ParamValue]], ...]  # name, game and parameters of each
    deadline_s: float | None  # without the grace
    grace_s: float
    staff: tuple[str, ...]  # staff bots
    admission_steps: tuple[str, ...]
    tracks: tuple[str, ...] = ()  # groups of entrants that are also ranked apart
