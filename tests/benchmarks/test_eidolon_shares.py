"""The table of eidolon's shares: a row a difficulty, won most often first, in its place on the page."""

from __future__ import annotations

import pytest

from benchmarks.eidolon_shares import PAGE, misplaced, page_with, table

WON = {
    ("beginner", 1): [True, False, False, False],
    ("beginner", 2): [False] * 4,
    ("normal", 1): [True, True, False, False],
    ("normal", 2): [True, False, False, False],
}


def test_the_difficulty_that_is_won_most_often_comes_first() -> None:
    assert table(WON).splitlines() == [
        "| difficulty | 1 hero | 2 heroes |",
        "|---|---|---|",
        "| `normal` | 50 % [15, 85] | 25 % [5, 70] |",
        "| `beginner` | 25 % [5, 70] | 0 % [0, 49] |",
    ]


def test_a_harder_track_that_is_won_more_often_is_named() -> None:
    assert misplaced(WON) == [("beginner", "normal")]
    assert misplaced({cell: won for cell, won in WON.items() if cell[0] == "normal"}) == []


def test_a_table_takes_the_place_of_the_one_before() -> None:
    text = PAGE.read_text("utf-8")
    once = page_with(text, "first table\n")
    assert "first table" in once
    assert page_with(once, "second table\n") == page_with(text, "second table\n")
    with pytest.raises(ValueError, match="expected one place for the table, found 0"):
        page_with("no place", "table")
