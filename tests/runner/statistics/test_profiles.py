"""Falls of the log posterior: against scipy's optimizer, the studentized range and results that repeat themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from gridjoust.runner.statistics import ELO_PER_NAT, Comparison
from gridjoust.runner.statistics.profiles import Profile
from gridjoust.runner.statistics.rankings import _prepare as prepared
from gridjoust.runner.statistics.rankings import choice_profile
from gridjoust.runner.statistics.ratings import duel_profile

optimize = pytest.importorskip("scipy.optimize")
stats = pytest.importorskip("scipy.stats")


def _played(elo: Sequence[float], pairs: int, *, seed: int, copies: int = 1) -> list[Comparison]:
    """Pairs between any two bots; each match is entered `copies` times, so that results repeat themselves."""
    rng = random.Random(seed)
    return [
        Comparison(f"b{one}", f"b{two}", score, f"{one}-{two}-{at}")
        for one, two in combinations(range(len(elo)), 2)
        for at in range(pairs)
        for score in [float(rng.random() < 1 / (1 + 10 ** ((elo[two] - elo[one]) / 400))) for _ in range(2 // copies)]
        for _ in range(copies)
    ]


def _log_posterior(rows: Sequence[Comparison], nats: np.ndarray, *, prior: float = 1.0) -> float:
    at = {f"b{number}": value for number, value in enumerate(nats)}
    gaps = np.array([at[one.first] - at[one.second] for one in rows])
    scores = np.array([one.score for one in rows])
    likelihood = float((scores * gaps - np.logaddexp(0, gaps)).sum())
    return likelihood + prior * float((0.5 * nats - np.logaddexp(0, nats)).sum())


def _constrained(rows: Sequence[Comparison], bots: int, contrast: np.ndarray, value: float) -> float:
    """The highest log posterior with this value of a contrast."""
    pinned = {"type": "eq", "fun": lambda nats: contrast @ nats - value}
    found = optimize.minimize(
        lambda nats: -_log_posterior(rows, nats), np.zeros(bots), constraints=[pinned], options={"ftol": 1e-12}
    )
    return -float(found.fun)


def test_the_ends_of_an_interval_are_where_twice_the_fall_is_the_square_of_t() -> None:
    rows = _played((150, 0), 12, seed=3)
    _, _, profile = duel_profile(rows)
    contrast = np.array([0.5, -0.5])
    top = _log_posterior(rows, profile.nats)
    wanted = float(stats.t.ppf(0.975, profile.dispersion.degrees[0])) ** 2 * profile.dispersion.by_bot[0] / 2
    for end in profile.rating_interval(0):
        assert top - _constrained(rows, 2, contrast, end / ELO_PER_NAT) == pytest.approx(wanted, rel=0.02)


@pytest.mark.default("elo0")
@pytest.mark.parametrize("elo", [(0, 0, 0, 0), (400, 0, -100, -300), (1000, 0, 0, 0)])
def test_roots_are_those_of_the_constrained_optimum(elo: Sequence[float]) -> None:
    rows = _played(elo, 8, seed=5)
    _, _, profile = duel_profile(rows)
    top = _log_posterior(rows, profile.nats)
    one, two = np.triu_indices(4, 1)
    roots = profile.roots(one, two)
    for first, second, root in zip(one, two, roots, strict=True):
        contrast = np.eye(4)[first] - np.eye(4)[second]
        scale = profile.dispersion.by_bot
        bounds = sorted(float(np.sqrt(2 * max(0.0, top - _constrained(rows, 4, contrast, 0)) / own)) for own in scale)
        assert 0.97 * bounds[0] - 0.02 <= abs(root) <= 1.15 * bounds[-1] + 0.02


def test_no_root_exceeds_the_most_that_results_could_tell() -> None:
    for seed in range(20):
        _, _, profile = duel_profile(_played((600, 300, 0, -50, -600), 3, seed=seed))
        one, two = np.triu_indices(5, 1)
        assert (np.abs(profile.roots(one, two)) <= profile.most_sure(one, two) + 1e-9).all()


def test_the_bar_for_many_pairs_of_equal_bots_is_the_studentized_range() -> None:
    for bots in (3, 8):
        _, _, profile = duel_profile(_played((0,) * bots, 150, seed=2))
        found = profile.largest_root(*np.triu_indices(bots, 1))
        assert found == pytest.approx(stats.studentized_range.ppf(0.95, bots, np.inf) / 2**0.5, rel=0.03)


def test_results_that_repeat_themselves_are_half_the_evidence() -> None:
    _, _, once = duel_profile(_played((0, 0, 0), 200, seed=4))
    _, _, twice = duel_profile(_played((0, 0, 0), 200, seed=4, copies=2))
    assert once.dispersion.by_bot == pytest.approx(1, abs=0.15)
    assert twice.dispersion.by_bot == pytest.approx(2, abs=0.3)


def test_two_bots_in_rankings_have_the_intervals_of_duels() -> None:
    scores = [1, 1, 0, 1, 0, 1, 1, 1]
    rows = [Comparison("a", "b", float(score), f"p{at}") for at, score in enumerate(scores)]
    _, _, duels = duel_profile(rows)
    orders = [(("a",), ("b",)) if score else (("b",), ("a",)) for score in scores]
    _, rankings = choice_profile(prepared(orders, [str(at) for at in range(8)]))
    assert rankings.rating_interval(0) == pytest.approx(duels.rating_interval(0), rel=1e-6)
    assert rankings.superiority(0, 1) == pytest.approx(duels.superiority(0, 1), rel=1e-6)


def test_superiority_of_the_one_is_inferiority_of_the_other() -> None:
    profile: Profile = duel_profile(_played((80, 0, 0), 10, seed=6))[2]
    assert profile.superiority(0, 2) + profile.superiority(2, 0) == pytest.approx(1)
    assert profile.superiority(0, 2) > 0.5
