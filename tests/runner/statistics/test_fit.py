"""Does one number per bot explain the results? The test of the model, the share of circles, and which are sure."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner.statistics import Comparison, bradley_terry_fit, cycle_share, significant_cycles
from tests.tiers import gate_but

ROUND = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
LADDER = [("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 1.0)]


def _field(
    seed: int, *, bots: int = 10, pairs: int = 3, spread: float = 150, circles: float = 0, draws: float = 0
) -> list[Comparison]:
    """Swapped pairs of everybody against everybody; `circles` is the deviation of the effects of two bots, in Elo."""
    rng = random.Random(seed)
    strength = [rng.gauss(0, spread) for _ in range(bots)]
    played = []
    for one in range(bots):
        for two in range(one):
            effect = rng.gauss(0, circles)
            for pair in range(pairs):
                for first, second, sign in ((one, two, 1), (two, one, -1)):
                    chance = 1 / (1 + 10 ** (-(strength[first] - strength[second] + sign * effect) / 400))
                    drawn = draws * 4 * chance * (1 - chance)
                    point = rng.random()
                    score = 1.0 if point < chance - drawn / 2 else 0.5 if point < chance + drawn / 2 else 0.0
                    played.append(Comparison(f"b{first}", f"b{second}", score, f"{one}-{two}-{pair}", "x"))
    return played


def _rejected(fields: int, **options: float) -> int:
    p_values = [bradley_terry_fit(_field(seed, **options)).p_value for seed in range(fields)]  # type: ignore[arg-type]
    assert None not in p_values
    return sum(p_value is not None and p_value < 0.05 for p_value in p_values)


@pytest.mark.gate
@pytest.mark.parametrize(
    "options",
    gate_but([{}, {"pairs": 2}, {"draws": 0.6}, {"spread": 300}, {"bots": 4, "pairs": 6}], ({"draws": 0.6},)),
)
def test_a_field_that_fits_is_rejected_one_time_in_twenty(options: dict[str, float]) -> None:
    assert _rejected(100, **options) <= 11  # of a binomial with 5 % one in 250 is more


@pytest.mark.gate
def test_large_circles_are_found() -> None:
    assert _rejected(40, pairs=4, circles=175) >= 32
    found = bradley_terry_fit(ROUND * 10)
    assert found.p_value is not None
    assert found.p_value < 1e-6
    assert found.degrees == 1
    upset = bradley_terry_fit([*LADDER * 20, ("c", "a", 1.0)])  # of the last over the first, all else being certain
    assert upset.p_value is not None
    assert upset.p_value < 1e-3


@pytest.mark.parametrize("times", [5, 50])
def test_a_ladder_on_which_the_better_bot_always_wins_fits(times: int) -> None:
    names = "abcdefgh"
    rows = [(one, two, 1.0) for at, one in enumerate(names) for two in names[at + 1 :]] * times
    found = bradley_terry_fit(rows)
    assert found.p_value is not None
    assert found.p_value > 0.2


def test_draws_make_the_dispersion_small_and_not_the_fit_good() -> None:
    drawn, decided = (bradley_terry_fit(_field(3, draws=draws, spread=30)) for draws in (0.8, 0.0))
    assert drawn.dispersion < 0.4
    assert decided.dispersion == pytest.approx(1, abs=0.2)
    assert _rejected(20, draws=0.8, circles=120, spread=30) >= 18


def test_pools_that_never_met_leave_as_many_degrees_as_they_have_alone() -> None:
    other = [(first.upper(), second.upper(), score) for first, second, score in ROUND]
    assert bradley_terry_fit((ROUND + other) * 10).degrees == 2


def test_chance_is_known_from_ten_repeats_on_and_as_many_as_there_are_pairs_of_bots() -> None:
    six = [(one, two, 1.0) for one, two in combinations("abcdef", 2)]  # fifteen pairs
    tables = (ROUND * 4, [*ROUND * 4, ROUND[0]], [*six * 2][1:], six * 2)
    assert [bradley_terry_fit(rows).p_value is None for rows in tables] == [True, False, True, False]


@pytest.mark.parametrize(
    "rows",
    [[], ROUND, ROUND * 2, [("a", "b", 1.0), ("b", "a", 1.0)] * 20],
    ids=["none", "once", "too few", "nothing that could fail to fit"],
)
def test_too_little_to_tell_has_no_p_value(rows: list[tuple[str, str, float]]) -> None:
    assert bradley_terry_fit(rows).p_value is None


@given(st.integers(0, 50), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=15)
def test_neither_order_nor_who_is_named_first_matters(seed: int, rng: random.Random) -> None:
    played = [replace(one, setting="") for one in _field(seed, bots=5, circles=100, pairs=3)]
    turned = [replace(one, first=one.second, second=one.first, score=1 - one.score) for one in played]
    rng.shuffle(turned)
    one, other = bradley_terry_fit(played), bradley_terry_fit(turned)
    assert (other.p_value, other.deviance) == pytest.approx((one.p_value, one.deviance), rel=1e-6)
    assert cycle_share(turned) == pytest.approx(cycle_share(played), abs=1e-6)
    assert significant_cycles(turned) == significant_cycles(played)


def test_the_deviance_of_a_circle_is_that_of_results_against_even_chances() -> None:
    won = [("a", "b"), ("b", "c"), ("c", "a")]
    played = [Comparison(*pair, float(at < 7), f"{pair}{at}") for pair in won for at in range(10)]
    by_hand = 2 * 3 * (7 * math.log(7 / 5) + 3 * math.log(3 / 5))
    found = bradley_terry_fit(played)
    assert found.deviance * found.dispersion == pytest.approx(by_hand, rel=1e-6)
    always = bradley_terry_fit(ROUND * 10)
    assert always.deviance * always.dispersion == pytest.approx(60 * math.log(2))
    half = bradley_terry_fit([("a", "b", 0.5), ("b", "c", 1.0), ("c", "b", 1.0), ("c", "a", 0.5)])
    assert half.deviance == pytest.approx(0, abs=1e-6)


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


def test_of_a_circle_that_chance_may_well_make_no_share_is_told() -> None:
    # what is more than chance is 0.71 and 0.88 times chance; told from sqrt(2 / 3) on
    won = ((7, 10), (13, 20))
    shares = [cycle_share([(*pair[:2], float(at < own)) for pair in ROUND for at in range(of)]) for own, of in won]
    assert shares == [None, pytest.approx(1)]


@pytest.mark.gate
@pytest.mark.parametrize("circles", [0, 60, 87])
def test_the_share_is_that_of_the_effects_between_two_bots_in_all(circles: float) -> None:
    shares = [cycle_share(_field(seed, circles=circles, pairs=8)) for seed in range(20)]
    expected = circles**2 / (circles**2 + 2 * 150**2)
    assert fmean(share for share in shares if share is not None) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("rows", [[], [("a", "b", 0.5)], [("a", "b", 1.0), ("b", "a", 1.0)] * 20])
def test_bots_that_are_all_alike_leave_nothing_to_explain(rows: list[tuple[str, str, float]]) -> None:
    assert cycle_share(rows) is None


@pytest.mark.parametrize("last", [("c", "a", 1.0), ("a", "c", 0.0)])
def test_a_sure_circle_is_named_from_its_first_name_on(last: tuple[str, str, float]) -> None:
    (cycle,) = significant_cycles([last, ("b", "c", 1.0), ("a", "b", 1.0)] * 10)
    assert cycle.bots == ("a", "b", "c")
    assert cycle.p_value == pytest.approx(3 * 2 / 2**10)
    assert str(cycle) == "a > b > c > a"


def test_a_circle_with_a_link_that_may_be_chance_is_not_sure() -> None:
    doubtful = [("c", "a", 1.0)] * 6 + [("c", "a", 0.0)] * 4
    assert significant_cycles([*ROUND[:2] * 10, *doubtful]) == []
    assert significant_cycles(LADDER * 20) == []
    found = [
        len(significant_cycles(ROUND * times, confidence=sure)) for times, sure in ((8, 0.95), (6, 0.95), (6, 0.9))
    ]
    assert found == [1, 0, 1]  # fewer matches are enough for less confidence


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
