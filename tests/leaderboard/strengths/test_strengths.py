"""Intervals of ratings: they hold the truth as often as they promise, and refuse where there is too little."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from gridjoust.leaderboard.frame.contests import Duels, choices_among
from gridjoust.leaderboard.frame.entries import Evidence, evidence_of
from gridjoust.leaderboard.strengths.analysis import rate_contests, rate_duels
from gridjoust.leaderboard.strengths.strengths import Pool
from gridjoust.runner.statistics import ELO_PER_NAT, Comparison, Interval
from tests.leaderboard.seats_builder import entries_of_records
from tests.runner.results.records.records_builder import make_record


def _league(bots: int, pairs: int, seed: int) -> list[Comparison]:
    """Everyone against everyone in swapped pairs, 60 Elo points from one to the next; bot 0 is the weakest."""
    rng = random.Random(seed)
    return [
        Comparison(f"bot{first}", f"bot{second}", float(rng.random() < chance), f"{one}-{two}-{pair}", "x")
        for one in range(bots)
        for two in range(one)
        for pair in range(pairs)
        for first, second in ((one, two), (two, one))
        for chance in [1 / (1 + 10 ** (-(first - second) * 60 / 400))]
    ]


def _rate(played: Sequence[Comparison]) -> Pool:
    """The fit to pairs that stand for themselves."""
    bots = sorted({bot for one in played for bot in (one.first, one.second)})
    met = [len({one.pair_id for one in played if bot in (one.first, one.second)}) for bot in bots]
    between = [
        [len({one.pair_id for one in played if {bot, other} == {one.first, one.second}}) for other in bots]
        for bot in bots
    ]
    return rate_duels(
        Duels(tuple(played), dict.fromkeys((one.pair_id for one in played), 1)),
        Evidence(np.array(met), np.array(between)),
        codes={bot: at for at, bot in enumerate(bots)},
    )


def _races(bots: int, races: int, seed: int) -> list[list[str]]:
    """Orders of four, drawn from the model itself, 0.4 nats from one to the next; bot 0 is the weakest."""
    rng = random.Random(seed)
    return [
        [
            f"bot{bot}"
            for bot in sorted(rng.sample(range(bots), 4), key=lambda bot: rng.expovariate(math.exp(bot * 0.4)))
        ]
        for _ in range(races)
    ]


def _rate_orders(orders: Sequence[Sequence[str]]) -> Pool:
    records = [
        make_record(f"m{at}", bots=order, returns=[-place for place, _ in enumerate(order)])
        for at, order in enumerate(orders)
    ]
    entries, bots, _ = entries_of_records(*records)
    codes = {bot: at for at, bot in enumerate(bots)}
    evidence = evidence_of(entries, bots=len(bots))
    return rate_contests(choices_among(entries, bots=bots), evidence, codes=codes)


def _interval(pool: Pool, bot: int) -> Interval:
    strength = pool.of(bot)
    assert strength is not None
    assert strength.interval is not None
    assert strength.interval.low < strength.value < strength.interval.high
    return strength.interval


def _width(pool: Pool, bot: int = 0) -> float:
    interval = _interval(pool, bot)
    return interval.high - interval.low


def _hold(pools: Sequence[Pool], truths: Sequence[float]) -> float:
    """The share of all intervals that hold the truth, of which there is one a bot."""
    found = [(_interval(pool, bot), truth) for pool in pools for bot, truth in enumerate(truths)]
    return sum(own.low <= truth <= own.high for own, truth in found) / len(found)


@pytest.mark.gate
def test_of_a_hundred_intervals_ninety_five_hold_the_truth() -> None:
    duels = [_rate(_league(4, 12, seed)) for seed in range(60)]
    assert 0.90 <= _hold(duels, [60 * (bot - 1.5) for bot in range(4)]) <= 0.99
    orders = [_rate_orders(_races(6, 60, seed)) for seed in range(40)]
    assert 0.90 <= _hold(orders, [0.4 * (bot - 2.5) * ELO_PER_NAT for bot in range(6)]) <= 0.99


def test_intervals_shrink_as_pairs_are_added() -> None:
    widths = [_width(_rate(_league(3, pairs, 1)), 1) for pairs in (5, 20, 80)]
    assert widths[0] > 1.5 * widths[1] > 2.25 * widths[2]


def test_an_interval_needs_five_pairs() -> None:
    four = [Comparison("a", "b", at % 2, f"p{at // 2}") for at in range(8)]
    few = _rate(four).of(0)
    assert few is not None
    assert few.interval is None
    assert _width(_rate([*four, Comparison("a", "b", 1.0, "p4")])) > 0


def test_pairs_that_cancel_a_seat_bias_give_narrower_intervals_than_loose_matches() -> None:
    paired = [Comparison("ab"[at % 2], "ba"[at % 2], 1.0, f"p{at // 2}") for at in range(60)]
    paired += [Comparison("a", "b", score, f"q{score}") for score in (0.0, 1.0)]  # one pair each that does not cancel
    loose = [replace(one, pair_id=f"m{at}") for at, one in enumerate(paired)]
    assert _width(_rate(paired)) < _width(_rate(loose)) / 2


def test_a_bot_that_won_every_match_is_not_certain_of_its_rating() -> None:
    pool = _rate([Comparison("a", "b", 1.0, f"p{at}") for at in range(10)])
    assert _width(pool) > 200
    assert _width(_rate_orders([["a", "b", "c"]] * 10)) > 200


def test_an_interval_reaches_further_on_the_side_on_which_results_tell_little() -> None:
    pool = _rate([Comparison("a", "b", 1.0, f"p{at}") for at in range(20)])
    strength, interval = pool.of(0), _interval(pool, 0)
    assert strength is not None
    assert interval.high - strength.value > 1.5 * (strength.value - interval.low)


def test_a_bot_that_won_everything_is_marked_and_one_that_lost_a_point_is_not() -> None:
    played = [Comparison("a", "b", 1.0, f"p{at}") for at in range(10)] + [Comparison("b", "c", 0.5, "q")]
    assert [own.is_one_sided for own in map(_rate(played).of, range(3)) if own] == [True, False, False]
    pool = _rate_orders([["a", "b", "c"]] * 5 + [["a", "c", "b"]])
    assert [own.is_one_sided for own in map(pool.of, range(3)) if own] == [True, False, False]


@pytest.mark.gate
def test_where_pairs_are_many_the_interval_is_that_of_drawing_pairs_again() -> None:
    """B. Efron (1979), "Bootstrap methods", Ann. Statist. 7:1: here one match in four repeats its pair's first."""
    rng = random.Random(9)
    pairs = [
        [float(rng.random() < 0.6)] * 2 if at % 4 == 0 else [float(rng.random() < 0.6) for _ in "12"]
        for at in range(400)
    ]
    played = [Comparison("a", "b", score, f"p{at}") for at, scores in enumerate(pairs) for score in scores]
    means = np.array([sum(scores) / 2 for scores in pairs])
    again = [float(means[rng.choices(range(400), k=400)].mean()) for _ in range(4000)]
    low, high = (ELO_PER_NAT / 2 * math.log(share / (1 - share)) for share in np.quantile(again, [0.025, 0.975]))
    assert _interval(_rate(played), 0) == pytest.approx((low, high), abs=2.5)


