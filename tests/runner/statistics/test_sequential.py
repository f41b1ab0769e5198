"""Sequential tests: numbers of public tools, symmetry, error rates when played, and where they must refuse."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import optimize

from gridjoust.runner.statistics import (
    Hypothesis,
    Model,
    bayeselo_chances,
    bayeselo_scale,
    elo_after_sprt,
    pair_chances,
    sprt,
)
from gridjoust.runner.statistics.sequential import better_evidence, crossing_share, series_level
from tests.runner.statistics.cases import PublishedCase, cases, check

FloatArray = NDArray[np.float64]
_COUNTS = st.lists(st.sampled_from([0, 1, 3, 10, 200, 3000]), min_size=5, max_size=5)


@cases("sprt")
def test_log_likelihood_ratio_is_the_published_one(case: PublishedCase) -> None:
    check(sprt(case["counts_worst_to_best"], **case["test"]), case)


@given(_COUNTS, st.floats(-60, 60), st.floats(1, 30), st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]))
@settings(deadline=None)
def test_swapping_the_bots_turns_the_sign(counts: list[int], elo0: float, gap: float, model: Model) -> None:
    one = sprt(counts, elo0, elo0 + gap, model=model)
    other = sprt(counts[::-1], -elo0 - gap, -elo0, model=model)
    assert other.llr == pytest.approx(-one.llr, rel=1e-6, abs=1e-6)


@given(_COUNTS, st.integers(2, 20))
@settings(deadline=None)
def test_so_many_times_the_counts_are_so_many_times_the_ratio_and_mirrored_ones_none(
    counts: list[int], times: int
) -> None:
    filled = [count + 1 for count in counts]
    once, more = sprt(filled, 0, 10), sprt([times * count for count in filled], 0, 10)
    assert more.llr == pytest.approx(times * once.llr, rel=1e-6, abs=1e-6)
    mirrored = [one + other for one, other in zip(counts, counts[::-1], strict=True)]
    assert sprt(mirrored, -5, 5).llr == pytest.approx(0, abs=1e-6)


ENDS: list[tuple[tuple[int, ...], float, float, str | None]] = [
    ((0, 0, 0), 0, 10, None),
    ((500, 0, 100), 0, 10, "H0"),
    ((100, 0, 500), 0, 10, "H1"),
    ((10, 10, 20, 20, 20), 0, 10, None),
    # one match decides at the bound
    ((100, 100, 94), -60, 0, "H1"),
    ((100, 100, 93), -60, 0, None),
    ((100, 100, 69), -60, 0, None),
    ((100, 100, 68), -60, 0, "H0"),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "accepted"), ENDS)
def test_the_accepted_hypothesis_is_the_one_whose_bound_was_reached(
    counts: tuple[int, ...], elo0: float, elo1: float, accepted: str | None
) -> None:
    assert sprt(counts, elo0, elo1).accepted == accepted


# at 0.603 of the points from wins and losses alone, normalized Elo is (0.603 - 0.5) / 0.489 * 347 = 73
@pytest.mark.gate
@pytest.mark.parametrize(
    ("score", "wrong"), [pytest.param(0.5, Hypothesis.H1, marks=pytest.mark.gate), (0.603, Hypothesis.H0)]
)
def test_a_test_accepts_what_is_wrong_no_more_often_than_it_may(score: float, wrong: Hypothesis) -> None:
    rng = random.Random(5)
    ends = Counter(_played(rng, score=score) for _ in range(200))
    assert set(ends) == {Hypothesis.H0, Hypothesis.H1}
    assert ends[wrong] <= 0.05 * 200 + 3 * math.sqrt(0.05 * 0.95 * 200)


def _played(rng: random.Random, *, score: float) -> Hypothesis:
    counts = [0, 0, 0]
    while True:
        for _ in range(8):
            counts[2 if rng.random() < score else 0] += 1
        found = sprt(counts, 0, 73)
        if found.accepted is not None:
            return found.accepted


def test_bounds_are_those_of_wald() -> None:
    found = sprt((1, 2, 3), 0, 10, alpha=0.01, beta=0.2)
    assert (found.lower, found.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))


def _likeliest(shares: list[float], miss: Callable[[FloatArray], float]) -> FloatArray:
    """The distribution of the highest likelihood without a miss, by a general optimizer."""
    count = len(shares)
    found = optimize.minimize(
        lambda q: -float(np.dot(shares, np.log(q))),
        np.full(count, 1 / count),
        bounds=[(1e-9, 1)] * count,
        constraints=[{"type": "eq", "fun": lambda q: q.sum() - 1}, {"type": "eq", "fun": miss}],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return np.asarray(found.x)


def test_log_likelihood_ratio_is_that_of_the_likeliest_distributions() -> None:
    for counts in ((20, 30, 60), (5, 12, 40, 25, 18)):
        total, scores = sum(counts), np.linspace(0, 1, len(counts))
        shares = [count / total for count in counts]

        def mean(q: FloatArray, elo: float, scores: FloatArray = scores) -> float:
            return float(scores @ q) - 1 / (1 + 10 ** (-elo / 400))

        def t_value(q: FloatArray, elo: float, scores: FloatArray = scores) -> float:
            own = float(scores @ q)
            wanted = elo * math.log(10) / 800 * (math.sqrt(2) if len(scores) == 5 else 1)
            return own - 0.5 - wanted * math.sqrt(float(q @ (scores - own) ** 2))

        for model, miss in ((Model.LOGISTIC, mean), (Model.NORMALIZED, t_value)):
            q0, q1 = (_likeliest(shares, partial(miss, elo=elo)) for elo in (-5.0, 30.0))
            expected = total * float(np.dot(shares, np.log(q1 / q0)))
            assert sprt(counts, -5, 30, model=model).llr == pytest.approx(expected, rel=1e-3)


def test_the_bayeselo_ratio_by_hand() -> None:
    losses, draws, wins = 20.5, 30.5, 60.5
    total = losses + draws + wins
    draw_elo = 200 * math.log10((total / losses - 1) * (total / wins - 1))
    chances = [bayeselo_chances(elo / bayeselo_scale(draw_elo), draw_elo) for elo in (0, 20)]
    expected = sum(
        count * math.log(one / null) for count, null, one in zip((losses, draws, wins), *chances, strict=True)
    )
    assert sprt((20, 30, 60), 0, 20, model="bayeselo").llr == pytest.approx(expected)


def test_no_match_counts_as_a_thousandth_of_one() -> None:
    assert sprt((0, 4, 10), 0, 10).llr == sprt((0.001, 4, 10), 0, 10).llr


REFUSED: dict[str, tuple[tuple[int, ...], float, float, str, str]] = {
    "two counts": ((1, 2), 0, 5, "normalized", "expected 3 or 5 counts from worst to best"),
    "four counts": ((1, 2, 3, 4), 0, 5, "normalized", "expected 3 or 5 counts from worst to best"),
    "a count below 0": ((-1, 0, 3), 0, 5, "normalized", "expected 3 or 5 counts from worst to best"),
    "pairs in bayeselo": ((1, 2, 3, 4, 5), 0, 5, "bayeselo", "expected 3 counts"),
    "hypotheses in the wrong order": ((1, 2, 3), 5, 0, "normalized", "expected elo0 < elo1"),
    "what no distribution meets": ((1, 2, 3, 4, 5), 0, 300, "normalized", "Elo of at most 221 either way, got 300"),
}


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_tested_is_refused(
    counts: tuple[int, ...], elo0: float, elo1: float, model: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sprt(counts, elo0, elo1, model=model)


@pytest.mark.parametrize("counts", [(3000, 0, 0, 3, 0), (0, 10**9, 0), (0, 0, 0, 3, 10**8)])
def test_counts_far_apart_still_have_a_ratio(counts: tuple[int, ...]) -> None:
    one, other = sprt(counts, 0, 3), sprt(counts[::-1], -3, 0)
    assert other.llr == pytest.approx(-one.llr, rel=1e-6)


@cases("pair_chances")
def test_chances_of_pairs_and_of_matches_over_all_seeds_are_the_published_ones(case: PublishedCase) -> None:
    found = pair_chances(case["elo"], case["draw_elo"], case["seed_biases"])
    assert found == pytest.approx(case["expected"], abs=case["tolerance"])
    seats = [sign * bias for bias in case["seed_biases"] for sign in (1, -1)]
    chances = [bayeselo_chances(case["elo"] + bias, case["draw_elo"]) for bias in seats]
    means = [sum(column) / len(seats) for column in zip(*chances, strict=True)]
    assert means == pytest.approx(case["match_chances"], abs=case["tolerance"])


def test_bayeselo_points_are_elo_points_where_nothing_is_drawn() -> None:
    assert bayeselo_scale(0) == 1
    assert bayeselo_scale(200) == pytest.approx(4 * 10**-0.5 / (1 + 10**-0.5) ** 2)


@cases("elo_after_sprt")
def test_elo_after_a_test_is_that_of_fishtest(case: PublishedCase) -> None:
    found = elo_after_sprt(case["counts_worst_to_best"], **case["test"])
    assert found is not None
    got = {"elo": found.elo, "low": found.elo_interval.low, "high": found.elo_interval.high, "los": found.los}
    assert got == pytest.approx(case["expected"], abs=0.01)
    assert found.los == pytest.approx(case["expected"]["los"], abs=case["tolerance"]["los"])


def test_elo_after_a_test_is_unknown_where_results_never_vary() -> None:
    assert elo_after_sprt((0, 0, 20), 0, 10) is None
    assert elo_after_sprt((1, 0, 20), 0, 10) is not None


def test_elo_after_a_test_allows_for_stopping_at_a_lucky_moment_and_not_for_what_is_played_beyond() -> None:
    assert sprt((60, 100, 100), 0, 40).accepted is Hypothesis.H1
    once, twice = elo_after_sprt((60, 100, 100), 0, 40), elo_after_sprt((120, 200, 200), 0, 40)
    assert once is not None
    assert twice is not None
    assert once.elo < 400 * math.log10(150 / 110)  # what the score alone says
    assert twice.elo == pytest.approx(once.elo, abs=1e-3)


@pytest.mark.parametrize(("drift", "place"), [(0.3, 1.2), (-0.5, 3.0), (0.0, 2.0), (1.5, 3.9)])
def test_crossing_share_is_what_a_random_walk_does(drift: float, place: float) -> None:
    """A walk on a fine grid, its distribution carried forward exactly."""
    width, start, time, cells = 4.0, 1.5, 2.0, 400
    size = width / cells
    steps = round(time / (size * size))
    up = (1 + drift * size) / 2
    chances = [0.0] * (cells + 1)
    chances[round(start / size)] = 1.0
    state, low = np.array(chances), 0.0
    for _ in range(steps):
        following = np.zeros_like(state)
        following[1:] += up * state[:-1]
        following[:-1] += (1 - up) * state[1:]
        low += following[0]
        following[0] = following[-1] = 0
        state = following
    expected = low + state[: round(place / size)].sum()
    assert crossing_share(drift, 1.0, width, start, time, place) == pytest.approx(expected, abs=0.005)


def test_ten_wins_are_the_mean_gain_of_twenty_stakes() -> None:
    """A stake s of the most that can be lost gains 1 + s / 2 by a win: the twenty are geometric from 0.02 to 1.9."""
    stakes = [0.02 * 95 ** (at / 19) for at in range(20)]
    assert better_evidence((0, 0, 10)) == pytest.approx(sum((1 + stake / 2) ** 10 for stake in stakes) / 20)


def test_what_a_fair_unit_adds_is_nothing_on_average() -> None:
    """The five scores of a pair of equal bots without draws come 1, 0, 2, 0 and 1 in 4 times."""
    before = (2, 0, 3, 1, 5)
    shares = (0.25, 0.0, 0.5, 0.0, 0.25)
    after = [better_evidence([count + (at == place) for at, count in enumerate(before)]) for place in range(5)]
    assert sum(share * value for share, value in zip(shares, after, strict=True)) == pytest.approx(
        better_evidence(before)
    )


@pytest.mark.gate
def test_equal_bots_are_called_better_in_less_than_one_of_twenty_runs_however_often_one_looks() -> None:
    rng = random.Random(1)
    wrong = 0
    for _ in range(300):
        counts = [0, 0, 0]
        for _ in range(200):
            counts[2 * (rng.random() < 0.5)] += 1
            if better_evidence(counts) >= 20:
                wrong += 1
                break
    assert wrong <= 23  # 15 at most are promised; the 95 % interval of 15 in 300 ends at 23


def test_a_bot_100_elo_better_is_found() -> None:
    assert better_evidence((36, 0, 64)) > 5
    assert better_evidence((360, 0, 640)) > 1e10
    assert better_evidence((64, 0, 36)) < 1


def test_evidence_of_very_many_wins_stays_finite() -> None:
    assert math.isfinite(better_evidence((0, 0, 10**7)))


def test_the_levels_of_a_series_add_up_to_alpha() -> None:
    assert [series_level(number, alpha=0.05) for number in (1, 2)] == pytest.approx([0.025, 0.05 / 6])
    assert sum(series_level(number, alpha=0.05) for number in range(1, 10_000)) == pytest.approx(0.05, rel=1e-3)


def test_matches_without_draws_may_be_counted_as_losses_and_wins_alone() -> None:
    assert better_evidence((36, 64)) == better_evidence((36, 0, 64))
    with pytest.raises(ValueError, match="expected counts from worst to best"):
        better_evidence((100,))


def test_counts_below_none_are_refused() -> None:
    with pytest.raises(ValueError, match="expected counts from worst to best"):
        better_evidence((0, -1, 3))
