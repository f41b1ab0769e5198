"""The tables that a tournament leaves behind, column by column: this list is the schema. Writes and reads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, get_type_hints

from games.chance import SEED_LIMIT
from runner.record.lines import Fault, Termination

ColumnType = Literal["string", "integer", "number", "boolean", "datetime"]
Value = str | int | float | bool | None
Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `is_measured`: differs between two runs of the same tournament; `decimals`: numbers are rounded."""

    name: str
    type: ColumnType
    description: str
    is_measured: bool = False
    is_required: bool = False
    decimals: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One file of the results folder; `parent_key` are the columns that point to a row of `results`."""

    name: str
    file: str
    description: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    parent_key: tuple[str, ...] = ()
    by_name: Mapping[str, Column] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {column.name: column for column in self.columns})

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in file order."""
        return tuple(column.name for column in self.columns)


def measured_columns(table: Table) -> frozenset[str]:
    """Columns that may differ between two runs with identical results."""
    return frozenset(column.name for column in table.columns if column.is_measured)


def _text(name: str, description: str, *, required: bool = False, choices: tuple[str, ...] = ()) -> Column:
    return Column(name, "string", description, is_required=required, choices=choices)


def _key(name: str, description: str) -> Column:
    return Column(name, "string", description, is_required=True)


def _count(name: str, description: str, *, minimum: int = 0, required: bool = True, measured: bool = False) -> Column:
    return Column(name, "integer", description, is_measured=measured, is_required=required, minimum=minimum)


def _number(
    name: str, description: str, *, required: bool = False, limits: tuple[float, float] | None = None
) -> Column:
    low, high = limits or (None, None)
    return Column(name, "number", description, is_required=required, minimum=low, maximum=high)


def _per_cent(name: str, description: str, *, decimals: int | None = None) -> Column:
    return Column(name, "number", description, decimals=decimals, minimum=0, maximum=100)


def _rating(name: str, description: str) -> Column:
    """In Elo points, to a thousandth: beyond that, linear algebra differs from machine to machine."""
    return Column(name, "number", description, decimals=3)


def _amount(name: str, description: str) -> Column:
    """A measured time or size, to a thousandth."""
    return Column(name, "number", description, is_measured=True, decimals=3, minimum=0)


def _cost(name: str, description: str) -> Column:
    return _count(name, description, required=False, measured=True)


def _flag(name: str, description: str) -> Column:
    return Column(name, "boolean", description, is_required=True)


RESULTS = Table(
    name="results",
    file="results.csv",
    description="One row per match and seat; what is true of the whole match is repeated on each of its rows.",
    key=("match_id", "seat"),
    columns=(
        _key("match_id", "Content address of the match: the same whenever everything that decides it is the same"),
        _key("tournament", "Name of the tournament"),
        _key("game", "Name of the game"),
        _key("game_version", "Version of the game's rules"),
        _key("variant", "Name of the tournament's entry for the game"),
        _key("params_id", "Content address of the game's parameters, map included"),
        _text("map", "Name of the map; missing where the game has none"),
        _count("round", "Round of the tournament, from 1", minimum=1),
        _key("pair_id", "The same for matches between the same bots on the same seed, seats swapped"),
        Column(
            "seed",
            "integer",
            "Seed of everything the rules leave to chance",
            is_required=True,
            minimum=0,
            maximum=SEED_LIMIT - 1,
        ),
        _count("seat", "Seat in the match, from 0"),
        _count("seats", "Number of seats in the match", minimum=1),
        _text("role", "Role of the seat; missing where the game has none"),
        _count("team", "Team of the seat, from 0; seats of one team win and lose together"),
        _key("bot", "Name of the bot in this seat"),
        _key("planner", "Search algorithm that the bot declares: astar, dstar_lite, beam, dijkstra_map or other"),
        _text("bot_version", "Version that the bot declares"),
        _text("bot_hash", "Hash of the bot's code or command and options"),
        _text("opponents", "Bots of the other teams in seat order, separated by spaces; missing where there are none"),
        _number("returns", "Utility of the seat by the rules; higher is better", required=True),
        _count("rank", "Rank of the seat's team, 1 is best, ties share", minimum=1),
        _number(
            "points", "Share of the other teams beaten, a tie is half; missing where there is one team", limits=(0, 1)
        ),
        _text(
            "termination",
            "Why the match ended: completed by its rules, the fault that made a side forfeit, or void",
            required=True,
            choices=tuple(member.value for member in Termination),
        ),
        _text("reason", "Why the match ended, as a sentence"),
        _count("faults", "Offences of the seat"),
        _count("turns", "Turns of the match: applications of the rules"),
        _amount("planning_ms_total", "Planning time that the bot reported for the seat, sum, in ms"),
        _amount("planning_ms_p95", "The same per answer, 95th percentile (nearest rank), in ms"),
        _amount("latency_ms_p50", "From question to answer as the referee saw it, median, in ms"),
        _amount("cpu_ms", "CPU time of the bot's process during the match, in ms; missing for remote bots"),
        _amount("peak_mb", "Peak memory of the bot's process, in MB; missing for remote bots"),
        _cost("nodes_expanded", "Search nodes that the bot reported as expanded for the seat, sum"),
        _flag("counted", "Whether the match is part of the standings: 0 when it was void too often"),
        _text("schedule_reason", "Why the match was scheduled"),
        Column("started_utc", "datetime", "When the match started, UTC", is_measured=True, is_required=True),
        _amount("duration_ms", "Length of the match, in ms"),
        _key("runner_version", "Version of the runner"),
        _key("record", "The match record, relative to this folder"),
        _flag("forfeited", "Whether the seat forfeited: played defaults after its last fault"),
        _count("turns_acted", "Turns in which the seat acted, default actions in its place included"),
        _text(
            "actions_id",
            "Hash of the match's actions: the same for matches that went alike; missing if there were none",
        ),
        _cost("searches", "Answers for which the bot reported a search: its plans and replans"),
    ),
)

