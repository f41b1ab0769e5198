"""Strength against cost, a mark a bot, the front joined by a line. Names what fits without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from leaderboard.report.charts.frame import BOTTOM_PX, TOP_PX, Frame, plot
from leaderboard.report.charts.svg import Scale, element, padded, padded_log, percent, shorten

HEIGHT_PX = 320
SHAPES = {  # by colour class, so that colour is not the only difference; drawn around (0, 0)
    "p1": "M-5-5h10v10h-10z",
    "p2": "M0-6.5 6.5 5.5h-13z",
    "p3": "M0-7 7 0 0 7-7 0z",
    "p4": "M0 6.5 6.5-5.5h-13z",
}
_CIRCLE = "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z"
_LEFT, _RIGHT = 11.0, 97.0
_ASSUMED_WIDTH_PX = 420  # between a phone and a half page: what fits here fits nearly everywhere
_LETTER_PX = 6.6
_MARK_PX = 8.0
_NAME_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Spot:
    """One mark. `is_best`: nobody is better in one direction without being worse in the other."""

    name: str
    cost: float
    strength: float
    css: str
    hint: str
    is_best: bool


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


def scatter_chart(
    spots: Sequence[Spot], *, slug: str, title: str, description: str, across_title: str, up_title: str
) -> Markup:
    """Marks over a logarithmic cost axis. ValueError without a mark."""
    if not spots:
        raise ValueError("spots: expected at least one mark, got none")
    costs, strengths = [spot.cost for spot in spots], [spot.strength for spot in spots]
    across = padded_log(min(costs), max(costs), start=_LEFT, end=_RIGHT)
    up = padded(min(strengths), max(strengths), start=HEIGHT_PX - BOTTOM_PX, end=TOP_PX, share=0.1)
    frame = Frame(slug, title, description, across, up, across_title, up_title, HEIGHT_PX)
    marks = [_mark(spot, across, up) for spot in sorted(spots, key=lambda spot: spot.is_best)]
    return plot(frame, *_front(spots, across, up), *marks, *_names(spots, across, up))


def _mark(spot: Spot, across: Scale, up: Scale) -> Markup:
    css = f"mark {spot.css}" + ("" if spot.is_best else " beaten")
    shape = element("path", element("title", spot.hint), d=SHAPES.get(spot.css, _CIRCLE), class_=css)
    return element("svg", shape, x=percent(across(spot.cost)), y=up(spot.strength), overflow="visible")


def _front(spots: Sequence[Spot], across: Scale, up: Scale) -> list[Markup]:
    best = sorted((spot for spot in spots if spot.is_best), key=lambda spot: (spot.cost, spot.strength))
    return [
        element(
            "line",
            x1=percent(across(one.cost)),
            x2=percent(across(two.cost)),
            y1=up(one.strength),
            y2=up(two.strength),
            class_="front",
        )
        for one, two in pairwise(best)
    ]


def _names(spots: Sequence[Spot], across: Scale, up: Scale) -> list[Markup]:
    """Labels that overlap neither each other nor a mark; the best are served first."""
    taken = [_around(across(spot.cost), up(spot.strength)) for spot in spots]
    taken += [_Area(0, up(tick) - 8, _LEFT * _ASSUMED_WIDTH_PX / 100, up(tick) + 8) for tick in up.ticks(5)]
    labels = []
    for spot in sorted(spots, key=lambda spot: (not spot.is_best, -spot.strength, spot.name)):
        text = shorten(spot.name, _NAME_LENGTH)
        for anchor, shift_x, shift_y in (("start", 10, 4), ("end", -10, 4), ("middle", 0, -11), ("middle", 0, 20)):
            area = _label_area(text, anchor, across(spot.cost), shift_x, up(spot.strength) + shift_y)
            is_inside = area.left >= 0 and area.right <= _ASSUMED_WIDTH_PX and area.top >= TOP_PX - 8
            if is_inside and not any(area.meets(other) for other in taken):
                taken.append(area)
                at = percent(across(spot.cost))
                level = up(spot.strength) + shift_y
                labels.append(element("text", text, x=at, y=level, dx=shift_x, text_anchor=anchor, class_="label"))
                break
    return labels


def _around(at_percent: float, level: float) -> _Area:
    x = at_percent * _ASSUMED_WIDTH_PX / 100
    return _Area(x - _MARK_PX, level - _MARK_PX, x + _MARK_PX, level + _MARK_PX)


def _label_area(text: str, anchor: str, at_percent: float, shift_x: float, level: float) -> _Area:
    width = len(text) * _LETTER_PX
    x = at_percent * _ASSUMED_WIDTH_PX / 100 + shift_x
    left = x if anchor == "start" else x - width if anchor == "end" else x - width / 2
    return _Area(left, level - 11, left + width, level + 3)
