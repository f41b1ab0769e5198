"""Draws the critical-difference diagram: average ranks on a line, bars over those that do not differ significantly.

J. Demsar (2006), "Statistical comparisons of classifiers over multiple data sets", JMLR 7:1, figure 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gridjoust.leaderboard.report.charts.svg import (
    LABEL_LENGTH,
    Scale,
    element,
    horizontal,
    join,
    percent,
    shorten,
    vertical,
)

_WORST, _BEST, _LABELS = 3.0, 62.0, 65.0  # per cent of the width: the ends of the line, the names
_WIDE_LENGTH = 30
_AXIS_PX, _BAR_PX = 46, 8
_MOST_ROW_PX, _LEAST_ROW_PX, _ROWS_PX = 20, 13, 260  # rows of many bots are lower
_APART = 0.5  # per cent of the width, between lines of equal ranks


@dataclass(frozen=True, slots=True)
class BotRank:
    """A bot with its average rank, 1 is best; `css` names its colour class."""

    name: str
    rank: float
    css: str


def groups_within(ranks: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """Return (first, last) index of each longest run of two or more ranks that differ by less than `difference`.

    >>> groups_within([1.0, 1.5, 2.4, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    found: list[tuple[int, int]] = []
    for first, low in enumerate(ranks):
        last = max(at for at, high in enumerate(ranks) if at == first or (at > first and high - low < difference))
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def rank_chart(ranked: Sequence[BotRank], difference: float, *, slug: str, title: str) -> Markup:
    """Draw the bots, best first, with the critical difference above the line."""
    count = len(ranked)
    across = Scale(1, count, _BEST, _WORST)
    groups = groups_within([one.rank for one in ranked], difference)
    rows_px = _AXIS_PX + _BAR_PX * (len(groups) + 1)
    bars = [
        horizontal(across(ranked[first].rank) + 1, across(ranked[last].rank) - 1, _AXIS_PX + _BAR_PX * at)
        for at, (first, last) in enumerate(groups, 1)
    ]
    row_px = max(_LEAST_ROW_PX, min(_MOST_ROW_PX, _ROWS_PX // count))
    equal = [sum(other.rank == one.rank for other in ranked[:at]) for at, one in enumerate(ranked)]
    names = [
        _bot(one, across(one.rank) - _APART * before, rows_px + row_px * (at + 0.5))
        for at, (one, before) in enumerate(zip(ranked, equal, strict=True))
    ]
    inside = join(
        element("title", title, id=f"{slug}-t"),
        *_axis(across, count, difference),
        *names,
        element("g", *bars, class_="alike"),
    )
    height_px = rows_px + row_px * count + 4
    return element(
        "svg", inside, class_="plot", width="100%", height=height_px, role="img", aria_labelledby=f"{slug}-t"
    )


def _axis(across: Scale, count: int, difference: float) -> list[Markup]:
    """Draw the axis of `count` ranks, and above it a bar as long as the critical difference."""
    every = max(1, round(count / 8))
    marks = [
        horizontal(_BEST, across(1 + difference), 12, "base"),
        element("text", f"CD {difference:.2f}", x=percent(_LABELS), y=16, class_="name"),
        horizontal(_WORST, _BEST, _AXIS_PX, "base"),
        element("text", "average rank", x=percent(_LABELS), y=_AXIS_PX - 8, class_="name"),
    ]
    for rank in range(1, count + 1, every):
        marks += [
            vertical(across(rank), _AXIS_PX - 5, _AXIS_PX, "tick"),
            element("text", str(rank), x=percent(across(rank)), y=_AXIS_PX - 9, text_anchor="middle"),
        ]
    return marks


def _bot(one: BotRank, at: float, level: float) -> Markup:
    """Draw the line from a bot's rank on the axis, `at`, down to its name at the height `level`."""
    return element(
        "g",
        element("title", f"{one.name}: average rank {one.rank:.2f}"),
        vertical(at, _AXIS_PX, level, "span"),
        horizontal(at, _LABELS - 1, level, "span"),
        *(
            element("text", f"{one.rank:.2f} {shorten(one.name, length)}", x=percent(_LABELS), y=level + 4, class_=css)
            for length, css in ((LABEL_LENGTH, "label narrow"), (_WIDE_LENGTH, "label wide"))
        ),
        class_=one.css,
    )
