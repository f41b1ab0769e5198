"""The Plackett-Luce fit: a published table, Bradley-Terry between two, shared places, what must hold for any input."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner.statistics import ELO_PER_NAT, Ranking, bradley_terry, plackett_luce
from gridjoust.runner.statistics.rankings import _prepare as prepared
from gridjoust.runner.statistics.rankings import choice_profile, choices_of
from tests.runner.statistics.cases import PublishedCase, cases, zero_of_the_prior


@st.composite
def _orders(draw: st.DrawFn) -> list[list[tuple[str, ...]]]:
    """Any rank orders with shared places, of some of five bots each."""
    found = []
    for _ in range(draw(st.integers(1, 8))):
        bots = draw(st.permutations("abcde"))[: draw(st.integers(2, 5))]
        groups: list[tuple[str, ...]] = []
        for bot in bots:
            if groups and draw(st.integers(0, 3)) == 0:
                groups[-1] = (*groups[-1], bot)
            else:
                groups.append((bot,))
        found.append(groups)
    return found


def _races(bots: int, races: int, seed: int, *, seats: int = 4, step_nats: float = 0.4) -> list[Ranking]:
    """Drawn from the model itself; bot 0 is the weakest."""
    rng = random.Random(seed)
    found: list[Ranking] = []
    for _ in range(races):
        seated = rng.sample(range(bots), seats)
        # the order of exponential clocks is a Plackett-Luce order
        seated.sort(key=lambda bot: rng.expovariate(math.exp(bot * step_nats)))
        found.append([f"bot{bot}" for bot in seated])
    return found


@cases("plackett_luce")
def test_maximum_likelihood_is_the_published_one(case: PublishedCase) -> None:
    rankings = [[str(driver) for driver in race] for race in case["rankings"]]
    fit = plackett_luce(rankings, prior=0)
    zero = fit.ratings[str(case["zero"])]
    got = {driver: (fit.ratings[driver] - zero) / ELO_PER_NAT for driver in case["expected"]}
    assert got == pytest.approx(case["expected"], abs=case["tolerance"])


@pytest.mark.gate
@given(st.lists(st.tuples(st.permutations("abc"), st.booleans()), min_size=1))
@settings(deadline=None)
def test_between_two_bots_it_is_bradley_terry(matches: list[tuple[list[str], bool]]) -> None:
    rankings: list[Ranking] = [[{one, two}] if is_drawn else [one, two] for (one, two, _), is_drawn in matches]
    rows = [(one, two, 0.5 if is_drawn else 1.0) for (one, two, _), is_drawn in matches]
    ours, theirs = plackett_luce(rankings), bradley_terry(rows)
    assert ours.ratings == pytest.approx(theirs.ratings, abs=1e-5)
    assert ours.errors == pytest.approx(theirs.errors, abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_shared_place_counts_as_all_its_orders_in_equal_parts(size: int) -> None:
    tied, others = "abcd"[:size], [["x", "a", "b"], ["b", "y", "c"], ["d", "a", "x"]]
    every = [["x", *order, "y"] for order in permutations(tied)]
    # so many copies of the rest, and of the prior, as there are orders
    split = plackett_luce([*every, *others * len(every)], prior=len(every))
    assert plackett_luce([["x", tuple(tied), "y"], *others], prior=1).ratings == pytest.approx(split.ratings, abs=1e-6)


def test_a_large_shared_place_favours_nobody_in_it() -> None:
    crowd = tuple(f"bot{at:02}" for at in range(12))
    fit = plackett_luce([["x", crowd, "y"]])
    assert [fit.ratings[bot] for bot in crowd] == pytest.approx([fit.ratings["bot00"]] * 12, abs=1e-6)
    assert fit.ratings["x"] > fit.ratings["bot00"] > fit.ratings["y"]


@pytest.mark.gate
@given(_orders())
@settings(deadline=None)
def test_the_ratings_are_finite_with_mean_zero_and_no_small_change_makes_them_more_probable(
    orders: list[list[tuple[str, ...]]],
) -> None:
    fit = plackett_luce(orders, prior=1.0)
    assert sum(fit.ratings.values()) == pytest.approx(0, abs=1e-6)
    assert all(math.isfinite(value) for part in (fit.ratings, fit.errors) for value in part.values())
    nats = {bot: rating / ELO_PER_NAT for bot, rating in fit.ratings.items()}
    shift = zero_of_the_prior(nats.values())
    nats = {bot: value + shift for bot, value in nats.items()}
    best = _log_posterior(orders, nats)
    for bot in nats:
        for move in (-0.05, 0.05):
            assert _log_posterior(orders, nats | {bot: nats[bot] + move}) < best


def _log_posterior(orders: list[list[tuple[str, ...]]], nats: dict[str, float]) -> float:
    """Written out a second time, over all orders of the shared places."""
    total = 0.0
    for groups in orders:
        left = [bot for group in groups for bot in group]
        for group in groups:
            every = list(permutations(group))
            for order in every:
                still = list(left)
                for bot in order:
                    total += (nats[bot] - math.log(sum(math.exp(nats[other]) for other in still))) / len(every)
                    still.remove(bot)
            left = [bot for bot in left if bot not in group]
    return total - sum(
        0.5 * math.log1p(math.exp(-value)) + 0.5 * math.log1p(math.exp(value)) for value in nats.values()
    )


@pytest.mark.gate
@given(_orders(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_of_the_rankings_does_not_matter(orders: list[list[tuple[str, ...]]], rng: random.Random) -> None:
    shuffled = [[tuple(rng.sample(group, len(group))) for group in groups] for groups in orders]
    rng.shuffle(shuffled)
    assert plackett_luce(shuffled).ratings == pytest.approx(plackett_luce(orders).ratings, abs=1e-6)
    in_order = [[tuple(tuple(sorted(group)) for group in groups) for groups in known] for known in (shuffled, orders)]
    one, other = (choice_profile(prepared(known, ["u"] * len(known)))[1] for known in in_order)
    assert one.rating_covariance == pytest.approx(other.rating_covariance, rel=1e-6, abs=1e-6)


def test_the_truth_is_found() -> None:
    fit = plackett_luce(_races(6, 4000, 1))
    assert fit.ratings == pytest.approx({f"bot{at}": 0.4 * (at - 2.5) * ELO_PER_NAT for at in range(6)}, abs=12)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a bot twice": (lambda: plackett_luce([["a", "b", "a"]]), "expected every bot once and no empty place"),
    "a bot in two places": (lambda: plackett_luce([[("a", "b"), "b"]]), "expected every bot once and no empty place"),
    "an empty place": (lambda: plackett_luce([["a", ()]]), "expected every bot once and no empty place"),
    "without prior a bot that is always last": (
        lambda: plackett_luce([["a", "b", "c"], ["b", "a", "c"]], prior=0),
        "expected a prior above 0: c never took a point from a",
    ),
}


@pytest.mark.parametrize(("fit", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_or_has_no_finite_optimum_is_refused(fit: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit()


def test_no_rankings_are_no_ratings() -> None:
    assert plackett_luce([]).ratings == {}
    fit, profile = choice_profile(prepared([], []))
    assert (fit.ratings, profile.bots) == ({}, 0)


def test_matches_of_one_unit_count_as_one_result() -> None:
    races = [tuple((bot,) for bot in order) for order in ("abc", "cba")] * 20
    _, together = choice_profile(prepared(races, [f"u{at // 2:02}" for at in range(40)]))
    _, apart = choice_profile(prepared(races, [f"u{at:02}" for at in range(40)]))
    # a unit is one race either way, so a and c come out even in each of them
    assert together.rating_covariance[0, 0] < apart.rating_covariance[0, 0] / 4


def test_the_covariance_of_a_profile_is_what_the_matches_of_a_unit_together_allow() -> None:
    won = [(("a",), ("b",))] * 2, [(("b",), ("a",))] * 2  # two matches of a unit that came out alike
    races = [race for at in range(400) for race in won[at % 4 == 0]]
    _, profile = choice_profile(prepared(races, [f"u{at // 2:03}" for at in range(800)]), prior=1e-4)
    gap = np.array([1.0, -1.0])
    assert gap @ profile.ratings == pytest.approx(ELO_PER_NAT * math.log(3), abs=0.5)
    assert (gap @ profile.rating_covariance @ gap) ** 0.5 == pytest.approx(
        ELO_PER_NAT / (400 * 0.75 * 0.25) ** 0.5, rel=0.04
    )


@pytest.mark.parametrize(("size", "choices"), [(1, 1), (3, 7), (8, 255), (9, 162)])
def test_a_shared_place_stands_for_all_orders_up_to_eight_bots_and_for_rotations_beyond(
    size: int, choices: int
) -> None:
    found = list(choices_of((tuple("abcdefghi"[:size]), ("z",))))
    assert len(found) == choices + 1
    assert sum(share for _, share in found) == pytest.approx(size + 1)
    assert found[-1] == (("z",), 1.0)
