"""`joust report`: a results folder to a page that people look at."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from gridjoust.commands.arguments import ResultsArgument, find_results
from leaderboard.report.page import write_report
from leaderboard.report.source import load_source
from runner.wire.errors import ConfigError


def report(
    results: ResultsArgument,
    out: Annotated[Path | None, typer.Option(help="The page; default: report.html in the results folder.")] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Also show it in the browser.")] = False,
) -> None:
    """Make one HTML page of a results folder: standings, charts, faults, search cost; works offline and prints."""
    if out is not None and out.is_dir():
        raise ConfigError(f"--out: expected a file to write, got the folder {out}")
    page = write_report(load_source(find_results(results)), out)
    print(f"report: {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())
