"""Charts with two axes: values over matches played, a line per bot; strength against cost, a mark per bot.

The first lines are named at their ends; the others stay faint. A mark is named if there is room for its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from gridjoust.leaderboard.report.charts.svg import (
    LABEL_LENGTH,
    Scale,
    element,
    horizontal,
    join,
    label_left,
    label_width,
    number,
    padded,
    padded_log,
    percent,
    segment,
    shorten,
    vertical,
)

LABELLED = 8  # lines
SHAPES = {  # drawn around (0, 0)
    "circle": "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z",
    "square": "M-5-5h10v10h-10z",
    "triangle": "M0-6.5 6.5 5.5h-13z",
    "diamond": "M0-7 7 0 0 7-7 0z",
    "wedge": "M0 6.5 6.5-5.5h-13z",
}
_TOP_PX = 22
_BOTTOM_PX = 38  # below the plot: tick labels and the axis' title
_LINES_PX, _SPOTS_PX = 300, 320  # heights
_LINES_RIGHT, _SPOTS_RIGHT = 75.0, 97.0  # per cent of the width
_LABEL_GAP_PX = 14.0
_WIDE_LENGTH, _NAME_LENGTH = 24, 20  # characters
_ASSUMED_WIDTH_PX = 420  # between a phone and a half page: what stands apart here does so nearly everywhere
_NARROW_PX = 330  # a phone: what is inside here is inside everywhere
_MARK_PX = 8.0
_AXIS_GAP_PX = 12.0


@dataclass(frozen=True, slots=True)
class Frame:
    """The texts around a chart, and its description for readers who cannot see it; its ids begin with `slug`."""

    slug: str
    title: str
    description: str
    across_title: str
    up_title: str


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart: points from left to right; `css` names its colour class."""

    name: str
    points: tuple[tuple[float, float], ...]
    css: str


@dataclass(frozen=True, slots=True)
class Spot:
    """One mark of a chart, of one of the `SHAPES`. `is_best`: no other mark beats it in both strength and cost."""

    name: str
    cost: float
    strength: float
    css: str
    hint: str
    is_best: bool
    shape: str = "circle"


def shape_key(shape: str) -> Markup:
    """Draw one of the shapes, for a legend."""
    drawn = element("path", d=SHAPES[shape], class_="mark")
    return element("svg", drawn, class_="key", width="14", height="14", viewBox="-8 -8 16 16", aria_hidden="true")


def line_chart(series: Sequence[Series], frame: Frame) -> Markup:
    """Draw lines of at least one point each; the first `LABELLED` have names. ValueError without a point."""
    points = [point for one in series for point in one.points]
    if not points:
        raise ValueError("series: expected at least one point, got none")
    floor_px = _LINES_PX - _BOTTOM_PX
    up = padded(min(y for _, y in points), max(y for _, y in points), start=floor_px, end=_TOP_PX)
    across = Scale(min(x for x, _ in points), max(x for x, _ in points), _left_of(up), _LINES_RIGHT)
    lines = [_line(one, across, up, is_named=at < LABELLED) for at, one in reversed(list(enumerate(series)))]
    drawing = element(
        "svg",
        *lines,
        x=percent(across.start),
        y=_TOP_PX,
        width=percent(across.end - across.start),
        height=floor_px - _TOP_PX,
        viewBox=f"0 0 1000 {floor_px - _TOP_PX}",
        preserveAspectRatio="none",
        overflow="visible",
    )
    return _plot(frame, across, up, _LINES_PX, drawing, *_labels(series[:LABELLED], up, floor_px))


def _line(one: Series, across: Scale, up: Scale, *, is_named: bool) -> Markup:
    width = across.end - across.start
    points = [(1000 * (across(x) - across.start) / width, up(y) - _TOP_PX) for x, y in one.points]
    if len(points) == 1:
        points.append((points[0][0] + 1, points[0][1]))
    path = " ".join(f"{x:.0f},{number(y)}" for x, y in points)
    css = f"line {one.css}" if is_named else "line faint"
    return element("polyline", element("title", one.name), points=path, class_=css, vector_effect="non-scaling-stroke")


def _labels(series: Sequence[Series], up: Scale, floor_px: float) -> list[Markup]:
    """Return the names at the lines' ends, moved apart; the style sheet shows the shorter ones on narrow screens.

    `up`: maps values to heights; `floor_px`: lowest place of a name.
    """
    ends = [up(one.points[-1][1]) for one in series]
    levels = spread(ends, gap=_LABEL_GAP_PX, low=_TOP_PX - 4, high=floor_px)
    return [
        join(
            segment(_LINES_RIGHT + 0.5, _LINES_RIGHT + 3, end, level, "guide"),
            *(
                element(
                    "text",
                    element("title", one.name),
                    shorten(one.name, length),
                    x=percent(_LINES_RIGHT + 3.6),
                    y=level + 4,
                    class_=css,
                )
                for length, css in ((LABEL_LENGTH, "label narrow"), (_WIDE_LENGTH, "label wide"))
            ),
        )
        for one, end, level in zip(series, ends, levels, strict=True)
    ]


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return positions at least `gap` apart, near the wanted ones and within bounds, in the given order.

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


