"""`joust report` and `joust export`: a results folder as an HTML page and as Parquet."""

from __future__ import annotations

import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import ResultsArgument, find_results
from gridjoust.runner.wire.errors import ConfigError

PARQUET_FOLDER = "parquet"  # in the results folder


def report(
    results: ResultsArgument,
    out: Annotated[Path | None, typer.Option(help="The page; default: report.html in the results folder.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Also show it in the browser.")] = False,
) -> None:
    """Make one HTML page of a results folder: standings, charts, faults, search cost. Works offline and in print."""
    if out is not None and out.is_dir():
        raise ConfigError(f"--out: expected a file to write, got the folder {out}")
    from gridjoust.leaderboard.report.page import write_report
    from gridjoust.leaderboard.report.source import load_source

    page = write_report(load_source(find_results(results)), out)
    print(f"report: {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())


def export(
    results: ResultsArgument,
    parquet: Annotated[  # noqa: ARG001 - the only format, which may be named
        bool, typer.Option("--parquet", help="Parquet, the only format: one file per table (extra `parquet`).")
    ] = True,
    out: Annotated[Path | None, typer.Option(help="Output folder; default: parquet/ in the results folder.")] = None,
) -> None:
    """Write the tables of a results folder in another format."""
    if find_spec("pyarrow") is None:
        raise ConfigError("export needs pyarrow: pip install 'gridjoust[parquet]'")
    from gridjoust.runner.results.tables.frames import write_parquet

    folder = find_results(results)
    for path, rows in write_parquet(folder, folder / PARQUET_FOLDER if out is None else out):
        print(f"{path}: {rows} rows")
