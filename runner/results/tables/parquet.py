"""Writes and reads tables as Parquet parts, `tables/<name>/part-00000.parquet`, made from the CSV files of a run.

They have the same columns, and are read in place of the CSV files as long as these have not changed since. Needs the
extra `parquet`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gridjoust.runner.results.tables.columns import METRICS, RESULTS, TABLES, TURNS
from gridjoust.runner.results.tables.datapackage import table_hashes
from gridjoust.runner.wire.errors import ConfigError

FOLDER = "tables"  # in the results folder
MANY_ROWS = 2_000_000  # a table with this many rows gets parts even if the tournament file does not ask for them
ROWS_OF_A_PART = 250_000
MADE_FROM = "made-from.json"  # in the folder: the hashes of the CSV files
IN_PARTS = (RESULTS, METRICS, TURNS)


def has_parquet() -> bool:
    """Return True if pyarrow is installed."""
    return find_spec("pyarrow") is not None


def write_parts(results: Path, chunks: Mapping[str, Iterator[pd.DataFrame]]) -> None:
    """Write finished tables as parts, one for each piece; they replace all earlier parts. `chunks`: name -> pieces."""
    folder, part_folder = results / FOLDER, results / f"{FOLDER}.part"
    shutil.rmtree(part_folder, ignore_errors=True)
    for name, frames in chunks.items():
        (part_folder / name).mkdir(parents=True)
        for number, frame in enumerate(frames):
            frame.to_parquet(
                part_folder / name / f"part-{number:05}.parquet",
                engine="pyarrow",
                compression="zstd",
                index=False,
                write_page_checksum=True,
            )
    (part_folder / MADE_FROM).write_text(json.dumps(table_hashes(results), indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    part_folder.replace(folder)


def parts_of(path: Path) -> list[Path]:
    """Return the parts of the table with this CSV file; an empty list if there are none, or only outdated ones."""
    name = next((table.name for table in TABLES if table.file == path.name), "")
    folder = path.parent / FOLDER
    try:
        made_from = json.loads((folder / MADE_FROM).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    is_current = isinstance(made_from, dict) and made_from.get(name) == table_hashes(path.parent).get(name, "")
    return sorted((folder / name).glob("part-*.parquet")) if is_current and made_from.get(name) else []


def read_parts(parts: Sequence[Path], dtypes: Mapping[str, str], *, only_these: bool) -> pd.DataFrame:
    """Read parts as one frame with these types: all columns, or with `only_these` those in `dtypes`."""
    pa = _arrow()
    with _reading(parts[0]) as file:
        names = [name for name in file.schema_arrow.names if not only_these or name in dtypes]
    columns = {}
    for name in names:  # column by column, as Arrow's data and the converted column are in memory together
        pieces = []
        for path in parts:
            with _reading(path) as file:
                pieces.append(file.read(columns=[name]))
        columns[name] = _column(pa.concat_tables(pieces).column(0), dtypes.get(name, ""))
        pa.default_memory_pool().release_unused()
    return pd.DataFrame(columns, copy=False)


def parts_in_pieces(parts: Sequence[Path], dtypes: Mapping[str, str], *, rows: int) -> Iterator[pd.DataFrame]:
    """Yield the rows of parts, `rows` at a time, with those of these columns that exist."""
    pa = _arrow()
    for path in parts:
        with _frugal(), _reading(path) as file:
            names = [name for name in file.schema_arrow.names if name in dtypes]
            for batch in file.iter_batches(rows, columns=names, use_threads=False):
                piece = pa.Table.from_batches([batch])
                columns = {name: _column(piece.column(name), dtypes[name]) for name in names}
                yield pd.DataFrame(columns, copy=False)


@contextmanager
def _frugal() -> Iterator[None]:
    """Use the system's allocator in the context and release its memory, as Arrow's own one keeps several pieces."""
    pa = _arrow()
    usual, system = pa.default_memory_pool(), pa.system_memory_pool()
    pa.set_memory_pool(system)
    try:
        yield
    finally:
        pa.set_memory_pool(usual)
        system.release_unused()


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    """Open one Parquet file of a table; ConfigError if it is damaged."""
    pa = _arrow()
    from pyarrow import parquet  # noqa: PLC0415

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True, pre_buffer=False) as file:
            if (rows := file.metadata.num_rows) > ROWS_OF_A_PART:
                raise pa.ArrowInvalid(f"{rows} rows, more than the {ROWS_OF_A_PART} of a part")
            yield file
    except (pa.ArrowException, OSError) as error:
        [line, *_] = str(error).splitlines() or ["no table"]
        raise ConfigError(f"{path}: expected a part of a table, got: {line}; --resume writes it again") from None


def _arrow() -> Any:
    if not has_parquet():
        raise ConfigError(f"{FOLDER}: Parquet tables need the package pyarrow: pip install 'gridjoust[parquet]'")
    import pyarrow  # noqa: ICN001, PLC0415 - an extra

    return pyarrow


def _column(values: Any, dtype: str) -> Any:
    """Convert a column to the values that its CSV column has with this type."""
    if str(values.type).startswith("timestamp"):
        return values.to_pandas()
    if dtype == "category":
        return values.combine_chunks().dictionary_encode().to_pandas()
    if dtype == "float64":
        if str(values.type) == "bool":
            values = values.cast("int8")
        return values.cast("float64").to_pandas()
    if dtype == "object":
        texts = values.to_numpy()
        if values.null_count:
            texts = np.where(values.is_null().to_numpy(), float("nan"), texts)
        return pd.Series(texts, dtype=object)
    return pd.array(values.to_pandas(), dtype=dtype or None)
