"""The benchmark of contests: its simulations, and kills at random moments."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from benchmarks.contest import IN_PROCESS, Kills, class_folder, simulated_tau, uneven_pairs


@pytest.mark.parametrize("bots", [8, 25])
def test_versions_get_equal_pairs_and_no_rival_again_within_five_batches(bots: int) -> None:
    assert uneven_pairs(bots=bots, batches=25) == (0, 0)


@pytest.mark.gate
@pytest.mark.slow
def test_a_ladder_of_40_games_a_bot_is_right_in_simulation() -> None:
    """The aim is 0.82; the mean of 200 simulations has a standard error of 0.0023."""
    assert fmean(simulated_tau(random.Random(seed)) for seed in range(200)) >= 0.82 - 2 * 0.0023


@pytest.mark.gate
@pytest.mark.slow
@pytest.mark.e2e
def test_kills_at_random_moments_lose_no_upload_and_count_no_match_twice() -> None:
    with class_folder(IN_PROCESS) as folder:
        kills = Kills(folder, random.Random(11))
        kills.run(10)
    assert kills.figures.done.total() == 10
    assert kills.acknowledged
    assert kills.again_s
    assert not kills.figures.problems, kills.figures.details
