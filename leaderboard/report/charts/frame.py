"""The frame that line charts and scatter plots share: axes, grid, titles. Draws no data."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from leaderboard.report.charts.strips import tick_texts
from leaderboard.report.charts.svg import Scale, element, join, percent

TOP_PX = 22
BOTTOM_PX = 38  # below the plot: tick labels and the axis' title


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a plot; `across` maps to per cent of the width, `up` to px from the top."""

    slug: str  # unique on the page: titles are found by it
    title: str
    description: str
    across: Scale
    up: Scale
    across_title: str
    up_title: str
    height_px: int


def plot(frame: Frame, *marks: str) -> Markup:
    """The marks inside their frame."""
    names = f"{frame.slug}-t {frame.slug}-d"
    inside = join(
        element("title", frame.title, id=f"{frame.slug}-t"),
        element("desc", frame.description, id=f"{frame.slug}-d"),
        *_grid(frame),
        *marks,
    )
    return element(
        "svg",
        inside,
        class_="plot",
        width="100%",
        height=frame.height_px,
        role="img",
        aria_labelledby=names,
    )


def _grid(frame: Frame) -> list[Markup]:
    across, up = frame.across, frame.up
    left, right, bottom = percent(across.start), percent(across.end), up.start
    marks = []
    ticks = up.ticks(5)
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        level = up(tick)
        marks += [
            element("line", x1=left, x2=right, y1=level, y2=level, class_="zero" if tick == 0 else "grid"),
            element("text", text, x=left, y=level + 4, dx=-6, text_anchor="end"),
        ]
    ticks = across.ticks(5)
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        at = percent(across(tick))
        marks += [
            element("line", x1=at, x2=at, y1=bottom, y2=bottom + 4, class_="tick"),
            element("text", text, x=at, y=bottom + 17, text_anchor="middle"),
        ]
    middle = percent((across.start + across.end) / 2)
    marks += [
        element("line", x1=left, x2=right, y1=bottom, y2=bottom, class_="base"),
        element("text", frame.across_title, x=middle, y=frame.height_px - 4, text_anchor="middle", class_="name"),
        element("text", frame.up_title, x="0", y=12, class_="name"),
    ]
    return marks
