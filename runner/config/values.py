"""A tournament as typed, frozen values with every default in sight. Reads no files and checks no names.

The structs are the schema of the YAML file: `gridjoust.runner.config.load` fills them and reports what does not fit.
What stands beside a key is shown to those who write one. A new key is a line here, and whatever uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gridjoust.runner.config.formats import AnyFormat, RoundRobin, StopRule
from gridjoust.runner.config.section import NotNegative, Positive, Section, means
from gridjoust.runner.seeds import run_key

ParamValue = bool | int | float | str
# Safe in topics, files and CSV; `$` alone would let a line end through.
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_\-]{0,63}$(?!\n)")]

_TURN = means("time for an answer in ms; null = no limit, for people")
_BANK = means("time in ms that a seat has in reserve for the whole match: what exceeds `turn_ms` is taken from it")
_INCREMENT = means("what each answer puts back into the reserve")
_START = means("time for a bot to start, and to get ready for a match")
_GRACE = means("when the referee's own loop or the broker was later than this, a late answer makes the match void")


_CLOCK = means(
    "what limits an answer. wall and cpu: `turn_ms`, `bank_ms` and `increment_ms` are wall time, or CPU time of the "
    "bot's processes, which a busy machine cannot move (of remote bots wall time counts). work: nodes expanded, as the "
    "bot declares them, by `turn_work`, `bank_work` and `increment_work`"
)
_FACTOR = means(
    "with `clock: cpu` or `work`: after so many times `turn_ms` and bank, by the wall, a question closes in any case"
)
_WORK = means("with `clock: work`: nodes that may be expanded for an answer")
_BANK_WORK = means("nodes that a seat has in reserve for the whole match: what exceeds `turn_work` is taken from it")
_INCREMENT_WORK = means("what each answer puts back into that reserve")
Clock = Literal["wall", "cpu", "work"]


class TimeLimits(Section, frozen=True, kw_only=True):
    """Clock of every answer; `turn_ms: null` = no limit (people)."""

    turn_ms: Annotated[Positive | None, _TURN] = 100
    bank_ms: Annotated[NotNegative, _BANK] = 0
    increment_ms: Annotated[NotNegative, _INCREMENT] = 0
    start_ms: Annotated[Positive, _START] = 10_000
    grace_ms: Annotated[Positive, _GRACE] = 50
    clock: Annotated[Clock, _CLOCK] = "wall"
    wall_factor: Annotated[Positive, _FACTOR] = 5
    turn_work: Annotated[Positive, _WORK] = 300
    bank_work: Annotated[NotNegative, _BANK_WORK] = 0
    increment_work: Annotated[NotNegative, _INCREMENT_WORK] = 0


class TimeOverride(Section, frozen=True, kw_only=True):
    """Per game or bot: only what differs from the tournament's `time`."""

    turn_ms: Annotated[Positive | UnsetType | None, _TURN] = UNSET
    bank_ms: Annotated[NotNegative | UnsetType, _BANK] = UNSET
    increment_ms: Annotated[NotNegative | UnsetType, _INCREMENT] = UNSET
    start_ms: Annotated[Positive | UnsetType, _START] = UNSET
    grace_ms: Annotated[Positive | UnsetType, _GRACE] = UNSET
    clock: Annotated[Clock | UnsetType, _CLOCK] = UNSET
    wall_factor: Annotated[Positive | UnsetType, _FACTOR] = UNSET
    turn_work: Annotated[Positive | UnsetType, _WORK] = UNSET
    bank_work: Annotated[NotNegative | UnsetType, _BANK_WORK] = UNSET
    increment_work: Annotated[NotNegative | UnsetType, _INCREMENT_WORK] = UNSET


class FaultPolicy(Section, frozen=True, kw_only=True):
    """How many faults a seat may commit in one match, and what the last one costs."""

    limit: Annotated[Positive, means("the fault that forfeits the match")] = 10
    on_limit: Annotated[
        Literal["forfeit", "disqualify"], means("forfeit: this match; disqualify: the remaining ones too")
    ] = "forfeit"


