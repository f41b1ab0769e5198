"""Bots on common seeds: the worked example of Demsar (2006), all signs counted by hand, scipy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gridjoust.runner.statistics import (
    critical_difference,
    friedman,
    holm,
    nemenyi_q,
    sign_test,
    wilcoxon,
    wilcoxon_holm,
)
from tests.runner.statistics.cases import PublishedCase, cases

_PAIRED = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=9)


@st.composite
def _scores(draw: st.DrawFn) -> list[list[float]]:
    bots = draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 20).map(float), min_size=bots, max_size=bots)
    return draw(st.lists(row, min_size=2, max_size=8))


@cases("friedman")
def test_the_example_is_the_published_one(case: PublishedCase) -> None:
    found = friedman(case["scores"])
    assert found.statistic == pytest.approx(case["expected"]["statistic"], abs=case["tolerance"])
    assert found.f_statistic == pytest.approx(case["expected"]["f_statistic"], abs=case["tolerance"])
    assert found.average_ranks == pytest.approx(case["average_ranks"], abs=0.0006)
    assert critical_difference(4, 14, 0.05) == pytest.approx(case["critical_difference"], abs=0.006)
    first, second, *_ = zip(*case["scores"], strict=True)
    assert wilcoxon(first, second).statistic == case["wilcoxon_first_two"]


@cases("critical_difference")
def test_nemenyi_values_are_the_published_ones(case: PublishedCase) -> None:
    assert [nemenyi_q(k, case["alpha"]) for k in case["k"]] == pytest.approx(case["expected"], abs=case["tolerance"])


def test_the_critical_difference_of_two_bots_on_one_seed_is_the_normal_critical_value() -> None:
    assert critical_difference(2, 1) == pytest.approx(1.959964, abs=1e-4)


@pytest.mark.gate
@given(_scores(), st.floats(0.1, 5), st.randoms(use_true_random=False))
def test_friedman_sees_ranks_only_and_no_order_of_seeds_by_name_or_by_place(
    rows: list[list[float]], by: float, rng: random.Random
) -> None:
    named = {f"bot{at}": [row[at] for row in rows] for at in range(len(rows[0]))}
    by_name, by_place = friedman(named), friedman(rows)
    assert by_name.bots == tuple(named)
    assert (by_name.average_ranks, by_name.p_value) == (by_place.average_ranks, by_place.p_value)
    moved = [[math.exp(value / 10) * by - at for value in row] for at, row in enumerate(rows)]
    rng.shuffle(moved)
    assert friedman(moved).statistic == pytest.approx(by_place.statistic, abs=1e-9)


def test_seeds_that_all_rank_alike_have_no_f_and_bots_that_never_differ_are_not_told_apart() -> None:
    alike, equal = friedman([[3, 2, 1]] * 6), friedman([[1, 1, 1]] * 6)
    assert (alike.f_statistic, alike.f_p_value) == (None, 0.0)
    assert alike.statistic == pytest.approx(12)
    assert (equal.statistic, equal.p_value, equal.f_p_value) == (0.0, 1.0, 1.0)
    least = friedman([[2, 1]] * 2)  # two bots, two seeds
    assert (least.statistic, least.average_ranks, least.seeds) == (2.0, (1.0, 2.0), 2)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "one seed": (lambda: friedman([[1, 2]]), "expected scores of 2 bots on 2 seeds at least"),
    "one bot": (lambda: friedman([[1], [2]]), "expected scores of 2 bots on 2 seeds at least"),
    "no scores": (lambda: friedman([]), "expected scores of 2 bots on 2 seeds at least"),
    "a bot that lacks seeds": (
        lambda: friedman({"a": [1, 2], "b": [1]}),
        "expected a score of every bot on every seed",
    ),
    "no seeds": (lambda: wilcoxon([], []), "expected scores on the same seeds, got 0 and 0"),
    "a critical difference of one bot": (lambda: critical_difference(1, 9), "expected 2 bots, 1 seed and an alpha"),
    "without seeds": (lambda: critical_difference(2, 0), "expected 2 bots, 1 seed and an alpha"),
    "at a chance of 1": (lambda: critical_difference(2, 9, 1.0), "expected 2 bots, 1 seed and an alpha"),
    "other seeds": (lambda: wilcoxon([1, 2], [1, 2, 3]), "expected scores on the same seeds, got 2 and 3"),
}


@pytest.mark.parametrize(("test", "message"), REFUSED.values(), ids=REFUSED)
def test_scores_that_cannot_be_compared_are_refused(test: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        test()


@pytest.mark.gate
@given(st.lists(st.permutations([1.0, 2.0, 4.5, 9.0]), min_size=2, max_size=8))
@settings(deadline=None)
def test_friedman_without_ties_is_that_of_scipy(rows: list[list[float]]) -> None:
    expected = stats.friedmanchisquare(*zip(*rows, strict=True))
    found = friedman(rows)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    tail = 0.0 if found.f_statistic is None else stats.f.sf(found.f_statistic, 3, 3 * (len(rows) - 1))
    assert found.f_p_value == pytest.approx(tail)


@given(_PAIRED)
def test_the_exact_p_value_counts_all_signs(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    sizes = [abs(one - other) for one, other in pairs]
    ranks = [sum(other < size for other in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    moving = [rank for rank, size in zip(ranks, sizes, strict=True) if size]
    gained = sum(rank for rank, (one, other) in zip(ranks, pairs, strict=True) if one > other)
    smaller = min(gained, sum(moving) - gained)
    sums = [
        sum(rank for rank, sign in zip(moving, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(moving))
    ]
    expected = min(1.0, 2 * sum(one <= smaller for one in sums) / len(sums))
    assert wilcoxon(first, second).p_value == pytest.approx(expected)


@given(_PAIRED, st.floats(0.01, 100))
def test_swapping_the_bots_swaps_the_rank_sums_and_the_unit_does_not_matter(
    pairs: list[tuple[int, int]], unit: float
) -> None:
    first, second = zip(*pairs, strict=True)
    one, other = wilcoxon(first, second), wilcoxon(second, first)
    assert (other.first_sum, other.second_sum, other.p_value) == (one.second_sum, one.first_sum, one.p_value)
    assert wilcoxon([unit * value for value in first], [unit * value for value in second]) == one


def test_rounding_does_not_make_ties_differ_and_scores_that_never_differ_are_no_evidence() -> None:
    found = wilcoxon([0.3, 0.8, 1.1, 0.0], [0.2, 0.7, 1.0, 0.3])  # 0.1 three times, but not in binary
    assert (found.first_sum, found.second_sum) == (6.0, 4.0)
    equal = wilcoxon([1, 1, 1], [1, 1, 1])
    assert (equal.statistic, equal.p_value) == (3.0, 1.0)


def test_normal_and_exact_tails_meet() -> None:
    rng = random.Random(4)
    first = [rng.gauss(0.3, 1) for _ in range(61)]
    exact, normal = wilcoxon(first[:60], [0.0] * 60), wilcoxon(first, [0.0] * 61)
    assert (exact.is_exact, normal.is_exact) == (True, False)
    assert exact.p_value == pytest.approx(stats.wilcoxon(first[:60], method="exact").pvalue)
    assert normal.p_value == pytest.approx(stats.wilcoxon(first, method="exact").pvalue, rel=0.02)
    assert wilcoxon([1, -1] * 31, [0] * 62).p_value == 1


def test_all_pairs_are_tested_and_adjusted_together() -> None:
    scores = {"a": [9, 8, 9, 8, 9, 8, 9, 9], "b": [1, 2, 3, 4, 5, 6, 7, 8], "c": [2, 1, 4, 3, 6, 5, 8, 7]}
    found = wilcoxon_holm(scores)
    assert [(test.first, test.second) for test in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [test.adjusted for test in found] == holm([test.p_value for test in found])
    assert found[0].p_value == 2 / 2**8
    assert found[2].p_value == 1


def test_holm_gives_its_steps() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1, 1]


@given(st.lists(st.floats(0, 1)))
def test_adjusted_values_keep_their_order_and_never_fall(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(value <= own <= 1 for value, own in zip(values, adjusted, strict=True))
    ordered = [own for _, own in sorted(zip(values, adjusted, strict=True))]
    assert ordered == sorted(ordered)


def test_sign_test_is_the_binomial_one_of_very_many_matches_too() -> None:
    for wins, losses, expected in [(0, 0, 1), (5, 0, 2 / 32), (3, 1, 10 / 16), (4, 4, 1)]:
        assert sign_test(wins, losses) == sign_test(losses, wins) == pytest.approx(expected)
    for wins, losses in [(530, 500), (560, 480), (600, 470)]:
        exact = 2 * sum(math.comb(wins + losses, fewer) for fewer in range(losses + 1)) / 2 ** (wins + losses)
        assert sign_test(wins, losses) == pytest.approx(exact)
