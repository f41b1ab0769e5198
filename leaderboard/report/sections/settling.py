"""Did the ranking settle: strength against matches played. Refits what the leaderboard fits, on fewer matches."""

from __future__ import annotations

import numpy as np

from gridjoust.leaderboard.analysis import analyse
from gridjoust.leaderboard.columns import UNITS
from gridjoust.leaderboard.ranking import order_bots
from gridjoust.leaderboard.report.blocks import Figure, Note, Section
from gridjoust.leaderboard.report.charts.plots import LABELLED, Frame, Series, line_chart
from gridjoust.leaderboard.report.source import Scope
from gridjoust.leaderboard.standings import RankedBy
from gridjoust.leaderboard.wording import plural

CHECKPOINTS = 16
_FEWEST_CHECKPOINTS = 5
_FITTED_BOTS = 1600  # at all checkpoints together: of more bots there are fewer checkpoints
_FEWEST_MATCHES = 4


def settling_section(scope: Scope) -> Section | None:
    """A line per bot over the matches in schedule order; None where there are too few to look back on."""
    order = list(dict.fromkeys(scope.played["match_id"]))
    if len(order) < _FEWEST_MATCHES:
        return None
    series, last_change = _trace(scope, order)
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
        "Did it settle?",
        _lead(last_change, len(order)),
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
    """Numbers of matches at which to look back, the last being all of them.

    >>> checkpoints(6), checkpoints(100, count=4)
    ([1, 2, 3, 4, 5, 6], [25, 50, 75, 100])
    """
    return sorted({max(1, round(matches * step / count)) for step in range(1, count + 1)})


def _trace(scope: Scope, order: list[str]) -> tuple[list[Series], int]:
    """The lines, best bots first, and the number of matches after which the leader was the last to change."""
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
    return [Series(bot, tuple(own), scope.colour(bot)) for bot, own in points.items() if own], last_change


def _lead(last_change: int, matches: int) -> str:
    if last_change * 3 <= matches:
        return f"The leader has led since match {last_change} of {matches:,} at the latest."
    return f"The leader took over as late as match {last_change} of {matches:,}: more matches may still change it."
