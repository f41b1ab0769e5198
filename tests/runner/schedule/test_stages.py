"""Double elimination: who loses twice is out. Stages: groups, then a final between the best of each."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.config.formats import DoubleElimination, Stages
from gridjoust.runner.results.tables.schedule_file import stage_of
from gridjoust.runner.schedule.double_elimination import double_elimination
from gridjoust.runner.schedule.pairing import Meeting
from gridjoust.runner.schedule.stages import stages
from tests.runner.schedule.format_play import (
    Course,
    Outcome,
    all_draw,
    better_wins,
    make_lineup,
    play_format,
    worse_wins,
)


def by_chance(seed: int) -> Outcome:
    """A win or a loss, the same for the same meeting."""

    def outcome(meeting: Meeting) -> tuple[float, ...]:
        rng = random.Random(f"{seed} {meeting.bots} {meeting.round} {meeting.number}")
        return (float(rng.random() < 0.5),)

    return outcome


def twice(count: int, outcome: Outcome = better_wins, **keys: Any) -> Course:
    return play_format(double_elimination(make_lineup(count), DoubleElimination(**keys)), outcome)


def places(course: Course) -> list[tuple[int, str, str]]:
    assert course.decision is not None
    return [(one.place, one.bot, one.result) for one in course.decision.places]


@pytest.mark.gate
@given(st.integers(2, 33), st.integers(0, 2**32), st.booleans())
def test_every_bot_but_the_winner_loses_twice_or_the_final_is_the_last_word(
    count: int, seed: int, second_final: bool
) -> None:
    course = twice(count, by_chance(seed), second_final=second_final)
    assert course.decision is not None
    lost = Counter(
        bot for one in course.decision.rounds for met in one.encounters for bot in met.bots if bot != met.winner
    )
    winner, second, *others = [bot for _, bot, _ in places(course)]
    assert all(lost[bot] == 2 for bot in others)
    assert lost[winner] < 2
    assert lost[second] == 2 or (not second_final and (lost[second], lost[winner]) == (1, 1))
    assert sorted(bot for _, bot, _ in places(course)) == sorted(f"b{at}" for at in range(count))
    assert len(course.meetings) <= DoubleElimination(second_final=second_final).most_matches(count, 1)


@given(st.integers(2, 33), st.integers(0, 2**32))
def test_no_two_bots_play_on_one_seed_twice_and_a_bot_plays_once_a_round(count: int, seed: int) -> None:
    course = twice(count, by_chance(seed))
    met = Counter((frozenset(one.bots), one.round, one.number) for one in course.meetings)
    in_round = Counter((bot, one.round) for one in course.meetings for bot in one.bots)
    assert max(met.values()) == max(in_round.values()) == 1


def test_both_brackets_are_told_round_by_round() -> None:
    course = twice(6)
    assert course.decision is not None
    told = [(one.name, [met.bots for met in one.encounters], one.resting) for one in course.decision.rounds]
    assert told == [
        ("upper quarter-final", [("b3", "b4"), ("b2", "b5")], ("b0", "b1")),
        ("upper semi-final", [("b0", "b3"), ("b1", "b2")], ()),
        ("lower round 2", [("b2", "b4"), ("b3", "b5")], ()),
        ("upper final", [("b0", "b1")], ()),
        ("lower round 3", [("b2", "b3")], ()),
        ("lower final", [("b1", "b2")], ()),
        ("final", [("b0", "b1")], ()),
    ]
    assert places(course) == [
        (1, "b0", "winner"),
        (2, "b1", "final"),
        (3, "b2", "lower final"),
        (4, "b3", "lower round 3"),
        (5, "b4", "lower round 2"),
        (5, "b5", "lower round 2"),
    ]
    assert course.verdict == "double elimination: 1. b0, 2. b1, 3. b2, 4. b3, 5. b4, 5. b5"
    assert course.meetings[0].reason == "double elimination upper quarter-final: seed 4 against seed 5"
    assert stage_of(course.meetings[0].reason) == ""


def first_loses_once(meeting: Meeting) -> tuple[float, ...]:
    """The better bot wins, but for b0's second match."""
    return worse_wins(meeting) if 0 in meeting.bots and meeting.round == 2 else better_wins(meeting)


