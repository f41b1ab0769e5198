"""Circles of bots: their share of the results, and which are sure."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.statistics import Comparison, cycle_share, significant_cycles

ROUND = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
LADDER = [("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 1.0)]


def _field(seed: int, *, circles: float, spread: float = 150, bots: int = 10, pairs: int = 8) -> list[Comparison]:
    rng = random.Random(seed)
    strength = [rng.gauss(0, spread) for _ in range(bots)]
    played = []
    for one in range(bots):
        for two in range(one):
            gap = strength[one] - strength[two] + rng.gauss(0, circles)
            for pair in range(2 * pairs):
                score = float(rng.random() < 1 / (1 + 10 ** (-gap / 400)))
                played.append(Comparison(f"b{one}", f"b{two}", score, f"{one}-{two}-{pair // 2}"))
    return played


def test_pairs_that_came_out_alike_may_be_given_once_with_their_number() -> None:
    won = {("a", "b"): 19, ("b", "c"): 17, ("c", "a"): 9}  # of 20 pairs each, by the first
    every = [Comparison(*bots, float(at < own), f"{bots}{at:02}") for bots, own in won.items() for at in range(20)]
    kinds = [Comparison(*bots, score, f"{bots}{score}") for bots in won for score in (0.0, 1.0)]
    copies = {f"{bots}{score}": own if score else 20 - own for bots, own in won.items() for score in (0.0, 1.0)}
    assert cycle_share(kinds, copies=copies) == pytest.approx(cycle_share(every), abs=1e-9)
    assert cycle_share(every) is not None


@pytest.mark.parametrize("times", [1, 10])
def test_a_circle_is_not_explained_at_all_and_a_ladder_fully(times: int) -> None:
    assert cycle_share(ROUND * times) == pytest.approx(1)
    assert cycle_share(LADDER * times) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("circles", [0, 60, 87])
def test_the_share_is_that_of_the_effects_between_two_bots_in_all(circles: float) -> None:
    shares = [cycle_share(_field(seed, circles=circles)) for seed in range(20)]
    expected = circles**2 / (circles**2 + 2 * 150**2)
    assert fmean(share for share in shares if share is not None) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("rows", [[], [("a", "b", 0.5)], [("a", "b", 1.0), ("b", "a", 1.0)] * 20])
def test_bots_that_are_all_alike_leave_nothing_to_explain(rows: list[tuple[str, str, float]]) -> None:
    assert cycle_share(rows) is None


@given(st.integers(0, 30), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=10)
def test_who_is_named_first_does_not_matter(seed: int, rng: random.Random) -> None:
    played = _field(seed, circles=100, bots=5, pairs=4)
    turned = [replace(one, first=one.second, second=one.first, score=1 - one.score) for one in played]
    rng.shuffle(turned)
    assert cycle_share(turned) == pytest.approx(cycle_share(played), abs=1e-6)
    assert significant_cycles(turned) == significant_cycles(played)


def test_a_sure_circle_is_named_from_its_first_name_on() -> None:
    (cycle,) = significant_cycles([("c", "a", 1.0), ("b", "c", 1.0), ("a", "b", 1.0)] * 10)
    assert cycle.bots == ("a", "b", "c")
    assert cycle.p_value == pytest.approx(3 * 2 / 2**10)
    assert str(cycle) == "a > b > c > a"


def test_a_circle_with_a_link_that_may_be_chance_is_not_sure() -> None:
    doubtful = [("c", "a", 1.0)] * 6 + [("c", "a", 0.0)] * 4
    assert significant_cycles([*ROUND[:2] * 10, *doubtful]) == []


def test_fewer_matches_are_enough_for_less_confidence() -> None:
    assert len(significant_cycles(ROUND * 8)) == 1
    assert significant_cycles(ROUND * 6) == []
    assert len(significant_cycles(ROUND * 6, confidence=0.9)) == 1


def test_pairs_count_and_not_their_matches() -> None:
    def one_pair(first: str, second: str, pair: int) -> list[Comparison]:
        return [Comparison(first, second, 1.0, f"{first}{pair}"), Comparison(second, first, 0.0, f"{first}{pair}")]

    played = [one for first, second, _ in ROUND for pair in range(6) for one in one_pair(first, second, pair)]
    assert significant_cycles(played) == []


def test_bots_that_only_form_a_longer_circle_give_it_whole() -> None:
    (cycle,) = significant_cycles([("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0), ("d", "a", 1.0)] * 10)
    assert cycle.bots == ("a", "b", "c", "d")


def test_every_circle_of_three_is_listed_once_and_the_surest_first() -> None:
    rows = ROUND * 12 + [("c", "d", 1.0), ("d", "b", 1.0)] * 10
    # b beats c, c beats a and d, d beats b
    assert [cycle.bots for cycle in significant_cycles(rows)] == [("a", "b", "c"), ("b", "c", "d")]


def test_a_ladder_has_no_circle() -> None:
    assert significant_cycles(LADDER * 20) == []
