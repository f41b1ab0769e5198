"""A tournament as typed, frozen values, with their defaults.

The structs are the schema of the YAML file: `gridjoust.runner.config.load` fills them and reports what does not fit.
The schema and the reference show each key's description. A new key is one line here and the code that uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gridjoust.runner.config.formats import AnyFormat, NotNegative, Positive, RoundRobin, Section, StopRule, means
from gridjoust.runner.seeds import run_key

ParamValue = bool | int | float | str
# Safe in topics, files and CSV; `$` alone would allow a line end.
NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_\-]{0,63}$(?!\n)"
Name = Annotated[str, Meta(pattern=NAME_PATTERN)]

_TURN = means("time for an answer in ms; null = no limit, for people")
_BANK = means("time in ms that a seat has in reserve for the whole match: what exceeds `turn_ms` is taken from it")
_INCREMENT = means("time in ms that each answer adds to the reserve")
_START = means("time in ms for a bot to start, and to get ready for a match")
_GRACE = means("if the referee or the broker was later than this (ms), a late answer makes the match void")


_CLOCK = means(
    "what limits an answer. wall: `turn_ms`, `bank_ms` and `increment_ms` are wall time; cpu: they are CPU time of the "
    "bot's processes, which a busy machine does not change (remote bots: wall time); work: `turn_work`, `bank_work` "
    "and `increment_work` limit the successors that the bot says it has generated, in searches and tactics"
)
_FACTOR = means("with `clock: cpu` or `work`: a question closes after so many times `turn_ms` and bank in wall time")
_WORK = means("with `clock: work`: successors that a bot may generate for an answer")
_BANK_WORK = means("successors that a seat has in reserve for the match: what exceeds `turn_work` is taken from it")
_INCREMENT_WORK = means("successors that each answer adds to that reserve")
Clock = Literal["wall", "cpu", "work"]


class TimeLimits(Section, frozen=True, kw_only=True):
    """The time limits of every answer; `turn_ms: null` = no limit (for people)."""

    turn_ms: Annotated[Positive | None, _TURN] = 100
    bank_ms: Annotated[NotNegative, _BANK] = 0
    increment_ms: Annotated[NotNegative, _INCREMENT] = 0
    start_ms: Annotated[Positive, _START] = 10_000
    grace_ms: Annotated[Positive, _GRACE] = 50
    clock: Annotated[Clock, _CLOCK] = "wall"
    wall_factor: Annotated[Positive, _FACTOR] = 5
    turn_work: Annotated[Positive, _WORK] = 30_000
    bank_work: Annotated[NotNegative, _BANK_WORK] = 0
    increment_work: Annotated[NotNegative, _INCREMENT_WORK] = 0


class TimeOverride(Section, frozen=True, kw_only=True):
    """The time limits of one game or bot that differ from the tournament's `time`."""

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
    """The number of faults that a seat may commit in one match, and the penalty of the last one."""

    limit: Annotated[Positive, means("the fault that forfeits the match")] = 10
    on_limit: Annotated[
        Literal["forfeit", "disqualify"], means("forfeit: this match; disqualify: the remaining ones too")
    ] = "forfeit"


class ResourceLimits(Section, frozen=True, kw_only=True):
    """The resources that one bot process may use; null = no limit."""

    memory_mb: Annotated[
        Positive | None,
        means("memory of the process and its children; a bot that uses more is stopped; null = no limit"),
    ] = 1024
    cpu_s: Annotated[Positive | None, means("CPU time of the process and its children; null = no limit")] = None
    open_files: Annotated[
        Positive | None, means("files and connections that one process may have open; null = what the system allows")
    ] = 256
    processes: Annotated[
        Positive | None, means("processes that the bot may have at once; a bot with more is stopped; null = no limit")
    ] = 64
    threads: Annotated[
        Positive | None, means("threads of all its processes together; a bot with more is stopped; null = no limit")
    ] = 512


