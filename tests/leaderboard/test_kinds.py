"""What decides the rank in each kind of game, and what the columns beside it say."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean, stdev

import numpy as np
import pytest

from leaderboard.metrics import metric_tables
from leaderboard.paired import Series, difference
from leaderboard.ranking import make_leaderboard, pareto_front
from leaderboard.standings import Leaderboard, RankedBy
from runner.record.lines import AnswerLine, MatchRecord
from runner.tables.columns import Standing
from runner.tables.rows import metric_rows
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.record.records_builder import duel, duels, make_record, rows_of, solo

T_4 = 2.776445  # 97.5 % point of Student's t with 4 degrees of freedom


def _board(*records: MatchRecord, resamples: int = 200) -> Leaderboard:
    metrics = [row for record in records for row in metric_rows(record)]
    return make_leaderboard(seats_of_rows(rows_of(*records), metrics=metrics), resamples=resamples)


def _by_bot(board: Leaderboard) -> dict[str, Standing]:
    return {one.bot: one for one in board.standings}


def _in_game(game: str, records: Sequence[MatchRecord]) -> list[MatchRecord]:
    found = []
    for record in records:
        fields = {name: getattr(record.header, name) for name in record.header.__struct_fields__}
        header = type(record.header)(**fields | {"game": game, "variant": game})
        found.append(
            type(record)(header=header, lines=record.lines, answers=record.answers, usage=record.usage, end=record.end)
        )
    return found


def _table_of_three(orders: Sequence[str]) -> list[MatchRecord]:
    """Free-for-alls: who came first, second, third; every pair is one match."""
    return [
        make_record(f"m{at}", bots=tuple(sorted(order)), returns=[-order.index(bot) for bot in sorted(order)])
        for at, order in enumerate(orders)
    ]


def test_two_sides_are_ranked_by_rating() -> None:
    assert _board(*duels("a", "b", [1, 0])).ranked_by is RankedBy.RATING


def test_two_sided_games_are_rated_in_one_joint_fit() -> None:
    board = _board(*_in_game("one", duels("a", "b", [1, 1])), *_in_game("two", duels("c", "b", [1, 1, 1, 1])))
    assert board.ranked_by is RankedBy.RATING
    assert [one.bot for one in board.standings] == ["c", "a", "b"]


def test_free_for_alls_are_ranked_by_rating() -> None:
    board = _board(*_table_of_three(["abc", "abc", "bac", "acb"]))
    assert board.ranked_by is RankedBy.RATING
    assert [one.bot for one in board.standings] == ["a", "b", "c"]


def test_solo_matches_of_one_game_are_ranked_by_returns() -> None:
    assert _board(*solo("a", [1]), *solo("b", [2])).ranked_by is RankedBy.RETURNS


def test_solo_matches_of_several_games_are_ranked_by_rivals_beaten() -> None:
    board = _board(*_in_game("one", solo("a", [1])), *_in_game("two", solo("a", [5], prefix="two")))
    assert board.ranked_by is RankedBy.SCORE


def test_returns_of_unlike_games_are_not_averaged() -> None:
    # a is far ahead in points of the first game, b is better in both others
    one = _in_game("one", [*solo("a", [1e6] * 3), *solo("b", [0] * 3)])
    two = _in_game("two", [*solo("a", [1] * 3, prefix="two"), *solo("b", [2] * 3, prefix="two")])
    three = _in_game("three", [*solo("a", [1] * 3, prefix="three"), *solo("b", [2] * 3, prefix="three")])
    board = _board(*one, *two, *three)
    assert [(one.bot, one.returns_mean) for one in board.standings] == [("b", None), ("a", None)]
    assert [one.beaten_pct for one in board.standings] == pytest.approx([200 / 3, 100 / 3])


def test_every_game_counts_once_however_many_matches_it_has() -> None:
    long = _in_game("long", [*solo("a", [1] * 40), *solo("b", [0] * 40)])
    short = _in_game("short", [*solo("a", [0], prefix="s"), *solo("b", [1], prefix="s")])
    assert [one.beaten_pct for one in _board(*long, *short).standings] == [50, 50]


def test_games_with_and_without_opponents_share_one_currency() -> None:
    maze = _in_game("maze", [*solo("a", [3, 3]), *solo("b", [1, 3])])
    chase = _in_game("chase", duels("a", "b", [0, 0, 1, 0.5]))
    board = _board(*maze, *chase)
    assert board.ranked_by is RankedBy.SCORE
    # a: 3/4 of the rivals in the maze, 1.5 of 4 points in the chase
    assert _by_bot(board)["a"].beaten_pct == pytest.approx(100 * (0.75 + 0.375) / 2)


def test_places_in_the_games_stand_beside_the_whole() -> None:
    maze = _in_game("maze", [*solo("a", [3, 3]), *solo("b", [1, 1])])
    chase = _in_game("chase", duels("a", "b", [0, 0]))
    board = _board(*maze, *chase)
    assert {(one.game, one.bot, one.place, one.ranked_by) for one in board.games} == {
        ("maze", "a", 1, RankedBy.RETURNS),
        ("maze", "b", 2, RankedBy.RETURNS),
        ("chase", "b", 1, RankedBy.RATING),
        ("chase", "a", 2, RankedBy.RATING),
    }
    assert [one.mean_rank for one in board.standings] == [1.5, 1.5]


def test_a_share_stays_between_none_and_all() -> None:
    [first, last] = _board(*solo("a", [1, 1, 1, 1, 0]), *solo("b", [0, 0, 0, 0, 1])).standings
    assert first.beaten_high == 100
    assert last.beaten_low == 0
    assert first.beaten_low == pytest.approx(100 * (0.8 - T_4 * 0.2), abs=1e-4)


def test_pairs_that_all_came_out_alike_do_not_make_a_difference_certain() -> None:
    # resampling ten equal matches gives the same fit every time
    [_, second] = _board(*duels("a", "b", [1] * 10)).standings
    assert second.difference is not None
    assert second.difference_low is not None
    assert second.difference_low < second.difference - 100


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bot_that_met_only_itself_has_no_rating(seats: int) -> None:
    [one] = _board(make_record(bots=("a",) * seats, returns=range(seats))).standings
    assert (one.rank, one.matches, one.rating, one.beaten_pct) == (1, seats, None, None)


def test_a_bot_that_met_only_itself_comes_after_those_that_met_others() -> None:
    board = _board(make_record("m1", bots=("z", "z", "z")), *_table_of_three(["abc", "acb", "bac"]))
    assert [one.bot for one in board.standings] == ["a", "b", "c", "z"]
    assert board.standings[-1].rating is None


def test_means_that_differ_by_rounding_only_are_equal() -> None:
    sums = [
        make_record(f"s{at}", bots=("c",), returns=(value,), header={"seed": 0})
        for at, value in enumerate([0.1, 0.2, 0.3])
    ]
    table = _by_bot(_board(*sums, *solo("d", [0.6 / 3])))
    assert table["c"].seeds_won_pct == table["d"].seeds_won_pct == 100


def test_difference_to_the_row_above_is_paired_by_seed() -> None:
    a, b = [10.0, 20, 30, 40, 50], [9.0, 18, 29, 38, 49]
    [first, second] = _board(*solo("a", a), *solo("b", b)).standings
    apart = [one - other for one, other in zip(a, b, strict=True)]
    half = T_4 * stdev(apart) / math.sqrt(5)
    assert first.difference is None
    assert second.difference == pytest.approx(fmean(apart))
    assert second.difference_low == pytest.approx(fmean(apart) - half, abs=1e-5)
    assert second.difference_high == pytest.approx(fmean(apart) + half, abs=1e-5)


def test_bots_whose_intervals_overlap_are_separated_by_their_paired_difference() -> None:
    a, b = [10.0, 20, 30, 40, 50], [9.0, 18, 29, 38, 49]
    [first, second] = _board(*solo("a", a), *solo("b", b)).standings
    assert first.returns_low is not None
    assert second.returns_mean is not None
    assert first.returns_low < second.returns_mean
    assert [first.group, second.group] == [1, 2]


def test_differences_use_the_common_seeds_only() -> None:
    [_, second] = _board(*solo("a", [5, 5, 5, 100]), *solo("b", [4, 4, 4])).standings
    assert second.difference == 1


def test_bots_without_a_common_seed_are_not_compared() -> None:
    late = [make_record("b9", bots=("b",), returns=(1,), header={"seed": 9})]
    [_, second] = _board(*solo("a", [5]), *late).standings
    assert (second.difference, second.beaten_pct, second.mean_rank) == (None, None, None)


@pytest.mark.parametrize(("seeds", "groups"), [(5, [1, 1]), (6, [1, 2])])
def test_differences_that_are_all_alike_need_six_seeds(seeds: int, groups: list[int]) -> None:
    assert [one.group for one in _board(*solo("a", [1] * seeds), *solo("b", [0] * seeds)).standings] == groups


def test_bots_that_always_do_the_same_are_never_separated() -> None:
    board = _board(*solo("a", [1] * 30), *solo("b", [1] * 30))
    assert [(one.rank, one.group) for one in board.standings] == [(1, 1), (1, 1)]


def test_rank_on_a_seed_and_seeds_won_count_ties_for_both() -> None:
    table = _by_bot(_board(*solo("a", [3, 2, 1]), *solo("b", [1, 2, 2]), *solo("c", [0, 0, 0])))
    assert [table[bot].mean_rank for bot in "abc"] == [pytest.approx(4.5 / 3), pytest.approx(4.5 / 3), 3]
    assert [table[bot].seeds_won_pct for bot in "abc"] == [pytest.approx(200 / 3), pytest.approx(200 / 3), 0]


def test_median_and_interquartile_mean_shrug_off_one_wild_seed() -> None:
    [one] = _board(*solo("a", [1, 2, 3, 4, 5, 6, 7, 1000])).standings
    assert (one.returns_median, one.returns_iqm) == (4.5, 4.5)


def test_share_won_is_the_metric_of_the_game() -> None:
    won, lost = [{"won": 1.0, "x": 5.0}] * 2, [{"won": 0.0, "x": 5.0}] * 2
    team = {"bots": ("a", "a"), "teams": (0, 0)}
    records = [make_record(f"m{at}", **team, metrics=lost if at else won, header={"seed": at}) for at in range(4)]  # type: ignore[arg-type]
    assert _by_bot(_board(*records))["a"].won_pct == 25


def test_share_won_is_missing_where_the_game_does_not_tell() -> None:
    assert _by_bot(_board(*solo("a", [1])))["a"].won_pct is None


def test_failures_are_the_share_of_matches_with_a_forfeit() -> None:
    records = [*solo("a", [1, 1, 1]), make_record("out", bots=("a",), forfeited=(0,), header={"seed": 9})]
    assert _by_bot(_board(*records))["a"].failure_pct == 25


def test_partners_of_a_mixed_team_share_its_returns() -> None:
    records = [
        make_record("m1", bots=("a", "b"), teams=(0, 0), returns=(4, 4), header={"seed": 1}),
        make_record("m2", bots=("a", "c"), teams=(0, 0), returns=(1, 1), header={"seed": 1}),
    ]
    assert [(one.bot, one.returns_mean) for one in _board(*records).standings] == [("b", 4), ("a", 2.5), ("c", 1)]


def test_t_intervals_of_differences_hold_what_they_promise() -> None:
    rng, deals = random.Random(5), np.arange(8)
    held = 0
    for _ in range(400):
        luck = [rng.gauss(0, 5) for _ in deals]
        a, b = (Series(deals, np.array([base + gain + rng.gauss(0, 1) for base in luck])) for gain in (0.7, 0))
        found = difference({0: a}, {0: b})
        assert found is not None
        assert found.interval is not None
        held += found.interval.low <= 0.7 <= found.interval.high
    assert 367 <= held <= 393  # 380 of 400 are promised


def test_a_free_for_all_of_equals_is_a_tie() -> None:
    board = _board(*_table_of_three(["abc", "bca", "cab", "acb", "bac", "cba"]))
    assert [one.rating for one in board.standings] == pytest.approx([0, 0, 0], abs=1e-6)
    assert {one.rank for one in board.standings} == {1}


def test_clear_free_for_alls_are_separated() -> None:
    board = _board(*_table_of_three(["abc"] * 12 + ["acb", "bac"]))
    assert [one.bot for one in board.standings] == ["a", "b", "c"]
    assert board.standings[0].group == 1
    assert board.standings[2].group != 1


def test_ratings_of_free_for_alls_need_five_pairs() -> None:
    assert {one.rating_low for one in _board(*_table_of_three(["abc"] * 4)).standings} == {None}
    assert None not in {one.rating_low for one in _board(*_table_of_three(["abc"] * 5)).standings}


def test_what_a_seat_is_worth_is_told_seat_by_seat() -> None:
    # the first seat wins every match
    records = [
        duel(*seated, 1, f"{at}{seated}", pair_id=str(at)) for at in range(6) for seated in (("a", "b"), ("b", "a"))
    ]
    board = _board(*records)
    assert [(one.seat, one.matches, one.score_pct) for one in board.seats] == [(0, 12, 100), (1, 12, 0)]
    [first, second] = board.seats
    assert first.advantage is not None
    assert first.advantage > 300
    assert second.advantage is None


def test_swapped_matches_on_one_seed_are_one_unit_of_a_seat() -> None:
    assert _board(*duels("a", "b", [1, 0] * 4)).seats[0].score_low is None  # eight matches, but four pairs
    assert _board(*duels("a", "b", [1, 0] * 5)).seats[0].score_low is not None


def test_seats_of_free_for_alls_are_told_too() -> None:
    board = _board(*_table_of_three(["abc"] * 5))
    assert [(one.seat, one.score_pct) for one in board.seats] == [(0, 100), (1, 50), (2, 0)]


def test_the_front_holds_who_is_stronger_or_cheaper_than_anybody() -> None:
    def played(bot: str, returns: float, ms: float) -> MatchRecord:
        answers = [AnswerLine(turn=1, seat=0, planning_ms=ms, expanded=int(ms))]
        return make_record(bot, bots=(bot,), returns=(returns,), turns=[{0: "N"}], answers=answers)

    board = _board(played("slow", 9, 50), played("quick", 5, 1), played("beaten", 4, 2), played("best", 10, 50))
    assert {one.bot: one.pareto for one in board.standings} == {
        "best": "ms nodes",
        "slow": "",
        "quick": "ms nodes",
        "beaten": "",
    }


def test_cpu_time_counts_the_process_once_however_many_seats_it_holds() -> None:
    record = make_record(
        bots=("a", "a"), teams=(0, 0), turns=[{0: "N", 1: "N"}], usage={"cpu_ms": [30.0, 30.0]}, header={"seed": 1}
    )
    assert _by_bot(_board(record))["a"].cpu_ms_per_turn == 15


def test_games_of_two_and_of_three_sides_have_no_common_rating() -> None:
    mixed = [*_in_game("one", duels("a", "b", [1, 0])), *_in_game("two", _table_of_three(["abc", "bca"]))]
    assert _board(*mixed).ranked_by is RankedBy.SCORE
    assert _board(*_in_game("one", _table_of_three(["abc"])), *_in_game("two", _table_of_three(["abc"]))).ranked_by is (
        RankedBy.RATING
    )


def test_of_equal_cost_only_the_strongest_is_on_the_front() -> None:
    assert pareto_front({1: (50.0, 1.0), 2: (100.0, 1.0)}) == [2]
    assert pareto_front({1: (100.0, 1.0), 2: (50.0, 1.0), 3: (100.0, 1.0)}) == [1, 3]
    assert pareto_front({1: (50.0, 1.0), 2: (50.0, 2.0), 3: (60.0, 3.0)}) == [1, 3]


def test_a_metric_is_the_mean_over_a_bots_seats_in_counted_matches() -> None:
    counted = make_record("m1", bots=("a", "b"), metrics=[{"score": 4.0}, {"score": 1.0}])
    second = make_record("m2", bots=("b", "a"), metrics=[{"score": 3.0}, {"score": 8.0}])
    void = make_record("m3", bots=("a", "b"), metrics=[{"score": 99.0}, {"score": 99.0}], counted=False)
    records = (counted, second, void)
    [table] = metric_tables(rows_of(*records), [row for record in records for row in metric_rows(record)])
    assert (table.game, table.metrics) == ("bomber", ("score",))
    assert table.means == (("a", (6.0,)), ("b", (2.0,)))
