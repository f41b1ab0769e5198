"""Charts as text: what is drawn where, for values in sight."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from gridjoust.leaderboard.report.charts.plots import LABELLED, Frame, Series, Spot, line_chart, scatter_chart, spread
from gridjoust.leaderboard.report.charts.strips import (
    Box,
    Part,
    axis_strip,
    box_strip,
    interval_strip,
    range_strip,
    share_strip,
)
from gridjoust.leaderboard.report.charts.svg import Scale, element, label_left, label_width, padded, padded_log

TENTH = Scale(0, 10)
FRAME = Frame(slug="s", title="t", description="d", across_title="x", up_title="y")


def parsed(drawing: Markup) -> ET.Element:
    return ET.fromstring(str(drawing))


def classed(drawing: Markup, css: str) -> list[ET.Element]:
    return [one for one in parsed(drawing).iter() if css in (one.get("class") or "").split()]


def places(drawing: Markup, css: str, *names: str) -> list[tuple[str | None, ...]]:
    """Attributes of every mark of a class."""
    return [tuple(one.get(name) for name in names) for one in classed(drawing, css)]


def spot(name: str, cost: float, strength: float, *, is_best: bool = False) -> Spot:
    return Spot(name, cost, strength, "p0", name, is_best)


def line_points(*points: tuple[float, float]) -> list[tuple[float, float]]:
    [line] = classed(line_chart([Series("a", points, "p0")], FRAME), "line")
    return [(float(x), float(y)) for x, y in (one.split(",") for one in (line.get("points") or "").split())]


def test_text_and_attributes_are_escaped_and_finished_pieces_not_again() -> None:
    assert str(element("text", "<b>", class_='"x"')) == '<text class="&#34;x&#34;">&lt;b&gt;</text>'
    assert str(element("g", element("path", d="M0"))) == '<g><path d="M0"/></g>'


def test_a_scale_maps_its_ends_and_middle_also_upwards_cuts_what_is_outside_and_has_round_ticks() -> None:
    assert [Scale(0, 10, 100, 200)(value) for value in (-5, 0, 5, 10, 50)] == [100, 100, 150, 200, 200]
    assert Scale(0, 10, 200, 100)(2) == 180
    # a logarithmic one gives every power of ten the same room
    assert [round(Scale(1, 1000, is_log=True)(value)) for value in (1, 10, 100, 1000)] == [0, 33, 67, 100]
    # ticks are round or powers of ten and inside
    assert Scale(-130, 260).ticks(4) == [-100, 0, 100, 200]
    assert Scale(0.03, 200, is_log=True).ticks(5) == [0.1, 1, 10, 100]


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_a_padded_scale_has_room_on_both_sides(low: float, width: float) -> None:
    scale = padded(low, low + width)
    assert scale.low < low <= low + width < scale.high


@given(st.floats(1e-3, 1e5), st.floats(1, 1e4))
def test_a_logarithmic_axis_always_has_a_tick(low: float, ratio: float) -> None:
    assert padded_log(low, low * ratio).ticks(5)


INTERVAL = interval_strip(5, 2, 9, scale=TENTH, title="five")
UNSURE = interval_strip(5, None, None, scale=TENTH, title="five")
BOX = box_strip(Box(0, 2, 5, 7, 10, mean=4), scale=TENTH, title="")
STRIPS = {
    "an interval is a line": (INTERVAL, "span", ("x1", "x2"), [("20%", "90%")]),
    "with a dot on it": (INTERVAL, "dot", ("cx",), [("50%",)]),
    "without an interval there is no line": (UNSURE, "span", (), []),
    "zero is marked where the scale crosses it": (
        interval_strip(0, None, None, scale=Scale(-1, 1), title=""),
        "zero",
        ("x1", "x2"),
        [("50%", "50%")],
    ),
    "and only there": (UNSURE, "zero", (), []),
    "a box spans the middle half": (BOX, "box", ("x", "width"), [("20%", "50%")]),
    "with a bar at the median": (BOX, "median", ("x1",), [("50%",)]),
    "a range ends at the upper value": (range_strip(1, 8, scale=TENTH, title=""), "end", ("x1",), [("80%",)]),
}


@pytest.mark.parametrize(("drawn", "css", "names", "expected"), STRIPS.values(), ids=STRIPS)
def test_strips(drawn: Markup, css: str, names: tuple[str, ...], expected: list[tuple[str, ...]]) -> None:
    assert places(drawn, css, *names) == expected


def test_shares_stand_side_by_side_and_nothing_is_drawn_for_none() -> None:
    drawn = share_strip([Part("won", 0.25, "a"), Part("drawn", 0.0, "b"), Part("lost", 0.75, "c")], title="")
    assert [(one.get("x"), one.get("width")) for one in parsed(drawn).iter("rect")] == [("0%", "25%"), ("25%", "75%")]


def test_a_strip_says_what_it_shows_and_an_axis_names_its_ticks() -> None:
    assert [one.text for one in parsed(INTERVAL).iter("title")] == ["five"]
    assert [one.text for one in parsed(axis_strip(Scale(-1200, 1200))).iter("text")] == ["−1,000", "0", "1,000"]


def test_the_first_lines_are_named_and_the_others_faint() -> None:
    drawn = line_chart([Series(f"bot {at}", ((0, at), (1, at)), "p0") for at in range(LABELLED + 3)], FRAME)
    assert (len(classed(drawn, "wide")), len(classed(drawn, "faint"))) == (LABELLED, 3)


def test_a_line_of_one_point_can_be_seen_and_higher_values_are_drawn_higher() -> None:
    assert len(line_points((5, 1))) == 2
    low, high = line_points((0, 0), (1, 10))
    assert high[1] < low[1]


def test_a_chart_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="series: expected at least one point, got none"):
        line_chart([Series("nobody", (), "p0")], FRAME)
    with pytest.raises(ValueError, match="spots: expected at least one mark, got none"):
        scatter_chart([], FRAME)


def test_a_plot_is_titled_and_described_for_screen_readers() -> None:
    root = parsed(line_chart([Series("a", ((0, 0), (1, 1)), "p0")], FRAME))
    named = [one.text for one in root.iter() if one.get("id") in (root.get("aria-labelledby") or "").split()]
    assert named == ["t", "d"]


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=30))
def test_spread_labels_keep_their_distance_and_stay_inside(wanted: list[float]) -> None:
    placed = sorted(spread(wanted, gap=20, low=0, high=1000))
    assert all(two - one >= 20 - 1e-6 for one, two in pairwise(placed))
    assert 0 <= placed[0] <= placed[-1] <= 1000


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=20, unique=True))
def test_spread_labels_keep_their_order(wanted: list[float]) -> None:
    placed = spread(wanted, gap=20, low=0, high=1000)
    assert sorted(range(len(wanted)), key=wanted.__getitem__) == sorted(range(len(wanted)), key=placed.__getitem__)


def test_the_front_joins_its_marks_and_those_off_it_are_hollow() -> None:
    spots = [spot("cheap", 1, 5, is_best=True), spot("strong", 100, 9, is_best=True), spot("bad", 50, 1)]
    drawn = scatter_chart(spots, FRAME)
    assert len(classed(drawn, "front")) == 1
    assert [one.findtext("title") for one in classed(drawn, "beaten")] == ["bad"]


def test_names_that_would_overlap_are_left_to_the_table_and_long_ones_are_cut() -> None:
    drawn = scatter_chart([spot(f"the same place {at}", 1, 1) for at in range(20)], FRAME)
    assert len(classed(drawn, "mark")) == 20
    assert 0 < len(classed(drawn, "label")) < 20
    assert [one.text for one in classed(scatter_chart([spot("a" * 80, 1, 1)], FRAME), "label")] == ["a" * 19 + "…"]


def test_no_chart_has_a_coordinate_that_is_no_number() -> None:
    drawn = scatter_chart([spot("one", 1, 1, is_best=True)], FRAME) + line_chart([Series("a", ((3, 2),), "p0")], FRAME)
    assert not re.search(r"nan|inf", drawn)


def test_names_stand_between_the_axes_of_a_narrow_chart_and_numbers_beside_them() -> None:
    drawn = scatter_chart([spot("far right", 1000, -123456), spot("far left", 1, 5e6)], FRAME)
    width = 330  # px, of a phone
    base = next(one for one in classed(drawn, "base"))
    left, right = (float(str(base.get(end)).rstrip("%")) * width / 100 for end in ("x1", "x2"))
    names = classed(drawn, "label")
    assert sorted(str(one.text) for one in names) == ["far left", "far right"]
    for one in names:
        at = float(str(one.get("x")).rstrip("%")) * width / 100 + float(str(one.get("dx")))
        start = label_left(str(one.text), str(one.get("text-anchor")), at)
        assert left <= start <= start + label_width(str(one.text)) <= right
    numbers = [str(one.text) for one in parsed(drawn).iter("text") if one.get("text-anchor") == "end"]
    beside = [text for text in numbers if "far" not in text]
    assert beside
    assert all(left - 6 - label_width(text) >= 0 for text in beside)


def test_numbers_of_a_narrow_axis_do_not_run_into_each_other() -> None:
    crowded, roomy = axis_strip(Scale(-1040, 220)), axis_strip(Scale(0, 40))
    assert len(classed(crowded, "tick")) == 3
    assert [one.text for one in parsed(crowded).iter("text")] == ["−1,000", "0"]
    assert len(list(parsed(roomy).iter("text"))) == len(classed(roomy, "tick"))
