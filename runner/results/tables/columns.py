"""The schema of a tournament's result tables, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field, replace
from enum import Enum
from typing import Annotated, Literal, get_type_hints

from gridjoust.games.chance import SEED_LIMIT
from gridjoust.runner.results.records.lines import Fault, Termination

ColumnType = Literal["string", "integer", "number", "boolean", "datetime"]
Value = str | int | float | bool | None
Row = Mapping[str, Value]
Number = float | None  # None = missing


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table. `is_measured`: differs between two equal runs; `decimals`: numbers are rounded to so many.

    `is_recent`: older tables without the column are read as if it were empty.
    """

    type: ColumnType
    description: str
    is_measured: bool = False
    is_required: bool = False
    decimals: int | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    is_recent: bool = False
    name: str = ""  # set by the table


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table file of the results folder; `parent_key`: the columns that refer to a row of `results`.

    `columns` and `names` are in file order.
    """

    name: str
    file: str
    description: str
    described: InitVar[Mapping[str, Column]]  # in file order
    key: tuple[str, ...] = ()
    parent_key: tuple[str, ...] = ()
    by_name: Mapping[str, Column] = field(init=False, hash=False)
    columns: tuple[Column, ...] = field(init=False)
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self, described: Mapping[str, Column]) -> None:
        named = {name: replace(column, name=name) for name, column in described.items()}
        for name, value in (("by_name", named), ("columns", tuple(named.values())), ("names", tuple(named))):
            object.__setattr__(self, name, value)


def _values(kind: type[Enum]) -> tuple[str, ...]:
    return tuple(member.value for member in kind)


def _text(description: str, *, choices: tuple[str, ...] = ()) -> Column:
    return Column("string", description, choices=choices)


def _key(description: str) -> Column:
    return Column("string", description, is_required=True)


def _flag(description: str) -> Column:
    return Column("boolean", description, is_required=True)


def _count(description: str, *, minimum: int = 0, maximum: int | None = None) -> Column:
    return Column("integer", description, is_required=True, minimum=minimum, maximum=maximum)


def _cost(description: str) -> Column:
    return Column("integer", description, is_measured=True, minimum=0)


def _per_cent(description: str, *, decimals: int | None = None) -> Column:
    return Column("number", description, decimals=decimals, minimum=0, maximum=100)


def _tally(points: str) -> Column:
    return Column("integer", f"Pairs in which the bot scored {points}", minimum=0)


def _rating(description: str) -> Column:
    """Return a column in Elo points, rounded to a thousandth, as smaller digits differ between machines."""
    return Column("number", description, decimals=3)


def _recent(column: Column) -> Column:
    """Mark a column as one that earlier tables do not have."""
    return replace(column, is_recent=True)


def _amount(description: str) -> Column:
    """Return a column of a measured time, size or effort, rounded to a thousandth."""
    return Column("number", description, is_measured=True, decimals=3, minimum=0)


RESULTS = TableSchema(
    name="results",
    file="results.csv",
    description="One row per match and seat; what is true of the whole match is repeated on each of its rows.",
    key=("match_id", "seat"),
    described={
        "match_id": _key("Content address of the match: the same whenever everything that decides it is the same"),
        "tournament": _key("Name of the tournament"),
        "game": _key("Name of the game"),
        "game_version": _key("Version of the game's rules"),
        "variant": _key("Name of the tournament's entry for the game"),
        "params_id": _key("Content address of the game's parameters, map included"),
        "map": _text("Name of the map; missing where the game has none"),
        "round": _count("Round of the tournament, from 1", minimum=1),
        "pair_id": _key("The same for matches between the same bots on the same seed, seats swapped"),
        "seed": _count("Seed of everything the rules leave to chance", maximum=SEED_LIMIT - 1),
        "seat": _count("Seat in the match, from 0"),
        "seats": _count("Number of seats in the match", minimum=1),
        "role": _text("Role of the seat; missing where the game has none"),
        "team": _count("Team of the seat, from 0; seats of one team win and lose together"),
        "bot": _key("Name of the bot in this seat"),
        "planner": _key(
            "Family of its search, as the bot declares it: astar, dstar_lite, beam, dijkstra_map or another"
        ),
        "bot_version": _text("Version that the bot declares"),
        "bot_hash": _text("Hash of the bot's code or command and options"),
        "opponents": _text("Bots of the other teams in seat order, separated by spaces; missing where there are none"),
        "returns": Column(
            "number",
            "Utility of the seat by the rules; higher is better. A forfeit is worth -1 to the loser and 1 to the winner"
            " of a zero-sum game; in others it has no returns, and neither has a match that it ended",
        ),
        "rank": _count("Rank of the seat's team, 1 is best, ties share", minimum=1),
        "points": Column(
            "number",
            "Share of the other teams beaten, a tie is half; missing where there is one team",
            minimum=0,
            maximum=1,
        ),
        "termination": Column(
            "string",
            "Why the match ended: completed by its rules, the fault that made a side forfeit, or void",
            is_required=True,
            choices=_values(Termination),
        ),
        "reason": _text("Why the match ended, as a sentence"),
        "faults": _count("Offences of the seat"),
        "turns": _count("Turns of the match: applications of the rules"),
        "planning_ms_total": _amount("Planning time that the bot reported for the seat, sum, in ms"),
        "planning_ms_p95": _amount("The same per answer, 95th percentile (nearest rank), in ms"),
        "latency_ms_p50": _amount("From question to answer as the referee saw it, median, in ms"),
        "cpu_ms": _amount("CPU time of the bot's process during the match, in ms; missing for remote bots"),
        "peak_mb": _amount("Peak memory of the bot's process, in MB; missing for remote bots"),
        "nodes_expanded": _cost("Search nodes that the bot reported as expanded for the seat, sum"),
        "counted": _flag("Whether the match is part of the standings: 0 when it was void too often"),
        "schedule_reason": _text("Why the match was scheduled"),
        "started_utc": Column("datetime", "When the match started, UTC", is_measured=True, is_required=True),
        "duration_ms": _amount("Length of the match, in ms"),
        "runner_version": _key("Version of the runner"),
        "record": _key("The match record, relative to this folder"),
        "forfeited": _flag("Whether the seat forfeited: played defaults after its last fault"),
        "turns_acted": _count("Turns in which the seat acted, default actions in its place included"),
        "actions_id": _text(
            "Hash of the match's actions: the same for matches that went alike; missing if there were none"
        ),
        "searches": _cost("Answers for which the bot reported a search: its plans and replans"),
        "machine": Column(
            "string",
            "The worker that played the match; missing where the tournament itself ran",
            is_measured=True,
            is_recent=True,
        ),
    },
)

METRICS = TableSchema(
    name="metrics",
    file="metrics.csv",
    description="One row per match, seat and metric: the named numbers that the game's rules report at the end.",
    key=("match_id", "seat", "metric"),
    parent_key=("match_id", "seat"),
    described={
        "match_id": _key("The match"),
        "seat": _count("The seat"),
        "bot": _key("Name of the bot in this seat"),
        "metric": _key("Name of the metric"),
        "value": Column("number", "Its value"),
        "complete": replace(
            _flag("Whether the seat played the match to its end: 0 if it forfeited or a forfeit ended the match"),
            is_required=False,
            is_recent=True,
        ),
    },
)

TURNS = TableSchema(
    name="turns",
    file="turns.csv.gz",
    description="One row per answer, or absence of one that is a fault; a turn may have several per seat.",
    parent_key=("match_id", "seat"),
    described={
        "match_id": _key("The match"),
        "turn": _count("The turn, from 1", minimum=1),
        "seat": _count("The seat"),
        "action": _text("The answer in the game's notation; missing where none came"),
        "planning_ms": _amount("Planning time that the bot reported, in ms"),
        "latency_ms": _amount("From question to answer as the referee saw it, in ms"),
        "cpu_ms": replace(_amount("CPU time of the bot's processes from question to answer, in ms"), is_recent=True),
        "waited_ms": replace(
            _amount("How long the bot was ready to run meanwhile, while the machine ran others, in ms"), is_recent=True
        ),
        "forced": replace(
            _cost("How often the bot was made to give way meanwhile, as far as it then waited: forced switches"),
            is_recent=True,
        ),
        "expanded": _cost("Search nodes expanded, as the bot reported"),
        "generated": _cost("Successors that the bot's searches generated, as it reported; with `tactics` its work"),
        "tactics": replace(
            _cost("Successors that the bot generated outside of its searches, as the bot reported"), is_recent=True
        ),
        "frontier": _cost("Peak size of the search frontier, as the bot reported"),
        "repaired": replace(
            _cost("Search nodes expanded that mended an earlier search, as the bot reported"), is_recent=True
        ),
        "reused": replace(
            _cost("Results kept and looked up in place of made anew, as the bot reported"), is_recent=True
        ),
        "plan_cost": Column("number", "Cost of the plan that the action starts, as the bot reported", is_measured=True),
        "fault": _text("The offence; missing where there is none", choices=_values(Fault)),
    },
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of `standings.csv`: one bot (or planner) of a leaderboard. None = missing."""

    rank: Annotated[
        int,
        _count(
            "Place, 1 is best, ties share; by rating, else by returns_mean, over unlike games by beaten_pct", minimum=1
        ),
    ]
    bot: Annotated[str, _key("Name of the bot")]
    title: Annotated[str, _recent(_text("What people call the bot; missing where it has no title"))]
    planner: Annotated[
        str, _text("Search algorithm of the bot; several are joined by +; missing for a bot without a counted match")
    ]
    matches: Annotated[int, _count("Counted matches, one per team held")]
    points: Annotated[Number, Column("number", "Sum of points; missing where nobody has opponents")]
    score_pct: Annotated[Number, _per_cent("Points per match in per cent")]
    wins: Annotated[int, _count("Matches in which the bot's team alone ranked first")]
    draws: Annotated[int, _count("Matches in which it shared the first rank")]
    losses: Annotated[int, _count("Matches in which another team ranked before it")]
    faults: Annotated[int, _count("Offences, all seats together")]
    forfeits: Annotated[int, _count("Matches in which a seat of the bot forfeited")]
    planning_ms_per_turn: Annotated[Number, _amount("Planning time per turn acted, where the bot reports it, in ms")]
    nodes_per_turn: Annotated[Number, _amount("Search nodes expanded per turn acted, where the bot reports them")]
    returns_mean: Annotated[
        Number,
        Column(
            "number",
            "Mean returns over seeds; missing where games with unlike returns are ranked together. Returns that a "
            "forfeit has left out count as the lowest of the game, at most 0",
        ),
    ]
    returns_low: Annotated[Number, Column("number", "Lower end of its 95 % interval (t); missing below 5 seeds")]
    returns_high: Annotated[Number, Column("number", "Upper end of it")]
    rating: Annotated[
        Number, _rating("Strength in Elo points, the mean of all rated bots is 0; missing if not ranked by it")
    ]
    rating_low: Annotated[Number, _rating("Lower end of its 95 % interval; missing below 5 pairs")]
    rating_high: Annotated[Number, _rating("Upper end of it")]
    group: Annotated[
        str,
        _text("Letters: bots that share one are not separated at 95 %, all pairs of bots taken together"),
    ]
    games: Annotated[int, _count("Games that it has played")]
    seeds: Annotated[int, _count("Different seeds (of a game, variant and map) that it has played")]
    failure_pct: Annotated[float, _per_cent("Share of its matches in which it forfeited")]
    won_pct: Annotated[
        Number, _per_cent("Share of its matches whose metric `won` is 1; missing where the game has none")
    ]
    cpu_ms_per_turn: Annotated[
        Number, _amount("CPU time of the bot's process per turn acted, where it could be measured, in ms")
    ]
    pareto: Annotated[
        str,
        Column(
            "string",
            "Costs by which nobody is both stronger and cheaper: ms (planning), nodes, both, or missing",
            is_measured=True,
        ),
    ]
    returns_median: Annotated[Number, Column("number", "Median over seeds")]
    returns_iqm: Annotated[Number, Column("number", "Interquartile mean over seeds")]
    seeds_won_pct: Annotated[
        Number, _per_cent("Share of seeds on which no other bot had higher returns; missing with opponents")
    ]
    mean_rank: Annotated[
        Number, Column("number", "Mean rank on a seed; over several games the mean of its places in them")
    ]
    beaten_pct: Annotated[
        Number,
        _per_cent("Share of rivals beaten: opponents, or other bots on the same seed; mean over games", decimals=6),
    ]
    beaten_low: Annotated[
        Number, _per_cent("Lower end of its 95 % interval (t over seeds); missing below 5 seeds", decimals=6)
    ]
    beaten_high: Annotated[Number, _per_cent("Upper end of it", decimals=6)]
    difference: Annotated[
        Number, _rating("How much the bot in the row above is better, in the unit that ranks, on common seeds")
    ]
    difference_low: Annotated[Number, _rating("Lower end of its 95 % interval")]
    difference_high: Annotated[Number, _rating("Upper end of it")]
    los_pct: Annotated[
        Number,
        _per_cent(
            "Likelihood that it is better than the bot in the row below, by all matches together",
            decimals=3,
        ),
    ]
    separated: Annotated[
        bool | None,
        _recent(Column("boolean", "Whether the same decision separates it from the bot in the row above")),
    ]
    pool: Annotated[
        int | None,
        _recent(
            Column(
                "integer", "Bots of different pools never met, not even along others; places count in one", minimum=1
            )
        ),
    ]
    rank_low: Annotated[
        int | None,
        _recent(Column("integer", "Best place that it may have: bots separated from it above, and 1", minimum=1)),
    ]
    rank_high: Annotated[
        int | None, _recent(Column("integer", "Worst place that it may have, by those separated below", minimum=1))
    ]
    opponents_mean: Annotated[Number, _recent(_rating("Mean rating of its opponents, pair by pair"))]


