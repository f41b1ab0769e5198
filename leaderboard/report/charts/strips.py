"""Charts of one line, for a cell of a table: intervals, boxes, shares. The axis is a strip of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from leaderboard.report.charts.svg import Scale, element, join, number, percent

HEIGHT_PX = 20
_MIDDLE = HEIGHT_PX / 2
_AXIS_PX = 18


@dataclass(frozen=True, slots=True)
class Box:
    """How values are spread: ends, quarters, middle."""

    low: float
    first_quarter: float
    median: float
    third_quarter: float
    high: float
    mean: float
    count: int


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a whole. `css` names its colour."""

    name: str
    share: float  # 0 to 1
    css: str


def interval_strip(
    value: float, low: float | None, high: float | None, *, scale: Scale, title: str, css: str = ""
) -> Markup:
    """A dot with the line of its interval, and the zero of the scale."""
    marks = []
    if scale.low < 0 < scale.high:
        marks.append(_upright(scale(0), 0, HEIGHT_PX, "zero"))
    if low is not None and high is not None:
        marks.append(_level(scale(low), scale(high), "span"))
    marks.append(element("circle", cx=percent(scale(value)), cy=_MIDDLE, r=4.5, class_="dot"))
    return strip(title, *marks, css=css)


def box_strip(box: Box, *, scale: Scale, title: str, css: str = "") -> Markup:
    """Line from end to end, box between the quarters, bar at the median, dot at the mean."""
    left, right = scale(box.first_quarter), scale(box.third_quarter)
    return strip(
        title,
        _level(scale(box.low), scale(box.high), "reach"),
        element(
            "rect", x=percent(left), y=4, width=percent(max(0.8, right - left)), height=HEIGHT_PX - 8, class_="box"
        ),
        _upright(scale(box.median), 2, HEIGHT_PX - 2, "median"),
        element("circle", cx=percent(scale(box.mean)), cy=_MIDDLE, r=2.5, class_="mean"),
        css=css,
    )


def range_strip(low: float, high: float, *, scale: Scale, title: str, css: str = "") -> Markup:
    """A dot at the lower value and a line to the upper one: the usual and the rare."""
    return strip(
        title,
        _level(scale(low), scale(high), "span"),
        _upright(scale(high), 5, HEIGHT_PX - 5, "end"),
        element("circle", cx=percent(scale(low)), cy=_MIDDLE, r=4.5, class_="dot"),
        css=css,
    )


def share_strip(parts: Sequence[Part], *, title: str) -> Markup:
    """Pieces side by side that fill the strip; each names itself."""
    marks, at = [], 0.0
    for part in parts:
        if part.share <= 0:
            continue
        named = element("title", f"{part.name}: {100 * part.share:.1f} %")
        marks.append(
            element(
                "rect",
                named,
                x=percent(100 * at),
                y=3,
                width=percent(100 * part.share),
                height=HEIGHT_PX - 6,
                class_=part.css,
            )
        )
        at += part.share
    return strip(title, *marks, css="shares")


def axis_strip(scale: Scale, *, count: int = 4) -> Markup:
    """The numbers below a column of strips."""
    marks = []
    ticks = scale.ticks(count)
    for tick, text in zip(ticks, tick_texts(ticks), strict=True):
        at = scale(tick)
        anchor = "start" if at < 6 else "end" if at > 94 else "middle"
        marks += [
            _upright(at, 0, 4, "tick"),
            element("text", text, x=percent(at), y=15, text_anchor=anchor),
        ]
    return element("svg", *marks, class_="axis", width="100%", height=_AXIS_PX, aria_hidden="true")


def strip(title: str, *marks: str, css: str = "") -> Markup:
    """The frame of a strip: what it shows is said in its title."""
    inside = join(element("title", title), *marks)
    return element("svg", inside, class_=f"strip {css}".strip(), width="100%", height=HEIGHT_PX, role="img")


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """The numbers on an axis, with as many decimals as tell neighbours apart.

    >>> tick_texts([-2000, 0, 2000]), tick_texts([1.9425, 1.945]), tick_texts([0.01, 0.1, 1]), tick_texts([2e6])
    (['−2,000', '0', '2,000'], ['1.9425', '1.9450'], ['0.01', '0.1', '1'], ['2M'])
    """
    gaps = [two - one for one, two in pairwise(ticks)]
    is_even = (len(gaps) > 1 and max(gaps) < 1.01 * min(gaps)) or (len(gaps) == 1 and ticks[0] * 2 > ticks[1])
    places = max(map(_decimals, ticks), default=0)
    return [_tick_text(tick, places if is_even else _decimals(tick)) for tick in ticks]


def _decimals(value: float) -> int:
    """Places behind the point that are not 0."""
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])


def _tick_text(value: float, places: int) -> str:
    size = abs(value)
    if size >= 1e6:
        text = f"{size / 1e6:g}M"
    elif size >= 1e4:
        text = f"{size / 1e3:g}k"
    else:
        text = f"{size:,.{places}f}"
    return f"−{text}" if value < 0 else text


def _level(left: float, right: float, css: str) -> Markup:
    return element("line", x1=percent(left), x2=percent(right), y1=_MIDDLE, y2=_MIDDLE, class_=css)


def _upright(at: float, top: float, bottom: float, css: str) -> Markup:
    return element("line", x1=percent(at), x2=percent(at), y1=number(top), y2=number(bottom), class_=css)
