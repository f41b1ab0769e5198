"""Sections on a game's own statistics, and on how the scores of each bot are spread.

Returns and metrics of unlike games have no common unit, so each game has sections of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gridjoust.leaderboard.report.blocks import Cell, Column, Key, ReportTable, Section, line
from gridjoust.leaderboard.report.charts.strips import Box, Part, axis_strip, box_strip, share_strip
from gridjoust.leaderboard.report.charts.svg import padded
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.wording import aligned, listed, per_cent, plural, shared_places, significant
from gridjoust.runner.results.tables.frames import Metric

MOST_METRICS = 12
FEW_VALUES = 5  # up to so many distinct values, shares say more than a box
_UNKNOWN = Metric("")  # of a game that declares none


def metrics_section(scope: Scope) -> Section | None:
    """Return a table of the means of the game's metrics, goals first; None for several variants or without metrics."""
    if scope.metrics.empty or scope.played["variant"].nunique() != 1:
        return None
    forfeits = _forfeits(scope)
    per_match = scope.metrics.groupby(["metric", "bot", "match_id"], sort=False)["value"].mean()
    means = per_match.groupby(level=["metric", "bot"]).mean().unstack("metric").dropna(axis="columns", how="all")
    declared = _declared(scope)
    known = {name: declared.get(name, _UNKNOWN) for name in sorted(means.columns, key=_in_order_of(declared))}
    goals = [name for name, metric in known.items() if metric.is_goal]
    amounts = [name for name in known if name not in goals and means[name].nunique() > 1]
    shown = [*goals, *amounts][:MOST_METRICS]
    if not shown:
        return None
    bots = [bot for bot in scope.bots if bot in means.index]
    bots += [bot for bot in scope.bots if bot not in means.index]
    means = means.reindex(bots)
    columns = [_cells(means.loc[bots, name].tolist(), known[name]) for name in shown]
    hidden = len(amounts) + len(goals) - MOST_METRICS
    notes = [f"{plural(hidden, 'more metric')} in metrics.csv."] if hidden > 0 else []
    if any(cell.css == "best" for column in columns for cell in column):
        notes.append("Bold: the best value, if the game says whether higher or lower is better.")
    if forfeits:
        goals_missed = "; their goals count as missed" if goals else ""
        notes.append(f"{plural(forfeits, 'match')} with a forfeit left out{goals_missed}.")
    table = ReportTable(
        title=f"Metrics, {scope.title}",
        columns=(Column("bot", "name"), *(_column(name, known[name]) for name in shown)),
        lines=tuple(line(*row) for row in zip(map(scope.named, bots), *columns, strict=True)),
        css="metrics",
        note=" ".join(notes),
    )
    lead = "Means per match of the numbers that the game reports at its end."
    if goals:
        share = float(means[goals[0]].dropna().mean())
        lead = f"{_words(goals[0]).capitalize()}: {per_cent(share)} of all matches, mean over bots."
    return Section(f"{scope.slug}-metrics", "Game statistics", lead, (table,))


def _forfeits(scope: Scope) -> int:
    """Return the number of counted matches in which a bot forfeited."""
    return int(scope.played[scope.played["forfeited"].fillna(value=False).astype(bool)]["match_id"].nunique())


def _declared(scope: Scope) -> Mapping[str, Metric]:
    """Return the metrics that the only game of the scope declares, in the game's order."""
    return scope.source.declared[str(scope.played["game"].iloc[0])]


def _in_order_of(declared: Mapping[str, Metric]) -> Callable[[str], tuple[int, str]]:
    order = {name: at for at, name in enumerate(declared)}
    return lambda name: (order.get(name, len(order)), name)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _column(name: str, metric: Metric) -> Column:
    direction = f"{metric.better} is better" if metric.better else ""
    return Column(
        _words(name) + (" %" if metric.is_goal else ""), hint="; ".join(filter(None, (metric.help, direction)))
    )


def _cells(values: Sequence[float], metric: Metric) -> list[Cell]:
    """Return a column of numbers as table cells, the best emphasized; bots without a value get a dash."""
    known = [value for value in values if not pd.isna(value)]
    texts = iter([f"{100 * value:.1f}" for value in known] if metric.is_goal else aligned(known))
    written = ["–" if pd.isna(value) else next(texts) for value in values]
    best = None
    if metric.better is not None and len(set(known)) > 1:
        best = max(known) if metric.better == "higher" else min(known)
    return [Cell(text, css="best" if value == best else "") for value, text in zip(values, written, strict=True)]


@dataclass(frozen=True, slots=True)
class _Values:
    name: str
    meaning: str
    frame: pd.DataFrame  # bot, value; a row per match and bot