METRICS = Table(
    name="metrics",
    file="metrics.csv",
    description="One row per match, seat and metric: the named numbers that the game's rules report at the end.",
    key=("match_id", "seat", "metric"),
    parent_key=("match_id", "seat"),
    columns=(
        _key("match_id", "The match"),
        _count("seat", "The seat"),
        _key("bot", "Name of the bot in this seat"),
        _key("metric", "Name of the metric"),
        _number("value", "Its value"),
    ),
)

TURNS = Table(
    name="turns",
    file="turns.csv.gz",
    description="One row per answer, or absence of one that is a fault; a turn may have several per seat.",
    parent_key=("match_id", "seat"),
    columns=(
        _key("match_id", "The match"),
        _count("turn", "The turn, from 1", minimum=1),
        _count("seat", "The seat"),
        _text("action", "The answer in the game's notation; missing where none came"),
        _amount("planning_ms", "Planning time that the bot reported, in ms"),
        _amount("latency_ms", "From question to answer as the referee saw it, in ms"),
        _cost("expanded", "Search nodes expanded, as the bot reported"),
        _cost("generated", "Search nodes generated, as the bot reported"),
        _cost("frontier", "Peak size of the search frontier, as the bot reported"),
        Column("plan_cost", "number", "Cost of the plan that the action starts, as the bot reported", is_measured=True),
        _text("fault", "The offence; missing where there is none", choices=tuple(member.value for member in Fault)),
    ),
)

