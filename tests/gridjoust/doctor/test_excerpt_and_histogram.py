"""Messages cut short, and times as bars."""

from __future__ import annotations

import json

from gridjoust.doctor.excerpt import excerpt, excerpt_text, one_line
from gridjoust.doctor.histogram import histogram, quantiles


def test_short_messages_stay_whole() -> None:
    value = {"seat": 0, "legal": ["up", "down"], "view": {"hp": 3.5, "gone": None}}
    assert excerpt(value) == value


def test_the_rest_of_a_long_list_is_counted() -> None:
    assert excerpt({"cells": list(range(40))}) == {"cells": [0, 1, 2, 3, 4, 5, "... 34 more"]}


def test_the_rest_of_a_long_text_is_counted() -> None:
    assert excerpt("x" * 150) == "x" * 120 + "... 30 more letters"


def test_the_rest_of_an_object_is_counted() -> None:
    shown = excerpt({str(number): number for number in range(30)})
    assert len(shown) == 25
    assert shown["..."] == "6 more keys"


def test_deep_values_are_named_by_their_size() -> None:
    assert excerpt([[[[[[1, 2, 3]]]]]]) == [[[[["... 3 items"]]]]]


def test_an_excerpt_is_one_line_of_json() -> None:
    text = excerpt_text({"name": "Zürich", "rows": list(range(9))})
    assert json.loads(text) == {"name": "Zürich", "rows": [0, 1, 2, 3, 4, 5, "... 3 more"]}
    assert "\n" not in text


def test_a_bots_words_cannot_drive_the_terminal() -> None:
    assert one_line("no\n  way\x1b[2J") == "no way\\x1b[2J"
    assert one_line("x" * 500) == "x" * 300 + "..."


def test_quantiles_are_times_that_were_measured() -> None:
    found = quantiles([float(number) for number in range(1, 101)])
    assert found is not None
    assert (found.p50_ms, found.p95_ms, found.max_ms) == (50.0, 95.0, 100.0)


def test_without_times_there_are_no_quantiles_and_no_bars() -> None:
    assert quantiles([]) is None
    assert histogram([]) == []


def test_bars_are_as_long_as_their_counts_and_gaps_are_shown() -> None:
    lines = [line.split() for line in histogram([0.3, 0.3, 0.4, 0.4, 1.0])]
    assert lines == [
        ["<", "0.5", "ms", "#" * 40, "4"],
        ["<", "1", "ms", "0"],
        ["<", "2", "ms", "#" * 10, "1"],
    ]