class ResourceLimits(Section, frozen=True, kw_only=True):
    """What one bot process may use; null = no limit."""

    memory_mb: Annotated[
        Positive | None, means("memory of the process and its children; more stops it; null = no limit")
    ] = 1024
    cpu_s: Annotated[Positive | None, means("CPU time of the process and its children; null = no limit")] = None
    open_files: Annotated[
        Positive | None, means("files and connections that one process may have open; null = what the system allows")
    ] = 256
    processes: Annotated[
        Positive | None, means("how many processes the bot may be at once; more stops it; null = no limit")
    ] = 64
    threads: Annotated[
        Positive | None, means("how many threads all of them may have; more stops it; null = no limit")
    ] = 512


class GameEntry(Section, frozen=True, kw_only=True):
    """One variant. `maps`: files (read into the map's text) or `random`; each round plays every map."""

    game: Annotated[str, means("which game; `joust games` lists them")]
    name: Annotated[Name | None, means("of this variant; default: the game")] = None
    params: Annotated[dict[str, ParamValue], means("the game's parameters that differ from their defaults")] = (
        msgspec.field(default_factory=dict)
    )
    maps: Annotated[
        tuple[str, ...],
        means("map files (with `NAME.map.scen` beside one its queries), and `random`; every round plays each"),
    ] = ()
    seats: Annotated[Positive | None, means("how many; default: the fewest that the game takes")] = None
    seating: Annotated[
        Literal["team", "mixed"], means("one bot holds a whole team, or every seat has a bot of its own")
    ] = "team"
    time: Annotated[TimeOverride, means("what differs from the tournament's `time`")] = TimeOverride()


class RoleProgram(Section, frozen=True, kw_only=True):
    """The program that plays one role (or, in a BotEntry, everything): exactly one of the four ways."""

    bot: Annotated[
        str | None, means("a built-in or installed bot; `*/astar` is that planner's bot in whichever game is played")
    ] = None
    path: Annotated[
        str | None, means("a Python file and the bot's class in it: `file.py:Class`, relative to this file")
    ] = None
    command: Annotated[tuple[str, ...] | None, means("a program and its arguments, in any language")] = None
    build: Annotated[
        tuple[str, ...],
        means("with command: what compiles it, run once before the first match, in the folder of this file"),
    ] = ()
    protocol: Annotated[
        Literal["mqtt", "stdio"],
        means(
            "how the program of a command talks. mqtt: it connects to the broker; stdio: one JSON message a line on its"
            " standard input, answers on its standard output"
        ),
    ] = "mqtt"
    files: Annotated[
        tuple[str, ...], means("with path or command: other files and folders that it reads; `*` and `**` match")
    ] = ()
    remote: Annotated[bool, means("true: connects by itself, with a token that `joust tokens` prints")] = False
    options: Annotated[dict[str, ParamValue], means("passed on to the bot")] = msgspec.field(default_factory=dict)


_Title = Annotated[str, Meta(min_length=1, max_length=64)]


class BotEntry(RoleProgram, frozen=True, kw_only=True):
    """An entrant under its name; `roles` replaces the four ways with one program per role."""

    name: Annotated[Name, means("its name, in tables and of its logs")]
    title: Annotated[_Title | None, means("what tables show beside its name, in any script; 1 to 64 letters")] = None
    roles: Annotated[dict[str, RoleProgram], means("games with roles: a program for each, instead of one for all")] = (
        msgspec.field(default_factory=dict)
    )
    time: Annotated[TimeOverride, means("what differs from the tournament's and the game's `time`")] = TimeOverride()
    limits: Annotated[ResourceLimits, means("what one process may use")] = ResourceLimits()


