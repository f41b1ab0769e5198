"""What a rating fit is given: comparisons, choices and evidence of small tournaments, each number by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from gridjoust.leaderboard.frame.contests import Duels, choices_among, duels_of, links_of
from gridjoust.leaderboard.frame.entries import evidence_of
from gridjoust.runner.results.records.lines import MatchRecord
from gridjoust.runner.statistics import Comparison, Ranking, bradley_terry, plackett_luce, significant_cycles
from gridjoust.runner.statistics.rankings import Choices, rate_choices
from gridjoust.runner.statistics.ratings import duel_profile
from tests.leaderboard.seats_builder import board_of, entries_of_records, met
from tests.runner.results.records.records_builder import duels, make_record

MIXED = make_record("m9", bots=("a", "b", "c", "c"), teams=(0, 0, 1, 1), returns=(1, 1, 0, 0), pair_id="q")
THREE_PAIRS = [*duels("a", "b", [1, 1, 1, 1, 1, 0.5]), MIXED]
ORDERS = [
    make_record("m1", bots=("a", "b", "c"), returns=(3, 2, 1), pair_id="p"),
    make_record("m2", bots=("a", "b", "c"), returns=(3, 3, 1), pair_id="p"),
    make_record("m3", bots=("a", "b"), returns=(0, 1), pair_id="q"),
]
FOURS = make_record(bots=("a", "b", "c", "d"), teams=(0, 0, 1, 1), returns=(1, 1, 0, 0))


def _duels(records: Sequence[MatchRecord]) -> Duels:
    entries, bots, settings = entries_of_records(*records)
    return duels_of(entries, bots=bots, settings=settings)


def _links(records: Sequence[MatchRecord]) -> Duels:
    entries, bots, _ = entries_of_records(*records)
    return links_of(entries, bots=bots)


def _choices(records: Sequence[MatchRecord]) -> Choices:
    entries, bots, _ = entries_of_records(*records)
    return choices_among(entries, bots=bots)


def _met(one: str, other: str, score: float, weight: float = 1.0) -> Comparison:
    return Comparison(one, other, score, "", "bomber", weight)


Kinds = list[tuple[int, list[Comparison]]]
GATHERED: dict[str, tuple[Callable[[Sequence[MatchRecord]], Duels], Sequence[MatchRecord], Kinds]] = {
    "comparisons say who sat first and count a match once per side": (
        _duels,
        THREE_PAIRS,
        [
            (2, [_met("a", "b", 1.0), _met("b", "a", 0.0)]),
            (1, [_met("a", "b", 1.0), _met("b", "a", 0.5)]),
            # two partners meet one bot that holds both other seats: half a match for each of them
            (1, [_met("a", "c", 1.0, 0.5), _met("b", "c", 1.0, 0.5)]),
        ],
    ),
    "two partners meet two others: half a match for every two of them": (
        _duels,
        [FOURS],
        [(1, [_met(one, other, 1.0, 0.5) for one in "ab" for other in "cd"])],
    ),
    "pairs in which the same happened are named once": (
        _duels,
        duels("a", "b", [1, 1] * 30 + [1, 0] * 10),
        [(30, [_met("a", "b", 1.0), _met("b", "a", 0.0)]), (10, [_met("a", "b", 1.0), _met("b", "a", 1.0)])],
    ),
    "a bot is not compared with itself": (_duels, [make_record(bots=("a", "a"), returns=(1, -1))], []),
    "links say who won a pair as a whole": (
        _links,
        THREE_PAIRS,
        [
            (3, [Comparison("a", "b", 1.0, "")]),
            (1, [Comparison("a", "c", 1.0, "")]),
            (1, [Comparison("b", "c", 1.0, "")]),
        ],
    ),
    "also where the other is named first, even pairs left out": (
        _links,
        duels("b", "a", [0, 0, 1, 1, 0, 0, 1, 0]),
        [(1, [Comparison("a", "b", 0.0, "")]), (2, [Comparison("a", "b", 1.0, "")])],
    ),
}


@pytest.mark.parametrize(("gather", "records", "expected"), GATHERED.values(), ids=GATHERED)
def test_pairs_are_gathered_by_kind(
    gather: Callable[[Sequence[MatchRecord]], Duels], records: Sequence[MatchRecord], expected: Kinds
) -> None:
    found = gather(records)
    assert [
        (copies, [replace(one, pair_id="") for one in found.comparisons if one.pair_id == pair])
        for pair, copies in found.copies.items()
    ] == expected


def test_evidence_counts_pairs_of_each_bot_and_of_every_two() -> None:
    entries, _, _ = entries_of_records(*THREE_PAIRS)
    found = evidence_of(entries, bots=3)
    assert found.pairs.tolist() == [4, 4, 1]
    assert found.met.tolist() == [[0, 3, 1], [3, 0, 1], [1, 1, 0]]  # all three in one pair
    entries, _, _ = entries_of_records(*duels("a", "b", [1, 0] * 3))  # a point each, pair after pair
    found = evidence_of(entries, bots=3)
    assert found.pairs.tolist() == [3, 3, 0]
    assert found.met.tolist() == [[0, 3, 0], [3, 0, 0], [0, 0, 0]]


def test_orders_become_choices_of_the_best_among_those_left() -> None:
    found = _choices(ORDERS)
    assert (found.bots, len(found.units)) == (("a", "b", "c"), 2)
    # p: a from all, b from b and c; then half a and half b from all, and the other from those left. q: b from a and b
    assert found.chosen.tolist() == [[2, 2, 0], [0, 1, 0]]
    left = [
        (int(unit), "".join(bot for bot, is_left in zip("abc", found.among[number], strict=True) if is_left), weight)
        for unit, number, weight in zip(found.unit, found.chosen_from, found.weight.tolist(), strict=True)
    ]
    assert sorted(left) == [(0, "abc", 1), (0, "abc", 1), (0, "ac", 0.5), (0, "bc", 0.5), (0, "bc", 1), (1, "ab", 1)]


def test_bots_that_met_nobody_are_in_no_choice_and_rotations_on_one_seed_are_one_unit() -> None:
    found = _choices([*ORDERS[2:], make_record("m4", bots=("c", "c"), returns=(2, 1))])
    assert (found.bots, found.chosen.sum()) == (("a", "b"), 1)
    rotated = [
        make_record(f"m{at}{turn}", bots=seated, returns=[-"abc".index(bot) for bot in seated], pair_id=f"p{at}")
        for at in range(5)
        for turn, seated in enumerate([("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")])
    ]
    assert len(_choices(rotated).units) == 5


def test_ratings_of_gathered_pairs_are_those_of_all_pairs() -> None:
    records = met(ab=[1, 1, 1, 0, 1, 1], bc=[1, 0.5, 1, 0.5], ca=[0, 1])
    every = [
        Comparison(first.bot, second.bot, float(record.end.points[0] or 0), record.header.pair_id, "x")
        for record in records
        for first, second in [record.header.seats]
    ]
    ratings = {one.bot: one.rating for one in board_of(*records).standings}
    assert ratings == pytest.approx(bradley_terry(every).ratings, abs=1e-6)


def test_the_profile_of_gathered_pairs_is_that_of_all_pairs() -> None:
    every = [Comparison("a", "b", float(at % 3 > 0), f"p{at:03}") for at in range(60)]
    kinds = [Comparison("a", "b", 1.0, "won"), Comparison("a", "b", 0.0, "lost")]
    (_, _, one), (_, _, other) = duel_profile(every), duel_profile(kinds, copies={"won": 40, "lost": 20})
    found, expected = one.rating_interval(0), other.rating_interval(0)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert one.ratings == pytest.approx(other.ratings)


def test_copies_of_a_pair_count_as_so_many_pairs_in_a_circle() -> None:
    circle = [Comparison(one[0], one[1], 1.0, one) for one in ("ab", "bc", "ca")]
    assert significant_cycles(circle) == []
    [cycle] = significant_cycles(circle, copies=dict.fromkeys(("ab", "bc", "ca"), 12))
    assert cycle.bots == ("a", "b", "c")


def _crowd(order: str, match_id: str) -> MatchRecord:
    """`a bc d`: who is written together ties."""
    groups = order.split()
    bots = sorted(order.replace(" ", ""))
    returns = [-next(at for at, group in enumerate(groups) if bot in group) for bot in bots]
    return make_record(match_id, bots=bots, returns=returns)


def _crowds(*orders: str) -> list[MatchRecord]:
    return [_crowd(order, f"m{at}") for at, order in enumerate(orders)]


def _rankings(*orders: str) -> list[Ranking]:
    return [[tuple(group) for group in order.split()] for order in orders]


PLAIN = ("a b c", "b c a", "a c b")
SUBSETS = ("a b c d", "d c a", "b d", "a b c d e")
TIES = ("ab c", "a bc", "abc", "c b a")
LONG = ("abcd", "a bcd", "ab cd", "a bc d", "d c b a")
TWICE = make_record("t", bots=("a", "b", "a", "c"), returns=(4, 3, 2, 1))  # a at 2, b at 2, c at 4
ALONE = make_record("t", bots=("a", "a", "a"), returns=(3, 2, 1))
FITS = {
    **{" / ".join(orders): (_crowds(*orders), _rankings(*orders)) for orders in (PLAIN, SUBSETS, TIES, LONG)},
    "a bot with two sides stands at their mean rank": ([TWICE, *_crowds("c a b")], _rankings("ab c", "c a b")),
    "one bot against itself says nothing": ([ALONE, *_crowds("a b c")], _rankings("a b c")),
}


@pytest.mark.parametrize(("records", "rankings"), FITS.values(), ids=FITS)
def test_rank_orders_are_taken_apart_as_the_fit_does_it(records: list[MatchRecord], rankings: list[Ranking]) -> None:
    found, expected = rate_choices(_choices(records)), plackett_luce(rankings)
    assert found.ratings == pytest.approx(expected.ratings, abs=1e-6)
    assert found.errors == pytest.approx(expected.errors)
