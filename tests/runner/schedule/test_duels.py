"""Knockout: a bracket by seeds, byes for the best, replays of draws. Ladder: who wins takes the place above."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.config.formats import Knockout, Ladder
from gridjoust.runner.results.tables.schedule_file import Encounter, stage_of
from gridjoust.runner.schedule.duels import knockout, ladder
from gridjoust.runner.schedule.pairing import Meeting
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

fields = st.integers(2, 40)


def play_knockout(count: int, outcome: Outcome = better_wins, **keys: Any) -> Course:
    return play_format(knockout(make_lineup(count), Knockout(**keys)), outcome)


@given(fields, st.booleans(), st.sampled_from([better_wins, worse_wins]))
def test_who_has_lost_meets_nobody_any_more_but_for_third_place(
    count: int, third_place: bool, outcome: Outcome
) -> None:
    course = play_knockout(count, outcome, third_place=third_place)
    lost: set[int] = set()
    for batch in course.batches:
        for meeting in batch:
            assert not lost & set(meeting.bots) or "third place" in meeting.reason
        lost |= {min(m.bots) if outcome is worse_wins else max(m.bots) for m in batch}

    assert len(lost) == count - 1
    assert len(course.meetings) == Knockout(third_place=third_place, replays=0).most_matches(count, 1)


@given(fields)
def test_only_the_best_seeds_rest_in_the_first_round_and_the_two_best_meet_in_the_final(count: int) -> None:
    course = play_knockout(count)
    playing = {place for meeting in course.batches[0] for place in meeting.bots}
    byes = count - len(playing)

    assert playing == set(range(byes, count))
    assert (len(playing) // 2 + byes).bit_count() == 1
    assert course.meetings[-1 if count < 4 else -2].bots == (0, 1)
    assert course.verdict.startswith("knockout: 1. b0, 2. b1")


@pytest.mark.gate
@given(fields, st.integers(1, 3), st.integers(0, 3))
def test_no_meeting_is_played_on_one_seed_twice(count: int, pairs: int, replays: int) -> None:
    course = play_knockout(count, all_draw, pairs=pairs, replays=replays)
    played = Counter((meeting.bots, meeting.round, meeting.number) for meeting in course.meetings)

    assert max(played.values()) == 1
    assert len(course.meetings) == Knockout(pairs=pairs, replays=replays).most_matches(count, 1)


def test_seeds_are_placed_as_everywhere_whatever_their_order_in_the_file() -> None:
    assert [meeting.bots for meeting in play_knockout(8).batches[0]] == [(0, 7), (3, 4), (1, 6), (2, 5)]
    turned = play_format(knockout(make_lineup(4, order=(2, 0, 3, 1)), Knockout(replays=0)), better_wins)
    assert [meeting.bots for meeting in turned.batches[0]] == [(2, 1), (0, 3)]


def test_rounds_are_called_by_their_names() -> None:
    reasons = [batch[0].reason for batch in play_knockout(9).batches]

    assert reasons == [
        "knockout round of 16: seed 8 against seed 9",
        "knockout quarter-final: seed 1 against seed 8",
        "knockout semi-final: seed 1 against seed 4",
        "knockout final: seed 1 against seed 2",
    ]
    assert [stage_of(reason) for reason in reasons] == ["round of 16", "quarter-final", "semi-final", "final"]
    assert [stage_of(reason) for reason in ("swiss round 1: 0 points each", "knockout")] == ["", ""]


def test_the_losers_of_the_semi_finals_meet_for_third_place_unless_there_is_no_such_match() -> None:
    course = play_knockout(4, worse_wins)
    assert course.batches[-1][1].reason == "knockout match for third place: seed 1 against seed 2"
    assert course.verdict == "knockout: 1. b3, 2. b2, 3. b1, 4. b0"
    assert play_knockout(4, third_place=False).verdict == "knockout: 1. b0, 2. b1"
    assert len(play_knockout(3).batches[-1]) == 1  # one loser alone


def test_a_draw_is_replayed_on_a_new_seed() -> None:
    course = play_knockout(2, lambda meeting: worse_wins(meeting) if meeting.number == 2 else all_draw(meeting))

    assert [(meeting.number, meeting.reason) for meeting in course.meetings] == [
        (1, "knockout final: seed 1 against seed 2"),
        (2, "knockout final: seed 1 against seed 2, replay 1 of at most 2 after a draw"),
    ]
    assert course.verdict == "knockout: 1. b1, 2. b0"


def test_only_what_was_drawn_is_replayed() -> None:
    course = play_knockout(4, lambda meeting: all_draw(meeting) if 0 in meeting.bots else better_wins(meeting))
    met = [[meeting.bots for meeting in batch] for batch in course.batches[:3]]
    assert met == [[(0, 3), (1, 2)], [(0, 3)], [(0, 3)]]


@pytest.mark.parametrize("outcome", [all_draw, all_void])
def test_after_the_last_replay_the_better_seed_goes_on(outcome: Outcome) -> None:
    course = play_knockout(2, outcome)
    assert len(course.batches) == 3
    assert course.verdict == "knockout: 1. b0, 2. b1, drawn: the better seed advanced"


def test_a_meeting_on_several_seeds_goes_to_who_has_more_points() -> None:
    course = play_knockout(2, lambda meeting: (0.0, 0.0) if meeting.number < 3 else (1.0, 1.0), pairs=3)
    assert len(course.meetings) == 3
    assert course.verdict == "knockout: 1. b1, 2. b0"


def climb(count: int, meetings: int, outcome: Outcome = worse_wins, *, pairs: int = 1) -> Course:
    return play_format(ladder(make_lineup(count), Ladder(max_matches=meetings, pairs=pairs)), outcome)


def chance(seed: int) -> Outcome:
    def outcome(meeting: Meeting) -> tuple[float, ...]:
        rng = random.Random(f"{seed} {sorted(meeting.bots)} {meeting.round}")
        score = rng.choice((0.0, 0.5, 1.0))
        return (score, score) if meeting.bots[0] < meeting.bots[1] else (1 - score, 1 - score)

    return outcome


@pytest.mark.gate
@given(st.integers(2, 12), st.integers(1, 6), st.integers(0, 2**32))
def test_in_every_round_every_rung_challenges_once_and_nobody_meets_twice(count: int, rounds: int, seed: int) -> None:
    course = climb(count, rounds * (count - 1), chance(seed))
    challenges = Counter((meeting.round, meeting.reason) for meeting in course.meetings)
    met = Counter((frozenset(meeting.bots), meeting.round) for meeting in course.meetings)

    assert len(challenges) == rounds * (count - 1)
    assert max(challenges.values()) == max(met.values()) == 1


@given(st.integers(2, 10), st.integers(1, 30), st.integers(1, 30), st.integers(0, 2**32))
def test_more_meetings_go_on_from_the_others(count: int, meetings: int, more: int, seed: int) -> None:
    short, long = (climb(count, size, chance(seed)).meetings for size in (meetings, meetings + more))
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
    assert climb(2, 1, outcome).verdict == f"ladder after 1 round: {ranking}"


def test_even_places_challenge_first_and_the_last_round_may_be_cut_short() -> None:
    course = climb(5, 4)

    assert [[meeting.reason for meeting in batch] for batch in course.batches] == [
        ["ladder round 1: place 2 challenges place 1", "ladder round 1: place 4 challenges place 3"],
        ["ladder round 1: place 3 challenges place 2", "ladder round 1: place 5 challenges place 4"],
    ]
    assert [len(batch) for batch in climb(6, 7).batches] == [3, 2, 2]


def test_a_challenge_on_several_seeds_goes_to_who_has_more_points() -> None:
    course = climb(2, 3, lambda meeting: (1.0, 0.5) if meeting.number == 1 else (0.5, 0.5), pairs=3)
    assert [(meeting.bots, meeting.number) for meeting in course.meetings] == [((1, 0), 1), ((1, 0), 2), ((1, 0), 3)]
    assert course.verdict == "ladder after 1 round: 1. b1, 2. b0"


def scored(*shares: float) -> Outcome:
    """The better seed's points on the seeds of a pairing, one after another."""
    return lambda meeting: (
        (shares[meeting.number - 1],) if meeting.bots[0] < meeting.bots[1] else (1 - shares[meeting.number - 1],)
    )


