"""`joust export`: the tables of a results folder as Parquet."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from gridjoust.commands.inspect import find_results
from runner.wire.errors import ConfigError

FOLDER = "parquet"  # in the results folder


def export_tables(folder: Path, *, parquet: bool, out: Path | None) -> int:
    """Write every table that there is; ConfigError without a format or without the library for it."""
    if not parquet:
        raise ConfigError("export: expected a format, --parquet, got none")
    if find_spec("pyarrow") is None:
        raise ConfigError("--parquet: expected pyarrow, got no such package: pip install 'gridjoust[parquet]'")
    from runner.tables.export import write_parquet

    results = find_results(folder)
    for path, rows in write_parquet(results, results / FOLDER if out is None else out):
        print(f"{path}: {rows} rows")
    return 0