@pytest.mark.parametrize(("second_final", "last"), [(True, "second final"), (False, "final")])
def test_who_comes_from_below_must_win_the_final_twice_if_there_is_a_second_one(second_final: bool, last: str) -> None:
    course = twice(4, first_loses_once, second_final=second_final)
    assert course.decision is not None
    assert [one.name for one in course.decision.rounds][-1] == last
    assert places(course)[0] == (1, "b0", "winner")
    assert places(course)[1] == (2, "b1", last)


def test_the_better_seed_wins_what_stays_drawn() -> None:
    course = twice(4, all_draw, replays=1)
    assert course.verdict == "double elimination: 1. b0, 2. b1, 3. b2, 4. b3, drawn: the better seed won the final"
    assert Counter(meeting.number for meeting in course.meetings) == {1: 6, 2: 6}


def staged(count: int, outcome: Outcome = better_wins, **keys: Any) -> Course:
    return play_format(stages(make_lineup(count), Stages(**keys)), outcome)


def test_the_best_of_each_group_play_the_final_and_those_of_one_group_meet_late() -> None:
    course = staged(8, groups=2, advance=2)
    groups = [[meeting for meeting in course.meetings if meeting.reason == f"stages group {at}"] for at in (1, 2)]
    assert [{bot for meeting in group for bot in meeting.bots} for group in groups] == [{0, 3, 4, 7}, {1, 2, 5, 6}]
    assert [len(group) for group in groups] == [6, 6]
    assert [meeting.bots for meeting in course.batches[1]] == [(0, 2), (1, 3)]  # winners against seconds
    assert course.batches[1][0].reason == "knockout semi-final: seed 1 against seed 4"
    assert course.verdict == "2 groups, then knockout: 1. b0, 2. b1, 3. b2, 4. b3"
    assert places(course) == [
        (1, "b0", "winner"),
        (2, "b1", "final"),
        (3, "b2", "third place"),
        (4, "b3", "fourth place"),
        (5, "b4", "place 3 of group 1"),
        (5, "b5", "place 3 of group 2"),
        (7, "b7", "place 4 of group 1"),
        (7, "b6", "place 4 of group 2"),
    ]
    assert course.decision is not None
    assert [one.name for one in course.decision.rounds] == [
        "group 1 (b0 3, b3 2, b4 1, b7 0)",
        "group 2 (b1 3, b2 2, b5 1, b6 0)",
        "semi-final",
        "match for third place",
        "final",
    ]


def test_results_of_the_groups_decide_who_goes_on_and_the_better_seed_among_equals() -> None:
    turned = staged(8, worse_wins, groups=2, advance=1)
    assert [meeting.bots for meeting in turned.batches[-1]] == [(7, 6)]
    level = staged(4, all_draw, groups=2, advance=1, replays=0)
    assert [meeting.bots for meeting in level.batches[-1]] == [(0, 1)]


keys = st.fixed_dictionaries(
    {
        "groups": st.integers(1, 4),
        "advance": st.integers(2, 3),
        "rounds": st.integers(1, 3),
        "pairs": st.integers(1, 2),
        "final": st.sampled_from(["knockout", "double_elimination"]),
    }
)


@pytest.mark.gate
@given(keys, st.integers(12, 17), st.integers(0, 2**32))
def test_no_match_of_the_final_is_on_a_seed_of_the_groups_and_every_bot_gets_a_place(
    chosen: dict[str, Any], count: int, seed: int
) -> None:
    course = staged(count, by_chance(seed), **chosen)
    met = Counter((frozenset(one.bots), one.round, one.number) for one in course.meetings)
    assert max(met.values()) == 1
    assert len(course.meetings) <= Stages(**chosen).most_matches(count, 1)
    assert sorted(bot for _, bot, _ in places(course)) == sorted(f"b{at}" for at in range(count))
    assert [at for at, *_ in places(course)] == sorted(at for at, *_ in places(course))
