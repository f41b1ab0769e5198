"""Result tables as tidy pandas data frames with the right types. The only module that imports pandas."""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from runner.results.columns import METRICS, RESULTS, TURNS, ColumnType, Table

_DTYPES: dict[ColumnType, str] = {
    "string": "string",
    "integer": "Int64",
    "number": "float64",
    "boolean": "boolean",
    "datetime": "string",  # parsed after reading
}
_WINDOW_GZIP = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Cup:
    """The tables of one tournament: a row per match and seat, per metric of it, per answer."""

    results: pd.DataFrame
    metrics: pd.DataFrame
    turns: pd.DataFrame


def load(folder: Path | str) -> Cup:
    """The tables of a results folder; FileNotFoundError if there are none.

    Of a tournament that still runs, or was killed, the answers are those that have reached the file.
    """
    folder = Path(folder)
    return Cup(
        results=_read(folder / RESULTS.file, RESULTS),
        metrics=_read(folder / METRICS.file, METRICS),
        turns=_read(folder / TURNS.file, TURNS),
    )


def _read(path: Path, table: Table) -> pd.DataFrame:
    frame = pd.read_csv(
        io.BytesIO(_whole_lines(path)),
        dtype={column.name: _DTYPES[column.type] for column in table.columns},
        keep_default_na=False,  # a bot may be called NA
        na_values=[""],
        encoding="utf-8",
    )
    for column in table.columns:
        if column.type == "datetime":
            frame[column.name] = pd.to_datetime(frame[column.name], utc=True, format="ISO8601")
    return frame


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = zlib.decompressobj(_WINDOW_GZIP).decompress(data)  # unlike gzip.open takes a file that was cut short
    return data[: data.rfind(b"\n") + 1]
