"""What the games themselves count, and what searching took, per bot and seat. Ranks nobody, mixes no games."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from runner.tables.columns import Row

_SEARCH = ("searches", "nodes_expanded")  # columns of the results that are shown like metrics


@dataclass(frozen=True, slots=True)
class MetricTable:
    """One game: a row per bot, a column per metric, each the mean over the bot's seats in counted matches."""

    game: str
    metrics: tuple[str, ...]  # as the game lists them
    means: tuple[tuple[str, tuple[float | None, ...]], ...]  # (bot, means), bots in order of their names


def metric_tables(results: Iterable[Row], metrics: Iterable[Row]) -> Iterator[MetricTable]:
    """A table per game, in order of the games' names; rows as in the CSV files."""
    counted = [row for row in results if row["counted"] in (True, "1")]
    game_of = {str(row["match_id"]): str(row["game"]) for row in counted}
    seen: set[tuple[str, str, str]] = set()
    values: dict[str, dict[str, dict[str, list[float]]]] = {}
    for row in (*metrics, *_searches(counted)):
        key = (str(row["match_id"]), str(row["seat"]), str(row["metric"]))
        value = math.nan if row["value"] in (None, "") else float(row["value"] or 0.0)
        if key[0] not in game_of or key in seen or not math.isfinite(value):
            continue
        seen.add(key)
        by_metric = values.setdefault(game_of[key[0]], {}).setdefault(key[2], {})
        by_metric.setdefault(str(row["bot"]), []).append(value)
    for game in sorted(values):
        yield _table(game, values[game])


def _searches(results: Iterable[Row]) -> Iterator[Row]:
    """What the bots reported of their searches, as rows of metrics."""
    for row in results:
        for name in _SEARCH:
            yield {**{key: row[key] for key in ("match_id", "seat", "bot")}, "metric": name, "value": row.get(name)}


def _table(game: str, values: dict[str, dict[str, list[float]]]) -> MetricTable:
    bots = sorted({bot for by_bot in values.values() for bot in by_bot})

    def mean(metric: str, bot: str) -> float | None:
        own = values[metric].get(bot)
        return math.fsum(own) / len(own) if own else None

    return MetricTable(game, tuple(values), tuple((bot, tuple(mean(metric, bot) for metric in values)) for bot in bots))
