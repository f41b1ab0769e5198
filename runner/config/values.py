"""A tournament as typed, frozen values with every default in sight. Reads no files and checks no names.

The structs are the schema of the YAML file: `runner.config.load` fills them and reports what does not fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

ParamValue = bool | int | float | str
# Safe in topics, files and CSV; `$` alone would let a line end through.
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_\-]{0,63}$(?!\n)")]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]


class _Value(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base: immutable, keyword-only, unknown keys refused."""


class TimeLimits(_Value, frozen=True, kw_only=True):
    """Clock of every answer; `turn_ms: null` = no limit (people)."""

    turn_ms: Positive | None = 100
    bank_ms: NotNegative = 0
    increment_ms: NotNegative = 0
    start_ms: Positive = 10_000
    grace_ms: Positive = 50  # loop lag or broker echo above this makes a late answer void


class TimeOverride(_Value, frozen=True, kw_only=True):
    """Per game or bot: only what differs from the tournament's `time`."""

    turn_ms: Positive | msgspec.UnsetType | None = msgspec.UNSET
    bank_ms: NotNegative | msgspec.UnsetType = msgspec.UNSET
    increment_ms: NotNegative | msgspec.UnsetType = msgspec.UNSET
    start_ms: Positive | msgspec.UnsetType = msgspec.UNSET
    grace_ms: Positive | msgspec.UnsetType = msgspec.UNSET


class FaultPolicy(_Value, frozen=True, kw_only=True):
    """How many faults a seat may commit in one match, and what the last one costs."""

    limit: Positive = 10
    on_limit: Literal["forfeit", "disqualify"] = "forfeit"


class ResourceLimits(_Value, frozen=True, kw_only=True):
    """What one bot process may use; null = no limit."""

    memory_mb: Positive | None = 1024
    cpu_s: Positive | None = None


class Format(_Value, frozen=True, kw_only=True):
    """Who meets whom. What a type has no use for must keep its default."""

    type: Literal["round_robin", "gauntlet", "swiss", "knockout", "ladder", "solo"] = "round_robin"
    rounds: Positive = 1  # not in a knockout; with `stop`, what is played before the rule is first asked
    swap_seats: bool = True
    challengers: tuple[str, ...] = ()  # gauntlet: they meet all others but not each other
    seeding: Literal["file", "hash"] = "file"  # swiss, knockout, ladder: best seed first as listed, or drawn
    pairs: Positive = 1  # the same: on how many seeds two bots meet
    third_place: bool = True  # knockout: the losers of the semi-finals meet
    replays: NotNegative = 2  # knockout: of a draw, on new seeds; then the better seed advances
    max_matches: Positive | None = None  # ladder: as many rounds as fit, instead of `rounds`


class StopRule(_Value, frozen=True, kw_only=True):
    """When to stop: once a question about two-sided games is answered, or at `max_matches`.

    `resolved`: `goal` is known with `confidence`; bots whose scores against the field differ by less than
    `indifference` (points per match, 0 to 1) may come out either way. `sprt`: two bots, normalized Elo `elo0` or
    `elo1` of the first over the second, with error rates `alpha` and `beta`.
    """

    when: Literal["resolved", "sprt"] = "resolved"
    max_matches: Positive = 2000
    goal: Literal["top", "winner", "order"] = "winner"
    top: Positive | None = None  # goal top: how many; goal order: of the best so many, null = of all
    confidence: float = 0.95
    indifference: float = 0.01
    adaptive: Literal["none", "safe", "race"] = "none"  # race falls back to safe where one rating per bot does not fit
    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05


class GameEntry(_Value, frozen=True, kw_only=True):
    """One variant. `maps`: files (read into the map's text) or `random`; each round plays every map."""

    game: str
    name: Name | None = None  # defaults to the game
    params: dict[str, ParamValue] = {}
    maps: tuple[str, ...] = ()
    seats: Positive | None = None  # defaults to the game's minimum
    seating: Literal["team", "mixed"] = "team"  # one bot holds a whole team, or every seat has its own bot
    time: TimeOverride = TimeOverride()


class RoleProgram(_Value, frozen=True, kw_only=True):
    """The program that plays one role (or, in a BotEntry, everything): exactly one of the four ways."""

    bot: str | None = None  # built-in or installed name, `*/astar` = that planner's bot of the game played
    path: str | None = None  # file.py:Class
    command: tuple[str, ...] | None = None
    remote: bool = False
    options: dict[str, ParamValue] = {}


class BotEntry(RoleProgram, frozen=True, kw_only=True):
    """An entrant under its name; `roles` replaces the four ways with one program per role."""

    name: Name
    roles: dict[str, RoleProgram] = {}
    time: TimeOverride = TimeOverride()
    limits: ResourceLimits = ResourceLimits()


class Execution(_Value, frozen=True, kw_only=True):
    """Where matches run and how bots are kept apart."""

    where: Literal["local"] = "local"
    parallel: Positive | Literal["auto"] = "auto"
    isolation: Literal["process", "sandbox", "none"] = "process"
    views: bool = False  # publish every turn's public view, for people who watch live


class BrokerConfig(_Value, frozen=True, kw_only=True):
    """`use: auto` = mosquitto if it is on PATH, else embedded. `listen` opens a TCP port for remote bots."""

    use: Literal["auto", "mosquitto", "embedded", "external"] = "auto"
    url: str | None = None  # external only: mqtt(s)://user:password@host:port
    listen: str | None = None  # host:port; default is loopback on a free port


class Tournament(_Value, frozen=True, kw_only=True):
    """The whole file."""

    tournament: Name
    games: Annotated[tuple[GameEntry, ...], Meta(min_length=1)]
    bots: Annotated[tuple[BotEntry, ...], Meta(min_length=1)]
    seed: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    format: Format = Format()
    stop: StopRule | None = None
    time: TimeLimits = TimeLimits()
    faults: FaultPolicy = FaultPolicy()
    execution: Execution = Execution()
    broker: BrokerConfig = BrokerConfig()


class LoadedTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A checked tournament with what the loader read beside it."""

    config: Tournament
    source: Path  # the file; relative paths in it start at its folder
    maps: dict[str, str]  # as written in `maps` -> text; "random" -> ""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What a built-in or installed bot declares about itself."""

    plays: tuple[str, ...]  # games by name; empty = every game
    planner: str


def with_override(limits: TimeLimits, override: TimeOverride) -> TimeLimits:
    """The limits with every key that the override sets."""
    changed = {key: getattr(override, key) for key in override.__struct_fields__}
    return msgspec.structs.replace(limits, **{k: v for k, v in changed.items() if v is not msgspec.UNSET})