class Execution(Section, frozen=True, kw_only=True):
    """How matches are run and how bots are kept apart."""

    where: Annotated[
        Literal["local", "dask", "workers"],
        means(
            "local: on this machine, by the run itself; dask: on the workers of a Dask cluster; "
            "workers: on machines that ask for matches with `joust work`"
        ),
    ] = "local"
    address: Annotated[
        str | None, means("with dask: of a running scheduler, `tcp://host:8786`; default: a cluster on this machine")
    ] = None
    workers: Annotated[
        Positive | None, means("with dask and no address: how many workers on this machine; default: one per core")
    ] = None
    listen: Annotated[
        str | None,
        means("with workers: `host:port` where they come in; default: this machine alone, on a free port"),
    ] = None
    parallel: Annotated[
        Positive | Literal["auto"],
        means("matches at once, on each worker where there are any; auto: one for every two cores, on dask one"),
    ] = "auto"
    isolation: Annotated[
        Literal["auto", "process", "sandbox", "none"],
        means(
            "process: one for each bot; sandbox: the same in a sandbox (bubblewrap, else the built-in one); none: all "
            "in this process; auto: the best that works here; process if all bots come with Joust"
        ),
    ] = "auto"
    lobby_s: Annotated[
        NotNegative,
        means("how long remote bots are waited for before the first match; Enter in a terminal begins at once"),
    ] = 300
    patience_s: Annotated[
        NotNegative,
        means("how long matches wait for a remote bot that is away; then they are forfeited until it is back"),
    ] = 60
    views: Annotated[bool, means("publish every turn's public view, for people who watch live")] = False


class BrokerConfig(Section, frozen=True, kw_only=True):
    """`use: auto` = mosquitto if it is on PATH, else embedded. `listen` opens a TCP port (TLS) for remote bots."""

    use: Annotated[
        Literal["auto", "mosquitto", "embedded", "external"],
        means("auto: mosquitto if it is on the PATH, else the embedded one"),
    ] = "auto"
    url: Annotated[str | None, means("external: `mqtt(s)://user:password@host:port`")] = None
    listen: Annotated[
        str | None,
        means("`host:port` where remote bots come in, with TLS; default: this machine alone, on a free port"),
    ] = None
    advertise: Annotated[
        str | None,
        means("`host` or `host:port` at which remote bots find it; default: the addresses of this machine"),
    ] = None


_SeedNumber = Annotated[int, Meta(ge=0, lt=2**53)]
_SeedText = Annotated[str, Meta(pattern=r"^(secret|[0-9a-f]{32})$(?!\n)")]
SeedValue = _SeedNumber | _SeedText
_SEED = means(
    "the only source of chance: the same seed plays the same matches. `secret`, the default with remote bots: drawn by"
    " the run, and written here at its end, as 32 hex digits that are a seed too"
)


class Tournament(Section, frozen=True, kw_only=True):
    """The whole file."""

    tournament: Annotated[Name, means("its name, and that of its folder below results/")]
    games: Annotated[tuple[GameEntry, ...], means("what is played; each entry is a variant", min_length=1)]
    bots: Annotated[tuple[BotEntry, ...], means("who takes part", min_length=1)]
    seed: Annotated[SeedValue, _SEED] = 0
    format: Annotated[AnyFormat, means("who meets whom; a key that the type has no use for must keep its default")] = (
        RoundRobin()
    )
    stop: Annotated[StopRule | None, means("end it when a question is answered; null = when all rounds are played")] = (
        None
    )
    time: Annotated[TimeLimits, means("the clock")] = TimeLimits()
    faults: Annotated[FaultPolicy, means("what mistakes cost")] = FaultPolicy()
    execution: Annotated[Execution, means("how matches are run")] = Execution()
    broker: Annotated[BrokerConfig, means("what carries the messages")] = BrokerConfig()
    records: Annotated[
        Literal["files", "packed"],
        means("packed: records move into packs, a tenth of the size, 50,000 matches at a time and at the end"),
    ] = "files"
    tables: Annotated[
        Literal["csv", "parquet"],
        means("parquet: at the end there are Parquet parts too, as there are anyway from 2 million rows on"),
    ] = "csv"

    @property
    def run_key(self) -> bytes:
        """What all its chance comes from; the seed must be known by now."""
        return run_key(self.seed, tournament=self.tournament, games=[entry.game for entry in self.games])


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What a built-in or installed bot declares about itself."""

    plays: tuple[str, ...]  # games by name; empty = every game
    planner: str


def with_override(limits: TimeLimits, override: TimeOverride) -> TimeLimits:
    """The limits with every key that the override sets."""
    changed = {key: getattr(override, key) for key in override.__struct_fields__}
    return msgspec.structs.replace(limits, **{k: v for k, v in changed.items() if v is not msgspec.UNSET})
