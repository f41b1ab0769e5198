"""Charts as text: what is drawn where, for values in sight."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from leaderboard.report.charts.lines import LABELLED, Series, line_chart, spread
from leaderboard.report.charts.scatter import Spot, scatter_chart
from leaderboard.report.charts.strips import Box, Part, axis_strip, box_strip, interval_strip, range_strip, share_strip
from leaderboard.report.charts.svg import Scale, element, padded, padded_log

TENTH = Scale(0, 10)


def parsed(drawing: Markup) -> ET.Element:
    return ET.fromstring(str(drawing))


def classed(drawing: Markup, css: str) -> list[ET.Element]:
    return [one for one in parsed(drawing).iter() if css in (one.get("class") or "").split()]


def spot(name: str, cost: float, strength: float, *, is_best: bool = False) -> Spot:
    return Spot(name, cost, strength, "p0", name, is_best)


def plot_lines(series: list[Series]) -> Markup:
    return line_chart(series, slug="s", title="t", description="d", across_title="x", up_title="y")


def plot_spots(spots: list[Spot]) -> Markup:
    return scatter_chart(spots, slug="s", title="t", description="d", across_title="x", up_title="y")


def test_text_and_attributes_are_escaped() -> None:
    drawn = element("text", "<b>", class_='"x"')
    assert str(drawn) == '<text class="&#34;x&#34;">&lt;b&gt;</text>'


def test_finished_pieces_are_not_escaped_again() -> None:
    assert str(element("g", element("path", d="M0"))) == '<g><path d="M0"/></g>'


def test_a_scale_maps_its_ends_and_middle_also_upwards_and_cuts_what_is_outside() -> None:
    assert [Scale(0, 10, 100, 200)(value) for value in (-5, 0, 5, 10, 50)] == [100, 100, 150, 200, 200]
    assert Scale(0, 10, 200, 100)(2) == 180


def test_a_logarithmic_scale_gives_every_power_of_ten_the_same_room() -> None:
    scale = Scale(1, 1000, is_log=True)
    assert [round(scale(value)) for value in (1, 10, 100, 1000)] == [0, 33, 67, 100]


def test_ticks_are_round_or_powers_of_ten_and_inside() -> None:
    assert Scale(-130, 260).ticks(4) == [-100, 0, 100, 200]
    assert Scale(0.03, 200, is_log=True).ticks(5) == [0.1, 1, 10, 100]


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_a_padded_scale_has_room_on_both_sides(low: float, width: float) -> None:
    scale = padded(low, low + width)
    assert scale.low < low <= low + width < scale.high


@given(st.floats(1e-3, 1e5), st.floats(1, 1e4))
def test_a_logarithmic_axis_always_has_a_tick(low: float, ratio: float) -> None:
    assert padded_log(low, low * ratio).ticks(5)


def test_an_interval_is_a_dot_on_a_line() -> None:
    drawn = interval_strip(5, 2, 9, scale=TENTH, title="five")
    [line], [dot] = classed(drawn, "span"), classed(drawn, "dot")
    assert (line.get("x1"), dot.get("cx"), line.get("x2")) == ("20%", "50%", "90%")


def test_without_an_interval_there_is_no_line() -> None:
    assert not classed(interval_strip(5, None, None, scale=TENTH, title="five"), "span")


def test_zero_is_marked_only_where_the_scale_crosses_it() -> None:
    assert classed(interval_strip(0, None, None, scale=Scale(-1, 1), title=""), "zero")
    assert not classed(interval_strip(5, None, None, scale=TENTH, title=""), "zero")


def test_a_box_spans_the_middle_half() -> None:
    drawn = box_strip(Box(0, 2, 5, 7, 10, mean=4, count=9), scale=TENTH, title="")
    [box], [median] = classed(drawn, "box"), classed(drawn, "median")
    assert (box.get("x"), box.get("width"), median.get("x1")) == ("20%", "50%", "50%")


def test_a_range_ends_at_the_upper_value() -> None:
    [end] = classed(range_strip(1, 8, scale=TENTH, title=""), "end")
    assert end.get("x1") == "80%"


def test_shares_stand_side_by_side_and_nothing_is_drawn_for_none() -> None:
    drawn = share_strip([Part("won", 0.25, "a"), Part("drawn", 0.0, "b"), Part("lost", 0.75, "c")], title="")
    places = [(one.get("x"), one.get("width")) for one in parsed(drawn).iter("rect")]
    assert places == [("0%", "25%"), ("25%", "75%")]


def test_a_strip_says_what_it_shows() -> None:
    title = parsed(interval_strip(5, 2, 9, scale=TENTH, title="gambit: 5")).find("title")
    assert title is not None
    assert title.text == "gambit: 5"


def test_an_axis_names_its_ticks() -> None:
    assert [one.text for one in parsed(axis_strip(Scale(-1200, 1200), count=4)).iter("text")] == [
        "−1,000",
        "0",
        "1,000",
    ]


def test_the_first_lines_are_named_and_the_others_faint() -> None:
    drawn = plot_lines([Series(f"bot {at}", ((0, at), (1, at)), "p0") for at in range(LABELLED + 3)])
    assert len(classed(drawn, "wide")) == LABELLED
    assert len(classed(drawn, "faint")) == 3


def test_a_line_of_one_point_can_be_seen() -> None:
    [line] = classed(plot_lines([Series("new", ((5, 1),), "p0")]), "line")
    assert len((line.get("points") or "").split()) == 2


def test_higher_values_are_drawn_higher() -> None:
    drawn = plot_lines([Series("climber", ((0, 0), (1, 10)), "p0")])
    [line] = classed(drawn, "line")
    first, last = ((line.get("points") or "").split()[at].split(",") for at in (0, -1))
    assert float(last[1]) < float(first[1])


def test_a_chart_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        plot_lines([Series("nobody", (), "p0")])


def test_a_plot_is_titled_and_described_for_screen_readers() -> None:
    root = parsed(plot_lines([Series("a", ((0, 0), (1, 1)), "p0")]))
    named = [one.text for one in root.iter() if one.get("id") in (root.get("aria-labelledby") or "").split()]
    assert named == ["t", "d"]


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=30))
def test_spread_labels_keep_their_distance_and_stay_inside(wanted: list[float]) -> None:
    placed = sorted(spread(wanted, gap=20, low=0, high=1000))
    assert all(two - one >= 20 - 1e-6 for one, two in pairwise(placed))
    assert placed[0] >= 0
    assert placed[-1] <= 1000


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=20, unique=True))
def test_spread_labels_keep_their_order(wanted: list[float]) -> None:
    placed = spread(wanted, gap=20, low=0, high=1000)
    assert sorted(range(len(wanted)), key=lambda at: wanted[at]) == sorted(
        range(len(wanted)), key=lambda at: placed[at]
    )


def test_marks_off_the_front_are_hollow() -> None:
    drawn = plot_spots([spot("best", 1, 10, is_best=True), spot("worse", 2, 5)])
    assert [one.find("title") is not None for one in classed(drawn, "beaten")] == [True]


def test_the_front_joins_its_marks() -> None:
    drawn = plot_spots([spot("cheap", 1, 5, is_best=True), spot("strong", 100, 9, is_best=True), spot("bad", 50, 1)])
    assert len(classed(drawn, "front")) == 1


def test_names_that_would_overlap_are_left_to_the_table() -> None:
    drawn = plot_spots([spot(f"the same place {at}", 1, 1) for at in range(20)])
    assert len(classed(drawn, "mark")) == 20
    assert 0 < len(classed(drawn, "label")) < 20


def test_long_names_are_cut_where_they_label_a_mark() -> None:
    drawn = plot_spots([spot("a" * 80, 1, 1)])
    assert max(len(one.text or "") for one in classed(drawn, "label")) <= 20


def test_no_chart_has_a_coordinate_that_is_no_number() -> None:
    drawn = plot_spots([spot("one", 1, 1, is_best=True)]) + plot_lines([Series("a", ((3, 2),), "p0")])
    assert not re.search(r"nan|inf", str(drawn))