STANDINGS = TableSchema(
    name="standings",
    file="standings.csv",
    description="One row per bot, best first. A match counts once per team, however many seats the bot holds in it.",
    key=("bot",),
    described={name: hint.__metadata__[0] for name, hint in get_type_hints(Standing, include_extras=True).items()},
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A row of `pairings.csv`: two bots of a leaderboard that have played each other, or common seeds. None = missing.

    A unit is a pair of matches on one seed with swapped seats; in games for one bot, a seed that both have played.
    """

    bot: Annotated[str, _key("Name of the bot that stands higher")]
    opponent: Annotated[str, _key("Name of the other bot")]
    pairs: Annotated[int, _count("Pairs of matches in which they met; without opponents the seeds of both", minimum=1)]
    won: Annotated[int, _count("Pairs or seeds on which the bot did better")]
    even: Annotated[int, _count("Pairs or seeds on which neither did")]
    lost: Annotated[int, _count("Pairs or seeds on which the opponent did better")]
    pairs_0: Annotated[int | None, _tally("0 points (pentanomial); missing unless all pairs are two matches")]
    pairs_half: Annotated[int | None, _tally("half a point")]
    pairs_1: Annotated[int | None, _tally("1 point")]
    pairs_1half: Annotated[int | None, _tally("1.5 points")]
    pairs_2: Annotated[int | None, _tally("2 points")]
    score_pct: Annotated[Number, _per_cent("Points of the bot per match, of these two alone, in per cent")]
    elo: Annotated[Number, _rating("Elo difference by these pairs alone; missing if one side took all points")]
    elo_low: Annotated[Number, _rating("Lower end of its 95 % interval, by the variance of pairs")]
    elo_high: Annotated[Number, _rating("Upper end of it")]
    nelo: Annotated[Number, _rating("Normalized Elo: the score over its deviation per match")]
    nelo_error: Annotated[Number, _rating("Half the width of its 95 % interval")]
    los_pct: Annotated[
        Number,
        _per_cent(
            "Likelihood that the bot is better, by these two alone; that of standings.csv may differ",
            decimals=3,
        ),
    ]
    p_value: Annotated[
        Number,
        Column("number", "Exact two-sided sign test of won against lost, of these two alone", minimum=0, maximum=1),
    ]
    effect_size: Annotated[
        Number, Column("number", "Cohen's d: mean lead per pair or seed over its standard deviation", decimals=6)
    ]
    lead: Annotated[Number, Column("number", "Without opponents: how much the bot did better per seed, mean")]
    lead_low: Annotated[Number, Column("number", "Lower end of its 95 % interval (t); missing below 5 seeds")]
    lead_high: Annotated[Number, Column("number", "Upper end of it")]
    separated: Annotated[
        bool, _flag("Whether the leaderboard's one decision separates them, all pairs of bots taken together")
    ]


PAIRINGS = TableSchema(
    name="pairings",
    file="pairings.csv",
    description="One row per two bots that met, or played common seeds; the bot that stands higher comes first.",
    key=("bot", "opponent"),
    described={name: hint.__metadata__[0] for name, hint in get_type_hints(Pairing, include_extras=True).items()},
)

TABLES = (RESULTS, METRICS, TURNS, STANDINGS, PAIRINGS)
VERDICT = "verdict.txt"  # beside the tables: the schedule's verdict as a sentence, if its format decides something
