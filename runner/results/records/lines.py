"""The lines of a match record as typed values. Reads and writes no files and knows no rules.

A record is JSON Lines: one `header`; then `turn` and `fault` lines, chained by hash; one `end`, the last link of that
chain; between them `answer` and `usage` lines: measured, outside the chain, different on every run; at last a `seal`
over every byte before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal, Self, TypeGuard

import msgspec

FORMAT = 3
RETURNS_OF_FORFEITS = 3  # first format in which forfeits settle returns; before, those of the unfinished state stood
READABLE = frozenset({2, FORMAT})
Measured = Annotated[float, msgspec.Meta(ge=-1e15, le=1e15)]  # as bots may declare it
Counted = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
Duration = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]  # ms: 30 years
_MATCH_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


def is_match_id(found: object) -> TypeGuard[str]:
    """Return True if a value may name a match. Ids from outside become parts of paths, addresses and commands."""
    return isinstance(found, str) and _MATCH_ID.fullmatch(found) is not None


class _Named(Enum):
    """A closed set whose members are named to people too."""

    @property
    def words(self) -> str:
        """The name without underscores."""
        return str(self.value).replace("_", " ")


class Fault(_Named):
    """One offence of a seat. This is the one list of kinds: whatever names them reads it.

    `is_crash`: it counts towards the quarantine of the bot. `is_fatal`: the bot is gone, there is no second chance.
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
        """A member from its row."""
        fault = object.__new__(cls)
        fault._value_, fault.meaning = name, meaning
        fault.is_crash, fault.is_fatal = weight != "counts", weight == "fatal"
        return fault


class Termination(_Named):
    """Why a match ended: by its rules, by the fault that made a side forfeit, or void by the runner's own fault."""

    _ignore_ = "members fault"
    value: str

    COMPLETED = "completed"
    members = vars()
    for fault in Fault:
        members[fault.name] = fault.value
    VOID = "void"


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of every line."""


class SeatEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits where."""

    bot: str
    planner: str
    bot_version: str
    bot_hash: str
    team: int
    role: str


class Header(_Line, frozen=True, kw_only=True, tag="header"):
    """Everything that decides the match, and who played it."""

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
    """One application of the rules; `hash` chains it and the state after it to all that came before.

    It is left out but for each 16th turn: the others are chained too, and the next hash shows what has changed.
    """

    turn: int  # from 1
    stamp: int
    actions: dict[str, str]  # seat -> canonical text
    hash: str = ""


class FaultLine(_Line, frozen=True, kw_only=True, tag="fault"):
    """An offence during turn `turn` (the one not yet closed)."""

    turn: int
    seat: int
    fault: Fault
    detail: str


def cause_of(faults: Sequence[FaultLine]) -> tuple[FaultLine, int]:
    """Return the fault that names a seat's forfeit, and how many of its faults are of this kind.

    `faults` are those of the seat, in order, at least one. A crash names the forfeit that it causes. Otherwise the
    most frequent kind does, of equally frequent kinds the first to occur; its last fault is returned.
    """
    counts = Counter(line.fault for line in faults)
    kind = faults[-1].fault if faults[-1].fault.is_crash else counts.most_common(1)[0][0]
    return next(line for line in reversed(faults) if line.fault is kind), counts[kind]


class EndLine(_Line, frozen=True, kw_only=True, tag="end"):
    """How it ended. Lists are by seat."""

    termination: Termination
    reason: str
    counted: bool  # False: void too often, not part of standings
    returns: list[float | None]  # None: a forfeit has left no value, in a game that is not zero-sum
    ranks: list[int]  # 1 is best, ties share; teams rank together
    points: list[float | None]  # share of the other sides beaten (draw = half); None where there is one side
    metrics: list[dict[str, float]]
    faults: list[int]
    forfeited: list[int]  # seats
    turns: int
    hash: str


class AnswerLine(_Line, frozen=True, kw_only=True, tag="answer", omit_defaults=True):
    """Measured: one answer (or its absence) in turn `turn`.

    `final` and `after_ms` say what a turn cost the seat's bank. Records from before these keys existed have neither:
    there every answer is taken to have closed its question, and what was no answer to have come at once.
    """

    turn: int
    seat: int
    action: str = ""
    planning_ms: Measured | None = None
    latency_ms: Measured | None = None
    cpu_ms: Measured | None = None  # of the bot's whole process tree, from question to answer
    waited_ms: Measured | None = None  # of it: ready to run while the machine ran others
    forced: Counted | None = None  # switches away from a thread of it that was not done
    expanded: Counted | None = None
    generated: Counted | None = None
    frontier: Counted | None = None
    repaired: Counted | None = None
    reused: Counted | None = None
    plan_cost: Measured | None = None
    fault: str = ""
    final: bool = True  # False: it left its question open, in a turn-based game to the deadline
    after_ms: Measured | None = None  # of a message that was no answer: since the seat's question was asked


class UsageLine(_Line, frozen=True, kw_only=True, tag="usage", omit_defaults=True):
    """Measured: the match as a whole. Lists are by seat; None where it cannot be known (remote bots)."""

    started_utc: str
    duration_ms: Duration
    attempts: Counted  # 1 + void attempts before this one
    cpu_ms: list[Duration | None]
    peak_mb: list[Duration | None]
    machine: str = ""  # the worker that played it; "" = where the tournament ran


class SealLine(_Line, frozen=True, kw_only=True, tag="seal"):
    """Hashes of every byte before this line; `mac` is made with the key of the results folder, "" outside of one."""

    digest: str
    mac: str


Line = Header | TurnLine | FaultLine | EndLine | AnswerLine | UsageLine | SealLine


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One whole record in memory."""

    header: Header
    lines: list[TurnLine | FaultLine]  # in order
    answers: list[AnswerLine]
    usage: UsageLine
    end: EndLine
