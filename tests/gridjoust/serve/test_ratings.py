"""Ratings of a contest are one joint fit with a prior for each version; grades depend on staff matches alone."""

from __future__ import annotations

import math
import random

import pytest

from gridjoust.runner.statistics.elo import score_from_elo
from gridjoust.serve.ratings import (
    FIRST_SPREAD,
    Graded,
    Met,
    Prior,
    Rating,
    StaffPair,
    fit,
    grade,
    prior_after,
)
from gridjoust.serve.values import GradeRow, Threshold

STAFF = ("weak", "strong")


def test_without_a_match_a_rating_is_its_prior() -> None:
    [rating] = fit({"a": Prior(120.0, 80.0)}, [], {}).values()
    assert [rating.elo, rating.spread] == pytest.approx([120.0, 80.0])


def test_an_even_score_moves_two_equal_bots_nowhere_and_makes_them_surer() -> None:
    ratings = fit(dict.fromkeys("ab", Prior()), [Met("a", "b", 40, 20.0)], {})
    assert ratings["a"].elo == pytest.approx(ratings["b"].elo, abs=1e-6)
    assert ratings["a"].spread < FIRST_SPREAD


def test_what_all_share_does_not_make_a_rating_less_sure() -> None:
    met = [Met(one, other, 4000, 2000.0) for one, other in ("ab", "bc", "ac")]
    assert fit(dict.fromkeys("abc", Prior()), met, {})["a"].spread < 5


def test_the_difference_is_that_of_the_score_if_the_prior_is_weak() -> None:
    ratings = fit(dict.fromkeys("ab", Prior(0.0, 5000.0)), [Met("a", "b", 10_000, 7597.5)], {})
    assert ratings["a"].elo - ratings["b"].elo == pytest.approx(200.0, abs=1.0)


def test_a_fixed_rival_does_not_move_and_pulls_the_bot_to_it() -> None:
    ratings = fit({"a": Prior(0.0, 5000.0)}, [Met("a", "old", 1000, 500.0)], {"old": 400.0})
    assert set(ratings) == {"a"}
    assert ratings["a"].elo == pytest.approx(400.0, abs=2.0)


def test_the_side_on_which_a_fixed_rival_stands_does_not_matter() -> None:
    one = fit({"z": Prior()}, [Met("old", "z", 10, 3.0)], {"old": 50.0})
    other = fit({"z": Prior()}, [Met("z", "old", 10, 7.0)], {"old": 50.0})
    assert one["z"].elo == pytest.approx(other["z"].elo)


def test_the_order_of_the_sums_changes_nothing_bit_for_bit() -> None:
    met = [Met("a", "b", 4, 3.0), Met("b", "c", 4, 1.5), Met("a", "c", 2, 2.0)]
    priors = dict.fromkeys("abc", Prior())
    assert fit(priors, met, {}) == fit(dict(reversed(priors.items())), met[::-1], {})


def test_a_new_version_starts_at_the_old_rating_with_at_least_100_elo_of_doubt() -> None:
    assert prior_after(Rating(250.0, 30.0)) == Prior(250.0, 100.0)
    assert prior_after(Rating(250.0, 180.0)) == Prior(250.0, 180.0)
    assert prior_after(None) == Prior(0.0, FIRST_SPREAD)


def test_a_newcomer_is_known_to_65_elo_after_32_games() -> None:
    priors = {"new": Prior(), **{f"b{at}": Prior(40.0 * at - 80.0, 40.0) for at in range(5)}}
    met = [Met(f"b{at}", "new", 32 // 4, 4.0) for at in range(1, 5)]
    assert fit(priors, met, {})["new"].spread <= 65


def shares(*values: float, staff: str = "weak") -> list[StaffPair]:
    return [StaffPair(staff, number, share) for number, share in enumerate(values)]


def graded(name: str, *pairs: StaffPair) -> Graded:
    return Graded(name, f"{name}@1", tuple(pairs), forfeits=0)


THRESHOLDS = (Threshold("first", 90.0, "strong"), Threshold("pass", 50.0))


def grades(*versions: Graded, pairs: int = 2) -> dict[str, GradeRow]:
    return {row.name: row for row in grade(versions, STAFF, THRESHOLDS, pairs=pairs)}


def test_a_grade_is_not_moved_by_classmates_bit_for_bit() -> None:
    ada = graded("ada", *shares(1.0, 0.75), *shares(0.25, 0.3, staff="strong"))
    chance = random.Random(3)
    others = [graded(f"s{at}", *shares(chance.random(), chance.random())) for at in range(30)]
    alone, among = grades(ada)["ada"], grades(*others, ada)["ada"]
    assert (alone.score, alone.by_staff, alone.reached) == (among.score, among.by_staff, among.reached)


def test_staff_bots_have_the_same_weight_however_many_pairs_are_played() -> None:
    row = grades(graded("ada", *shares(1.0, 1.0), *shares(0.0, staff="strong")))["ada"]
    assert row.score is not None
    assert math.isclose(row.score.percent, 50.0)
    assert not row.is_complete


def test_pairs_beyond_those_that_count_change_nothing() -> None:
    enough = [*shares(1.0, 0.5), *shares(0.5, 0.5, staff="strong")]
    row = grades(graded("ada", *enough))["ada"]
    assert row.is_complete
    assert grades(graded("ada", *enough, StaffPair("weak", 2, 0.0)))["ada"] == row


def test_the_best_threshold_that_is_reached_is_the_grade() -> None:
    best = graded("ada", *shares(0.5, 0.5), *shares(1.0, 1.0, staff="strong"))
    fair = graded("bob", *shares(1.0, 1.0), *shares(0.0, 0.0, staff="strong"))
    weak = graded("cid", *shares(0.5, 0.0), *shares(0.0, 0.0, staff="strong"))
    assert {name: row.reached for name, row in grades(best, fair, weak).items()} == {
        "ada": "first",
        "bob": "pass",
        "cid": "",
    }


def test_equal_scores_share_a_rank_and_who_has_not_played_comes_last() -> None:
    rows = grades(graded("new"), graded("ada", *shares(1.0)), graded("bob", *shares(1.0)), graded("cid", *shares(0.5)))
    assert {name: row.rank for name, row in rows.items()} == {"ada": 1, "bob": 1, "cid": 3, "new": 4}


@pytest.mark.gate
def test_forecasts_of_a_fit_are_calibrated() -> None:
    chance = random.Random(5)
    truth = {f"b{at}": chance.gauss(0, 200) for at in range(20)}
    met = [
        Met(one, other, 6, float(sum(chance.random() < score_from_elo(truth[one] - truth[other]) for _ in range(6))))
        for one in truth
        for other in truth
        if one < other
    ]
    ratings = fit(dict.fromkeys(truth, Prior()), met, {})
    middle = sum(truth.values()) / len(truth)
    off = [(ratings[name].elo - (truth[name] - middle)) / ratings[name].spread for name in truth]
    assert sum(abs(one) < 2 for one in off) >= 17