class GameEntry(Section, frozen=True, kw_only=True):
    """One variant of a game. `maps`: map files or `random`; each round plays every map."""

    game: Annotated[str, means("which game; `joust games` lists them, `joust games NAME` its parameters")]
    name: Annotated[Name | None, means("the variant's name; default: the game's")] = None
    params: Annotated[dict[str, ParamValue], means("the game's parameters that differ from their defaults")] = (
        msgspec.field(default_factory=dict)
    )
    maps: Annotated[
        tuple[str, ...],
        means("map files (queries come from `NAME.map.scen` beside a file), or `random`; every round plays each"),
    ] = ()
    seats: Annotated[Positive | None, means("number of seats; default: the fewest that the game allows")] = None
    seating: Annotated[
        Literal["team", "mixed"], means("team: one bot holds a whole team; mixed: each seat has a bot of its own")
    ] = "team"
    time: Annotated[TimeOverride, means("limits that differ from the tournament's `time`")] = TimeOverride()


class RoleProgram(Section, frozen=True, kw_only=True):
    """The program that plays one role (in a BotEntry, all roles): one of `bot`, `path`, `command` and `remote`."""

    bot: Annotated[
        str | None, means("a built-in or installed bot; `*/astar` is that planner's bot in whichever game is played")
    ] = None
    path: Annotated[
        str | None,
        means(
            "a Python file and the bot's class in it, relative to this file: `file.py:Class`, or `file.py` with one bot"
        ),
    ] = None
    command: Annotated[tuple[str, ...] | None, means("a program and its arguments, in any language")] = None
    build: Annotated[
        tuple[str, ...],
        means("with command: a command that compiles it, run once before the first match, in this file's folder"),
    ] = ()
    protocol: Annotated[
        Literal["mqtt", "stdio"],
        means(
            "how the program of a command exchanges messages. mqtt: it connects to the broker; stdio: one JSON message"
            " a line on its standard input, answers on its standard output"
        ),
    ] = "mqtt"
    files: Annotated[
        tuple[str, ...], means("with path or command: other files and folders that it reads; `*` and `**` match")
    ] = ()
    remote: Annotated[bool, means("true: connects by itself, with a token that `joust tokens` prints")] = False
    options: Annotated[dict[str, ParamValue], means("options for the bot")] = msgspec.field(default_factory=dict)


_Title = Annotated[str, Meta(min_length=1, max_length=64)]
_Reason = Annotated[str, Meta(min_length=1, max_length=200)]


class BotEntry(RoleProgram, frozen=True, kw_only=True):
    """A bot that takes part, with its name; `roles` gives each role a program of its own."""

    name: Annotated[Name, means("the bot's name in tables, and of its logs")]
    title: Annotated[_Title | None, means("a title for tables, beside the name, in any script; 1 to 64 letters")] = None
    number: Annotated[
        NotNegative | None,
        means("a number of its own, from which the seeds of its matches follow; default: its position in the list"),
    ] = None
    roles: Annotated[dict[str, RoleProgram], means("in games with roles: one program per role, not one for all")] = (
        msgspec.field(default_factory=dict)
    )
    time: Annotated[TimeOverride, means("limits that differ from those of tournament and game")] = TimeOverride()
    limits: Annotated[ResourceLimits, means("resources that one process may use")] = ResourceLimits()


class Execution(Section, frozen=True, kw_only=True):
    """How matches are run and bots are isolated."""

    where: Annotated[
        Literal["local", "dask", "workers"],
        means(
            "local: on this machine, by the run itself; dask: on the workers of a Dask cluster; "
            "workers: on machines that ask for matches with `joust work`"
        ),
    ] = "local"
    address: Annotated[
        str | None, means("with dask: a running scheduler, `tcp://host:8786`; default: a cluster on this machine")
    ] = None
    workers: Annotated[
        Positive | None, means("with dask and no address: number of workers on this machine; default: one per core")
    ] = None
    listen: Annotated[
        str | None,
        means("with workers: `host:port` where workers connect; default: a free port, from this machine only"),
    ] = None
    parallel: Annotated[
        Positive | Literal["auto"],
        means("matches at once (on each worker, if there are workers); auto: one for every two cores, on dask one"),
    ] = "auto"
    isolation: Annotated[
        Literal["auto", "process", "sandbox", "none"],
        means(
            "process: one process for each bot; sandbox: one process in a sandbox for each bot (bubblewrap, else the "
            "built-in one); none: all bots in this process; auto: the safest that works on this machine, or process if "
            "all bots come with Joust"
        ),
    ] = "auto"
    lobby_s: Annotated[
        NotNegative,
        means("time in s to wait for remote bots before the first match; Enter in a terminal ends the wait"),
    ] = 300
    patience_s: Annotated[
        NotNegative,
        means("time in s that matches wait for a remote bot that is away; then it forfeits them until it is back"),
    ] = 60
    views: Annotated[bool, means("publish every turn's public view, for spectators")] = False


