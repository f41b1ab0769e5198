"""From tables to standings: in any order of rows, equal pairs gathered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from leaderboard.codes import code_ids, combine, first_of
from leaderboard.contests import choices_among, duels_of, links_of
from leaderboard.entries import Entries, entries_of, sides_of
from leaderboard.ranking import make_leaderboard
from leaderboard.seats import names_of, read_seats
from leaderboard.standings import format_standings_csv
from runner.record.lines import MatchRecord
from runner.statistics import (
    Comparison,
    Ranking,
    bradley_terry,
    plackett_luce,
    resample_ratings,
    significant_cycles,
)
from runner.statistics.rankings import draw_ratings, rate_choices, resample_choices
from runner.tables.writer import TableWriter
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.record.records_builder import duels, make_record, rows_of, solo


def _cup() -> list[MatchRecord]:
    """Every kind of match, a void one, a bot called NA, odd texts and a metric `won`."""
    rng = random.Random(3)
    crowd = [
        make_record(f"ffa{at}", bots=("NA", "b", "c", 'é,"x"'), returns=[rng.random() for _ in range(4)])
        for at in range(8)
    ]
    alone = [*solo("b", [0.1, 1 / 3, 0.7]), *solo("NA", [0.2, 1 / 3, 0.9])]
    won = [
        make_record(f"won{at}", bots=("b",), metrics=[{"won": float(at % 2)}], header={"seed": at}) for at in range(4)
    ]
    return [*duels("b", "c", [1, 0.5, 0, 1, 1, 1]), *crowd, *alone, *won, make_record("void", counted=False)]


def _write(folder: Path, records: Sequence[MatchRecord]) -> Path:
    with TableWriter(folder) as tables:
        for record in records:
            tables.add(record)
    return folder


def _csv(seats: pd.DataFrame) -> str:
    return format_standings_csv(make_leaderboard(seats, resamples=50).standings)


def _entries(records: Sequence[MatchRecord]) -> tuple[Entries, pd.DataFrame]:
    seats = seats_of_rows(rows_of(*records))
    return entries_of(seats, *sides_of(seats)), seats


def test_order_of_the_rows_changes_no_byte(tmp_path: Path) -> None:
    folder = _write(tmp_path, _cup())
    expected = _csv(read_seats(folder))
    heading, *lines = (folder / "results.csv").read_text().splitlines(keepends=True)
    for seed in range(3):
        random.Random(seed).shuffle(lines)
        (folder / "results.csv").write_text("".join([heading, *lines]))
        assert _csv(read_seats(folder)) == expected


def test_whether_it_was_won_is_read_from_the_metrics(tmp_path: Path) -> None:
    records = [
        make_record(name, bots=(name[0],), metrics=[{"x": 7.0, "won": won}])
        for name, won in [("a4", 1.0), ("b3", 0.0), ("a2", 0.0), ("b1", 0.0), ("a9", 1.0), ("a0", 1.0)]
    ]
    table = make_leaderboard(read_seats(_write(tmp_path, records))).standings
    assert {one.bot: one.won_pct for one in table} == {"a": 75, "b": 0}


def test_results_alone_are_enough(tmp_path: Path) -> None:
    folder = _write(tmp_path, duels("a", "b", [1, 1]))
    (folder / "metrics.csv").unlink()
    assert [one.bot for one in make_leaderboard(read_seats(folder)).standings] == ["a", "b"]


def test_a_line_that_is_still_being_written_is_left_out(tmp_path: Path) -> None:
    folder = _write(tmp_path, [make_record("m1", bots=("a",)), make_record("m2", bots=("b",))])
    table = folder / "results.csv"
    table.write_bytes(table.read_bytes()[:-3])
    assert [one.bot for one in make_leaderboard(read_seats(folder)).standings] == ["a"]


def test_an_empty_table_is_no_seats(tmp_path: Path) -> None:
    assert len(read_seats(_write(tmp_path, []))) == 0


def test_ids_are_numbered_in_their_own_order_whatever_their_length() -> None:
    ids = ["b", "a", "", "a-long-id-of-more-than-eight", "a", "a-long-id-of-more-than-seven", "é"]
    names = sorted(set(ids), key=str.encode)
    assert code_ids(ids).tolist() == [names.index(one) for one in ids]


@pytest.mark.parametrize("scale", [1, 10**9, 10**15])
def test_combined_keys_are_numbered_in_lexicographic_order(scale: int) -> None:
    rng = np.random.default_rng(1)
    keys = [rng.integers(0, 4, 50) * scale for _ in range(4)]
    rows = list(zip(*(key.tolist() for key in keys), strict=True))
    order = sorted(set(rows))
    found = combine(*keys)
    assert found.tolist() == [order.index(row) for row in rows]
    assert first_of(found).tolist() == [rows.index(row) for row in order]


def test_pairs_in_which_the_same_happened_are_named_once() -> None:
    entries, seats = _entries(duels("a", "b", [1, 1] * 30 + [1, 0] * 10))
    duels_found = duels_of(entries, bots=names_of(seats, "bot"), settings=names_of(seats, "variant"))
    assert sorted(duels_found.copies.values()) == [10, 30]
    assert len(duels_found.comparisons) == 4


def test_ratings_of_gathered_pairs_are_those_of_all_pairs() -> None:
    records = [*duels("a", "b", [1, 1, 1, 0, 1, 1]), *duels("b", "c", [1, 0.5, 1, 0.5]), *duels("c", "a", [0, 1])]
    every = [
        Comparison(first.bot, second.bot, float(record.end.points[0] or 0), record.header.pair_id, "x")
        for record in records
        for first, second in [record.header.seats]
    ]
    table = make_leaderboard(seats_of_rows(rows_of(*records)), resamples=0).standings
    assert {one.bot: one.rating for one in table} == pytest.approx(bradley_terry(every).ratings, abs=1e-6)


def test_resampling_gathered_pairs_is_resampling_pairs() -> None:
    every = [Comparison("a", "b", float(at % 3 > 0), f"p{at:03}") for at in range(60)]
    kinds = [Comparison("a", "b", 1.0, "won"), Comparison("a", "b", 0.0, "lost")]
    _, one = resample_ratings(every, resamples=4000, seed=1)
    _, other = resample_ratings(kinds, resamples=4000, seed=2, copies={"won": 40, "lost": 20})
    for quantile in (0.025, 0.5, 0.975):
        assert np.quantile(one[:, 0], quantile) == pytest.approx(np.quantile(other[:, 0], quantile), abs=8)


def test_comparisons_are_weighted_so_that_a_match_counts_once_per_side() -> None:
    entries, seats = _entries([make_record(bots=("a", "b", "c", "d"), teams=(0, 0, 1, 1), returns=(1, 1, 0, 0))])
    found = duels_of(entries, bots=names_of(seats, "bot"), settings=names_of(seats, "variant")).comparisons
    assert sum(one.weight for one in found if "a" in (one.first, one.second)) == 1
    assert Counter((one.first, one.second) for one in found) == Counter(
        [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    )


def test_a_bot_is_not_compared_with_itself() -> None:
    entries, seats = _entries([make_record(bots=("a", "a"), returns=(1, -1))])
    assert duels_of(entries, bots=names_of(seats, "bot"), settings=names_of(seats, "variant")).comparisons == ()


def test_links_count_pairs_won_and_leave_out_even_ones() -> None:
    entries, seats = _entries(duels("a", "b", [1, 1, 1, 0.5, 1, 0, 0, 0]))  # two pairs won, one even, one lost
    found = links_of(entries, bots=names_of(seats, "bot"))
    counted = {(one.first, one.second, one.score): found.copies[one.pair_id] for one in found.comparisons}
    assert counted == {("a", "b", 1.0): 2, ("a", "b", 0.0): 1}


def test_copies_of_a_pair_count_as_so_many_pairs_in_a_circle() -> None:
    circle = [Comparison(one, other, 1.0, one) for one, other in ("ab", "bc", "ca")]
    assert significant_cycles(circle) == []
    [cycle] = significant_cycles(circle, copies=dict.fromkeys("abc", 12))
    assert cycle.bots == ("a", "b", "c")


def _same_fit(records: Sequence[MatchRecord], rankings: Sequence[Ranking]) -> bool:
    entries, seats = _entries(records)
    found = rate_choices(choices_among(entries, bots=names_of(seats, "bot")))
    expected = plackett_luce(rankings)
    return found.ratings == pytest.approx(expected.ratings, abs=1e-6) and found.errors == pytest.approx(expected.errors)


def _crowd(order: str, match_id: str) -> MatchRecord:
    """`a bc d`: who is written together ties."""
    groups = order.split()
    bots = sorted(order.replace(" ", ""))
    returns = [-next(at for at, group in enumerate(groups) if bot in group) for bot in bots]
    return make_record(match_id, bots=bots, returns=returns)


@pytest.mark.parametrize(
    "orders",
    [
        ["a b c", "b c a", "a c b"],
        ["a b c d", "d c a", "b d", "a b c d e"],
        ["ab c", "a bc", "abc", "c b a"],
        ["abcd", "a bcd", "ab cd", "a bc d", "d c b a"],
    ],
)
def test_rank_orders_are_taken_apart_as_the_fit_does_it(orders: list[str]) -> None:
    records = [_crowd(order, f"m{at}") for at, order in enumerate(orders)]
    assert _same_fit(records, [[tuple(group) for group in order.split()] for order in orders])


def test_a_bot_with_two_sides_of_a_free_for_all_stands_at_their_mean_rank() -> None:
    twice = make_record("m1", bots=("a", "b", "a", "c"), returns=(4, 3, 2, 1))  # a at 2, b at 2, c at 4
    assert _same_fit([twice, _crowd("c a b", "m2")], [[("a", "b"), "c"], ["c", "a", "b"]])


def test_a_match_of_one_bot_against_itself_says_nothing() -> None:
    alone = make_record("m1", bots=("a", "a", "a"), returns=(3, 2, 1))
    assert _same_fit([alone, _crowd("a b c", "m2")], [["a", "b", "c"]])


def test_of_many_pairs_the_normal_draws_are_what_resampling_gives() -> None:
    rng = random.Random(4)
    strength = dict(zip("abcd", (0.0, 0.6, 1.0, 2.0), strict=True))
    records = [
        make_record(f"m{at}{turn}", bots="abcd", returns=returns, pair_id=f"p{at}")
        for at in range(400)
        for returns in [[strength[bot] + rng.gauss(0, 1.5) for bot in "abcd"]]
        for turn in range(2)  # alike: two matches are no more evidence than one
    ]
    entries, seats = _entries(records)
    choices = choices_among(entries, bots=names_of(seats, "bot"))
    bots, drawn = draw_ratings(choices, draws=4000, seed=1)
    again, resampled = resample_choices(choices, resamples=1000, seed=2)
    assert bots == again
    assert drawn.mean(axis=0) == pytest.approx(resampled.mean(axis=0), abs=2)
    assert np.cov(drawn.T) == pytest.approx(np.cov(resampled.T), rel=0.15, abs=12)


def test_rotations_on_one_seed_are_one_unit() -> None:
    records = [
        make_record(f"m{at}{turn}", bots=seated, returns=[-"abc".index(bot) for bot in seated], pair_id=f"p{at}")
        for at in range(5)
        for turn, seated in enumerate([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")])
    ]
    entries, seats = _entries(records)
    assert len(choices_among(entries, bots=names_of(seats, "bot")).units) == 5
