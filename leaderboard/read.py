"""The tables of a results folder -> seats. Small ones row by row, large ones by columns through pandas; both alike.

Refuses nothing: what a column may hold is checked by `seats`. pandas is imported only for tables beyond LARGE_BYTES:
reading a quickstart's table takes less time than the import.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from leaderboard.seats import (
    IDS,
    KNOWN,
    OPTIONAL,
    TEXTS,
    WON,
    Coded,
    Columns,
    Floats,
    Ids,
    Seats,
    code_ids,
    make_ids,
    seats_of_columns,
    seats_of_rows,
)
from runner.tables.columns import METRICS, RESULTS
from runner.tables.text import read_rows, require_columns
from runner.wire.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

LARGE_BYTES = 5_000_000
_METRIC_COLUMNS = ("match_id", "seat", "metric", "value")


def read_seats(folder: Path, *, large_bytes: int = LARGE_BYTES) -> Seats:
    """The seats of all counted matches; `metrics.csv` may be missing. ConfigError for a table that is none of ours."""
    results, metrics = folder / RESULTS.file, folder / METRICS.file
    require_columns(results, ("match_id", "pair_id", "game", "bot", *KNOWN))
    try:
        return _read_seats(results, metrics, large_bytes)
    except ValueError as error:
        raise ConfigError(f"{results}: {error}") from None


def _read_seats(results: Path, metrics: Path, large_bytes: int) -> Seats:
    if results.stat().st_size <= large_bytes:
        return seats_of_rows(read_rows(results), metrics=read_rows(metrics) if metrics.is_file() else ())
    columns = _read_columns(results)
    # only games without opponents say whether they were won
    if metrics.is_file() and np.isnan(columns.numbers["points"]).any():
        columns = Columns(columns.ids, columns.texts, {**columns.numbers, WON: _read_won(metrics, columns)})
    return seats_of_columns(columns)


def _read_columns(path: Path) -> Columns:
    frame = _read_frame(path, [*IDS, *TEXTS, *KNOWN, *OPTIONAL])
    count = len(frame)
    numbers: dict[str, Floats] = {
        name: frame[name].to_numpy(dtype=np.float64) for name in (*KNOWN, *OPTIONAL) if name in frame
    }
    return Columns(
        {name: _ids(frame[name]) if name in frame else np.full(count, b"") for name in IDS},
        {name: _coded(frame[name]) if name in frame else _without_text(count) for name in TEXTS},
        {**numbers, WON: np.full(count, np.nan)},
    )


def _read_won(path: Path, columns: Columns) -> Floats:
    """The metric `won` of every row of the results, nan where it has none."""
    frame = _read_frame(path, list(_METRIC_COLUMNS))
    frame = frame[frame["metric"] == WON]
    results = columns.ids["match_id"]
    match = code_ids(np.concatenate([results, _ids(frame["match_id"])]))
    width = int(columns.numbers["seat"].max(initial=0)) + 1
    keys = match[len(results) :] * width + frame["seat"].to_numpy(dtype=np.int64)
    wanted = match[: len(results)] * width + columns.numbers["seat"].astype(np.int64)
    order = np.argsort(keys, kind="stable")
    return _look_up(keys[order], frame["value"].to_numpy(dtype=np.float64)[order], wanted)


def _look_up(keys: np.ndarray, values: Floats, wanted: np.ndarray) -> Floats:
    found = np.full(len(wanted), np.nan)
    if len(keys):
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        is_there = keys[at] == wanted
        found[is_there] = values[at[is_there]]
    return found


def _read_frame(path: Path, names: list[str]) -> pd.DataFrame:
    from runner.tables.frames import read_csv  # noqa: PLC0415 - pandas, for large tables only

    kinds = {**dict.fromkeys(IDS, "object"), **dict.fromkeys((*TEXTS, "metric"), "category")}
    dtypes: Mapping[str, str] = {name: kinds.get(name, "float64") for name in names}
    return read_csv(path, dtypes=dtypes, only_these=True)


def _ids(texts: pd.Series[str]) -> Ids:
    return make_ids(texts.fillna("").tolist())


def _coded(texts: pd.Series[str]) -> Coded:
    """A category column by its sorted names; missing is "", which sorts first."""
    found = [str(name) for name in texts.cat.categories]
    names = sorted({"", *found})
    index = {name: code for code, name in enumerate(names)}
    code_of = np.array([*(index[name] for name in found), 0], dtype=np.int64)  # the last one is that of missing: -1
    return Coded(code_of[texts.cat.codes.to_numpy()], tuple(names))


def _without_text(count: int) -> Coded:
    return Coded(np.zeros(count, dtype=np.int64), ("",))
