"""Whose answers they are: counted by what the planner found and what the bot said."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.planner_share import BuilderWatch, Count, of_bomber
from bots.api import Observation
from bots.bomber.gambit import Gambit
from bots.placement.builder import Builder

SEEN = Observation(seat=0, turn=1, view={}, legal=[], legal_complete=False)


class Repeater(Builder):
    """Says what it was told to, after a search that finds `lay 1`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def plans(self, scene: object, seat: int, is_over: object) -> Iterator[Any]:
        yield SimpleNamespace(plan="lay 0")
        yield SimpleNamespace(plan="lay 1")

    def act(self, observation: Observation) -> str:
        assert len(list(self.plans(None, 0, None))) == 2
        return self._text


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("lay 1", Count(1, 1, 1)),
        ("lay 1; lay 2", Count(1, 0, 1)),
        ("lay 0", Count(1, 0, 0)),
    ],
)
def test_an_answer_of_placement_is_the_planners_if_it_is_the_last_plan_found(text: str, counted: Count) -> None:
    watch = BuilderWatch()
    assert watch(Repeater(text), SEEN) == text
    assert watch.count == counted


def test_both_bots_of_a_bomber_match_count_and_no_answer_counts_twice() -> None:
    count = of_bomber(Gambit, range(1))
    assert 0 < count.nearly < count.own
    assert count.own + count.nearly == count.answers


def test_a_row_says_what_comes_near_where_there_is_such_a_thing() -> None:
    assert Count(200, 150, 180).row("placement/beam", "x") == [
        "placement/beam",
        "x",
        "200",
        "75%",
        "90% begin with its plan",
    ]
    assert Count(200, 150).row("eidolon/beam", "x") == ["eidolon/beam", "x", "200", "75%", ""]