def scores_section(scope: Scope) -> Section | None:
    """Return box plots of the returns, or the shares of wins and losses if returns take few values.

    In that case a box plot of a finer metric of the game follows, if there is one. None for several variants, or if no
    returns are known.
    """
    if scope.played["variant"].nunique() != 1:
        return None
    own = scope.played.groupby(["match_id", "team", "bot"], sort=False)["returns"].mean().rename("value")
    returns = _Values("returns", "Returns by the game's rules", own.dropna().reset_index())
    if returns.frame.empty:
        return None
    if returns.frame["value"].nunique() > FEW_VALUES:
        tables, lead = [_box_table(scope, returns)], _lead(returns)
    else:
        finer = _finer(scope)
        tables = [_share_table(scope, returns), *([_box_table(scope, finer)] if finer is not None else [])]
        lead = f"{_counts(returns)} per bot."  # the spread of wins and losses follows from their mean
    return Section(f"{scope.slug}-scores", "Scores", lead, tuple(tables))


def _finer(scope: Scope) -> _Values | None:
    """Return the values of the first metric of the game that ranks bots more finely than the result; None without one.

    The game declares if higher or lower is better, and the metric is no goal and takes more than `FEW_VALUES` values.
    """
    for name in (name for name, metric in _declared(scope).items() if metric.better and not metric.is_goal):
        own = scope.metrics[scope.metrics["metric"] == name]
        if own["value"].nunique() > FEW_VALUES:
            frame = own[["bot", "value"]].dropna()
            return _Values(_words(name), f"The game's own “{_words(name)}” at the end of a match", frame)
    return None


def _counts(values: _Values) -> str:
    """Return `12 matches`, or `Up to 12 matches` if some bots have fewer."""
    counts = values.frame.groupby("bot").size()
    most = plural(int(counts.max()), "match")
    return most if counts.nunique() == 1 else f"Up to {most}"


def _lead(returns: _Values) -> str:
    """Return a sentence: how many matches there are, and which bot's returns vary least and most."""
    groups = returns.frame.groupby("bot")["value"]
    spread = groups.std().dropna()
    if spread.empty or spread.max() == 0:
        return "Every bot scored the same in each of its matches."
    count = f"{_counts(returns)} per bot"
    constant = [str(bot) for bot in spread.index[spread == 0]]
    if constant:
        count += f"; {listed(constant)} always scored the same"
    spread = spread[spread > 0]
    if len(spread) < 2:
        return f"{count}."
    even, uneven = ([str(bot) for bot in spread.index[np.isclose(spread, end)]] for end in (spread.min(), spread.max()))
    if even == uneven:
        return f"{count}; {listed(even)} score equally evenly."
    score = "scores" if len(even) == 1 else "score"
    others = "of the others " if constant else ""
    return f"{count}; {others}{listed(even)} {score} most evenly, {listed(uneven)} least."


def _box_table(scope: Scope, values: _Values) -> ReportTable:
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
        drawing = box_strip(box, scale=scale, title=said, css=scope.colour(bot))
        lines.append(line(scope.named(bot), *shown, drawing))
    return ReportTable(
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
    """Return the box plot of each bot's values, by bot, from the lowest to the highest: no outliers are hidden."""
    groups = frame.groupby("bot")["value"]
    spread = groups.quantile(np.array([0, 0.25, 0.5, 0.75, 1])).unstack().assign(mean=groups.mean())
    return {str(bot): Box(*own) for bot, *own in spread.itertuples(name=None)}


def _share_table(scope: Scope, returns: _Values) -> ReportTable:
    levels = sorted(returns.frame["value"].unique())
    css = {level: f"h{_step(at, len(levels))}" for at, level in enumerate(levels)}
    groups = {str(bot): own["value"] for bot, own in returns.frame.groupby("bot")}
    lines = []
    bots = [bot for bot in scope.bots if bot in groups]
    for bot, mean in zip(bots, aligned([float(groups[bot].mean()) for bot in bots]), strict=True):
        shares = groups[bot].value_counts(normalize=True)
        parts = [Part(f"returns {significant(level)}", float(shares.get(level, 0.0)), css[level]) for level in levels]
        lines.append(line(scope.named(bot), mean, share_strip(parts[::-1], title=f"{bot}: shares of its returns")))
    return ReportTable(
        title=f"Returns, {scope.title}",
        columns=(Column("bot", "name"), Column("mean"), Column("share of matches", "chart")),
        lines=tuple(lines),
        css="spread",
        heading="Returns",
        legend=tuple(Key(css[level], f"returns {significant(level)}") for level in reversed(levels)),
    )


def _step(at: int, count: int) -> int:
    """Return the step of the heat scale (0 to 10) for value number `at` of `count`; steps are spread evenly.

    >>> [_step(at, 3) for at in range(3)]
    [0, 5, 10]
    """
    return math.floor(10 * at / (count - 1) + 0.5) if count > 1 else 5
