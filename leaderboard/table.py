"""The leaderboard for a terminal: its texts by column, and a table for the library `rich`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Literal

from rich.table import Table
from rich.text import Text

from gridjoust.leaderboard.columns import COSTS, RESULTS, SPARE_GAMES, Column, decided_columns, is_shown
from gridjoust.leaderboard.standings import Leaderboard, RankedBy, is_apart
from gridjoust.runner.wire.text import plain_text

TITLE = "title"
_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "−": "$-$",
    "<": "$<$",
    ">": "$>$",
}
_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_MARKUP = re.compile(r"[\\|<>*_\[\]`~]")  # what Markdown might not show as it is
_LEFT = frozenset({"bot", TITLE, "planner", "reached", "group"})


def dispensable(board: Leaderboard) -> list[str]:
    """Return the titles of columns that a narrow terminal leaves out, in that order; games go in reverse order."""
    columns = (*_written(RESULTS, board), *_written(COSTS, board))
    spare = [(column.spare, column.title) for column, texts in columns if column.spare and any(texts)]
    games = [title for title, _ in _by_game(board)]
    ordered = sorted([*spare, *((SPARE_GAMES, title) for title in games[::-1])], key=itemgetter(0))
    return [title for _, title in ordered]


def format_leaderboard(board: Leaderboard, *, without: Collection[str] = ()) -> list[tuple[str, ...]]:
    """Return the heading, then a row per bot, as texts; without empty columns and those with titles in `without`."""
    written = (*_written(RESULTS, board), *_written(COSTS, board))
    first, second, *rest = [(column.title, texts) for column, texts in written]
    titles = (TITLE, [plain_text(board.titles.get(one.bot, "")) for one in board.standings])
    columns = [first, second, titles, *decided_columns(board), *rest, *_by_game(board)]
    shown = [(title, *texts) for title, texts in columns if title not in without and any(texts)]
    return list(zip(*shown, strict=True))


def leaderboard_table(board: Leaderboard, *, title: str | None = None, without: Collection[str] = ()) -> Table:
    """Return a rich table ready to print, with a line between neighbours that are separated; excluded bots are last.

    `without`: titles of columns to leave out. If the table is still too wide, long names are folded.
    """
    heading, *lines = format_leaderboard(board, without=without) or [()]
    table = Table(title=title)
    for name in heading:
        justify: Literal["left", "right"] = "left" if name in _LEFT else "right"
        table.add_column(Text(name), justify=justify, no_wrap=name not in ("bot", TITLE), overflow="fold")
    following = [*board.standings[1:], *board.standings[-1:]]
    for standing, after, line in zip(board.standings, following, lines, strict=True):
        table.add_row(*map(Text, line), end_section=is_apart(board, standing, after))  # Text: a name is no markup
    for bot in board.excluded if lines else ():
        table.add_row(Text("–"), Text(bot, style="strike"))
    return table


def markdown_table(board: Leaderboard) -> str:
    """Return the leaderboard as a table in GitHub's Markdown, "" without a bot; excluded bots come last, struck out."""
    if not board.standings:
        return ""
    heading, *lines = ([escaped(text) for text in row] for row in format_leaderboard(board))
    rule = [":--" if name in _LEFT else "--:" for name in heading]
    empty = [""] * (len(heading) - 2)
    excluded = [["–", f"~~{escaped(bot)}~~", *empty] for bot in board.excluded]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *lines, *excluded))


def latex_table(board: Leaderboard) -> str:
    """Return the leaderboard as a LaTeX tabular that needs no package; the conclusions stand below it as comments."""
    heading, *lines = format_leaderboard(board) or [()]
    columns = "".join("l" if name in _LEFT else "r" for name in heading)
    rows = [" & ".join(map(_in_latex, row)) + r" \\" for row in (heading, *lines)]
    body = [rf"\begin{{tabular}}{{{columns}}}", r"\hline", rows[0], r"\hline", *rows[1:], r"\hline", r"\end{tabular}"]
    return "\n".join([*body, *(f"% {plain_text(sentence)}" for sentence in board.sentences)]) + "\n"


def _in_latex(text: str) -> str:
    shown = _MINUS.sub("−", plain_text(text))
    return "".join(_LATEX.get(letter, letter) for letter in shown)


def escaped(text: str) -> str:
    """Escape the text so that Markdown shows every character of it."""
    return _MARKUP.sub(r"\\\g<0>", text)


def _written(columns: Sequence[Column], board: Leaderboard) -> Iterator[tuple[Column, list[str]]]:
    are_planners = all(one.planner == one.bot for one in board.standings)  # as in a table by planner
    for column in columns:
        is_repeated = column.title == "planner" and are_planners
        if column.terminal is not None and is_shown(column, board) and not is_repeated:
            texts = [column.text(one, column.terminal) for one in board.standings]
            yield column, [text.removeprefix("+") for text in texts] if board.is_anchored else texts


def _by_game(board: Leaderboard) -> Iterator[tuple[str, list[str]]]:
    """Yield (game, texts): a column per game with each bot's share of rivals beaten, if games are ranked together."""
    shares = {(one.game, one.bot): one.beaten_pct for one in board.games if board.ranked_by is RankedBy.SCORE}
    for game in dict.fromkeys(game for game, _ in shares):
        yield f"{game} %", [optional(shares.get((game, one.bot)), ".0f") for one in board.standings]


def optional(value: float | None, pattern: str) -> str:
    """Return the value in a format such as `.4g`, "" for None."""
    return "" if value is None else f"{value:{pattern}}"