def scatter_chart(spots: Sequence[Spot], frame: Frame) -> Markup:
    """Draw marks over a logarithmic cost axis; a line joins those that no other beats. ValueError without a mark."""
    if not spots:
        raise ValueError("spots: expected at least one mark, got none")
    costs, strengths = [spot.cost for spot in spots], [spot.strength for spot in spots]
    up = padded(min(strengths), max(strengths), start=_SPOTS_PX - _BOTTOM_PX, end=_TOP_PX, share=0.1)
    across = padded_log(min(costs), max(costs), start=_left_of(up), end=_SPOTS_RIGHT)
    best = sorted((spot for spot in spots if spot.is_best), key=lambda spot: (spot.cost, spot.strength))
    front = [
        segment(across(one.cost), across(two.cost), up(one.strength), up(two.strength), "front")
        for one, two in pairwise(best)
    ]
    marks = [_mark(spot, across, up) for spot in sorted(spots, key=lambda spot: spot.is_best)]
    return _plot(frame, across, up, _SPOTS_PX, *front, *marks, *_names(spots, across, up))


def _mark(spot: Spot, across: Scale, up: Scale) -> Markup:
    css = f"mark {spot.css}" + ("" if spot.is_best else " beaten")
    shape = element("path", element("title", spot.hint), d=SHAPES[spot.shape], class_=css)
    return element("svg", shape, x=percent(across(spot.cost)), y=up(spot.strength), overflow="visible")


@dataclass(frozen=True, slots=True)
class _Area:
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Area) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def _names(spots: Sequence[Spot], across: Scale, up: Scale) -> list[Markup]:
    """Return name labels that overlap neither each other nor a mark; the best bots are named first."""
    taken = []
    for spot in spots:
        x, y = across(spot.cost) * _ASSUMED_WIDTH_PX / 100, up(spot.strength)
        taken.append(_Area(x - _MARK_PX, y - _MARK_PX, x + _MARK_PX, y + _MARK_PX))
    labels = []
    for spot in sorted(spots, key=lambda spot: (not spot.is_best, -spot.strength, spot.name)):
        text, at = shorten(spot.name, _NAME_LENGTH), across(spot.cost)
        for anchor, shift_x, shift_y in (("start", 10, 4), ("end", -10, 4), ("middle", 0, -11), ("middle", 0, 20)):
            level = up(spot.strength) + shift_y
            area = _label_area(text, anchor, at * _ASSUMED_WIDTH_PX / 100 + shift_x, level)
            tightest = _label_area(text, anchor, at * _NARROW_PX / 100 + shift_x, level)
            if _is_inside(tightest, across, up) and not any(area.meets(other) for other in taken):
                taken.append(area)
                label = element("text", text, x=percent(at), y=level, dx=shift_x, text_anchor=anchor, class_="label")
                labels.append(label)
                break
    return labels


def _is_inside(area: _Area, across: Scale, up: Scale) -> bool:
    """Return True if a label lies between the axes of a narrow chart."""
    left, right = across.start * _NARROW_PX / 100, across.end * _NARROW_PX / 100
    return left <= area.left and area.right <= right and area.top >= _TOP_PX - 8 and area.bottom <= up.start


def _label_area(text: str, anchor: str, x: float, level: float) -> _Area:
    left = label_left(text, anchor, x)
    return _Area(left, level - 11, left + label_width(text), level + 3)


def _left_of(up: Scale) -> float:
    """Return the per cent of the chart's width that the numbers beside the upright axis take."""
    widest = max((label_width(text) for _, text in up.named_ticks()), default=0.0)
    return 100 * (widest + _AXIS_GAP_PX) / _NARROW_PX


def _plot(frame: Frame, across: Scale, up: Scale, height_px: int, *marks: str) -> Markup:
    """Draw the marks between numbered axes; `across` maps to per cent of the width, `up` to px from the top."""
    inside = join(
        element("title", frame.title, id=f"{frame.slug}-t"),
        element("desc", frame.description, id=f"{frame.slug}-d"),
        *_grid(frame, across, up, height_px),
        *marks,
    )
    names = f"{frame.slug}-t {frame.slug}-d"
    return element("svg", inside, class_="plot", width="100%", height=height_px, role="img", aria_labelledby=names)


def _grid(frame: Frame, across: Scale, up: Scale, height_px: int) -> list[Markup]:
    left, right, bottom = across.start, across.end, up.start
    marks = []
    for tick, text in up.named_ticks():
        marks += [
            horizontal(left, right, up(tick), "zero" if tick == 0 else "grid"),
            element("text", text, x=percent(left), y=up(tick) + 4, dx=-6, text_anchor="end"),
        ]
    for tick, text in across.named_ticks():
        marks += [
            vertical(across(tick), bottom, bottom + 4, "tick"),
            element("text", text, x=percent(across(tick)), y=bottom + 17, text_anchor="middle"),
        ]
    middle = percent((left + right) / 2)
    return [
        *marks,
        horizontal(left, right, bottom, "base"),
        element("text", frame.across_title, x=middle, y=height_px - 4, text_anchor="middle", class_="name"),
        element("text", frame.up_title, x="0", y=12, class_="name"),
    ]