_FIELD = ""  # the field that a column describes names it


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot (or planner) of a leaderboard: a row of `standings.csv`. None = missing."""

    rank: Annotated[
        int,
        _count(
            _FIELD,
            "Place, 1 is best, ties share; by rating, else by returns_mean, over unlike games by beaten_pct",
            minimum=1,
        ),
    ]
    bot: Annotated[str, _key(_FIELD, "Name of the bot")]
    planner: Annotated[str, _key(_FIELD, "Search algorithm of the bot; several are joined by +")]
    matches: Annotated[int, _count(_FIELD, "Counted matches, one per team held")]
    points: Annotated[float | None, _number(_FIELD, "Sum of points; missing where nobody has opponents")]
    score_pct: Annotated[float | None, _per_cent(_FIELD, "Points per match in per cent")]
    wins: Annotated[int, _count(_FIELD, "Matches in which the bot's team alone ranked first")]
    draws: Annotated[int, _count(_FIELD, "Matches in which it shared the first rank")]
    losses: Annotated[int, _count(_FIELD, "Matches in which another team ranked before it")]
    faults: Annotated[int, _count(_FIELD, "Offences, all seats together")]
    forfeits: Annotated[int, _count(_FIELD, "Matches in which a seat of the bot forfeited")]
    planning_ms_per_turn: Annotated[
        float | None, _amount(_FIELD, "Planning time per turn acted, where the bot reports it, in ms")
    ]
    nodes_per_turn: Annotated[
        float | None,
        Column(
            _FIELD,
            "number",
            "Search nodes expanded per turn acted, where the bot reports them",
            is_measured=True,
            decimals=3,
            minimum=0,
        ),
    ]
    returns_mean: Annotated[
        float | None,
        _number(_FIELD, "Mean returns over seeds; missing where games with unlike returns are ranked together"),
    ]
    returns_low: Annotated[float | None, _number(_FIELD, "Lower end of its 95 % interval (t); missing below 5 seeds")]
    returns_high: Annotated[float | None, _number(_FIELD, "Upper end of it")]
    rating: Annotated[
        float | None,
        _rating(_FIELD, "Strength in Elo points, the mean of all rated bots is 0; missing if not ranked by it"),
    ]
    rating_low: Annotated[
        float | None, _rating(_FIELD, "Lower end of its 95 % interval (pairs resampled); missing below 5 pairs")
    ]
    rating_high: Annotated[float | None, _rating(_FIELD, "Upper end of it")]
    group: Annotated[
        int | None,
        Column(
            _FIELD,
            "integer",
            "Rank of the group's first; no test of the difference separates that bot from the others of the group",
            minimum=1,
        ),
    ]
    games: Annotated[int, _count(_FIELD, "Games that it has played")]
    seeds: Annotated[int, _count(_FIELD, "Different seeds (of a game, variant and map) that it has played")]
    failure_pct: Annotated[float, _per_cent(_FIELD, "Share of its matches in which it forfeited")]
    won_pct: Annotated[
        float | None, _per_cent(_FIELD, "Share of its matches whose metric `won` is 1; missing where the game has none")
    ]
    cpu_ms_per_turn: Annotated[
        float | None, _amount(_FIELD, "CPU time of the bot's process per turn acted, where it could be measured, in ms")
    ]
    pareto: Annotated[
        str,
        Column(
            _FIELD,
            "string",
            "Costs by which nobody is both stronger and cheaper: ms (planning), nodes, both, or missing",
            is_measured=True,
        ),
    ]
    returns_median: Annotated[float | None, _number(_FIELD, "Median over seeds")]
    returns_iqm: Annotated[float | None, _number(_FIELD, "Interquartile mean over seeds")]
    seeds_won_pct: Annotated[
        float | None,
        _per_cent(_FIELD, "Share of seeds on which no other bot had higher returns; missing with opponents"),
    ]
    mean_rank: Annotated[
        float | None, _number(_FIELD, "Mean rank on a seed; over several games the mean of its places in them")
    ]
    beaten_pct: Annotated[
        float | None,
        _per_cent(_FIELD, "Share of rivals beaten: opponents, or other bots on the same seed; mean over games"),
    ]
    beaten_low: Annotated[
        float | None, _per_cent(_FIELD, "Lower end of its 95 % interval (t over seeds); missing below 5 seeds")
    ]
    beaten_high: Annotated[float | None, _per_cent(_FIELD, "Upper end of it")]
    difference: Annotated[
        float | None,
        _rating(_FIELD, "How much the bot in the row above is better, in the unit that ranks, on common seeds"),
    ]
    difference_low: Annotated[float | None, _rating(_FIELD, "Lower end of its 95 % interval")]
    difference_high: Annotated[float | None, _rating(_FIELD, "Upper end of it")]
    los_pct: Annotated[
        float | None, _per_cent(_FIELD, "Likelihood that it is better than the bot in the row below", decimals=3)
    ]


STANDINGS = Table(
    name="standings",
    file="standings.csv",
    description="One row per bot, best first. A match counts once per team, however many seats the bot holds in it.",
    key=("bot",),
    columns=tuple(
        replace(hint.__metadata__[0], name=name) for name, hint in get_type_hints(Standing, include_extras=True).items()
    ),
)

TABLES = (RESULTS, METRICS, TURNS, STANDINGS)
VERDICT = "verdict.txt"  # beside the tables: what the schedule decided, as a sentence, where it had to decide
