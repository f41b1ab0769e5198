"""Reads result tables as tidy pandas data frames with the right types, and writes them as Parquet.

Says also what games declare of the numbers in `metrics.csv`: what they mean, and if higher or lower is better. Only
this module and `gridjoust.runner.results.tables.parquet` import pandas.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import pandas as pd

from gridjoust.games import load_game
from gridjoust.games.api import Metric as Metric  # noqa: PLC0414 - the leaderboard may not import games
from gridjoust.runner.results.tables.columns import (
    METRICS,
    PAIRINGS,
    RESULTS,
    STANDINGS,
    TABLES,
    TURNS,
    ColumnType,
    TableSchema,
)
from gridjoust.runner.results.tables.datapackage import check_tables
from gridjoust.runner.results.tables.parquet import (
    IN_PARTS,
    ROWS_OF_A_PART,
    parts_in_pieces,
    parts_of,
    read_parts,
    write_parts,
)
from gridjoust.runner.results.tables.text import WholeLines, reading, require_in

T = TypeVar("T")
_DTYPES: dict[ColumnType, str] = {
    "string": "string",
    "integer": "Int64",
    "number": "float64",
    "boolean": "boolean",
    "datetime": "string",  # parsed after reading
}
_PANDAS = tuple(int(part) for part in pd.__version__.split(".")[:2])
# since 3.1 numbers are always read exactly, and the option is deprecated
_EXACT: Literal["round_trip"] | None = None if _PANDAS >= (3, 1) else "round_trip"
_FORMAT: dict[str, Any] = {
    "index_col": False,
    "keep_default_na": False,  # a bot may be called NA
    "na_values": [""],
    "encoding": "utf-8",
    "float_precision": _EXACT,
}
FEW_ROWS = 4_000
_SMALL_BYTES, _RATIO = 64 << 20, 200  # a compressed table may unpack to this size, or to this many times its own
_WINDOW_GZIP = 16 + zlib.MAX_WBITS
_SHOWN = (  # columns of the standings in a notebook
    *("rank", "bot", "title", "planner", "group", "matches", "wins", "draws", "losses", "points", "score_pct"),
    *("rating", "rating_low", "rating_high", "returns_mean", "returns_low", "returns_high"),
    *("beaten_pct", "beaten_low", "beaten_high", "faults", "forfeits"),
)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of one tournament; `standings` and `pairings` have no rows before its end.

    Their columns are those of the CSV files.
    """

    results: pd.DataFrame  # a row per match and seat
    metrics: pd.DataFrame  # a row per match, seat and metric of the game
    turns: pd.DataFrame  # a row per answer
    standings: pd.DataFrame  # a row per bot
    pairings: pd.DataFrame  # a row per two bots

    def __repr__(self) -> str:
        """Return the sizes of the tables, which a notebook shows, as the tables are long."""
        frames = {each.name: getattr(self, each.name) for each in fields(self)}
        sizes = ", ".join(f"{name} {len(frame)} × {len(frame.columns)}" for name, frame in frames.items())
        count = self.results["match_id"].nunique()
        return f"Tables of {count} match{'' if count == 1 else 'es'}: {sizes}"

    def _repr_html_(self) -> str:
        """Return the standings for a notebook, without empty columns; above them the sizes of the tables."""
        known = self.standings[[*_SHOWN]].replace("", pd.NA).dropna(axis="columns", how="all").convert_dtypes()
        rows = known.to_html(index=False, na_rep="", float_format="{:.4g}".format) if len(known) else ""
        return f"<p>{escape(repr(self))}</p>{rows}"


def load(folder: Path | str) -> Tables:
    """Load the tables of a results folder; FileNotFoundError if there are none, ConfigError for a damaged one.

    In a tournament that is running, or was killed, all tables end with the same match.

    >>> import gridjoust as joust
    >>> tables = joust.load("results/sample")
    >>> sorted(tables.standings["bot"])
    ['gambit', 'random', 'wanderer']

    Args:
        folder: results folder of a tournament, such as `results/cup`
    """
    folder = Path(folder)
    check_tables(folder)
    return steady(folder, lambda: _load(folder))


