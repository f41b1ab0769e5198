"""Values over matches played, a line a bot. Labels stand at the ends of the first lines; the others stay faint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from leaderboard.report.charts.frame import BOTTOM_PX, TOP_PX, Frame, plot
from leaderboard.report.charts.svg import LABEL_LENGTH, Scale, element, join, number, padded, percent, shorten

HEIGHT_PX = 300
LABELLED = 8
_LABEL_GAP_PX = 14.0
_WIDE_LENGTH = 24
_LEFT, _RIGHT = 11.0, 75.0  # per cent of the width


@dataclass(frozen=True, slots=True)
class Series:
    """One line: points from left to right; `css` names its colour."""

    name: str
    points: tuple[tuple[float, float], ...]
    css: str


def line_chart(
    series: Sequence[Series], *, slug: str, title: str, description: str, across_title: str, up_title: str
) -> Markup:
    """Lines of at least one point each; the first `LABELLED` are named. ValueError without a point."""
    points = [point for one in series for point in one.points]
    if not points:
        raise ValueError("series: expected at least one point, got none")
    floor_px = HEIGHT_PX - BOTTOM_PX
    across = Scale(min(x for x, _ in points), max(x for x, _ in points), _LEFT, _RIGHT)
    up = padded(min(y for _, y in points), max(y for _, y in points), start=floor_px, end=TOP_PX)
    lines = [_line(one, across, up, is_named=at < LABELLED) for at, one in reversed(list(enumerate(series)))]
    drawing = element(
        "svg",
        *lines,
        x=percent(_LEFT),
        y=TOP_PX,
        width=percent(_RIGHT - _LEFT),
        height=floor_px - TOP_PX,
        viewBox=f"0 0 1000 {floor_px - TOP_PX}",
        preserveAspectRatio="none",
        overflow="visible",
    )
    frame = Frame(slug, title, description, across, up, across_title, up_title, HEIGHT_PX)
    return plot(frame, drawing, *_labels(series[:LABELLED], up, floor_px))


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Positions at least `gap` apart, near the wanted ones and within bounds, in the same order as given.

    >>> spread([10, 11, 50], gap=10, low=0, high=100)
    [10.0, 20.0, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    placed: dict[int, float] = {}
    floor = low
    for at in order:
        placed[at] = max(float(wanted[at]), floor)
        floor = placed[at] + gap
    ceiling = high
    for at in reversed(order):
        placed[at] = min(placed[at], ceiling)
        ceiling = placed[at] - gap
    return [placed[at] for at in range(len(wanted))]


def _line(one: Series, across: Scale, up: Scale, *, is_named: bool) -> Markup:
    points = [(1000 * (across(x) - _LEFT) / (_RIGHT - _LEFT), up(y) - TOP_PX) for x, y in one.points]
    if len(points) == 1:
        points.append((points[0][0] + 1, points[0][1]))
    path = " ".join(f"{x:.0f},{number(y)}" for x, y in points)
    css = f"line {one.css}" if is_named else "line faint"
    return element("polyline", element("title", one.name), points=path, class_=css, vector_effect="non-scaling-stroke")


def _labels(series: Sequence[Series], up: Scale, floor_px: float) -> list[Markup]:
    ends = [up(one.points[-1][1]) for one in series]
    levels = spread(ends, gap=_LABEL_GAP_PX, low=TOP_PX - 4, high=floor_px)
    return [
        join(
            element("line", x1=percent(_RIGHT + 0.5), x2=percent(_RIGHT + 3), y1=end, y2=level, class_="guide"),
            _label(one.name, LABEL_LENGTH, level, "label narrow"),
            _label(one.name, _WIDE_LENGTH, level, "label wide"),
        )
        for one, end, level in zip(series, ends, levels, strict=True)
    ]


def _label(name: str, length: int, level: float, css: str) -> Markup:
    """The style sheet shows the shorter one on narrow screens."""
    text = shorten(name, length)
    return element("text", element("title", name), text, x=percent(_RIGHT + 3.6), y=level + 4, class_=css)
