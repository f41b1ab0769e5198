"""A row for every two bots: what their own pairs or common seeds say."""

from __future__ import annotations

import pytest

from gridjoust.leaderboard.board import make_leaderboard
from gridjoust.leaderboard.pairings import pairings_of
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.results.tables.columns import Pairing
from gridjoust.runner.statistics import elo_from_pairs
from tests.leaderboard.seats_builder import alone, in_game, met, seats_of_rows
from tests.runner.results.records.records_builder import duels, make_record, rows_of, solo

approx = pytest.approx
SCORES = [1, 1, 1, 1, 1, 0, 1, 0.5, 0.5, 0.5, 1, 1, 0, 0]  # pairs: 2, 2, 1, 1.5, 1, 2, 0 points


def _pairings(*records: MatchRecord) -> list[Pairing]:
    seats = seats_of_rows(rows_of(*records))
    return list(pairings_of(seats, make_leaderboard(seats)))


def test_pairs_are_counted_by_their_points_from_the_side_of_the_bot_that_stands_higher() -> None:
    for records in (duels("a", "b", SCORES), duels("b", "a", [1 - score for score in SCORES])):
        [one] = _pairings(*records)
        assert (one.bot, one.opponent, one.pairs, one.won, one.even, one.lost) == ("a", "b", 7, 4, 2, 1)
        assert (one.pairs_0, one.pairs_half, one.pairs_1, one.pairs_1half, one.pairs_2) == (1, 0, 2, 1, 3)
        found = elo_from_pairs(1, 0, 2, 1, 3)
        assert (one.elo, one.nelo, one.nelo_error) == approx((found.elo, found.nelo, found.nelo_error))
        assert found.elo_interval
        assert (one.elo_low, one.elo_high) == approx((found.elo_interval.low, found.elo_interval.high))
        assert one.p_value == 0.375  # 4 against 1: 2 * (1 + 5) / 32
        # scores per match 1, 1, .5, .75, .5, 1, 0: mean 19/28, deviation 0.3463
        assert one.effect_size == approx(0.1785714 / 0.3462633, abs=1e-5)
        assert one.lead is None
        assert one.separated is False


def test_pairs_of_one_match_have_no_pentanomial_and_a_bot_that_won_all_no_elo() -> None:
    single = [make_record(f"m{at}", bots="ab", returns=(1, -1), pair_id=f"p{at}") for at in range(6)]
    [one] = _pairings(*single)
    assert (one.pairs_2, one.elo, one.effect_size, one.score_pct, one.p_value) == (None, None, None, 100, 0.03125)


def test_bots_that_never_met_have_no_row_and_three_in_a_match_have_three() -> None:
    assert [(one.bot, one.opponent) for one in _pairings(*met(ab=[1, 1], cd=[1, 1]))] == [("a", "b"), ("c", "d")]
    three = [make_record("m", bots="abc", returns=(3, 2, 1))]
    assert [(one.bot, one.opponent, one.won) for one in _pairings(*three)] == [
        ("a", "b", 1),
        ("a", "c", 1),
        ("b", "c", 1),
    ]


def test_without_opponents_the_units_are_common_seeds() -> None:
    [one] = _pairings(*alone(a=[3, 3, 3, 2, 1, 9], b=[1, 2, 2, 2, 2]))
    assert (one.bot, one.pairs, one.won, one.even, one.lost) == ("a", 5, 3, 1, 1)
    assert one.lead == approx(0.6)
    assert one.p_value == 0.625  # 3 against 1: 2 * (1 + 4) / 16
    assert one.effect_size == approx(0.6 / 1.019804, abs=1e-5)
    assert one.lead_low is not None
    assert one.lead_low < 0.6
    assert (one.elo, one.score_pct, one.pairs_1) == (None, None, None)


def test_over_unlike_games_the_lead_is_in_shares_of_rivals_beaten() -> None:
    records = [
        *in_game("one", alone(a=[5], b=[4])),
        *in_game("two", [*solo("a", [1], prefix="t"), *solo("b", [2], prefix="u")]),
    ]
    [one] = _pairings(*records)
    assert (one.pairs, one.won, one.lost, one.lead) == (2, 1, 1, 0)
