"""What a game itself counts, and how the scores of each bot are spread. Knows no game's rules and mixes no games.

Returns and metrics of unlike games have no common unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from leaderboard.report.blocks import Cell, Column, Key, Section, Table, line
from leaderboard.report.charts.strips import Box, Part, axis_strip, box_strip, share_strip
from leaderboard.report.charts.svg import padded
from leaderboard.report.palette import planner_class
from leaderboard.report.source import Scope
from leaderboard.wording import aligned, per_cent, plural, shared_places, significant

MOST_METRICS = 12
FEW_VALUES = 5  # up to so many distinct values, shares say more than a box
_GOALS = ("won", "solved", "reached", "partial", "sealed")  # metrics that are shares of matches rather than amounts
_FINER = ("score", "points", "treasure", "cost")  # what a game's own count may be called


def metrics_section(scope: Scope) -> Section | None:
    """Means of the game's metrics over matches, goals reached first; None where the game reports nothing."""
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
    texts = [_texts(means.loc[bots, name].tolist(), is_goal=name in goals) for name in shown]
    titles = [name.replace("_", " ") + (" %" if name in goals else "") for name in shown]
    hidden = len(amounts) + len(goals) - MOST_METRICS
    table = Table(
        title=f"Metrics, {scope.title}",
        columns=(Column("bot", "name"), *map(Column, titles)),
        lines=tuple(line(*row) for row in zip(bots, *texts, strict=True)),
        css="metrics",
        note=f"{plural(hidden, 'more metric')} in metrics.csv." if hidden > 0 else "",
    )
    lead = "Means per match of the numbers that the rules report at its end."
    if goals:
        share = float(means[goals[0]].dropna().mean())
        lead = f"{goals[0].capitalize()}: {per_cent(share)} of all matches, mean over bots."
    return Section(f"{scope.slug}-metrics", "What the game counts", lead, (table,))


def _texts(values: Sequence[float], *, is_goal: bool) -> list[str]:
    """A column's numbers below each other; bots without any have a dash."""
    known = [value for value in values if not pd.isna(value)]
    written = iter([f"{100 * value:.1f}" for value in known] if is_goal else aligned(known))
    return ["–" if pd.isna(value) else next(written) for value in values]


@dataclass(frozen=True, slots=True)
class _Values:
    name: str
    meaning: str
    frame: pd.DataFrame  # bot, value; a row per match and bot


def scores_section(scope: Scope) -> Section | None:
    """Boxes of the returns, or shares and the game's own count where returns only say won or lost."""
    if scope.played["variant"].nunique() != 1:
        return None
    own = scope.played.groupby(["match_id", "team", "bot"], sort=False)["returns"].mean().rename("value")
    returns = _Values("returns", "Returns by the game's rules", own.reset_index())
    if returns.frame["value"].nunique() > FEW_VALUES:
        tables = [_box_table(scope, returns)]
    else:
        finer = _finer(scope)
        tables = [_share_table(scope, returns), *([_box_table(scope, finer)] if finer is not None else [])]
    return Section(f"{scope.slug}-scores", "Scores", _lead(returns), tuple(tables))


def _finer(scope: Scope) -> _Values | None:
    """The first of the game's metrics that counts something finer than the result."""
    for name in _FINER:
        own = scope.metrics[scope.metrics["metric"] == name]
        if own["value"].nunique() > FEW_VALUES:
            frame = own[["bot", "value"]].dropna()
            return _Values(name, f"The game's own “{name}” at the end of a match", frame)
    return None


def _lead(returns: _Values) -> str:
    groups = returns.frame.groupby("bot")["value"]
    spread = groups.std().dropna()
    if spread.empty or spread.max() == 0:
        return "Every bot scored the same in each of its matches."
    count = plural(int(groups.size().max()), "match")
    spread = spread[spread > 0]  # who always had the same, as by always losing, is not even but constant
    if len(spread) < 2:
        return f"Up to {count} per bot."
    return f"Up to {count} per bot; {spread.idxmin()} scores most evenly, {spread.idxmax()} least."


def _box_table(scope: Scope, values: _Values) -> Table:
    boxes = make_boxes(values.frame)
    bots = [bot for bot in scope.bots if bot in boxes]
    own = [boxes[bot] for bot in bots]
    scale = padded(min(box.low for box in own), max(box.high for box in own))
    columns = list(zip(*((box.mean, box.median, box.low, box.high) for box in own), strict=True))
    places = shared_places([box.mean for box in own])
    texts = [aligned(column, places=places) for column in columns]
    lines = []
    for bot, box, *shown in zip(bots, own, *texts, strict=True):
        said = f"{bot}: {significant(box.low)} to {significant(box.high)}, median {significant(box.median)}"
        lines.append(line(bot, *shown, box_strip(box, scale=scale, title=said, css=planner_class(scope.planners[bot]))))
    return Table(
        title=f"{values.name}, {scope.title}",
        columns=(
            Column("bot", "name"),
            *map(Column, ("mean", "median", "lowest", "highest")),
            Column(values.name, "chart", values.meaning),
        ),
        lines=tuple(lines),
        foot=(*[Cell()] * 5, Cell(drawing=axis_strip(scale))),
        css="spread",
        heading=values.name.capitalize(),
        note=f"{values.meaning}. Box: the middle half; bar: median; dot: mean; line: all values.",
    )


def make_boxes(frame: pd.DataFrame) -> dict[str, Box]:
    """Bot -> how its values are spread, from the lowest to the highest: no outliers are hidden."""
    groups = frame.groupby("bot")["value"]
    spread = groups.quantile(np.array([0, 0.25, 0.5, 0.75, 1])).unstack().assign(mean=groups.mean())
    return {str(bot): Box(*own) for bot, *own in spread.itertuples(name=None)}


def _share_table(scope: Scope, returns: _Values) -> Table:
    levels = sorted(returns.frame["value"].unique())
    css = {level: f"h{_step(at, len(levels))}" for at, level in enumerate(levels)}
    groups = {str(bot): own["value"] for bot, own in returns.frame.groupby("bot")}
    lines = []
    bots = [bot for bot in scope.bots if bot in groups]
    for bot, mean in zip(bots, aligned([float(groups[bot].mean()) for bot in bots]), strict=True):
        shares = groups[bot].value_counts(normalize=True)
        parts = [Part(f"returns {significant(level)}", float(shares.get(level, 0.0)), css[level]) for level in levels]
        lines.append(line(bot, mean, share_strip(parts[::-1], title=f"{bot}: shares of its returns")))
    return Table(
        title=f"Returns, {scope.title}",
        columns=(Column("bot", "name"), Column("mean"), Column("share of matches", "chart")),
        lines=tuple(lines),
        css="spread",
        heading="Returns",
        legend=tuple(Key(css[level], f"returns {significant(level)}") for level in reversed(levels)),
    )


def _step(at: int, count: int) -> int:
    """Places on the heat scale, spread evenly.

    >>> [_step(at, 3) for at in range(3)]
    [0, 5, 10]
    """
    return math.floor(10 * at / (count - 1) + 0.5) if count > 1 else 5
