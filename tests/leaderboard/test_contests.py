"""What a rating fit is given: comparisons, choices and evidence of small tournaments, each number by hand."""

from __future__ import annotations

from collections.abc import Sequence

from leaderboard.contests import Duels, choices_among, duels_of, evidence_of, links_of
from leaderboard.entries import Entries, entries_of, sides_of
from leaderboard.seats import names_of
from runner.record.lines import MatchRecord
from runner.statistics import Comparison
from tests.leaderboard.seats_builder import seats_of_rows
from tests.runner.record.records_builder import duels, make_record, rows_of

MIXED = make_record("m9", bots=("a", "b", "c", "c"), teams=(0, 0, 1, 1), returns=(1, 1, 0, 0), pair_id="q")
THREE_PAIRS = [*duels("a", "b", [1, 1, 1, 1, 1, 0.5]), MIXED]
ORDERS = [
    make_record("m1", bots=("a", "b", "c"), returns=(3, 2, 1), pair_id="p"),
    make_record("m2", bots=("a", "b", "c"), returns=(3, 3, 1), pair_id="p"),
    make_record("m3", bots=("a", "b"), returns=(0, 1), pair_id="q"),
]


def _entries(records: Sequence[MatchRecord]) -> tuple[Entries, tuple[str, ...], tuple[str, ...]]:
    seats = seats_of_rows(rows_of(*records))
    return entries_of(seats, *sides_of(seats)), names_of(seats, "bot"), names_of(seats, "variant")


def _kinds(found: Duels) -> list[tuple[int, list[Comparison]]]:
    """How many pairs of each kind, and their comparisons without the number of the kind."""
    return [
        (
            copies,
            [
                Comparison(one.first, one.second, one.score, "", one.setting, one.weight)
                for one in found.comparisons
                if one.pair_id == pair
            ],
        )
        for pair, copies in found.copies.items()
    ]


def test_comparisons_say_who_sat_first_and_count_a_match_once_per_side() -> None:
    entries, bots, settings = _entries(THREE_PAIRS)
    assert _kinds(duels_of(entries, bots=bots, settings=settings)) == [
        (2, [Comparison("a", "b", 1.0, "", "bomber"), Comparison("b", "a", 0.0, "", "bomber")]),
        (1, [Comparison("a", "b", 1.0, "", "bomber"), Comparison("b", "a", 0.5, "", "bomber")]),
        # two partners meet one bot that holds both other seats: half a match for each of them
        (1, [Comparison("a", "c", 1.0, "", "bomber", 0.5), Comparison("b", "c", 1.0, "", "bomber", 0.5)]),
    ]


def test_links_say_who_won_a_pair_as_a_whole() -> None:
    entries, bots, _ = _entries(THREE_PAIRS)
    assert _kinds(links_of(entries, bots=bots)) == [
        (3, [Comparison("a", "b", 1.0, "")]),
        (1, [Comparison("a", "c", 1.0, "")]),
        (1, [Comparison("b", "c", 1.0, "")]),
    ]
    turned, names, _ = _entries(duels("b", "a", [0, 0, 1, 1, 1, 0]))
    assert _kinds(links_of(turned, bots=names)) == [
        (1, [Comparison("a", "b", 0.0, "")]),
        (1, [Comparison("a", "b", 1.0, "")]),
    ]


def test_evidence_counts_pairs_and_sees_whether_they_differ() -> None:
    entries, bots, _ = _entries(THREE_PAIRS)
    found = evidence_of(entries, bots=len(bots))
    assert (found.pairs.tolist(), found.is_alike.tolist()) == ([4, 4, 1], [False, False, True])
    entries, bots, _ = _entries(duels("a", "b", [1, 0] * 3))  # a point each, pair after pair
    found = evidence_of(entries, bots=len(bots) + 1)
    assert (found.pairs.tolist(), found.is_alike.tolist()) == ([3, 3, 0], [True, True, True])


def test_orders_become_choices_of_the_best_among_those_left() -> None:
    entries, bots, _ = _entries(ORDERS)
    found = choices_among(entries, bots=bots)
    assert (found.bots, len(found.units)) == (("a", "b", "c"), 2)
    # p: a from all, b from b and c; then half a and half b from all, and the other from those left. q: b from a and b
    assert found.chosen.tolist() == [[2, 2, 0], [0, 1, 0]]
    left = [
        (int(unit), "".join(bot for bot, is_left in zip("abc", found.among[number], strict=True) if is_left), weight)
        for unit, number, weight in zip(found.unit, found.chosen_from, found.weight.tolist(), strict=True)
    ]
    assert sorted(left) == [(0, "abc", 1), (0, "abc", 1), (0, "ac", 0.5), (0, "bc", 0.5), (0, "bc", 1), (1, "ab", 1)]


def test_bots_that_met_nobody_are_in_no_choice() -> None:
    entries, bots, _ = _entries([*ORDERS[2:], make_record("m4", bots=("c", "c"), returns=(2, 1))])
    found = choices_among(entries, bots=bots)
    assert (bots, found.bots) == (("a", "b", "c"), ("a", "b"))
    assert found.chosen.sum() == 1
