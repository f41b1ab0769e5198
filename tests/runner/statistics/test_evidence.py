"""Evidence that a bot is better: fair bets that cannot gain if it is not, and levels that add up."""

from __future__ import annotations

import math
import random

import pytest

from gridjoust.runner.statistics.evidence import better_evidence, series_level


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


def test_counts_below_none_are_refused() -> None:
    with pytest.raises(ValueError, match="expected counts from worst to best"):
        better_evidence((0, -1, 3))