def _load(folder: Path) -> Tables:
    results = whole_matches(read_table(folder / RESULTS.file, RESULTS))  # first: the other tables have no fewer matches
    played = results["match_id"].unique()
    metrics, turns = (read_table(folder / table.file, table) for table in (METRICS, TURNS))
    return Tables(
        results=results,
        metrics=metrics[metrics["match_id"].isin(played)],
        turns=turns[turns["match_id"].isin(played)],
        standings=_read_if_there(folder, STANDINGS),
        pairings=_read_if_there(folder, PAIRINGS),
    )


def _read_if_there(folder: Path, table: TableSchema) -> pd.DataFrame:
    """Read a table that a run writes at its end; return it without rows if it does not exist yet."""
    path = folder / table.file
    return read_table(path, table) if path.is_file() else empty_table(table)


@contextmanager
def strings_for(rows: int) -> Iterator[None]:
    """Let pandas hold text as plain Python strings while the block handles tables of at most `FEW_ROWS` rows.

    They are faster than pyarrow's arrays then; the values are the same.
    """
    if rows > FEW_ROWS:
        yield
    else:
        with pd.option_context("mode.string_storage", "python"):
            yield


def steady(folder: Path, read: Callable[[], T]) -> T:
    """Return the result of `read`; call it again if a run replaced the tables meanwhile, so that all are of one run."""
    path = folder / RESULTS.file
    while True:
        began = path.stat().st_ino
        tables = read()
        if path.stat().st_ino == began:
            return tables


