"""Measure what ratings cost, in CPU time of one thread, on generated results: `python -m benchmarks.ratings`.

Bradley-Terry with the intervals of all bots, and Plackett-Luce. Beside them stands the time that choix takes to refit
the resamples of an interval (`pip install gridjoust[test-oracles]`); a few of these are timed and the rest
extrapolated. The last line says whether the figure that a leaderboard needs was reached. The exit code is 1 if the
ratings differ from those of choix.
"""

from __future__ import annotations

import os
import sys

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy loads

import argparse
import random
from collections.abc import Callable
from importlib.util import find_spec
from time import process_time

import numpy as np

from benchmarks.report import print_table
from gridjoust.runner.statistics import (
    ELO_PER_NAT,
    Comparison,
    Interval,
    bradley_terry,
    bradley_terry_fit,
    nash_average,
    plackett_luce,
)
from gridjoust.runner.statistics.ratings import duel_profile

RESAMPLES = 1000
REFITS = 2  # refits by choix that are timed
LIMIT_S = 5.0


def league(bots: int, pairs: int) -> list[Comparison]:
    """Return matches of all bots in swapped pairs, 1000 Elo points from best to worst; the first seat is worth 30."""
    rng = random.Random(f"league {bots} {pairs}")
    step_elo = 1000 / bots
    return [
        Comparison(f"b{first:03}", f"b{second:03}", float(rng.random() < chance), f"{one}-{two}-{pair}", "x")
        for one in range(bots)
        for two in range(one)
        for pair in range(pairs)
        for first, second in ((one, two), (two, one))
        for chance in [1 / (1 + 10 ** (-((first - second) * step_elo + 30) / 400))]
    ]


def races(bots: int, count: int, seats: int) -> list[list[str]]:
    """Return rank orders of races, each among some of the bots."""
    rng = random.Random(f"races {bots} {count}")
    found = []
    for _ in range(count):
        seated = rng.sample(range(bots), seats)
        seated.sort(key=lambda bot: rng.expovariate(2 ** (bot * 6 / bots)))
        found.append([f"b{bot:03}" for bot in seated])
    return found


def cpu_s(call: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    begin_s = process_time()
    call()
    return process_time() - begin_s


def league_line(bots: int, pairs: int) -> tuple[list[str], float]:
    """Measure fit, fit test and intervals of one league; return the line and the seconds of the intervals."""
    rows = league(bots, pairs)
    fit_s, test_s = cpu_s(lambda: bradley_terry(rows)), cpu_s(lambda: bradley_terry_fit(rows))
    intervals_s = cpu_s(lambda: _intervals(rows))
    line = [str(bots), f"{len(rows):,}", f"{fit_s * 1000:.0f} ms", f"{test_s * 1000:.0f} ms", f"{intervals_s:.2f} s"]
    return [*line, _choix_league(rows, bots)], intervals_s


def _intervals(rows: list[Comparison]) -> list[Interval]:
    _, _, profile = duel_profile(rows)
    return [profile.rating_interval(bot) for bot in range(profile.bots)]


def races_line(bots: int, count: int, seats: int) -> list[str]:
    """Measure the fit of one set of races; return the row of the table."""
    rankings = races(bots, count, seats)
    fit_s = cpu_s(lambda: plackett_luce(rankings))
    return [str(bots), f"{count:,} of {seats}", f"{fit_s * 1000:.0f} ms", _choix_races(rankings, bots)]


def _choix_league(rows: list[Comparison], bots: int) -> str:
    """Return the seconds for as many refits by choix (which knows no seat advantage), or a dash without choix."""
    if find_spec("choix") is None:
        return "-"
    import choix

    wins = [(one.first, one.second) if one.score else (one.second, one.first) for one in rows]
    pairs = [(int(winner[1:]), int(loser[1:])) for winner, loser in wins]
    rng = random.Random(0)

    def refit() -> None:
        for _ in range(REFITS):
            choix.ilsr_pairwise(bots, rng.choices(pairs, k=len(pairs)), alpha=0.01)

    return f"{cpu_s(refit) * RESAMPLES / REFITS:,.0f} s"


def _choix_races(rankings: list[list[str]], bots: int) -> str:
    if find_spec("choix") is None:
        return "-"
    import choix

    known = [tuple(int(bot[1:]) for bot in race) for race in rankings]
    rng = random.Random(0)

    def refit() -> None:
        for _ in range(REFITS):
            choix.ilsr_rankings(bots, rng.choices(known, k=len(known)), alpha=0.01)

    return f"{cpu_s(refit) * RESAMPLES / REFITS:,.0f} s"


def differences() -> list[list[str]]:
    """Return the largest difference between the project's ratings and those of choix, without prior, in Elo points."""
    if find_spec("choix") is None:
        return []
    import choix

    rows, rankings = league(20, 10), races(20, 400, 5)
    wins = [(one.first, one.second) if one.score else (one.second, one.first) for one in rows]
    pairs = [(int(winner[1:]), int(loser[1:])) for winner, loser in wins]
    ours = bradley_terry(rows, 0, seat_advantage=False).ratings, plackett_luce(rankings, 0).ratings
    theirs = (
        choix.opt_pairwise(20, pairs),
        choix.opt_rankings(20, [tuple(int(bot[1:]) for bot in one) for one in rankings]),
    )
    lines = []
    for name, own, other in zip(("Bradley-Terry", "Plackett-Luce"), ours, theirs, strict=True):
        mean = float(np.mean(other))
        worst = max(abs(own[f"b{bot:03}"] - (other[bot] - mean) * ELO_PER_NAT) for bot in range(20))
        lines.append([name, f"{worst:.4f}"])
    return lines


def main() -> int:
    """Print the tables; return 1 if the project's ratings and those of choix differ."""
    argparse.ArgumentParser(prog="python -m benchmarks.ratings", description=__doc__).parse_args()
    found = [league_line(*size) for size in ((16, 20), (100, 1), (100, 10))]
    by_choix = f"{RESAMPLES} resamples refitted by choix"
    heading = ["bots", "matches", "fit", "fit test", "fit and intervals", by_choix]
    print_table("Bradley-Terry with seat advantage (CPU time, one thread)", heading, [line for line, _ in found])
    heading = ["bots", "matches", "fit", by_choix]
    lines = [races_line(*size) for size in ((12, 1000, 4), (30, 5000, 4), (80, 400, 20))]
    print_table("Plackett-Luce", heading, lines)
    half = np.triu(np.random.default_rng(0).normal(size=(100, 100)), 1)
    print(f"\nNash average of 100 bots: {cpu_s(lambda: nash_average(half - half.T)) * 1000:.0f} ms")
    compared = differences()
    print_table("Ours against choix, both without prior", ["fit", "largest difference, Elo points"], compared)
    worst_s = max(seconds for line, seconds in found if line[0] == "100")
    verdict = "reached" if worst_s <= LIMIT_S else "MISSED"
    print(f"\nBradley-Terry, 100 bots, fit and intervals: {worst_s:.2f} s, wanted <= {LIMIT_S:g} s: {verdict}")
    return int(any(float(line[1]) > 0.05 for line in compared))


if __name__ == "__main__":
    sys.exit(main())
