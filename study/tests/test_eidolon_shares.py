"""The table of eidolon's shares: a row a difficulty, won most often first, in its place on the page."""

from __future__ import annotations

import pytest

from study.eidolon_shares import PAGE, misplaced, page_with, relaxed_table, table

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


def test_a_team_that_no_ritual_hurries_needs_some_turns_of_heroes() -> None:
    """18 tokens, three seals and the Fire are 22 actions at least: eight turns of one hero without a step."""
    row = relaxed_table([1], bot="dijkstra_map", seeds=range(2), processes=1).splitlines()[2]
    heroes, won, *turns = row.strip("| ").split(" | ")
    assert (heroes, won) == ("1", "2")
    gathered, broken, home = map(float, turns)
    assert 6 <= gathered < broken < home < 102
    assert home >= 8
