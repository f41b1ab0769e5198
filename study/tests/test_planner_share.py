"""Whose answers they are: counted by what the planner found and what the bot said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from gridjoust import Observation, ParamValue
from gridjoust.bots.bomber.gambit import Gambit
from gridjoust.bots.match import play_match
from gridjoust.bots.navigation.astar import AStar as Walker
from gridjoust.bots.placement.builder import Builder
from gridjoust.bots.ricochet.astar import AStar
from gridjoust.games.ricochet import Ricochet
from study.planner_share import (
    SOLVE,
    BidderWatch,
    BuilderWatch,
    Count,
    Counter,
    of_bomber,
    of_navigation,
    of_ricochet,
)

SEEN = Observation(seat=0, turn=1, view={}, legal=[], legal_complete=False)


class Repeater(Builder):
    """Says what it was told to, after searches that find `lay 1` and `lay 3`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def searches(self, scene: object, seat: int, is_over: object) -> Iterator[Any]:
        yield SimpleNamespace(plan="lay 1")
        yield SimpleNamespace(plan="lay 3")

    def act(self, observation: Observation) -> str:
        assert len(list(self.searches(None, 0, None))) == 2
        return self._text


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("lay 1", Count(1, 1, 1)),
        ("lay 1; lay 2", Count(1, 0, 1)),
        ("lay 3", Count(1, 1, 1)),
        ("lay 0", Count(1, 0, 0)),
    ],
)
def test_an_answer_of_placement_is_the_planners_if_it_is_a_plan_that_it_found(text: str, counted: Count) -> None:
    watch = BuilderWatch()
    assert watch(Repeater(text), SEEN) == text
    assert watch.count == counted


def test_both_bots_of_a_bomber_match_count_and_no_answer_counts_twice() -> None:
    count = of_bomber(Gambit, range(1))
    assert 0 < count.nearly < count.own
    assert count.own + count.nearly == count.answers


@pytest.mark.parametrize(("params", "seats"), [(SOLVE, 1), ({}, 2)])
def test_ricochets_bots_say_what_their_planners_found(params: Mapping[str, ParamValue], seats: int) -> None:
    count = of_ricochet("astar", params, seats, range(1))
    assert count.own == count.answers >= 20


class LongBidder(AStar):
    """Bids one more than it must."""

    def act(self, observation: Observation) -> str:
        answer = super().act(observation)
        return f"bid {int(answer.split()[1]) + 1}" if answer.startswith("bid") else answer


def test_a_bid_that_is_not_the_planners_does_not_count() -> None:
    counts = []
    for make in (AStar, LongBidder):
        bots = [make(), AStar()]
        counter = Counter(bots[0], BidderWatch(bots[0]).is_own)
        play_match(Ricochet({"max_rounds": 2}, seats=2), bots, seed=1, ask=counter)
        counts.append(counter.count)
    assert counts[0].own == counts[0].answers
    assert counts[1].own < counts[1].answers


def test_a_robot_alone_takes_the_steps_of_its_planner() -> None:
    count = of_navigation(Walker, {}, 1, range(2))
    assert count.own == count.answers > 20


class Sidestepper(Walker):
    """Waits now and then, whatever its planner says."""

    def act(self, observation: Observation) -> str:
        answer = super().act(observation)
        return "wait" if observation.turn % 3 == 0 else answer


def test_who_waits_does_not_follow_its_planner() -> None:
    count = of_navigation(Sidestepper, {}, 1, range(1))
    assert 0.5 < count.own / count.answers < 0.8


def test_a_row_says_what_comes_near_where_there_is_such_a_thing() -> None:
    assert Count(200, 150, 180).row("placement/beam", "x") == [
        "placement/beam",
        "x",
        "200",
        "75%",
        "90% begin with its plan",
    ]
    assert Count(200, 150).row("eidolon/beam", "x") == ["eidolon/beam", "x", "200", "75%", ""]
