"""The lines of a match record as typed values.

A record is JSON Lines: one `header`; then `turn` and `fault` lines, chained by hash; one `end`, the last link of that
chain; between them `answer` and `usage` lines, which are measured, outside the chain and different on every run; last a
`seal` over every byte before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal, Self, TypeGuard

import msgspec

from gridjoust.runner.wire.protocol import work_of

FORMAT = 3
RETURNS_OF_FORFEITS = 3  # first format in which forfeits change returns; before, those of the unfinished state counted
READABLE = frozenset({2, FORMAT})
Measured = Annotated[float, msgspec.Meta(ge=-1e15, le=1e15)]  # a number that bots report
Counted = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Duration = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]  # ms: 30 years
_MATCH_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


def is_match_id(value: object) -> TypeGuard[str]:
    """Return True if a value may name a match, as ids from outside become parts of paths, addresses and commands."""
    return isinstance(value, str) and _MATCH_ID.fullmatch(value) is not None


class _Named(Enum):
    """Base of enums with fixed members, each of which has a name for people."""

    @property
    def words(self) -> str:
        """The name without underscores."""
        return str(self.value).replace("_", " ")


class Fault(_Named):
    """The kinds of faults that a seat can commit, such as a late answer; this is the only list of them.

    `is_crash`: it counts towards the quarantine of the bot. `is_fatal`: the bot is gone and forfeits at once.
    """

    _value_: str
    meaning: str  # for people
    is_crash: bool
    is_fatal: bool

    LATE = "late", "no answer at the deadline"
    ILLEGAL = "illegal", "an answer that the rules refuse now"
    MALFORMED = "malformed", "not a message, or no action of this game"
    CRASHED = "crashed", "the process ended, or reported an error of its own", "fatal"
    DISCONNECTED = "disconnected", "the connection ended and did not come back", "fatal"
    FLOODING = "flooding", "more messages than a bot can need", "crash"
    FAILED_TO_START = "failed_to_start", "never ready within `start_ms`, or not for this game", "fatal"

    def __new__(cls, name: str, meaning: str = "", weight: Literal["counts", "crash", "fatal"] = "counts") -> Self:
        """Make an enum member of its name, its meaning for people, and its weight."""
        fault = object.__new__(cls)
        fault._value_, fault.meaning = name, meaning
        fault.is_crash, fault.is_fatal = weight != "counts", weight == "fatal"
        return fault


class Termination(_Named):
    """How a match ended: by its rules, by the fault that made a team forfeit, or void through the runner's fault."""

    _ignore_ = "members fault"
    value: str

    COMPLETED = "completed"
    members = vars()
    for fault in Fault:
        members[fault.name] = fault.value
    VOID = "void"


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of every line of a match record."""


class SeatEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One seat in a record's header: its bot, team and role."""

    bot: str
    planner: str
    bot_version: str
    bot_hash: str
    team: int
    role: str


class Header(_Line, frozen=True, kw_only=True, tag="header"):
    """Everything that decides the match, and the bots that played it."""

    format: int
    match_id: str
    tournament: str
    game: str
    game_version: str
    variant: str
    params: dict[str, Any]
    params_id: str
    map: str
    round: int
    pair_id: str
    seed: int
    seats: list[SeatEntry]
    time: dict[str, Any]  # the limits in force
    schedule_reason: str
    runner_version: str


class TurnLine(_Line, frozen=True, kw_only=True, tag="turn", omit_defaults=True):
    """One application of the rules; `hash` chains it and the state after it to everything before.

    Only every 16th turn has a hash. The others are chained too, so the next hash shows any change.
    """

    turn: int  # from 1
    stamp: int
    actions: dict[str, str]  # seat -> canonical text
    hash: str = ""


class FaultLine(_Line, frozen=True, kw_only=True, tag="fault"):
    """A fault during turn `turn`, which was still open."""

    turn: int
    seat: int
    fault: Fault
    detail: str


