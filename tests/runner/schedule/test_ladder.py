"""Ladder: every rung challenges the one above, the winner takes the place, more rounds go on."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.config.formats import Ladder
from runner.schedule.duels import ladder
from runner.schedule.meeting import Meeting
from tests.runner.schedule.format_play import (
    Course,
    Outcome,
    all_draw,
    all_void,
    better_wins,
    make_lineup,
    play_format,
    worse_wins,
)


def play(count: int, meetings: int, outcome: Outcome = worse_wins, *, pairs: int = 1) -> Course:
    return play_format(ladder(make_lineup(count), Ladder(max_matches=meetings, pairs=pairs)), outcome)


def chance(seed: int) -> Outcome:
    def outcome(meeting: Meeting) -> tuple[float, ...]:
        rng = random.Random(f"{seed} {sorted(meeting.bots)} {meeting.round}")
        score = rng.choice((0.0, 0.5, 1.0))
        return (score, score) if meeting.bots[0] < meeting.bots[1] else (1 - score, 1 - score)

    return outcome


@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 2**32))
def test_in_every_round_every_rung_challenges_once_and_nobody_meets_twice(count: int, rounds: int, seed: int) -> None:
    course = play(count, rounds * (count - 1), chance(seed))
    challenges = Counter((meeting.round, meeting.reason) for meeting in course.meetings)
    met = Counter((frozenset(meeting.bots), meeting.round) for meeting in course.meetings)

    assert len(challenges) == rounds * (count - 1)
    assert max(challenges.values()) == max(met.values()) == 1


@given(st.integers(2, 10), st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32))
def test_more_meetings_go_on_from_the_others(count: int, meetings: int, more: int, seed: int) -> None:
    short, long = (play(count, size, chance(seed)).meetings for size in (meetings, meetings + more))
    assert long[:meetings] == short


@given(st.integers(1, 12), st.data())
def test_the_best_bot_gets_to_the_top_from_anywhere(count: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(count + 1)))
    field = make_lineup(count + 1, order=order)
    course = play_format(ladder(field, Ladder(max_matches=count * (count + 1))), better_wins)

    assert course.verdict.split(": ")[1].startswith("1. b0")


@pytest.mark.parametrize(
    ("outcome", "ranking"),
    [
        (worse_wins, "1. b1, 2. b0"),
        (better_wins, "1. b0, 2. b1"),
        (all_draw, "1. b0, 2. b1"),
        (all_void, "1. b0, 2. b1"),
    ],
)
def test_only_a_challenger_that_wins_takes_the_place(outcome: Outcome, ranking: str) -> None:
    assert play(2, 1, outcome).verdict == f"ladder after 1 round: {ranking}"


def test_even_places_challenge_first_and_the_last_round_may_be_cut_short() -> None:
    course = play(5, 4)

    assert [[meeting.reason for meeting in batch] for batch in course.batches] == [
        ["ladder round 1: place 2 challenges place 1", "ladder round 1: place 4 challenges place 3"],
        ["ladder round 1: place 3 challenges place 2", "ladder round 1: place 5 challenges place 4"],
    ]
    assert [len(batch) for batch in play(6, 7).batches] == [3, 2, 2]


def test_a_challenge_on_several_seeds_goes_to_who_has_more_points() -> None:
    course = play(2, 3, lambda meeting: (1.0, 0.5) if meeting.number == 1 else (0.5, 0.5), pairs=3)
    assert [(meeting.bots, meeting.number) for meeting in course.meetings] == [((1, 0), 1), ((1, 0), 2), ((1, 0), 3)]
    assert course.verdict == "ladder after 1 round: 1. b1, 2. b0"
