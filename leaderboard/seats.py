"""`results.csv` as a data frame of what a leaderboard needs: a row per seat of every match that counts. Ranks nobody.

Rows may come in any order; one seen twice, as after merging folders, counts once. The frame is sorted by match and
seat, so nothing that follows, rounding included, depends on the order of the rows.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from leaderboard.codes import Floats, Indices, code_ids, combine
from runner.tables.columns import METRICS, RESULTS
from runner.tables.frames import read_csv, steady, whole_matches
from runner.tables.text import require_columns
from runner.wire.errors import ConfigError

IDS = ("match_id", "pair_id", "actions_id")
TEXTS = ("game", "variant", "params_id", "map", "role", "bot", "planner")
COUNTS = ("seed", "seat", "team", "rank", "faults", "forfeited", "turns_acted", "counted")
NUMBERS = ("points", "planning_ms_total", "nodes_expanded", "cpu_ms")  # missing where there is nothing to say
WON = "won"  # the metric that a cooperative game reports when its goal was reached
_KNOWN = (*COUNTS, "returns")
_LARGEST = 2.0**53  # beyond it a float no longer holds every whole number
_DTYPES = {
    **dict.fromkeys(IDS, "object"),
    **dict.fromkeys(TEXTS, "category"),
    **dict.fromkeys((*_KNOWN, *NUMBERS), "float64"),
}
_SIZE = {"seats": "float64"}
_METRIC_DTYPES = {"match_id": "object", "seat": "float64", "metric": "category", "value": "float64"}


def read_seats(folder: Path) -> pd.DataFrame:
    """The seats of all counted matches; `metrics.csv` may be missing. ConfigError for a table that is none of ours."""
    path, metrics = folder / RESULTS.file, folder / METRICS.file
    require_columns(path, ("match_id", "pair_id", "game", "bot", *_KNOWN))

    def read() -> pd.DataFrame:
        results = whole_matches(read_csv(path, dtypes=_DTYPES | _SIZE, only_these=True, needed=()))
        # only games without opponents say whether they were won
        has_metrics = metrics.is_file() and ("points" not in results or bool(results["points"].isna().any()))
        return seats_of(results, read_csv(metrics, dtypes=_METRIC_DTYPES, only_these=True) if has_metrics else None)

    try:
        return steady(folder, read)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None


def seats_of(results: pd.DataFrame, metrics: pd.DataFrame | None = None) -> pd.DataFrame:
    """Sorted, each seat once, counted matches only; ValueError where a needed number is missing.

    Texts are categories, numbers that may be missing nan. `match`, `pair`, `deal` (the same for matches on one seed of
    a game, variant and map) and `actions` (the same for matches that went alike, -1 = not known) are codes.
    """
    results = results.reindex(columns=list(_DTYPES))
    match, seat = code_ids(results["match_id"]), results["seat"].to_numpy(dtype=np.float64, na_value=np.nan)
    order = np.lexsort((seat, match))
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = (np.diff(match[order]) != 0) | (np.diff(seat[order]) != 0)
    is_counted = results["counted"].to_numpy(dtype=np.float64, na_value=np.nan)[order] == 1
    results = results.iloc[order[is_new & is_counted]]
    numbers = {name: results[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in (*_KNOWN, *NUMBERS)}
    for name in _KNOWN:
        missing = np.flatnonzero(~(np.abs(numbers[name]) <= _LARGEST))
        if len(missing):
            got = "nothing" if np.isnan(numbers[name][missing[0]]) else f"{numbers[name][missing[0]]:g}"
            raise ValueError(f"{name}: expected a number in match {results['match_id'].iloc[missing[0]]}, got {got}")
    seats = pd.DataFrame(
        {name: _category(results[name]) for name in TEXTS}
        | {name: numbers[name].astype(np.int64) for name in COUNTS}
        | {name: numbers[name] for name in ("returns", *NUMBERS)}
    )
    seed = seats["seed"].to_numpy(dtype=np.int64)
    actions = results["actions_id"].fillna("").astype(object)
    return seats.assign(
        match=combine(code_ids(results["match_id"])),
        pair=code_ids(results["pair_id"].fillna("")),
        deal=combine(*(codes_of(seats, name) for name in ("game", "variant", "params_id", "map")), seed),
        actions=np.where(actions == "", -1, code_ids(actions)),
        won=_won(results, metrics),
    )


def codes_of(seats: pd.DataFrame, column: str) -> Indices:
    """The texts of a column as indices into `names_of` it."""
    return seats[column].cat.codes.to_numpy().astype(np.int64)


def names_of(seats: pd.DataFrame, column: str) -> tuple[str, ...]:
    """The sorted texts of a column; of a part of the seats also those that do not occur in it."""
    return tuple(seats[column].cat.categories)


def _category(texts: pd.Series[str]) -> pd.Categorical:
    """By sorted names; missing is ""."""
    found = texts.astype("category").cat.remove_unused_categories()
    if found.hasnans:
        found = found.cat.add_categories([""]).fillna("")
    return pd.Categorical(found, categories=sorted(found.cat.categories))


def _won(results: pd.DataFrame, metrics: pd.DataFrame | None) -> Floats:
    """The metric `won` of every row of the results, nan where it has none."""
    if metrics is None:
        return np.full(len(results), np.nan)
    own = metrics[metrics["metric"] == WON]
    ids = code_ids(pd.concat([results["match_id"], own["match_id"]]))
    seat = np.concatenate([results["seat"].to_numpy(dtype=np.int64), own["seat"].to_numpy(dtype=np.int64)])
    keys = combine(ids, seat)
    won = np.full(int(keys.max(initial=-1)) + 1, np.nan)
    won[keys[len(results) :]] = own["value"].to_numpy(dtype=np.float64, na_value=np.nan)
    return won[keys[: len(results)]]