class BrokerConfig(Section, frozen=True, kw_only=True):
    """The broker of the run. `use: auto` = mosquitto if it is on PATH, else the built-in one (`embedded`)."""

    use: Annotated[
        Literal["auto", "mosquitto", "embedded", "external"],
        means("auto: mosquitto if it is on the PATH, else embedded, the built-in one; external: the one at `url`"),
    ] = "auto"
    url: Annotated[str | None, means("with external: `mqtt(s)://user:password@host:port`")] = None
    listen: Annotated[
        str | None,
        means("`host:port` where remote bots connect, with TLS; default: a free port, from this machine only"),
    ] = None
    advertise: Annotated[
        str | None,
        means("`host` or `host:port` that remote bots connect to; default: the addresses of this machine"),
    ] = None


_SeedNumber = Annotated[int, Meta(ge=0, lt=2**53)]
_SeedText = Annotated[str, Meta(pattern=r"^(secret|[0-9a-f]{32})$(?!\n)")]
SeedValue = _SeedNumber | _SeedText
_SEED = means(
    "the only source of chance: the same seed plays the same matches. `secret` (the default with remote bots): the run"
    " draws a seed, and publishes it here at its end, as 32 hex digits, which are a valid seed"
)


class Tournament(Section, frozen=True, kw_only=True):
    """A tournament file."""

    tournament: Annotated[Name, means("the tournament's name, and that of its folder in results/")]
    games: Annotated[tuple[GameEntry, ...], means("the games; each entry is a variant", min_length=1)]
    bots: Annotated[
        tuple[BotEntry, ...], means("the bots that take part; required without `entries`", min_length=1)
    ] = ()
    entries: Annotated[
        str | None,
        means(
            "more bots, one a Python file: `submissions/*/bot.py`; a bot's name is what the last wildcard matches "
            "(here its folder), and its number a hash of that name"
        ),
    ] = None
    exclude: Annotated[
        dict[str, _Reason],
        means("bots that do not play, with the reason, which the tables show: `{ada: withdrawn}`"),
    ] = msgspec.field(default_factory=dict)
    seed: Annotated[SeedValue, _SEED] = 0
    format: Annotated[
        AnyFormat, means("which bots play each other; keys that the type does not use must keep their defaults")
    ] = RoundRobin()
    stop: Annotated[StopRule | None, means("stop early once a question is decided; null = play all rounds")] = None
    time: Annotated[TimeLimits, means("time limits")] = TimeLimits()
    faults: Annotated[FaultPolicy, means("penalties for faults")] = FaultPolicy()
    execution: Annotated[Execution, means("how matches are run")] = Execution()
    broker: Annotated[BrokerConfig, means("the broker that carries the messages")] = BrokerConfig()
    records: Annotated[
        Literal["files", "packed"],
        means("packed: records move into packs, a tenth of their size, after every 50,000 matches and at the end"),
    ] = "files"
    tables: Annotated[
        Literal["csv", "parquet"],
        means("parquet: write Parquet parts at the end too; from 2 million rows on, they are always written"),
    ] = "csv"

    @property
    def run_key(self) -> bytes:
        """The key from which all random numbers of the run derive; the seed must not be secret any more."""
        return run_key(self.seed, tournament=self.tournament, games=[entry.game for entry in self.games])


@dataclass(frozen=True, slots=True)
class BotInfo:
    """The declaration of a built-in or installed bot."""

    plays: tuple[str, ...]  # games by name; empty = every game
    planner: str


def number_of(bot: BotEntry, position: int) -> int:
    """Return the number from which a bot's seeds follow: its own, or its position in the list of bots."""
    return position if bot.number is None else bot.number


def with_override(limits: TimeLimits, override: TimeOverride) -> TimeLimits:
    """Return the limits, with the values that the override sets in place of theirs."""
    changed = {key: getattr(override, key) for key in override.__struct_fields__}
    return msgspec.structs.replace(limits, **{k: v for k, v in changed.items() if v is not msgspec.UNSET})
