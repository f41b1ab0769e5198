"""What a leaderboard says in plain words."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest

from leaderboard.ranking import make_leaderboard
from runner.record.lines import MatchRecord
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.record.records_builder import duel, duels, make_record, rows_of, solo


def _said(*records: MatchRecord, resamples: int = 200) -> str:
    return "\n".join(make_leaderboard(seats_of_rows(rows_of(*records)), resamples=resamples).sentences)


def _alike(count: int, bots: Sequence[str] = ("a", "b")) -> list[MatchRecord]:
    """The same actions on seed after seed."""
    return [
        make_record(f"m{at}", bots=bots, returns=(1, -1), turns=[{0: "N"}, {1: "S"}], header={"seed": at})
        for at in range(count)
    ]


def test_a_first_that_is_separated_is_named() -> None:
    records = [*duels("a", "b", [1] * 40), *duels("a", "c", [1] * 40), *duels("b", "c", [1, 0] * 20)]
    assert "a is first, separated from all others at 95 %" in _said(*records)


def test_a_first_group_is_listed() -> None:
    records = [*duels("a", "b", [1, 0] * 6), *duels("a", "c", [1] * 40), *duels("b", "c", [1] * 40)]
    assert "a and b cannot be separated at 95 %" in _said(*records)


def test_a_ranking_that_stands_in_every_place_is_said_to() -> None:
    records = [*duels("a", "b", [1] * 30 + [0, 1]), *duels("b", "c", [1] * 30 + [0, 1]), *duels("a", "c", [1] * 30)]
    assert "every place is separated from the next at 95 %" in _said(*records)


def test_a_single_bot_is_compared_with_nobody() -> None:
    assert _said(*solo("a", [1] * 30)) == ""


def test_how_many_more_seeds_would_separate_two_bots_is_about_right() -> None:
    rng = random.Random(2)
    lead = [rng.gauss(0.5, 1) for _ in range(10)]
    said = _said(*solo("a", lead), *solo("b", [0] * 10))
    found = re.search(r"about (\d+) more seeds? of each would separate a from b", said)
    assert found
    # at the same mean and spread the interval of so many seeds just leaves out 0
    mean = sum(lead) / 10
    spread = (sum((one - mean) ** 2 for one in lead) / 9) ** 0.5
    assert 10 + int(found[1]) == pytest.approx((2.262 * spread / mean) ** 2, abs=1)


def test_pairs_are_what_separates_bots_that_meet() -> None:
    assert re.search(
        r"about \d+ more pairs? of each would separate a from b",
        _said(*duels("a", "b", [1, 1, 1, 0, 1, 0, 0, 0.5] * 2)),
    )


def test_equal_bots_are_promised_nothing() -> None:
    said = _said(*duels("a", "b", [1, 0] * 10))
    assert "nothing separates a from b in 10 pairs" in said
    assert "more pairs" not in said


def test_few_seeds_are_said_to_be_few() -> None:
    said = _said(*solo("a", [1, 2, 3]), *solo("b", [2, 2, 2]))
    assert "some bots share only 3 seeds: no intervals below 5, 20 or more are advisable" in said


def test_twenty_seeds_are_enough() -> None:
    assert "advisable" not in _said(*solo("a", range(20)), *solo("b", range(1, 21)))


def test_a_test_of_all_bots_together_says_that_they_differ() -> None:
    records = [*solo("a", range(3, 23)), *solo("b", range(2, 22)), *solo("c", range(20))]
    assert "the bots differ (Friedman's test over 20 common seeds: p < 0.001)" in _said(*records)


def test_without_a_difference_the_test_says_so() -> None:
    records = [*solo("a", [1, 2, 3] * 7), *solo("b", [2, 3, 1] * 7), *solo("c", [3, 1, 2] * 7)]
    assert "it is not sure that the bots differ at all" in _said(*records)


def test_bots_that_win_in_circles_are_named() -> None:
    records = [*duels("rock", "scissors", [1] * 24), *duels("scissors", "paper", [1] * 24)]
    said = _said(*records, *duels("paper", "rock", [1] * 24))
    assert "in circles: paper beats rock beats scissors beats paper, so no ranking is right about all of them" in said


def test_a_circle_that_may_be_chance_is_not_mentioned() -> None:
    records = [
        *duels("rock", "scissors", [1] * 4),
        *duels("scissors", "paper", [1] * 4),
        *duels("paper", "rock", [1] * 4),
    ]
    assert "circles" not in _said(*records)


def test_circles_of_free_for_alls_are_named_too() -> None:
    orders = [("rock", "scissors", "paper"), ("scissors", "paper", "rock"), ("paper", "rock", "scissors")]
    records = [
        make_record(f"m{at}", bots=order, returns=(3, 2, 1), header={"seed": at})
        for at in range(300)
        for order in [orders[at % 3]]
    ]
    assert "in circles: paper beats rock beats scissors beats paper" in _said(*records, resamples=20)


def test_matches_that_went_alike_on_other_seeds_are_counted() -> None:
    assert "3 of 4 matches went action by action like another one on another seed" in _said(*_alike(4))


def test_matches_that_went_alike_on_the_same_seed_are_no_surprise() -> None:
    records = [make_record(f"m{at}", returns=(1, -1), turns=[{0: "N"}], header={"seed": 1}) for at in range(4)]
    assert "action by action" not in _said(*records)


def test_the_same_actions_of_other_bots_are_no_repetition() -> None:
    assert "action by action" not in _said(*_alike(1), *_alike_of("c", "d"))


def _alike_of(*bots: str) -> list[MatchRecord]:
    return [make_record("other", bots=bots, returns=(1, -1), turns=[{0: "N"}, {1: "S"}], header={"seed": 5})]


def test_a_seat_that_wins_whoever_has_it_is_named() -> None:
    records = [
        duel(*seated, 1, f"{at}{seated}", pair_id=str(at)) for at in range(6) for seated in (("a", "b"), ("b", "a"))
    ]
    assert "bomber: seat 0 scores 100 % (100 to 100) whoever has it" in _said(*records)


def test_bots_that_forfeit_are_named_with_how_often() -> None:
    records = [*duels("a", "b", [1] * 3), make_record("out", bots=("a", "b"), forfeited=(1,))]
    assert "b forfeited 1 of 4 matches (25 %)" in _said(*records)


def test_a_bot_that_missed_a_game_is_named() -> None:
    def in_game(game: str, bot: str) -> MatchRecord:
        header = {"game": game, "variant": game, "seed": 1}
        return make_record(f"{game}{bot}", bots=(bot,), returns=(1,), header=header)

    said = _said(in_game("one", "a"), in_game("two", "a"), in_game("one", "b"))
    assert "ranked by the share of rivals beaten, a mean over 2 games" in said
    assert "b has played 1 of 2 games: its mean is over those" in said
