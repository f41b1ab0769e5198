"""`joust report` and `joust export`: a results folder as an HTML page and as Parquet."""

from __future__ import annotations

import json
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, find_results
from gridjoust.runner.wire.errors import ConfigError, naming

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
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Parquet, the default: one file per table (extra `parquet`).")
    ] = False,
    latex: Annotated[
        bool, typer.Option("--latex", help="The standings as a LaTeX tabular, standings.tex; needs no extra.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Output folder; default: the results folder, for Parquet parquet/ in it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the tables of a results folder in another format."""
    folder = find_results(results)
    written = [_write_latex(folder, folder if out is None else out)] if latex else []
    if parquet or not latex:
        if find_spec("pyarrow") is None:
            raise ConfigError("export needs pyarrow: pip install 'gridjoust[parquet]'")
        from gridjoust.runner.results.tables.frames import write_parquet

        written += write_parquet(folder, folder / PARQUET_FOLDER if out is None else out)
    if as_json:
        print(json.dumps([{"file": str(path), "rows": rows} for path, rows in written]))
        return
    for path, rows in written:
        print(f"{path}: {rows} rows")


def _write_latex(folder: Path, out: Path) -> tuple[Path, int]:
    """Write the standings as `standings.tex`; return its path and the number of bots."""
    from gridjoust.leaderboard.board import whole_board
    from gridjoust.leaderboard.frame.seats import read_seats
    from gridjoust.leaderboard.table import latex_table
    from gridjoust.runner.results.tables.datapackage import check_tables
    from gridjoust.runner.results.tables.schedule_file import read_planned

    check_tables(folder)
    board = whole_board(read_seats(folder), read_planned(folder))
    out.mkdir(parents=True, exist_ok=True)
    path = out / "standings.tex"
    with naming(path):
        path.write_text(latex_table(board), encoding="utf-8")
    return path, len(board.standings)
