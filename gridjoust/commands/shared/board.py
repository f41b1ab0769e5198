"""Shows a leaderboard to people: in a terminal, as JSON, SVG or Markdown."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from msgspec import to_builtins
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from gridjoust.commands.shared.output import say
from gridjoust.leaderboard.decided import format_rounds
from gridjoust.leaderboard.standings import Leaderboard
from gridjoust.leaderboard.table import dispensable, escaped, leaderboard_table, markdown_table
from gridjoust.runner.wire.errors import naming

_UNLIMITED = 10_000  # columns


def print_board(board: Leaderboard, *, title: str, as_json: bool) -> None:
    """Print the table and its conclusions, or one JSON object."""
    if as_json:
        shown = {name: value for name, value in to_builtins(board).items() if name != "findings"}
        event = {"event": "standings", "tournament": title, **shown, "verdicts": board.sentences}
        print(json.dumps(event, allow_nan=False))
        return
    console = Console()
    if not any(one.matches for one in board.standings):
        played = "; ".join(board.sentences) or "no match has been played"
        say(f"{title}: {board.progress or played}")
        return
    without: list[str] = []
    if _is_width_known():
        without = columns_to_drop(board, console)
    else:
        console.width = _width(board, console)
    shown_title = title if board.progress is None else f"{title}: {board.progress}"
    console.print(leaderboard_table(board, title=shown_title, without=without))
    if board.decision is not None:
        is_tree = board.decision.format == "knockout"
        for line in format_rounds(board.decision):
            print(line) if is_tree else say(line)
    for line in [
        *board.sentences,
        *([f"left out to fit {console.width} columns: {', '.join(without)}"] if without else []),
    ]:
        say(f"- {line}")


def write_summary(file: Path, board: Leaderboard, *, title: str, lines: Sequence[str]) -> None:
    """Write a page in Markdown: the standings, the conclusions, and these lines about the run."""
    findings = "\n".join(f"- {escaped(sentence)}" for sentence in board.sentences)
    told = "\n".join(["```text", *lines, "```"])
    parts = filter(None, [f"## {escaped(title)}", markdown_table(board), findings, told])
    with naming(file):
        file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def draw_board(board: Leaderboard, *, title: str, columns: int | None = None) -> str:
    """Return the table as self-contained SVG, as a terminal of `columns` shows it (default: wide enough for all)."""
    console = Console(record=True, file=io.StringIO())
    console.width = _width(board, console) if columns is None else columns
    console.print(leaderboard_table(board, without=[] if columns is None else columns_to_drop(board, console)))
    without_fonts = re.sub(r"@font-face {{.*?}}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title=title, code_format=without_fonts, unique_id="joust") + "\n"


def columns_to_drop(board: Leaderboard, console: Console) -> list[str]:
    """Return the titles of the fewest dispensable columns that must go so that the table fits the terminal."""
    without: list[str] = []
    for title in dispensable(board):
        if _width(board, console, without) <= console.width:
            break
        without.append(title)
    return without


def open_console() -> Console:
    """Return a console as wide as the terminal, or without a limit if no width is known."""
    console = Console()
    if not _is_width_known():
        console.width = _UNLIMITED
    return console


def _is_width_known() -> bool:
    """Return True on a terminal, or if the variable COLUMNS gives the width; otherwise no column is left out."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def _width(board: Leaderboard, console: Console, without: Collection[str] = ()) -> int:
    """Return the width of the table in characters."""
    unlimited = console.options.update(width=_UNLIMITED)
    return max(1, leaderboard_table(board, without=without).__rich_measure__(console, unlimited).maximum)