def test_five_pairs_separate_nobody_and_six_do() -> None:
    five, six = (_rate([Comparison("a", "b", 1.0, f"p{at // 2}") for at in range(count)]) for count in (10, 12))
    assert (five.separations.of(0, 1), six.separations.of(0, 1)) == (False, True)


def test_bots_that_no_chain_of_meetings_links_are_not_compared() -> None:
    played = [Comparison(two[0], two[1], 1.0, f"{two}{at}") for two in ("ab", "cd") for at in range(20)]
    pool = _rate(played)
    assert pool.compare(0, 2) is None
    assert pool.separations.of(0, 2) is None
    assert pool.separations.of(0, 1) is True


def test_a_contrast_counts_the_pairs_of_the_two_and_agrees_with_the_table() -> None:
    pool = _rate(_league(3, 40, 5))
    found = pool.compare(0, 2)
    assert found is not None
    assert found.interval is not None
    assert found.los is not None
    assert (found.units, found.is_separated) == (40, True)
    assert found.interval.low < found.difference < found.interval.high < 0
    assert found.los < 0.025


def test_equal_bots_are_level_and_as_likely_better_as_worse() -> None:
    found = _rate([Comparison("a", "b", at % 2, f"p{at // 2}") for at in range(20)]).compare(0, 1)
    assert found is not None
    assert (round(found.difference, 6), found.los, found.is_separated) == (0, 0.5, False)


def test_numbers_of_strengths_are_plain_even_where_all_pairs_came_out_alike() -> None:
    pool = _rate([Comparison("a", "b", 1.0, f"p{at}") for at in range(6)])
    contrast = pool.compare(0, 1)
    assert contrast is not None
    assert contrast.interval is not None
    assert {type(value) for value in (*_interval(pool, 0), *contrast.interval, contrast.difference, contrast.los)} == {
        float
    }
    assert type(contrast.is_separated) is bool