@pytest.mark.parametrize(
    ("pairs", "shares", "played"),
    [
        (1, (1,), 1),
        (2, (1, 0), 2),
        (3, (1, 1, 0), 2),
        (3, (1, 0.5, 0), 3),  # a draw is still possible, and that would be replayed
        (4, (0, 0, 1, 1), 4),
        (4, (0.5, 1, 1, 0), 3),
        (5, (0, 0, 0.5, 1, 1), 5),
        (5, (1, 1, 1, 0, 0), 3),
        (6, (1, 1, 1, 1, 0, 0), 4),
    ],
)
@pytest.mark.parametrize("kind", ["knockout", "ladder"])
def test_a_decided_meeting_stops_with_the_winner_that_all_seeds_have(
    kind: str, pairs: int, shares: tuple[float, ...], played: int
) -> None:
    def play(*, stop_decided: bool) -> Course:
        keys: dict[str, Any] = {"pairs": pairs, "stop_decided": stop_decided}
        lineup = make_lineup(2)
        own = knockout(lineup, Knockout(replays=0, **keys)) if kind == "knockout" else ladder(lineup, Ladder(**keys))
        return play_format(own, scored(*shares))

    whole, stopped = play(stop_decided=False), play(stop_decided=True)
    assert (len(whole.meetings), len(stopped.meetings)) == (pairs, played)
    assert stopped.verdict == whole.verdict