def whole_matches(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows without the last match if some of its seats are not in the file yet."""
    if results.empty or "seats" not in results:
        return results
    is_last = results["match_id"] == results["match_id"].iloc[-1]
    return results[~is_last] if int(is_last.sum()) < results["seats"].fillna(0).iloc[-1] else results


def write_parquet(results: Path, out: Path) -> Iterator[tuple[Path, int]]:
    """Write every table of the results folder as Parquet; yield (file, rows) for each. Needs the extra `parquet`."""
    check_tables(results)
    out.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        if (results / table.file).is_file():
            frame, path = read_table(results / table.file, table), out / f"{table.name}.parquet"
            frame.to_parquet(path, engine="pyarrow", compression="zstd", index=False)
            yield path, len(frame)


def load_batches(folder: Path | str, table: str) -> Iterator[pd.DataFrame]:
    """Load one table of a finished run in pieces, as it may not fit into memory; ValueError for an unknown name.

    A match may begin in one piece and end in the next.

    Args:
        folder: results folder of a tournament, such as `results/cup`
        table: name of the table: `results`, `metrics`, `turns`, `standings` or `pairings`
    """
    schema = next((one for one in TABLES if one.name == table), None)
    if schema is None:
        raise ValueError(f"table: expected one of {', '.join(one.name for one in TABLES)}, got {table!r}")
    path = Path(folder) / schema.file
    check_tables(Path(folder))
    dtypes = {column.name: _DTYPES[column.type] for column in schema.columns}
    if parts := parts_of(path):
        return (_typed(read_parts([part], dtypes, only_these=False), schema) for part in parts)
    return _csv_chunks(path, schema)


def make_parts(results: Path) -> None:
    """Write the tables of a finished run as Parquet parts, with one part in memory at a time."""
    write_parts(results, {table.name: _csv_chunks(results / table.file, table) for table in IN_PARTS})


def read_pieces(
    path: Path, dtypes: Mapping[str, str], *, rows: int, needed: Collection[str] = ()
) -> Iterator[pd.DataFrame]:
    """Yield the columns named in `dtypes`, `rows` rows at a time; ConfigError if one that is `needed` is missing.

    A plain CSV file may still be growing.
    """
    if parts := parts_of(path):
        pieces = parts_in_pieces(parts, dtypes, rows=rows)
    else:
        pieces = _csv_pieces(path, dtypes, rows=rows)
    for piece in pieces:
        require_in(path, piece.columns, needed)
        yield piece


def _csv_pieces(path: Path, dtypes: Mapping[str, str], *, rows: int) -> Iterator[pd.DataFrame]:
    with reading(path), WholeLines(path) as raw, io.BufferedReader(raw) as lines:
        yield from map(
            _finite,
            pd.read_csv(lines, dtype=dict(dtypes), usecols=lambda name: name in dtypes, chunksize=rows, **_FORMAT),
        )


def _csv_chunks(path: Path, table: TableSchema) -> Iterator[pd.DataFrame]:
    with reading(path):
        dtypes = {column.name: _DTYPES[column.type] for column in table.columns}
        yield from (
            _typed(chunk, table) for chunk in pd.read_csv(path, dtype=dtypes, chunksize=ROWS_OF_A_PART, **_FORMAT)
        )


def read_table(path: Path, table: TableSchema) -> pd.DataFrame:
    """Read one table with the types of its columns."""
    dtypes = {column.name: _DTYPES[column.type] for column in table.columns}
    frame = read_csv(path, dtypes=dtypes, needed=[column.name for column in table.columns if not column.is_recent])
    for place, name in enumerate(table.names):
        if name not in frame:
            frame.insert(place, name, pd.Series([None] * len(frame), index=frame.index, dtype=dtypes[name]))
    with reading(path):
        return _typed(frame, table)


def empty_table(table: TableSchema) -> pd.DataFrame:
    """Return a table with the columns of this one and no rows."""
    return _typed(pd.DataFrame({column.name: pd.Series(dtype=_DTYPES[column.type]) for column in table.columns}), table)


def read_csv(
    path: Path, *, dtypes: Mapping[str, str], only_these: bool = False, needed: Collection[str] | None = None
) -> pd.DataFrame:
    """Read the complete lines of a table: all columns, or those in `dtypes`. Only empty cells are missing values.

    ConfigError if it is not a table, or lacks a column that is `needed` (default: those in `dtypes`). Parquet parts
    (`gridjoust.runner.results.tables.parquet`) are read in place of the file if there are any.
    """
    if parts := parts_of(path):
        frame = read_parts(parts, dtypes, only_these=only_these)
        require_in(path, frame.columns, dtypes if needed is None else needed)
        return frame
    with reading(path):
        lines = _whole_lines(path)
        if not lines and path.suffix == ".gz":  # the file is still empty
            return pd.DataFrame({name: pd.Series(dtype=dtype) for name, dtype in dtypes.items()})
        frame = _parse(lines, dtypes, columns=(lambda name: name in dtypes) if only_these else None)
    require_in(path, frame.columns, dtypes if needed is None else needed)
    return frame


def _parse(lines: bytes, dtypes: Mapping[str, str], *, columns: Callable[[str], bool] | None = None) -> pd.DataFrame:
    return _finite(pd.read_csv(io.BytesIO(lines), dtype=dict(dtypes), usecols=columns, **_FORMAT))


def parse_table(text: str, table: TableSchema) -> pd.DataFrame:
    """Parse the text of a table's file; return the table with the types of its columns."""
    return _typed(_parse(text.encode(), {column.name: _DTYPES[column.type] for column in table.columns}), table)


def _finite(frame: pd.DataFrame) -> pd.DataFrame:
    numbers = frame.select_dtypes("float64")
    if infinite := [name for name in numbers if np.isinf(numbers[name].to_numpy()).any()]:
        raise ValueError(f"{infinite[0]}: infinity")
    return frame


def _typed(frame: pd.DataFrame, table: TableSchema) -> pd.DataFrame:
    for column in table.columns:
        if column.type == "datetime":
            frame[column.name] = pd.to_datetime(frame[column.name], utc=True, format="ISO8601")
    return frame


def _whole_lines(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".gz":
        most, unpacking = max(_SMALL_BYTES, _RATIO * len(data)), zlib.decompressobj(_WINDOW_GZIP)
        data = unpacking.decompress(data, most)  # unlike gzip.open, this accepts a truncated file
        if unpacking.unconsumed_tail:
            raise ValueError(f"more than {most} bytes in a compressed table")
    return data[: data.rfind(b"\n") + 1]


def declared_metrics(games: Iterable[str]) -> dict[str, Mapping[str, Metric]]:
    """Return the metrics of each game by name, in the game's order; a game that is not installed has none.

    >>> declared_metrics(["bomber", "chess"])["bomber"]["own_hits"].better
    'lower'
    """
    return {game: _metrics_of(game) for game in games}


def is_goal(declared: Mapping[str, Metric], name: str) -> bool:
    """Return True if a game declares the metric as a goal."""
    return name in declared and declared[name].is_goal


def _metrics_of(game: str) -> Mapping[str, Metric]:
    try:
        return load_game(game).spec.metrics
    except (ImportError, ValueError):  # the package of the game may not be installed any more
        return {}
