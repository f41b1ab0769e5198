"""Stop rules: batches until the question is answered, on the seeds of a round robin, within the cap."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from gridjoust.runner.config.formats import Better, Gauntlet, Resolved, RoundRobin, Sprt, StopRule
from gridjoust.runner.schedule.adaptive.resolve import MIN_UNITS
from gridjoust.runner.schedule.combinations import spread_combinations
from gridjoust.runner.schedule.pairing import Meeting
from gridjoust.runner.schedule.stopping import until_stopped
from tests.runner.schedule.format_play import Course, Outcome, all_draw, all_void, better_wins, make_lineup, play_format


def play(count: int, stop: StopRule, outcome: Outcome = better_wins, *, rounds: int = 1) -> Course:
    return play_format(until_stopped(make_lineup(count, matches_each=2), RoundRobin(rounds=rounds), stop), outcome)


def by_strength(*strengths: float) -> Outcome:
    """Each match by chance, 10 ** strength being the odds; the same for the same meeting."""

    def outcome(meeting: Meeting) -> tuple[float, ...]:
        rng = random.Random(f"{sorted(meeting.bots)} {meeting.round}")
        one, other = sorted(meeting.bots)
        chance = 1 / (1 + 10 ** (strengths[other] - strengths[one]))
        points = [float(rng.random() < chance) for _ in "12"]
        return tuple(points if meeting.bots[0] == one else [1 - value for value in points])

    return outcome


def test_it_stops_when_the_winner_is_known() -> None:
    course = play(4, Resolved(goal="winner"))

    assert len(course.meetings) < 60
    assert course.verdict.startswith(f"stopped after {2 * len(course.meetings)} matches: winner resolved at ")
    assert ": b0 (" in course.verdict


def test_the_first_rounds_are_a_plain_round_robin() -> None:
    course = play(4, Resolved(), rounds=2)

    assert [(meeting.bots, meeting.round) for meeting in course.batches[0]] == [
        (group, number) for number in (1, 2) for group in spread_combinations(4, 2)
    ]
    assert {meeting.reason for meeting in course.batches[0]} == {"round_robin"}


@pytest.mark.parametrize("adaptive", ["none", "safe", "race"])
def test_no_two_bots_meet_on_a_seed_twice(adaptive: str) -> None:
    stop = Resolved(goal="top", top=2, adaptive=adaptive, max_matches=800)  # type: ignore[arg-type]
    course = play(6, stop, by_strength(0.5, 0.4, 0.2, 0.15, 0.1, 0.0))
    played = Counter((frozenset(meeting.bots), meeting.round) for meeting in course.meetings)
    last = Counter(frozenset(meeting.bots) for meeting in course.meetings)

    assert max(played.values()) == 1
    assert all((duo, number) in played for duo, rounds in last.items() for number in range(1, rounds + 1))


def test_without_adaptive_everyone_plays_as_much() -> None:
    course = play(5, Resolved(goal="order", max_matches=500), by_strength(0.4, 0.3, 0.2, 0.1, 0.0))
    played = Counter(place for meeting in course.meetings for place in meeting.bots)
    assert len(set(played.values())) == 1


def test_safe_says_why_every_meeting_was_chosen() -> None:
    course = play(
        8, Resolved(goal="winner", adaptive="safe"), by_strength(0.4, 0.35, -0.5, -0.6, -0.7, -0.8, -0.9, -1), rounds=2
    )

    later = [meeting for batch in course.batches[1:] for meeting in batch]
    assert later
    assert all(meeting.reason.startswith("safe: ") and "winner" in meeting.reason for meeting in later)


def test_every_bot_has_enough_results_for_an_answer_and_batches_are_large_enough_for_many_matches_at_once() -> None:
    for count in (2, 4):
        course = play(count, Resolved(goal="winner", adaptive="safe"))
        played = Counter(place for meeting in course.meetings for place in meeting.bots)

        assert min(played.values()) >= MIN_UNITS
        assert "winner resolved" in course.verdict
        assert min(len(batch) for batch in course.batches[1:]) == 8


def test_race_says_whether_it_began() -> None:
    course = play(6, Resolved(goal="winner", adaptive="race"), by_strength(0.3, 0.2, 0.1, 0.0, -0.1, -0.2))
    assert "race begins: " in course.verdict or "race falls back to safe" in course.verdict


def test_the_cap_is_never_passed_and_named() -> None:
    course = play(3, Resolved(goal="winner", max_matches=101), all_draw)
    assert len(course.meetings) == 50
    assert course.verdict.startswith("stopped after 100 matches: no more fit into max_matches; ")


def test_a_batch_that_is_cut_short_keeps_the_order_of_a_round_robin() -> None:
    course = play(5, Resolved(max_matches=26), all_draw)
    assert [meeting.bots for meeting in course.meetings[10:]] == list(spread_combinations(5, 2))[:3]


@pytest.mark.parametrize("outcome", [all_void, lambda _meeting: (1.0,)], ids=["nothing counts", "half a pair counts"])
def test_matches_that_never_count_end_it(outcome: Outcome) -> None:
    assert play(4, Resolved(), outcome).verdict == "stopped after 12 matches: no match of the last batch counts"


def test_single_matches_count_where_seats_are_not_swapped() -> None:
    decisions = until_stopped(make_lineup(3), RoundRobin(swap_seats=False), Resolved())

    course = play_format(decisions, lambda meeting: better_wins(meeting)[:1])

    assert course.verdict.startswith(f"stopped after {len(course.meetings)} matches: winner resolved")


def test_in_a_gauntlet_the_challengers_are_told_apart() -> None:
    form = Gauntlet(challengers=("b3", "b4"))
    decisions = until_stopped(make_lineup(5, matches_each=2), form, Resolved(adaptive="safe"))
    strength = by_strength(0.0, 0.0, 0.0, 0.5, -0.5)

    course = play_format(decisions, strength)

    assert all(len({3, 4} & set(meeting.bots)) == 1 for meeting in course.meetings)
    assert ": b3 (" in course.verdict


@pytest.mark.parametrize(
    ("stop", "outcome", "swap_seats", "holds", "told"),
    [
        (
            Sprt(elo0=0, elo1=60),
            by_strength(0.4, 0.0),
            True,
            True,
            "takes b0 to be 60 normalized Elo above b1 rather than 0",
        ),
        (
            Sprt(elo1=100),
            by_strength(0.0, 0.0),
            True,
            False,
            "takes b0 to be 0 normalized Elo above b1 rather than 100",
        ),
        (
            Sprt(elo1=100),
            lambda _meeting: (1.0,),
            False,
            True,
            "takes b0 to be 100 normalized Elo above b1 rather than 0",
        ),
        (
            Sprt(max_matches=20),
            all_draw,
            True,
            False,
            "no more fit into max_matches; sprt does not tell yet between 0 and 10",
        ),
    ],
    ids=["a better version", "an equal one", "a better one by single matches", "the cap"],
)
def test_two_versions_are_compared(stop: Sprt, outcome: Outcome, told: str, *, swap_seats: bool, holds: bool) -> None:
    lineup = make_lineup(2, matches_each=2 if swap_seats else 1)
    course = play_format(until_stopped(lineup, RoundRobin(swap_seats=swap_seats), stop), outcome)
    matches = len(course.meetings) * lineup.matches_each

    assert course.verdict.startswith(f"stopped after {matches} matches: ")
    assert told in course.verdict
    assert course.holds is holds
    assert matches < 1000


def test_a_series_accepts_the_versions_that_are_better_and_tests_the_next_against_the_newest_accepted() -> None:
    course = play(4, Better(max_matches=3000), by_strength(0.0, 0.5, 0.4, 1.0))

    assert course.verdict.startswith(f"stopped after {2 * len(course.meetings)} matches: accepted: b0 < b1 < b3; ")
    assert "not shown to be better: b2" in course.verdict
    assert course.holds is True  # b3 is the last version
    assert course.verdict.endswith(
        "the chance that any accepted version was no better than the one before is at most 3.8%"
    )
    assert list(dict.fromkeys(meeting.bots for meeting in course.meetings)) == [(0, 1), (1, 2), (1, 3)]
    assert {meeting.reason for meeting in course.batches[1]} == {"better: b1 against b0"}


def test_a_series_without_a_better_version_keeps_the_first() -> None:
    course = play(3, Better(version_matches=64), all_draw)
    assert len(course.meetings) == 33 + 32  # one pair of the first, then 8 at a time until 64 matches are played
    assert course.verdict.endswith(": no version was shown to be better than b0")
    assert course.holds is False
    better_first = play(3, Better(max_matches=3000), by_strength(0.0, 1.0, 0.0))
    assert better_first.verdict.partition(": ")[2].startswith("accepted: b0 < b1; not shown to be better: b2")
    assert better_first.holds is False


def test_a_version_that_is_appended_changes_no_match_before() -> None:
    strengths = by_strength(0.0, 0.3, 0.2, 0.5)
    three, four = (play(count, Better(max_matches=3000), strengths).meetings for count in (3, 4))
    assert four[: len(three)] == three
    assert len(four) > len(three)


def test_a_series_says_what_the_cap_left_open() -> None:
    course = play(3, Better(max_matches=40), all_draw)
    assert course.verdict == (
        "stopped after 40 matches: no more fit into max_matches; no version was shown to be better than b0; "
        "not decided yet: b1, b2"
    )
    assert course.holds is False


def test_what_is_no_test_neither_holds_nor_fails() -> None:
    assert play(3, Resolved()).holds is None
    assert play(2, Sprt(), all_void).holds is False
