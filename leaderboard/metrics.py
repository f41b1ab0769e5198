"""Computes, per bot and game, the means of the game's own statistics and of the bots' search costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gridjoust.runner.results.records.lines import Termination
from gridjoust.runner.results.tables.columns import Row
from gridjoust.runner.results.tables.frames import declared_metrics, is_goal

_SEARCH = ("searches", "nodes_expanded")  # columns of the results that are shown like metrics


@dataclass(frozen=True, slots=True)
class MetricTable:
    """One game's metrics: a row per bot, a column per metric, each the mean over the bot's seats in counted matches.

    Seats that forfeited, and matches that a forfeit ended, are left out. But the goals of a seat that forfeited count,
    as it has missed them.
    """

    game: str
    metrics: tuple[str, ...]  # as the game lists them
    means: tuple[tuple[str, tuple[float | None, ...]], ...]  # (bot, means), bots in order of their names


def metric_tables(results: Iterable[Row], metrics: Iterable[Row]) -> Iterator[MetricTable]:
    """Yield a table per game, in order of the games' names; `results`, `metrics`: rows as in the CSV files."""
    counted = [row for row in results if row["counted"] in (True, "1")]
    game_of = {str(row["match_id"]): str(row["game"]) for row in counted}
    forfeited = {_seat_of(row) for row in counted if row["forfeited"] in (True, "1")}
    cut_short = {str(row["match_id"]) for row in counted if row["termination"] != Termination.COMPLETED.value}
    declared = declared_metrics(set(game_of.values()))
    seen: set[tuple[str, str, str]] = set()
    values: dict[str, dict[str, dict[str, list[float]]]] = {}
    for row in (*metrics, *_searches(counted)):
        key = (*_seat_of(row), str(row["metric"]))
        value = math.nan if row["value"] in (None, "") else float(row["value"] or 0.0)
        if key[0] not in game_of or key in seen or not math.isfinite(value):
            continue
        is_missed = key[:2] in forfeited
        if (is_missed or key[0] in cut_short) and not (is_missed and is_goal(declared[game_of[key[0]]], key[2])):
            continue
        seen.add(key)
        by_metric = values.setdefault(game_of[key[0]], {}).setdefault(key[2], {})
        by_metric.setdefault(str(row["bot"]), []).append(value)
    for game in sorted(values):
        yield _table(game, values[game])


def _seat_of(row: Row) -> tuple[str, str]:
    return str(row["match_id"]), str(row["seat"])


def _searches(results: Iterable[Row]) -> Iterator[Row]:
    """Yield what bots reported of their searches (nodes, planning time), as rows like those of `metrics.csv`."""
    for row in results:
        for name in _SEARCH:
            yield {**{key: row[key] for key in ("match_id", "seat", "bot")}, "metric": name, "value": row.get(name)}


def _table(game: str, values: dict[str, dict[str, list[float]]]) -> MetricTable:
    bots = sorted({bot for by_bot in values.values() for bot in by_bot})

    def mean(metric: str, bot: str) -> float | None:
        own = values[metric].get(bot)
        return math.fsum(own) / len(own) if own else None

    return MetricTable(game, tuple(values), tuple((bot, tuple(mean(metric, bot) for metric in values)) for bot in bots))
