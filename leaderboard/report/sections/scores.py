"""How the scores of each bot are spread. Compares within one game only: returns of unlike games have no common unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from leaderboard.report.blocks import Cell, Column, Key, Line, Section, Table
from leaderboard.report.charts.strips import Box, Part, axis_strip, box_strip, share_strip
from leaderboard.report.charts.svg import padded
from leaderboard.report.palette import planner_class
from leaderboard.report.source import Scope
from leaderboard.wording import aligned, plural, shared_places, significant

FEW_VALUES = 5  # up to so many distinct values, shares say more than a box
_FINER = ("score", "points", "treasure", "cost")  # what a game's own count may be called


@dataclass(frozen=True, slots=True)
class _Values:
    name: str
    meaning: str
    frame: pd.DataFrame  # bot, value; a row per match and bot


def scores_section(scope: Scope) -> Section | None:
    """Boxes of the returns, or shares and the game's own count where returns only say won or lost."""
    if scope.played["variant"].nunique() != 1:
        return None
    returns = _returns(scope.played)
    if returns.frame["value"].nunique() > FEW_VALUES:
        tables = [_box_table(scope, returns)]
    else:
        finer = _finer(scope)
        tables = [_share_table(scope, returns), *([_box_table(scope, finer)] if finer is not None else [])]
    return Section(f"{scope.slug}-scores", "Scores", _lead(returns), tuple(tables))


def _returns(played: pd.DataFrame) -> _Values:
    frame = played.groupby(["match_id", "team", "bot"], sort=False)["returns"].mean().rename("value")
    return _Values("returns", "Returns by the game's rules", frame.reset_index())


def _finer(scope: Scope) -> _Values | None:
    """The first of the game's metrics that counts something finer than the result."""
    for name in _FINER:
        own = scope.metrics[scope.metrics["metric"] == name]
        if own["value"].nunique() > FEW_VALUES:
            frame = own[["bot", "value"]].dropna()
            return _Values(name, f"The game's own “{name}” at the end of a match", frame)
    return None


def _lead(returns: _Values) -> str:
    spread = returns.frame.groupby("bot")["value"].std().dropna()
    if spread.empty or spread.max() == 0:
        return "Every bot scored the same in each of its matches."
    steadiest, wildest = spread.idxmin(), spread.idxmax()
    count = plural(int(returns.frame.groupby("bot")["value"].size().max()), "match")
    return f"Up to {count} per bot; {steadiest} scores most evenly, {wildest} least."


def _box_table(scope: Scope, values: _Values) -> Table:
    boxes = make_boxes(values.frame)
    planners = scope.planners
    bots = [bot for bot in scope.bots if bot in boxes]
    own = [boxes[bot] for bot in bots]
    scale = padded(min(box.low for box in own), max(box.high for box in own))
    columns = list(zip(*((box.mean, box.median, box.low, box.high) for box in own), strict=True))
    places = shared_places([box.mean for box in own])
    texts = [aligned(column, places=places) for column in columns]
    lines = []
    for bot, box, *shown in zip(bots, own, *texts, strict=True):
        said = f"{bot}: {significant(box.low)} to {significant(box.high)}, median {significant(box.median)}"
        drawing = box_strip(box, scale=scale, title=said, css=planner_class(planners[bot]))
        lines.append(Line((Cell(bot), *map(Cell, shown), Cell(drawing=drawing))))
    return Table(
        title=f"{values.name}, {scope.title}",
        columns=(
            Column("bot", "name"),
            Column("mean"),
            Column("median"),
            Column("lowest"),
            Column("highest"),
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
    quarters = groups.quantile(np.array([0, 0.25, 0.5, 0.75, 1])).unstack()
    means, counts = groups.mean(), groups.size()
    boxes = {}
    for bot in counts.index:
        low, first, middle, third, high = quarters.loc[bot].tolist()
        boxes[str(bot)] = Box(low, first, middle, third, high, float(means[bot]), int(counts[bot]))
    return boxes


def _share_table(scope: Scope, returns: _Values) -> Table:
    levels = sorted(returns.frame["value"].unique())
    css = {level: f"h{_step(at, len(levels))}" for at, level in enumerate(levels)}
    groups = {str(bot): own["value"] for bot, own in returns.frame.groupby("bot")}
    lines = []
    bots = [bot for bot in scope.bots if bot in groups]
    for bot, mean in zip(bots, aligned([float(groups[bot].mean()) for bot in bots]), strict=True):
        shares = groups[bot].value_counts(normalize=True)
        parts = [Part(f"returns {significant(level)}", float(shares.get(level, 0.0)), css[level]) for level in levels]
        drawing = share_strip(parts[::-1], title=f"{bot}: shares of its returns")
        lines.append(Line((Cell(bot), Cell(mean), Cell(drawing=drawing))))
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
