"""What the game itself counts: means of its metrics per bot, goals reached first. Knows no game's rules."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from leaderboard.report.blocks import Cell, Column, Line, Section, Table
from leaderboard.report.source import Scope
from leaderboard.wording import aligned, per_cent, plural

MOST_METRICS = 12
_GOALS = ("won", "solved", "reached", "partial", "sealed")  # shares of matches rather than amounts


def metrics_section(scope: Scope) -> Section | None:
    """A table of means over matches, best bots first; None where the game reports nothing."""
    if scope.metrics.empty or scope.played["variant"].nunique() != 1:
        return None
    per_match = scope.metrics.groupby(["metric", "bot", "match_id"], sort=False)["value"].mean()
    means = per_match.groupby(level=["metric", "bot"]).mean().unstack("metric").dropna(axis="columns", how="all")
    goals = [name for name in _GOALS if name in means.columns]
    amounts = [str(name) for name in means.columns if name not in goals and means[name].nunique() > 1]
    shown = [*goals, *amounts][:MOST_METRICS]
    if not shown:
        return None
    bots = [bot for bot in scope.bots if bot in means.index]
    texts = [_texts(name, means.loc[bots, name].tolist()) for name in shown]
    lines = [Line((Cell(bot), *map(Cell, row))) for bot, *row in zip(bots, *texts, strict=True)]
    columns = (Column("bot", "name"), *(_column(name) for name in shown))
    return Section(
        f"{scope.slug}-metrics",
        "What the game counts",
        _lead(means, goals),
        (Table(f"Metrics, {scope.title}", columns, tuple(lines), css="metrics", note=_note(amounts, goals)),),
    )


def _column(name: str) -> Column:
    title = name.replace("_", " ")
    return Column(f"{title} %" if name in _GOALS else title)


def _texts(name: str, values: Sequence[float]) -> list[str]:
    """A column's numbers below each other; bots without any have a dash."""
    known = [value for value in values if not pd.isna(value)]
    written = iter([f"{100 * value:.1f}" for value in known] if name in _GOALS else aligned(known))
    return ["–" if pd.isna(value) else next(written) for value in values]


def _lead(means: pd.DataFrame, goals: list[str]) -> str:
    if not goals:
        return "Means per match of the numbers that the rules report at its end."
    shares = means[goals[0]].dropna()
    return f"{goals[0].capitalize()}: {per_cent(float(shares.mean()))} of all matches, mean over bots."


def _note(amounts: list[str], goals: list[str]) -> str:
    hidden = len(amounts) + len(goals) - MOST_METRICS
    return f"{plural(hidden, 'more metric')} in metrics.csv." if hidden > 0 else ""
