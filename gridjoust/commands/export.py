"""`joust export`: the tables of a results folder as Parquet."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.arguments import ResultsArgument, find_results
from runner.wire.errors import ConfigError

FOLDER = "parquet"  # in the results folder


def export(
    results: ResultsArgument,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="As Parquet files, one per table (extra `parquet`).")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Where to; default: the folder parquet/ in the results.")] = None,
) -> None:
    """Write the tables of a results folder in another format."""
    if not parquet:
        raise ConfigError("export: expected a format, --parquet, got none")
    if find_spec("pyarrow") is None:
        raise ConfigError("--parquet: expected pyarrow, got no such package: pip install 'gridjoust[parquet]'")
    from runner.tables.frames import write_parquet

    folder = find_results(results)
    for path, rows in write_parquet(folder, folder / FOLDER if out is None else out):
        print(f"{path}: {rows} rows")