def cause_of(faults: Sequence[FaultLine]) -> tuple[FaultLine, int]:
    """Return the fault that caused a seat's forfeit, and the number of its faults of this kind.

    `faults`: those of the seat, in order, at least one. A crash causes the forfeit itself. Otherwise the most frequent
    kind counts as the cause (the first to occur if several are equally frequent), and its last fault is returned.
    """
    counts = Counter(line.fault for line in faults)
    kind = faults[-1].fault if faults[-1].fault.is_crash else counts.most_common(1)[0][0]
    return next(line for line in reversed(faults) if line.fault is kind), counts[kind]


class EndLine(_Line, frozen=True, kw_only=True, tag="end"):
    """The end of a match. Lists have a value for each seat, but `forfeited` contains the seats that forfeited."""

    termination: Termination
    reason: str
    counted: bool  # False: void too often, not part of standings
    returns: list[float | None]  # None: a game that is not zero-sum has no returns after a forfeit
    ranks: list[int]  # 1 is best, ties share; teams rank together
    points: list[float | None]  # share of the other sides beaten (draw = half); None if there is only one side
    metrics: list[dict[str, float]]
    faults: list[int]
    forfeited: list[int]  # seats
    turns: int
    hash: str


class AnswerLine(_Line, frozen=True, kw_only=True, tag="answer", omit_defaults=True, gc=False):
    """Measured: one answer, or a missing answer, in turn `turn`.

    `final` and `after_ms` tell how much time of its bank a seat used. Older records do not have them. There, every
    answer counts as final, and a message that was no answer counts as having come at once.
    """

    turn: int
    seat: int
    action: str = ""
    planning_ms: Measured | None = None
    latency_ms: Measured | None = None
    cpu_ms: Measured | None = None  # CPU time of the bot's whole process tree, from question to answer
    waited_ms: Measured | None = None  # time that its processes were ready to run but the machine ran others
    forced: Counted | None = None  # forced context switches of its threads
    expanded: Counted | None = None
    generated: Counted | None = None
    tactics: Counted | None = None
    frontier: Counted | None = None
    repaired: Counted | None = None
    reused: Counted | None = None
    plan_cost: Measured | None = None
    fault: str = ""
    final: bool = True  # False: the question stayed open; in a turn-based game until the deadline
    after_ms: Measured | None = None  # for a message that was no answer: time since the seat's question

    @property
    def work(self) -> int | None:
        """The successors that the bot declared, in its searches and tactics; None if it declared neither."""
        return work_of(self.generated, self.tactics)


class UsageLine(_Line, frozen=True, kw_only=True, tag="usage", omit_defaults=True):
    """Measured: the match as a whole. Lists are by seat; None for remote bots, which cannot be measured."""

    started_utc: str
    duration_ms: Duration
    attempts: Counted  # 1 + void attempts before this one
    cpu_ms: list[Duration | None]
    peak_mb: list[Duration | None]
    machine: str = ""  # the worker that played it; "" = the machine of the tournament


class SealLine(_Line, frozen=True, kw_only=True, tag="seal"):
    """Hashes of every byte before this line; `mac` uses the key of the results folder, "" outside of one."""

    digest: str
    mac: str


Line = Header | TurnLine | FaultLine | EndLine | AnswerLine | UsageLine | SealLine


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One complete match record in memory: header, lines, usage and end."""

    header: Header  # game, parameters, seed, bots and their versions
    lines: list[TurnLine | FaultLine]  # turns and faults, in order
    answers: list[AnswerLine]  # each with its time and its search cost
    usage: UsageLine  # CPU time and memory of the bots
    end: EndLine  # returns, ranks, points, metrics, reason

    def __repr__(self) -> str:
        """Return the match in a line, as all its lines would be pages of text."""
        return f"<record {self.header.match_id}: {self.header.game}, {self.end.turns} turns, {self.end.reason}>"
