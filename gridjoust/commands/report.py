"""`joust report`: a results folder to a page that people look at."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from gridjoust.commands.inspect import find_results
from leaderboard.report.page import write_report
from runner.wire.errors import ConfigError


def report_results(folder: Path, *, out: Path | None, open_page: bool) -> int:
    """Write the page and say where it is; the exit code."""
    if out is not None and out.is_dir():
        raise ConfigError(f"--out: expected a file to write, got the folder {out}")
    page = write_report(find_results(folder), out)
    print(f"report: {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())
    return 0
