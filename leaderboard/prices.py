"""Computes what a unit of path length costs to plan, among bots whose paths are equally good.

It covers games that report how far a bot has walked (the metric `cost`). Planners that all find shortest paths score
the same; they differ in the computing that a path takes, and in that of one plan if they plan again and again.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gridjoust.leaderboard.standings import Leaderboard, share_letter
from gridjoust.runner.results.tables.columns import Row, Standing

DISTANCE = "cost"  # the metric


@dataclass(frozen=True, slots=True)
class Price:
    """The search cost of one bot in one game, per unit of path length. Times are measured, expansions are reproducible.

    None = not reported.
    """

    place: int
    bot: str
    group: int  # rank of the first bot of equal quality: the leaderboard does not separate it from that one
    returns_mean: float | None
    cpu_us: float | None  # of the bot's processes, per unit of path length
    planning_us: float | None  # as the bot reports it, wall time
    per_unit: float | None  # nodes expanded, per unit of path length
    per_search: float | None  # nodes expanded, per plan or replan


def prices(
    boards: Mapping[str, Leaderboard], results: Iterable[Row], metrics: Iterable[Row]
) -> Iterator[tuple[str, list[Price]]]:
    """Yield (game, prices) of each game that has paths.

    Bots that are not separated form a group; in a group the cheapest comes first, by CPU time, else planning time.
    """
    counted = [row for row in results if row["counted"] in (True, "1")]
    game_of = {str(row["match_id"]): str(row["game"]) for row in counted}
    distances: dict[tuple[str, str], float] = defaultdict(float)
    for row in metrics:
        if row["metric"] == DISTANCE and str(row["match_id"]) in game_of:
            distances[game_of[str(row["match_id"])], str(row["bot"])] += float(row["value"] or 0)
    for game, board in boards.items():
        own = [row for row in counted if row["game"] == game]
        groups = _equals(board)
        found = [
            _price(one, own, distances[game, one.bot], group=groups[one.bot])
            for one in board.standings
            if distances[game, one.bot]
        ]
        if found:
            yield game, _placed(found)


def _equals(board: Leaderboard) -> dict[str, int]:
    """Return, by bot, the rank of the first bot of its group; a bot that shares no letter with it begins a group."""
    found: dict[str, int] = {}
    first: Standing | None = None
    for one in board.standings:
        if first is None or not share_letter(first.group, one.group):
            first = one
        found[one.bot] = first.rank
    return found


def _price(standing: Standing, results: Sequence[Row], distance: float, *, group: int) -> Price:
    rows = [row for row in results if row["bot"] == standing.bot]
    processes = {str(row["match_id"]): row["cpu_ms"] for row in rows}  # one process holds all seats of a match
    nodes, searches = _total(row["nodes_expanded"] for row in rows), _total(row["searches"] for row in rows)
    cpu_ms, planning_ms = _total(processes.values()), _total(row["planning_ms_total"] for row in rows)
    return Price(
        place=0,
        bot=standing.bot,
        group=group,
        returns_mean=standing.returns_mean,
        cpu_us=_ratio(cpu_ms, distance / 1000),
        planning_us=_ratio(planning_ms, distance / 1000),
        per_unit=_ratio(nodes, distance),
        per_search=_ratio(nodes, searches),
    )


def _total(values: Iterable[object]) -> float | None:
    """Add the values; None if any is missing."""
    known = list(values)
    return None if any(value in (None, "") for value in known) else math.fsum(float(str(value)) for value in known)


def _ratio(total: float | None, count: float | None) -> float | None:
    return None if total is None or not count else total / count


def _placed(found: Sequence[Price]) -> list[Price]:
    is_measured = all(one.cpu_us is not None for one in found)

    def key(one: Price) -> tuple[int, float, str]:
        spent = one.cpu_us if is_measured else one.planning_us
        return one.group, math.inf if spent is None else spent, one.bot

    ordered = sorted(found, key=key)
    return [replace(one, place=place) for place, one in enumerate(ordered, start=1)]
