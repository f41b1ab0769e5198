"""The Bradley-Terry fit: published cases, an independent optimum, and what must hold for any input."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridjoust.runner.statistics import ELO_PER_NAT, Comparison, PlainRow, Ratings, bradley_terry, elo_from_wdl
from gridjoust.runner.statistics.ratings import duel_profile
from tests.runner.statistics.cases import PublishedCase, cases, zero_of_the_prior

# Ordo sets its scale so that 202 points are a score of 76 %
ELO_PER_UNIT = {"nat": ELO_PER_NAT, "ordo": ELO_PER_NAT * math.log(0.76 / 0.24) / 202}
Fit = dict[str, float]


@st.composite
def _pools(draw: st.DrawFn) -> list[Comparison]:
    """Any results between two to five bots, some of which may never meet."""
    bots = [f"bot{at}" for at in range(draw(st.integers(2, 5)))]
    meeting = st.tuples(st.sampled_from(bots), st.sampled_from(bots)).filter(lambda pair: pair[0] != pair[1])
    outcome = st.tuples(
        st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from(["", "x"]), st.sampled_from([1.0, 1 / 3, 0.1])
    )
    met = draw(st.lists(st.tuples(meeting, outcome), min_size=1))
    return [
        Comparison(first, second, score, f"pair{at}", setting, weight)
        for at, ((first, second), (score, setting, weight)) in enumerate(met)
    ]


def _league(bots: int, pairs: int, seed: int, *, step_elo: float = 60.0, seat_elo: float = 0.0) -> list[Comparison]:
    """Everyone against everyone in swapped pairs; bot 0 is the weakest."""
    rng = random.Random(seed)
    played = []
    for one in range(bots):
        for two in range(one):
            for pair in range(pairs):
                for first, second in ((one, two), (two, one)):
                    chance = 1 / (1 + 10 ** (-((first - second) * step_elo + seat_elo) / 400))
                    score = float(rng.random() < chance)
                    played.append(Comparison(f"bot{first}", f"bot{second}", score, f"{one}-{two}-{pair}", "x"))
    return played


def _log_posterior(played: Sequence[Comparison], strengths: Fit, advantages: Fit, prior: float) -> float:
    """Written out a second time, in nats."""

    def log_chance(nats: float) -> float:
        return -math.log1p(math.exp(-nats))

    total = 0.0
    for one in played:
        nats = strengths[one.first] - strengths[one.second] + advantages.get(one.setting, 0.0)
        total += one.weight * (one.score * log_chance(nats) + (1 - one.score) * log_chance(-nats))
    virtual = [*strengths.values(), *advantages.values()]
    return total + prior * sum(0.5 * log_chance(nats) + 0.5 * log_chance(-nats) for nats in virtual)


def _climb(value: Callable[[Fit], float], start: Fit) -> Fit:
    """The maximum by the best step along one name, halved when none helps."""
    here, step = dict(start), 1.0
    while step > 1e-6:
        tried = [here | {name: here[name] + move} for name in start for move in (step, -step)]
        best = max(tried, key=value)
        if value(best) > value(here):
            here = best
        else:
            step /= 2
    return here


@cases("bradley_terry")
def test_maximum_likelihood_is_the_published_one(case: PublishedCase) -> None:
    played = [
        Comparison(match["first"], match["second"], score, "p", weight=match[count])
        for match in case["matches"]
        for count, score in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0))
        if match[count]
    ]
    fit = bradley_terry(played, prior=0, ties=case["ties"])
    assert _in_unit(fit, case["unit"]) == pytest.approx(case["expected"], abs=case["tolerance"])
    assert fit.draw_parameter == pytest.approx(case.get("draw_parameter"), abs=case["tolerance"])


def _in_unit(fit: Ratings, unit: str) -> list[float]:
    """In the order of the names; `share` are odds that add up to 1."""
    if unit != "share":
        return [fit.ratings[bot] / ELO_PER_UNIT[unit] for bot in sorted(fit.ratings)]
    odds = [math.exp(fit.ratings[bot] / ELO_PER_NAT) for bot in sorted(fit.ratings)]
    return [one / sum(odds) for one in odds]


@pytest.mark.parametrize(("wins", "draws", "losses"), [(7, 2, 4), (1, 0, 1), (1, 3, 9), (400, 10, 3)])
def test_two_bots_without_prior_are_as_far_apart_as_their_score_says(wins: int, draws: int, losses: int) -> None:
    scores = [1.0] * wins + [0.5] * draws + [0.0] * losses
    fit = bradley_terry([Comparison("a", "b", score, "p") for score in scores], prior=0)
    assert fit.ratings["a"] - fit.ratings["b"] == pytest.approx(elo_from_wdl(wins, draws, losses).elo, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_fit_is_the_optimum_that_a_blind_search_finds(seed: int) -> None:
    played = random.Random(seed).sample(_league(3, 4, seed), 12)
    fit = bradley_terry(played, prior=0.7)
    start = dict.fromkeys(["bot0", "bot1", "bot2", "seat"], 0.0)

    def value(nats: Fit) -> float:
        strengths = {name: nats[name] for name in fit.ratings}
        return _log_posterior(played, strengths, {"x": nats["seat"]}, 0.7)

    found = _climb(value, start)
    mean = sum(found[bot] for bot in fit.ratings) / 3
    expected = {bot: (found[bot] - mean) * ELO_PER_NAT for bot in fit.ratings}
    assert fit.ratings == pytest.approx(expected, abs=0.01)
    assert fit.advantages["x"] == pytest.approx(found["seat"] * ELO_PER_NAT, abs=0.01)


def test_errors_leave_out_the_common_shift_that_the_prior_leaves_open() -> None:
    played = [Comparison("a", "b", score, f"p{at}") for at, score in enumerate([1.0, 0.0] * 50)]
    fit = bradley_terry(played, prior=1e-6)
    # 100 matches between equals: the difference has variance 4 / 100 nats, each rating is half of it
    assert fit.errors == pytest.approx(dict.fromkeys("ab", ELO_PER_NAT * 0.2 / 2), rel=1e-4)


def test_errors_are_those_of_the_curvature_with_the_seat_advantage_in_it() -> None:
    played = _league(2, 3, 1)[:5]
    fit = bradley_terry(played)
    names = ["bot0", "bot1", "x"]
    shift = zero_of_the_prior(rating / ELO_PER_NAT for rating in fit.ratings.values())

    def value(moves: dict[str, float]) -> float:
        nats = {name: (fit.ratings | fit.advantages)[name] / ELO_PER_NAT + moves.get(name, 0.0) for name in names}
        strengths = {bot: nats[bot] + shift for bot in fit.ratings}
        return _log_posterior(played, strengths, {"x": nats["x"]}, 1.0)

    curvature = np.array([[_second_difference(value, one, two) for two in names] for one in names])
    covariance = np.linalg.inv(-curvature)[:2, :2]
    gap = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert fit.errors == pytest.approx(dict.fromkeys(["bot0", "bot1"], ELO_PER_NAT * gap**0.5 / 2), rel=1e-3)


def _second_difference(value: Callable[[dict[str, float]], float], one: str, two: str, step: float = 1e-3) -> float:
    def at(first: float, second: float) -> float:
        return value({one: first + second} if one == two else {one: first, two: second})

    return (at(step, step) - at(step, -step) - at(-step, step) + at(-step, -step)) / (4 * step * step)


def test_seat_advantage_is_found_and_does_not_reach_the_ratings() -> None:
    fit = bradley_terry(_league(4, 400, 5, seat_elo=100))
    assert fit.advantages["x"] == pytest.approx(100, abs=15)
    assert fit.ratings == pytest.approx({f"bot{at}": 60 * (at - 1.5) for at in range(4)}, abs=20)


def test_a_bot_that_only_had_the_better_seat_is_not_the_better_bot() -> None:
    swapped = [Comparison(*pair, 1.0, f"s{at}{pair}", "x") for at in range(20) for pair in (("c", "d"), ("d", "c"))]
    lucky = [Comparison("a", "b", 1.0, f"u{at}", "x") for at in range(3)]
    with_advantage = bradley_terry([*swapped, *lucky])
    without = bradley_terry([*swapped, *lucky], seat_advantage=False)
    assert without.advantages == {}
    gap = with_advantage.ratings["a"] - with_advantage.ratings["b"]
    assert 0 < gap < (without.ratings["a"] - without.ratings["b"]) / 3


def test_weight_counts_like_so_many_comparisons() -> None:
    thrice = [Comparison("a", "b", 1.0, "p")] * 3 + [Comparison("b", "a", 1.0, "q")]
    weighted = [Comparison("a", "b", 1.0, "p", weight=3.0), Comparison("b", "a", 1.0, "q")]
    assert bradley_terry(thrice).ratings == pytest.approx(bradley_terry(weighted).ratings, abs=1e-9)


def test_no_comparisons_are_no_ratings() -> None:
    assert bradley_terry([]).ratings == {}
    bots, fit, profile = duel_profile([])
    assert (bots, fit.ratings, profile.bots) == ((), {}, 0)


@pytest.mark.gate
@given(_pools())
@settings(deadline=None)
def test_every_rating_is_finite_and_their_mean_is_zero(played: list[Comparison]) -> None:
    fit = bradley_terry(played)
    assert all(math.isfinite(value) for part in (fit.ratings, fit.errors, fit.advantages) for value in part.values())
    assert sum(fit.ratings.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.gate
@given(_pools(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_of_the_comparisons_does_not_matter(played: list[Comparison], rng: random.Random) -> None:
    shuffled = list(played)
    rng.shuffle(shuffled)
    assert bradley_terry(shuffled) == bradley_terry(played)
    one, other = (duel_profile(rows)[2].rating_covariance for rows in (shuffled, played))
    assert np.array_equal(one, other)


@pytest.mark.gate
@given(_pools())
@settings(deadline=None)
def test_mirrored_results_mirror_the_ratings_and_without_seats_turned_ones_are_the_same(
    played: list[Comparison],
) -> None:
    mirrored = [replace(one, score=1 - one.score) for one in played]
    fit, mirror = bradley_terry(played), bradley_terry(mirrored)
    assert mirror.ratings == pytest.approx({bot: -rating for bot, rating in fit.ratings.items()}, abs=1e-6)
    assert mirror.advantages == pytest.approx({name: -value for name, value in fit.advantages.items()}, abs=1e-6)
    turned = [replace(one, first=one.second, second=one.first) for one in mirrored]
    straight = bradley_terry(played, seat_advantage=False)
    assert bradley_terry(turned, seat_advantage=False).ratings == pytest.approx(straight.ratings, abs=1e-6)


@pytest.mark.parametrize("wins", [1, 100, 100_000])
def test_a_bot_that_always_wins_is_finite_and_first(wins: int) -> None:
    played = [Comparison("a", "b", 1.0, "p", weight=wins), Comparison("b", "c", 1.0, "q", weight=wins)]
    ratings = bradley_terry(played).ratings
    assert math.inf > ratings["a"] > ratings["b"] > ratings["c"] > -math.inf


def test_pools_that_never_met_are_each_around_zero_and_a_stronger_prior_pulls_ratings_together() -> None:
    rows = [(first, second, score) for first, second in ("ab", "cd") for score in (1.0, 1.0, 0.0)]
    fits = [bradley_terry(rows, prior).ratings for prior in (0.1, 1, 10)]
    assert fits[0]["a"] > fits[1]["a"] > fits[2]["a"] > 0
    for ratings in fits:
        assert ratings["a"] == pytest.approx(ratings["c"], abs=1e-6)
        assert ratings["a"] + ratings["b"] == pytest.approx(0, abs=1e-6)


def test_without_prior_points_taken_along_a_cycle_are_enough() -> None:
    cycle = [Comparison(first, second, 1.0, "p") for first, second in pairwise("abcdea")]
    assert bradley_terry(cycle, prior=0).ratings == pytest.approx(dict.fromkeys("abcde", 0.0), abs=1e-6)


PLAIN = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 1.0), ("a", "b", 0.0), ("a", "b", 1.0)]


def test_plain_rows_are_comparisons_without_seats_and_give_one_profile_in_any_order() -> None:
    same = [Comparison(*row, f"p{at}") for at, row in enumerate(PLAIN)]
    assert bradley_terry(PLAIN).ratings == pytest.approx(bradley_terry(same).ratings, abs=1e-9)
    assert bradley_terry(PLAIN).advantages == {}
    one, other = (duel_profile(known)[2].rating_covariance for known in (PLAIN * 4, PLAIN[::-1] * 4))
    assert one.diagonal().min() > 1
    assert np.array_equal(one, other)
    once = duel_profile(same, copies={one.pair_id: 1 for one in same})[2].rating_covariance
    assert np.array_equal(once, duel_profile(same)[2].rating_covariance)


def test_plain_rows_have_a_first_seat_if_one_asks_for_its_advantage() -> None:
    rows = [("a", "b", 1.0), ("b", "a", 1.0)] * 10 + [("a", "b", 0.0), ("b", "a", 0.0)]
    fit = bradley_terry(rows, prior=0, seat_advantage=True)
    assert fit.advantages == pytest.approx({"first seat": 400})  # ten to one
    assert fit.ratings["a"] == pytest.approx(0, abs=1e-6)


INFINITE, NO_DRAWS, NO_ROW = (
    "expected a prior above 0",
    "of 2 matches were drawn",
    "expected a score of 0 to 1 of one bot",
)
REFUSED: dict[str, tuple[list[PlainRow], dict[str, Any], str]] = {
    "without prior a bot that always won": ([("a", "b", 1.0)], {"prior": 0}, INFINITE),
    "without prior pools that never met": ([("a", "b", 0.5), ("c", "d", 0.5)], {"prior": 0}, INFINITE),
    "without prior points one way only": ([("a", "b", 0.5), ("b", "c", 1.0)], {"prior": 0}, INFINITE),
    "a bot against itself": ([("a", "a", 1.0)], {}, NO_ROW),
    "a score above 1": ([("a", "b", 1.5)], {}, NO_ROW),
    "no score": ([("a", "b", math.nan)], {}, NO_ROW),
    "a score between, with a parameter of draws": (
        [("a", "b", 0.75)],
        {"ties": "davidson"},
        r"scores of 0, 0\.5 and 1",
    ),
    "draws alone": ([("a", "b", 0.5)] * 2, {"prior": 0, "ties": "davidson"}, NO_DRAWS),
    "draws and points one way only": (
        [("a", "b", 0.5), ("b", "c", 1.0)],
        {"prior": 0, "ties": "davidson"},
        "c never took a point from a",
    ),
    "the same, named the other way": (
        [("a", "b", 0.5), ("c", "b", 0.0)],
        {"prior": 0, "ties": "davidson"},
        "c never took a point from a",
    ),
    "no draws": ([("a", "b", 1.0), ("a", "b", 0.0)], {"prior": 0, "ties": "davidson"}, NO_DRAWS),
    "another way to count draws": ([("a", "b", 0.5)], {"ties": "third"}, "'third' is not a valid Ties"),
}


@pytest.mark.parametrize(("rows", "options", "message"), REFUSED.values(), ids=REFUSED)
def test_what_has_no_finite_optimum_or_cannot_be_is_refused(
    rows: list[PlainRow], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bradley_terry(rows, **options)


# at the optimum the chances of a draw add up to 1: nu / (nu + 2 cosh(difference / 2)) for every match
DRAWN_ONCE: dict[str, tuple[list[PlainRow], float]] = {
    "two equals": ([("a", "b", 1.0), ("a", "b", 0.5), ("a", "b", 0.0)], 1),
    "a circle": ([("a", "b", 1.0), ("a", "b", 0.5), ("b", "c", 1.0), ("a", "c", 0.0)], 2 / 3),
    "a draw closes the circle": ([("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 0.5)], 1.424713),
    "named the other way": ([("b", "a", 0.0), ("c", "b", 0.0), ("c", "a", 0.5)], 1.424713),
}


@pytest.mark.parametrize(("rows", "parameter"), DRAWN_ONCE.values(), ids=DRAWN_ONCE)
def test_one_draw_is_enough_for_its_parameter_without_prior(rows: list[PlainRow], parameter: float) -> None:
    fit = bradley_terry(rows, prior=0, ties="davidson")
    assert fit.draw_parameter == pytest.approx(parameter, rel=1e-4)


def test_draws_with_a_parameter_are_the_optimum_that_a_blind_search_finds() -> None:
    plays = [("a", "b", "wwld"), ("b", "c", "wdl"), ("c", "a", "dw"), ("b", "a", "dl")]
    rows = [(first, second, {"w": 1.0, "d": 0.5, "l": 0.0}[one]) for first, second, all_ in plays for one in all_]
    fit = bradley_terry(rows, 0.7, seat_advantage=True, ties="davidson")
    found = _climb(
        lambda nats: _log_posterior_with_draws(rows, nats, 0.7), dict.fromkeys(["a", "b", "c", "x", "nu"], 0.0)
    )
    mean = (found["a"] + found["b"] + found["c"]) / 3
    assert fit.ratings == pytest.approx({bot: (found[bot] - mean) * ELO_PER_NAT for bot in "abc"}, abs=0.01)
    assert fit.advantages["first seat"] == pytest.approx(found["x"] * ELO_PER_NAT, abs=0.01)
    assert fit.draw_parameter == pytest.approx(math.exp(found["nu"]), abs=1e-4)


def _log_posterior_with_draws(rows: Sequence[tuple[str, str, float]], nats: Fit, prior: float) -> float:
    total = 0.0
    for first, second, score in rows:
        odds = nats[first] - nats[second] + nats["x"]
        logits = {1.0: odds / 2, 0.5: nats["nu"], 0.0: -odds / 2}
        total += logits[score] - math.log(sum(map(math.exp, logits.values())))
    virtual = [value for name, value in nats.items() if name != "nu"]
    total -= prior * sum(0.5 * math.log1p(math.exp(-value)) + 0.5 * math.log1p(math.exp(value)) for value in virtual)
    return total + prior * (nats["nu"] / 3 - math.log(2 + math.exp(nats["nu"])))


@pytest.mark.gate
@given(_pools())
@settings(deadline=None)
def test_draws_with_a_parameter_are_finite_and_mirror_too(played: list[Comparison]) -> None:
    fit = bradley_terry(played, ties="davidson")
    mirror = bradley_terry([replace(one, score=1 - one.score) for one in played], ties="davidson")
    assert mirror.ratings == pytest.approx({bot: -rating for bot, rating in fit.ratings.items()}, abs=1e-5)
    assert mirror.draw_parameter == pytest.approx(fit.draw_parameter, rel=1e-6)
    assert all(math.isfinite(error) for error in fit.errors.values())


def test_errors_with_a_parameter_of_draws_allow_for_its_own_error() -> None:
    scores = [1.0] * 60 + [0.5] * 20 + [0.0] * 20
    fit = bradley_terry([("a", "b", score) for score in scores], 1e-7, ties="davidson")
    # information of the difference 100 (0.8 - 0.4^2) / 4, of log nu 100 0.2 0.8, of both -100 0.4 0.2 / 2
    variance = 1 / (16 - 4 * 4 / 16)
    assert fit.errors == pytest.approx(dict.fromkeys("ab", ELO_PER_NAT * variance**0.5 / 2), rel=1e-3)


def test_where_nothing_is_drawn_a_parameter_of_draws_changes_no_order() -> None:
    played = _league(4, 30, 3)
    half, own = (bradley_terry(played, ties=ties) for ties in ("half", "davidson"))
    assert sorted(half.ratings, key=half.ratings.__getitem__) == sorted(own.ratings, key=own.ratings.__getitem__)
    assert own.draw_parameter is not None
    assert own.draw_parameter < 0.1


def test_the_error_of_a_seat_advantage_counts_pairs_as_a_board_may_decide_both_their_matches() -> None:
    by_board = [
        Comparison(*bots, score=float(board % 2), pair_id=f"{board}", setting="one")
        for board in range(40)
        for bots in (("a", "b"), ("b", "a"))
    ]
    alone = [replace(one, pair_id=f"{at}") for at, one in enumerate(by_board)]
    (_, together, _), (_, apart, _) = duel_profile(by_board), duel_profile(alone)
    assert apart.advantage_errors["one"] == pytest.approx(2 / math.sqrt(80) * ELO_PER_NAT, rel=0.05)
    assert together.advantage_errors["one"] / apart.advantage_errors["one"] == pytest.approx(math.sqrt(2), rel=0.01)
    assert duel_profile(by_board[:2])[1].advantage_errors == {}
