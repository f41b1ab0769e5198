"""Planners beyond the cup's four: each against its game's floor and against the planner that it is made from.

`python -m study.members [NAME ...]` plays in this process, without a limit of time; ricochet has limited work. Where
two meet, each seed is played from both seats; where a bot is alone, both play the seed, and the better result has the
point. The table has the share of the points with its 95 % interval, and what an answer with a search costs each of
the two: successors that its searches and tactics generate. A planner that does not beat its floor (interval above
55 %) is no built-in bot.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import numpy as np

from gridjoust import Bot, BugError, ParamValue, Tables, play_many
from gridjoust.leaderboard.strengths.paired import mean_of_shares
from study.alternatives.sipp_bomber import SippBomber
from study.alternatives.sipp_traffic import SippTraffic
from study.alternatives.two_sided import TwoSidedBomber, TwoSidedBuilder
from study.report import print_table

BotSpec = str | Callable[[], Bot]
FIRST_SEED = 8_000_000
SEEDS = 60
PATIENT: Mapping[str, int | None] = {"turn_ms": None}
WORK: Mapping[str, Any] = {"clock": "work", "turn_work": 20_000, "turn_ms": None}  # successors of a position


@dataclass(frozen=True, slots=True)
class Member:
    """A planner's bot, the bots that it is compared with, and the variant that they play."""

    game: str
    bot: BotSpec
    rivals: Sequence[str]
    params: Mapping[str, ParamValue] = field(default_factory=dict)
    is_alone: bool = False
    time: Mapping[str, Any] = field(default_factory=lambda: PATIENT)


WALK: Mapping[str, ParamValue] = {"width": 64, "height": 64, "density": 0.3, "max_turns": 100_000}
UNKNOWN = {**WALK, "knowledge": "unknown", "sensor": 2}
CHANGING = {**WALK, "changes": 40, "change_every": 5}
TRAFFIC = {**WALK, "shared": True, "knowledge": "unknown", "sensor": 2, "density": 0.25, "max_turns": 300}
ROADS: Mapping[str, Mapping[str, ParamValue]] = {
    "traffic": {**TRAFFIC, "width": 32, "height": 32},  # of configs/navigation-traffic.yaml
    "crowd": {**TRAFFIC, "width": 8, "height": 8, "density": 0.35, "sensor": 3},
}
REPLANNING = ("navigation/floor", "navigation/astar", "navigation/dstar_lite")
MEMBERS: Mapping[str, Member] = {
    "idastar": Member(
        "ricochet",
        "ricochet/idastar",
        ("ricochet/floor", "ricochet/astar"),
        {"mode": "solve", "positions": 3},
        is_alone=True,
        time=WORK,
    ),
    "sipp": Member("bomber", SippBomber, ("bomber/floor", "bomber/astar")),
    **{
        f"sipp, {kind}": Member("navigation", SippTraffic, ("navigation/floor", "navigation/astar"), params)
        for kind, params in ROADS.items()
    },
    **{
        f"{name}, {kind}": Member("navigation", f"navigation/{name}", REPLANNING, params, is_alone=True)
        for name in ("lpastar", "mpaastar")
        for kind, params in (("unknown", UNKNOWN), ("changing", CHANGING))
    },
    "two-sided placement": Member("placement", TwoSidedBuilder, ("placement/beam",)),
    "two-sided bomber": Member("bomber", TwoSidedBomber, ("bomber/beam",)),
}
HEADING = ("planner", "against", "seeds", "share of the points", "successors an answer", "of the other")


def played(member: Member, bots: Sequence[BotSpec], seeds: range) -> Tables:
    """Play one match of these bots on every seed."""
    tables = play_many(member.game, bots, seeds=seeds, workers=1, params=member.params, time=member.time)
    faulty = tables.results[tables.results["termination"] != "completed"]
    if len(faulty):
        raise BugError(f"{bots}: expected matches without faults, got {faulty.iloc[0]['reason']}")
    return tables


def compared(member: Member, rival: str, seeds: range) -> tuple[list[float], tuple[float, float]]:
    """Play a member and a rival; return (the member's points on each seed, mean successors per answer of each)."""
    if member.is_alone:
        own, other = (played(member, [bot], seeds) for bot in (member.bot, rival))
        pairs = zip(_of_seat(own, 0, "returns"), _of_seat(other, 0, "returns"), strict=True)
        return [(one > two) + 0.5 * (one == two) for one, two in pairs], (_work(own, 0), _work(other, 0))
    first, second = (played(member, bots, seeds) for bots in ([member.bot, rival], [rival, member.bot]))
    points = zip(_of_seat(first, 0, "points"), _of_seat(second, 1, "points"), strict=True)
    works = fmean((_work(first, 0), _work(second, 1))), fmean((_work(first, 1), _work(second, 0)))
    return [fmean(pair) for pair in points], works


def _of_seat(tables: Tables, seat: int, column: str) -> list[float]:
    return [float(value) for value in tables.results[tables.results["seat"] == seat][column]]


def _work(tables: Tables, seat: int) -> float:
    """Return the mean number of successors per answer of a seat; answers without any are left out."""
    own = tables.turns[tables.turns["seat"] == seat]
    work = own["generated"].fillna(0) + own["tactics"].fillna(0)
    return float(work[work > 0].mean())


def row(name: str, member: Member, rival: str, seeds: range) -> list[str]:
    """Play a member against one other bot, and return the row of the table."""
    shares, (work, other) = compared(member, rival, seeds)
    score = mean_of_shares(np.array(shares))
    interval = "" if score.interval is None else f" ({100 * score.interval[0]:.0f} to {100 * score.interval[1]:.0f})"
    share = f"{100 * score.value:.0f} %{interval}"
    return [name, rival.partition("/")[2], str(len(seeds)), share, f"{work:,.0f}", f"{other:,.0f}"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the chosen members and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m study.members", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(MEMBERS)}")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args(arguments)
    if unknown := sorted(set(options.names).difference(MEMBERS)):
        parser.error(f"NAME: expected some of {', '.join(MEMBERS)}, got {', '.join(unknown)}")
    seeds = range(FIRST_SEED, FIRST_SEED + options.seeds)
    rows = []
    for name in options.names or MEMBERS:
        for rival in MEMBERS[name].rivals:
            rows.append(row(name, MEMBERS[name], rival, seeds))
            print(" | ".join(rows[-1]), flush=True)
    print_table(f"Planners beyond the cup's four, seeds from {FIRST_SEED:,}", HEADING, rows)


if __name__ == "__main__":
    main()
