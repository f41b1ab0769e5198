"""Small charts of one line for table cells: intervals, boxes, shares. The axis below a column is a strip of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from gridjoust.leaderboard.report.charts.svg import (
    Scale,
    element,
    horizontal,
    join,
    label_left,
    label_width,
    percent,
    vertical,
)

HEIGHT_PX = 20
_MIDDLE = HEIGHT_PX / 2
_AXIS_PX = 18
_NARROW_PX, _GAP_PX = 144, 6  # of the narrowest strip; between numbers


@dataclass(frozen=True, slots=True)
class Box:
    """The spread of some values for a box plot: lowest, quartiles, median, mean, highest."""

    low: float
    first_quarter: float
    median: float
    third_quarter: float
    high: float
    mean: float


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a whole, for `share_strip`; `css` names its colour class."""

    name: str
    share: float  # 0 to 1
    css: str


def interval_strip(
    value: float, low: float | None, high: float | None, *, scale: Scale, title: str, css: str = ""
) -> Markup:
    """Draw a dot at the value, a line for its interval, and a mark at 0 if the scale contains it."""
    marks = []
    if scale.low < 0 < scale.high:
        marks.append(vertical(scale(0), 0, HEIGHT_PX, "zero"))
    if low is not None and high is not None:
        marks.append(horizontal(scale(low), scale(high), _MIDDLE, "span"))
    return strip(title, *marks, _dot(scale(value), 4.5, "dot"), css=css)


def box_strip(box: Box, *, scale: Scale, title: str, css: str = "") -> Markup:
    """Draw a box plot: a line between the extremes, a box between the quartiles, a bar (median), a dot (mean)."""
    left, right = scale(box.first_quarter), scale(box.third_quarter)
    return strip(
        title,
        horizontal(scale(box.low), scale(box.high), _MIDDLE, "reach"),
        _bar(left, max(0.8, right - left), 4, "box"),
        vertical(scale(box.median), 2, HEIGHT_PX - 2, "median"),
        _dot(scale(box.mean), 2.5, "mean"),
        css=css,
    )


def range_strip(low: float, high: float, *, scale: Scale, title: str, css: str = "") -> Markup:
    """Draw a dot at the lower value and a line from it to the upper one, such as a usual and a rare cost."""
    return strip(
        title,
        horizontal(scale(low), scale(high), _MIDDLE, "span"),
        vertical(scale(high), 5, HEIGHT_PX - 5, "end"),
        _dot(scale(low), 4.5, "dot"),
        css=css,
    )


def share_strip(parts: Sequence[Part], *, title: str) -> Markup:
    """Draw a bar divided into the given parts; each part shows its name as a tooltip."""
    marks, at = [], 0.0
    for part in parts:
        if part.share > 0:
            named = element("title", f"{part.name}: {100 * part.share:.1f} %")
            marks.append(_bar(100 * at, 100 * part.share, 3, part.css, named))
            at += part.share
    return strip(title, *marks, css="shares")


def axis_strip(scale: Scale) -> Markup:
    """Draw the numbers of the axis below a column of strips."""
    marks, free_px = [], 0.0
    for tick, text in scale.named_ticks(4):
        at, half = scale(tick), 50 * label_width(text) / _NARROW_PX
        anchor = "start" if at < half else "end" if at > 100 - half else "middle"
        marks.append(vertical(at, 0, 4, "tick"))
        left_px = label_left(text, anchor, at * _NARROW_PX / 100)
        if left_px >= free_px:  # else the number would stand in the one before
            marks.append(element("text", text, x=percent(at), y=15, text_anchor=anchor))
            free_px = left_px + label_width(text) + _GAP_PX
    return element("svg", *marks, class_="axis", width="100%", height=_AXIS_PX, aria_hidden="true")


def strip(title: str, *marks: str, css: str = "") -> Markup:
    """Draw the frame of a strip around `marks`, with a title that describes it."""
    inside = join(element("title", title), *marks)
    return element("svg", inside, class_=f"strip {css}".strip(), width="100%", height=HEIGHT_PX, role="img")


def _dot(at: float, radius: float, css: str) -> Markup:
    return element("circle", cx=percent(at), cy=_MIDDLE, r=radius, class_=css)


def _bar(left: float, width: float, inset_px: int, css: str, *inside: str) -> Markup:
    height_px = HEIGHT_PX - 2 * inset_px
    return element("rect", *inside, x=percent(left), y=inset_px, width=percent(width), height=height_px, class_=css)
