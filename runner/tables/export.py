"""Result tables as Parquet files. Needs the extra `parquet` (pyarrow); changes no table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from runner.tables.columns import TABLES
from runner.tables.frames import read_table


def write_parquet(results: Path, out: Path) -> Iterator[tuple[Path, int]]:
    """(file, rows) of every table that the results folder has, one after another; the types are those of `load`."""
    out.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        source = results / table.file
        if source.is_file():
            frame = read_table(source, table)
            path = out / f"{table.name}.parquet"
            frame.to_parquet(path, engine="pyarrow", compression="zstd", index=False)
            yield path, len(frame)