@pytest.mark.gate
@given(fields, st.integers(1, 6), st.integers(0, 2**32), st.booleans())
def test_stopping_decided_meetings_changes_no_place_of_a_knockout(
    count: int, pairs: int, seed: int, third_place: bool
) -> None:
    def outcome(meeting: Meeting) -> tuple[float, ...]:
        rng = random.Random(f"{seed} {sorted(meeting.bots)} {meeting.round} {meeting.number}")
        share = rng.choice((0.0, 0.25, 0.5, 1.0))
        return (share,) if meeting.bots[0] < meeting.bots[1] else (1 - share,)

    keys: dict[str, Any] = {"pairs": pairs, "third_place": third_place}
    whole, stopped = (play_knockout(count, outcome, stop_decided=stop, **keys) for stop in (False, True))
    assert (places(stopped), stopped.verdict) == (places(whole), whole.verdict)
    assert {(one.bots, one.round, one.number) for one in stopped.meetings} <= {
        (one.bots, one.round, one.number) for one in whole.meetings
    }


def places(course: Course) -> list[tuple[int, str, str]]:
    assert course.decision is not None
    return [(one.place, one.bot, one.result) for one in course.decision.places]


def rounds(course: Course) -> list[tuple[str, list[tuple[tuple[str, str], str]], tuple[str, ...]]]:
    """Name, who met and who went on, who rested."""
    assert course.decision is not None
    return [
        (one.name, [(met.bots, met.winner) for met in one.encounters], one.resting) for one in course.decision.rounds
    ]


def test_a_knockout_tells_its_bracket_and_how_far_each_bot_came() -> None:
    third = "match for third place"
    assert rounds(play_knockout(5)) == [
        ("quarter-final", [(("b3", "b4"), "b3")], ("b0", "b1", "b2")),
        ("semi-final", [(("b0", "b3"), "b0"), (("b1", "b2"), "b1")], ()),
        (third, [(("b2", "b3"), "b2")], ()),
        ("final", [(("b0", "b1"), "b0")], ()),
    ]
    best = [(1, "b0", "winner"), (2, "b1", "final")]
    assert places(play_knockout(5)) == [
        *best,
        (3, "b2", "third place"),
        (4, "b3", "fourth place"),
        (5, "b4", "quarter-final"),
    ]
    alike = [(3, "b3", "semi-final"), (3, "b2", "semi-final"), (5, "b4", "quarter-final")]
    assert places(play_knockout(5, third_place=False)) == [*best, *alike]
    drawn = play_knockout(2, all_draw).decision
    assert drawn is not None
    assert drawn.rounds[0].encounters == (Encounter(("b0", "b1"), (0.5, 0.5), "b0", "drawn: the better seed goes on"),)


def test_a_ladder_tells_its_rungs() -> None:
    course = play_format(ladder(make_lineup(3), Ladder(rounds=1)), worse_wins)
    told = course.verdict.split(": ")[1].split(", ")
    assert [f"{place}. {bot}" for place, bot, _ in places(course)] == told
