"""The section on convergence: strength against matches played, fitted again on fewer matches."""

from __future__ import annotations

import numpy as np

from gridjoust.leaderboard.columns import UNITS
from gridjoust.leaderboard.ranking import order_bots
from gridjoust.leaderboard.report.blocks import Figure, Note, Section
from gridjoust.leaderboard.report.charts.plots import LABELLED, Frame, Series, line_chart
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import Leaderboard, RankedBy, share_letter
from gridjoust.leaderboard.strengths.analysis import analyse
from gridjoust.leaderboard.wording import listed, plural

CHECKPOINTS = 16
_FEWEST_CHECKPOINTS = 5
_FITTED_BOTS = 1600  # at all checkpoints together: of more bots there are fewer checkpoints
_FEWEST_MATCHES = 4


def settling_section(scope: Scope) -> Section | None:
    """Return a chart with a line per bot over the matches in schedule order; None for too few matches."""
    order = list(dict.fromkeys(scope.played["match_id"]))
    if len(order) < _FEWEST_MATCHES:
        return None
    series, leader, last_change = _trace(scope, order)
    if not series:
        return None
    unit = UNITS[scope.board.ranked_by]
    frame = Frame(
        slug=f"{scope.slug}-settle",
        title=f"{unit.axis} against matches played, {scope.title}",
        description="One line per bot, in the order in which matches were scheduled.",
        across_title="matches played",
        up_title=unit.axis,
    )
    hidden = len(series) - LABELLED
    note = f"The first {LABELLED} are named; {plural(hidden, 'other line')} stay faint." if hidden > 0 else ""
    return Section(
        f"{scope.slug}-settling",
        "Convergence",
        _lead(scope.board, leader, last_change, len(order)),
        (
            Figure(
                "Strength after so many matches",
                line_chart(series, frame),
                note=note,
            ),
            *([Note(("Lines that still climb or cross at the right edge call for more matches.",))] if hidden else []),
        ),
    )


def checkpoints(matches: int, *, count: int = CHECKPOINTS) -> list[int]:
    """Return the numbers of matches at which to fit again; the last is all of them.

    >>> checkpoints(6), checkpoints(100, count=4)
    ([1, 2, 3, 4, 5, 6], [25, 50, 75, 100])
    """
    return sorted({max(1, round(matches * step / count)) for step in range(1, count + 1)})


def _trace(scope: Scope, order: list[str]) -> tuple[list[Series], str, int]:
    """Return the chart's lines, best bots first; the bot that leads at the end; and the match at which it took over.

    `order`: match ids in schedule order.
    """
    place = {match: at for at, match in enumerate(order)}
    position = np.array([place[match] for match in sorted(order)], dtype=np.int64)[scope.seats["match"].to_numpy()]
    points: dict[str, list[tuple[float, float]]] = {bot: [] for bot in scope.bots}
    leader, last_change = "", 0
    unit = 100 if scope.board.ranked_by is RankedBy.SCORE else 1
    looks = min(CHECKPOINTS, max(_FEWEST_CHECKPOINTS, _FITTED_BOTS // len(scope.bots)))
    for count in checkpoints(len(order), count=looks):
        analysis = analyse(scope.seats[position < count])
        if analysis.ranked_by is not scope.board.ranked_by:
            continue  # so far only some of the games
        names = analysis.names
        ordered = [bot for _, bot in order_bots(analysis)]
        for bot in ordered:
            if (value := analysis.strengths.value(bot)) is not None:
                points[names[bot]].append((count, unit * value))
        if names[ordered[0]] != leader:
            leader, last_change = names[ordered[0]], count
    return [Series(bot, tuple(own), scope.colour(bot)) for bot, own in points.items() if own], leader, last_change


def _lead(board: Leaderboard, leader: str, last_change: int, matches: int) -> str:
    """Return a sentence: since when the leader leads, or if it is not separated from others, that the lead is open."""
    if len(board.standings) == 1:
        return f"{leader} played alone."
    pools = max(one.pool or 1 for one in board.standings)
    if pools > 1:
        return f"The bots fall into {pools} pools that cannot be compared, so there is no overall leader."
    groups = {one.bot: one.group for one in board.standings}
    level = [bot for bot, group in groups.items() if bot != leader and share_letter(group, groups[leader])]
    if level:
        return f"First place is open: {leader} is not separated from {listed(level)}, so more matches may change it."
    if last_change * 3 <= matches:
        return f"{leader} has led since match {last_change:,} of {matches:,} at the latest."
    return f"{leader} has led only since about match {last_change:,} of {matches:,}."
