"""Messages cut short, and times as bars."""

from __future__ import annotations

from typing import Any

import pytest

from gridjoust.recorded.shown import Quantiles, excerpt, excerpt_text, histogram, quantiles
from gridjoust.runner.wire.text import one_line

SHORT = {"seat": 0, "legal": ["up", "down"], "view": {"hp": 3.5, "gone": None}}
NUMBERS = {str(number): number for number in range(24)}
EXCERPTS = {
    "short messages stay whole": (SHORT, SHORT),
    "the rest of a long list is counted": ({"cells": list(range(40))}, {"cells": [0, 1, 2, 3, 4, 5, "... 34 more"]}),
    "the rest of a long text is counted": ("x" * 150, "x" * 120 + "... 30 more letters"),
    "the rest of an object is counted": (NUMBERS | {"a": 1, "b": 2}, NUMBERS | {"...": "2 more keys"}),
    "deep values are named by their size": ([[[[[[1, 2, 3]]]]]], [[[[["... 3 items"]]]]]),
    "deep objects are too": ([[[[[{"a": 1}]]]]], [[[[["... 1 keys"]]]]]),
}


@pytest.mark.parametrize(("value", "shown"), EXCERPTS.values(), ids=EXCERPTS)
def test_an_excerpt_keeps_the_shape(value: Any, shown: Any) -> None:
    assert excerpt(value) == shown


def test_an_excerpt_is_one_line_of_json_and_a_bots_words_cannot_drive_the_terminal() -> None:
    text = excerpt_text({"name": "Zürich", "rows": list(range(9))})
    assert text == '{"name": "Zürich", "rows": [0, 1, 2, 3, 4, 5, "... 3 more"]}'
    assert one_line("no\n  way\x1b[2J") == "no way?[2J"
    assert one_line("x" * 900) == "x" * 799 + "…"


def test_quantiles_are_times_that_were_measured_and_bars_as_long_as_their_counts_with_gaps() -> None:
    assert quantiles([float(number) for number in range(1, 101)]) == Quantiles(50.0, 95.0, 100.0)
    assert quantiles([]) is None
    lines = [line.split() for line in histogram([0.3, 0.3, 0.4, 0.4, 1.0])]
    assert lines == [["<", "0.5", "ms", "#" * 40, "4"], ["<", "1", "ms", "0"], ["<", "2", "ms", "#" * 10, "1"]]
    assert histogram([]) == []
