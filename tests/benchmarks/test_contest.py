"""The benchmark of contests: its simulations, and kills at random moments."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from benchmarks.contest import simulated_tau, uneven_pairs
from benchmarks.contest_kills import ForkedKills, Kills
from benchmarks.contest_site import IN_PROCESS, class_folder, played


@pytest.mark.parametrize("bots", [8, 25])
def test_versions_get_equal_pairs_and_no_rival_again_within_five_batches(bots: int) -> None:
    assert uneven_pairs(bots=bots, batches=25) == (0, 0)


@pytest.mark.gate
@pytest.mark.slow
def test_a_ladder_of_40_games_a_bot_is_right_in_simulation() -> None:
    assert fmean(simulated_tau(random.Random(seed)) for seed in range(200)) >= 0.82


@pytest.mark.gate
@pytest.mark.slow
@pytest.mark.e2e
def test_kills_at_random_moments_lose_no_upload_and_count_no_match_twice() -> None:
    with class_folder(IN_PROCESS) as folder:
        kills = Kills(folder, random.Random(11))
        kills.run(6)
    assert kills.figures.done.total() == 6
    assert kills.acknowledged
    assert kills.again_s
    assert not kills.figures.problems, kills.figures.details


@pytest.mark.gate
@pytest.mark.slow
@pytest.mark.e2e
def test_the_same_holds_for_forked_processes_that_the_kernel_ends() -> None:
    with class_folder(IN_PROCESS, ticks=6) as folder:
        kills = ForkedKills(folder, random.Random(12))
        kills.run(40)
        count = played(folder)
    assert kills.figures.done["killed"] >= 40
    assert kills.acknowledged
    assert count
    assert not kills.figures.problems, kills.figures.details
