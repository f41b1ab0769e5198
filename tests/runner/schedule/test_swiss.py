"""Swiss system: equal scores meet, nobody twice while it can be helped, byes go round."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridjoust.runner.config.formats import Swiss
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Round
from gridjoust.runner.schedule.duels import swiss
from gridjoust.runner.schedule.pairing import Meeting
from gridjoust.runner.schedule.swiss_round import can_pair, pair_round
from tests.runner.schedule.format_play import (
    Course,
    Outcome,
    all_void,
    better_wins,
    make_lineup,
    play_format,
    worse_wins,
)

seeds = st.integers(0, 2**32)


def chance(seed: int) -> Outcome:
    """Every meeting comes out by chance, the better bot somewhat more often ahead."""
    rng = random.Random(seed)

    def outcome(meeting: Meeting) -> tuple[float, ...]:
        ahead = 0.2 if meeting.bots[0] < meeting.bots[1] else -0.2
        return tuple(
            float(rng.choice((0.0, 0.5, 1.0)) if rng.random() < 0.5 else rng.random() < 0.5 + ahead) for _ in "12"
        )

    return outcome


def play(count: int, rounds: int, *, outcome: Outcome = better_wins, pairs: int = 1) -> Course:
    return play_format(swiss(make_lineup(count), Swiss(rounds=rounds, pairs=pairs)), outcome)


def met(course: Course) -> Counter[frozenset[int]]:
    return Counter(frozenset(meeting.bots) for meeting in course.meetings)


def can_pair_by_trying(places: tuple[int, ...], played: Collection[frozenset[int]]) -> bool:
    """Whether all of `places` can meet somebody new: by trying everything."""
    if not places:
        return True
    first, *others = places
    return any(
        frozenset((first, other)) not in played and can_pair_by_trying(tuple(p for p in others if p != other), played)
        for other in others
    )


def all_met(count: int, edges: set[tuple[int, int]]) -> Counter[frozenset[int]]:
    """Everyone has met everyone but for those in `edges`."""
    return Counter(frozenset(duo) for duo in combinations(range(count), 2) if duo not in edges)


@pytest.mark.gate
@given(st.integers(2, 13), st.integers(1, 12), seeds)
def test_in_every_round_everyone_plays_once_or_rests_and_nobody_twice_before_everyone_has(
    count: int, rounds: int, seed: int
) -> None:
    course = play(count, rounds, outcome=chance(seed))
    rested = Counter(dict.fromkeys(range(count), 0))

    assert len(course.batches) == rounds
    for batch in course.batches:
        playing = [place for meeting in batch for place in meeting.bots]
        assert len(playing) == len(set(playing)) == count - count % 2
        rested.update(set(range(count)) - set(playing))
        assert max(rested.values()) - min(rested.values()) <= 1


@pytest.mark.gate
@given(st.integers(2, 8), seeds)
def test_nobody_meets_again_while_the_round_can_be_paired_without(count: int, seed: int) -> None:
    played: set[frozenset[int]] = set()
    rested: set[int] = set()
    for batch in play(count, count, outcome=chance(seed)).batches:
        new = {frozenset(meeting.bots) for meeting in batch}
        playing = {place for duo in new for place in duo}
        may_rest = [place for place in range(count) if place not in rested] if count % 2 else [-1]
        choices = [tuple(place for place in range(count) if place != resting) for resting in may_rest or range(count)]
        if any(can_pair_by_trying(choice, played) for choice in choices):
            assert not new & played
        played |= new
        rested |= set(range(count)) - playing


@pytest.mark.gate
@given(st.integers(2, 10).map(lambda half: 2 * half), seeds)
def test_half_as_many_rounds_as_bots_need_no_rematch(count: int, seed: int) -> None:
    assert max(met(play(count, count // 2, outcome=chance(seed))).values()) == 1


def test_more_rounds_than_opponents_go_on_with_rematches() -> None:
    course = play(4, 6)
    assert len(course.meetings) == 12
    assert any("a rematch" in meeting.reason for meeting in course.meetings)


def test_the_first_round_sets_the_better_half_against_the_other_by_the_order_given() -> None:
    assert [meeting.bots for meeting in play(8, 1).batches[0]] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    [batch] = play_format(swiss(make_lineup(4, order=(3, 1, 0, 2)), Swiss()), better_wins).batches
    assert [meeting.bots for meeting in batch] == [(3, 0), (1, 2)]
    assert batch[0].reason == "swiss round 1: seed 1 against seed 3"


def test_in_the_second_round_winners_meet_winners_and_scores_are_named() -> None:
    second = play(8, 2).batches[1]
    assert [meeting.bots for meeting in second] == [(0, 2), (1, 3), (4, 6), (5, 7)]
    reasons = [second[1].reason, second[2].reason, play(6, 2).batches[1][1].reason]
    assert reasons == [f"swiss round 2: {told}" for told in ("1 point each", "0 points each", "1 against 0 points")]
    void = play(4, 2, outcome=all_void)  # meetings that do not count are drawn
    assert void.batches[1][0].reason == "swiss round 2: 0.5 points each"


@given(st.integers(1, 8).map(lambda half: 2 * half), seeds)
def test_no_swap_of_opponents_brings_scores_closer_without_a_rematch(count: int, seed: int) -> None:
    rng = random.Random(seed)
    scores = {place: Fraction(rng.randrange(7), 2) for place in range(count)}
    ranked = sorted(range(count), key=lambda place: -scores[place])
    everyone = [frozenset(duo) for duo in combinations(range(count), 2)]
    played = Counter(rng.sample(everyone, k=len(everyone) // 2))
    duos, _ = pair_round(ranked, scores, met=played, byes=Counter())

    def cost(*chosen: tuple[int, int]) -> tuple[int, Fraction]:
        rematches = sum(played[frozenset(duo)] for duo in chosen)
        return (rematches, sum(((scores[one] - scores[other]) ** 2 for one, other in chosen), Fraction(0)))

    for (a, b), (c, d) in combinations(duos, 2):
        assert cost((a, b), (c, d)) <= min(cost((a, c), (b, d)), cost((a, d), (b, c)))


FIELDS: dict[str, tuple[tuple[float, ...], list[tuple[int, int]], list[tuple[int, int]]]] = {
    "two small gaps are better than a large one": ((2.5, 2, 2, 0.5), [(0, 1)], [(0, 2), (1, 3)]),
    "who has met everyone meets the nearest again": ((2.5, 1.5, 0, 0), [(0, 1), (1, 2), (1, 3)], [(0, 1), (2, 3)]),
    "one rematch is better than two": ((3, 3, 1, 1), [(0, 1), (0, 2), (0, 3), (2, 3)], [(0, 2), (1, 3)]),
    "a chain of earlier meetings": ((2.5, 2, 1.5, 0.5, 0, 0), [(0, 1), (1, 2), (2, 3)], [(0, 2), (1, 3), (4, 5)]),
    "a second look at swaps": (
        (2.5, 2.5, 2, 0.5, 0.5, 0),
        [(0, 1), (0, 2), (0, 3), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5), (1, 5), (2, 4), (2, 5), (3, 5)],
        [(0, 1), (2, 3), (4, 5)],
    ),
    "some have met twice": (
        (2.5, 2, 1.5, 1, 1, 0.5),
        [
            (0, 2),
            (0, 4),
            (0, 4),
            (1, 2),
            (1, 3),
            (1, 4),
            (1, 5),
            (2, 3),
            (2, 3),
            (2, 5),
            (3, 4),
            (3, 5),
            (3, 5),
            (4, 5),
        ],
        [(0, 1), (2, 5), (3, 4)],
    ),
    "everyone has met, four are equal": (
        (2, 1, 1, 1, 1, 0),
        [
            (0, 1),
            (0, 2),
            (0, 3),
            (0, 4),
            (0, 5),
            (1, 2),
            (1, 3),
            (1, 4),
            (1, 5),
            (2, 3),
            (2, 4),
            (2, 5),
            (3, 4),
            (3, 5),
            (4, 5),
        ],
        [(0, 1), (2, 4), (3, 5)],
    ),
    "who has met the lower half": ((2, 2, 1.5, 1, 1, 0.5), [(2, 3), (3, 4), (3, 5), (4, 5)], [(0, 3), (1, 4), (2, 5)]),
}


@pytest.mark.parametrize(("scores", "played", "expected"), FIELDS.values(), ids=FIELDS)
def test_bots_of_which_some_have_met(
    scores: tuple[float, ...], played: list[tuple[int, int]], expected: list[tuple[int, int]]
) -> None:
    known = {place: Fraction(score) for place, score in enumerate(scores)}
    assert pair_round(range(len(scores)), known, met=Counter(map(frozenset, played)), byes=Counter()) == (
        expected,
        None,
    )


def test_the_last_bot_rests() -> None:
    found = pair_round(range(5), dict.fromkeys(range(5), Fraction(0)), met=Counter(), byes=Counter())
    assert found == ([(0, 2), (1, 3)], 4)


def test_a_bye_is_worth_a_meeting_won_and_a_large_field_shows_its_best() -> None:
    assert "b2 1" in play(3, 1).verdict
    assert play(12, 1).verdict.endswith("7. b7 0 and 4 more")
    assert play(8, 1).verdict.endswith("5. b7 0")


def test_a_meeting_on_two_seeds_is_worth_one_point() -> None:
    course = play(2, 1, pairs=2)
    assert [(meeting.round, meeting.number) for meeting in course.meetings] == [(1, 1), (1, 2)]
    assert course.verdict == "swiss after 1 round: 1. b0 1, 2. b1 0"


def test_equal_scores_are_ranked_by_those_of_the_opponents() -> None:
    verdict = play(8, 3, outcome=worse_wins).verdict
    # b6 met b7 (3), b4 (2) and b2 (1); b5 met b7 (3), b3 (1) and b1 (1); b4 met b6 (2), b2 (1) and b0 (0)
    assert verdict.startswith("swiss after 3 rounds: 1. b7 3, 2. b6 2, 3. b5 2, 4. b4 2, 5. b3 1")


@given(st.integers(0, 5).map(lambda half: 2 * half), st.sampled_from([0.15, 0.25, 0.35, 0.6]), st.integers(0, 2**32))
def test_all_can_be_paired_exactly_if_that_can_be_done_by_trying(count: int, density: float, seed: int) -> None:
    rng = random.Random(seed)
    edges = {duo for duo in combinations(range(count), 2) if rng.random() < density}

    assert can_pair(range(count), all_met(count, edges), 0) == can_pair_by_trying(
        tuple(range(count)), all_met(count, edges)
    )


def test_odd_cycles_are_seen_through() -> None:
    # two triangles joined by an edge: a path that enters a triangle must leave it at the right corner
    triangles = {(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)}
    assert can_pair(range(6), all_met(6, {*triangles, (2, 3)}), 0)
    assert not can_pair(range(6), all_met(6, triangles), 0)


def test_neither_an_odd_number_nor_bots_that_have_met_often_enough_can_be_paired() -> None:
    assert [can_pair(range(count), Counter(), 0) for count in range(1, 8)] == [False, True] * 3 + [False]
    met = Counter({frozenset((0, 1)): 2})
    assert [can_pair((0, 1), met, often) for often in (0, 1, 2)] == [False, False, True]


def test_a_swiss_tells_its_rounds_and_scores_and_who_rests_has_a_point() -> None:
    course = play_format(swiss(make_lineup(3), Swiss(rounds=2)), better_wins)
    assert course.decision == Decision(
        "swiss",
        "score",
        (Place(1, "b0", "2", "2"), Place(2, "b1", "1", "2"), Place(2, "b2", "1", "2")),
        (
            Round("round 1", (Encounter(("b0", "b1"), (1.0, 0.0)),), ("b2",)),
            Round("round 2", (Encounter(("b0", "b2"), (1.0, 0.0)),), ("b1",)),
        ),
        tie_break="Buchholz",
    )
    assert course.verdict == "swiss after 2 rounds: 1. b0 2, 2. b1 1, 2. b2 1"
