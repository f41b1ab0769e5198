"""Measure how many matches each scheduling rule needs until the best 3 bots are known, and how often it is wrong.

`python -m benchmarks.scheduling [--repeats 150] [--bots 8 12 16] [--processes 2]`

The matches are simulated in swapped pairs. The expected score follows the Elo difference; the seat that moves first has
an advantage, and every seed favours a seat by chance, alike in both matches of its pair. Transitive fields: an even
ladder, and normal strengths. Fields with cycles: the ladder with a normal effect on every pairing (a standard deviation
of 87 or 175 Elo points); a wheel, on which each bot is strong against the next ones; a nemesis, where two weak bots
beat one of the best. The truth is the mean expected score against the field. Places 3 and 4 are at least 20 Elo points
apart, and the goal has no zone of indifference. Every rule plays the same fields, and no constant of the rules was
chosen on these seeds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import print_table
from gridjoust.runner.schedule.adaptive.pairs import Goal, Guard, PairTally, Rule
from gridjoust.runner.schedule.adaptive.resolve import next_step
from gridjoust.runner.statistics import ELO_PER_NAT

Floats = NDArray[np.float64]

TOP = 3
SEED = 2026
MAX_MATCHES = 60_000
LADDER_STEP_ELO = {8: 50.0}  # 40 for other numbers of bots
SPREAD_ELO = 200.0  # standard deviation of normal strengths
CYCLE_ELO = {"cycles, 87 Elo": 87.0, "cycles, 175 Elo": 175.0}
WHEEL_ELO = 150.0
NEMESIS_ELO = 400.0
DECIDING_GAP = 0.024  # score share between places 3 and 4, about 20 Elo points; closer fields are drawn again
SEAT_ELO = 20.0
SEED_BIAS_ELO = 100.0
DRAW_SHARE = 0.3  # of matches between equal bots
KINDS = ("ladder", "normal", *CYCLE_ELO, "wheel", "nemesis")


@dataclass(frozen=True, slots=True)
class Contest:
    """One scheduling rule with its guard."""

    name: str
    rule: Rule
    guard: Guard = Guard.UNTESTED


CONTESTS = (
    Contest("round robin", Rule.ROUND_ROBIN),
    Contest("safe", Rule.SAFE),
    Contest("race, guarded", Rule.RACE),
    Contest("race, field known to fit", Rule.RACE, Guard.TRUSTED),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of the table."""

    kind: str
    bots: int
    contest: Contest


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one simulated tournament."""

    matches: int
    is_wrong: bool
    guard: Guard
    settled: int  # number of scheduling steps


def make_field(kind: str, bots: int, *, repeat: int) -> Floats:
    """Return the Elo difference of every pairing: (bot, opponent), antisymmetric, with a clear answer to the goal."""
    rng = np.random.default_rng([SEED, KINDS.index(kind), bots, repeat])
    while True:
        strength: Floats = rng.permutation(np.arange(bots, dtype=np.float64)) * LADDER_STEP_ELO.get(bots, 40.0)
        if kind == "normal":
            strength = rng.normal(0.0, SPREAD_ELO, bots)
        effects = np.triu(_effects(kind, strength, rng), 1)
        field = strength[:, None] - strength[None, :] + effects - effects.T
        scores = np.sort(true_scores(field))[::-1]
        if scores[TOP - 1] - scores[TOP] >= DECIDING_GAP:
            return field


def _effects(kind: str, strength: Floats, rng: np.random.Generator) -> Floats:
    """Return the effects of pairings beyond strengths: (bot, opponent); only values above the diagonal are read."""
    bots = len(strength)
    if kind in CYCLE_ELO:
        return rng.normal(0.0, CYCLE_ELO[kind], (bots, bots))
    effects: Floats = np.zeros((bots, bots))
    if kind == "wheel":
        angle = rng.uniform(0.0, 2 * np.pi, bots)
        effects = WHEEL_ELO * np.sin(angle[:, None] - angle[None, :])
    elif kind == "nemesis":
        order = np.argsort(-strength)
        best = order[rng.integers(TOP)]
        for weak in rng.choice(order[bots // 2 :], 2, replace=False):
            effects[best, weak] -= NEMESIS_ELO
            effects[weak, best] += NEMESIS_ELO
    return effects


def true_scores(field: Floats) -> Floats:
    """Return the expected score of every bot against its field, over both seats and all seeds."""
    points, weights = np.polynomial.hermite_e.hermegauss(15)
    bias = points * SEED_BIAS_ELO
    both = [_expected(field[:, :, None] + sign * (SEAT_ELO + bias)) for sign in (1, -1)]
    mean = (both[0] + both[1]) @ (weights / weights.sum()) / 2
    np.fill_diagonal(mean, 0.0)
    found: Floats = mean.sum(axis=1) / (len(field) - 1)
    return found


def play_pairs(elo: Floats, rng: np.random.Generator) -> Floats:
    """Return the mean score of the first bot in each swapped pair, given its Elo differences."""
    bias = SEAT_ELO + rng.normal(0.0, SEED_BIAS_ELO, len(elo))
    found: Floats = (_play(elo + bias, rng) + _play(elo - bias, rng)) / 2
    return found


def _play(elo: Floats, rng: np.random.Generator) -> Floats:
    """Return scores of single matches; draws replace as many wins as losses."""
    expected = _expected(elo)
    draw = DRAW_SHARE * 4 * expected * (1 - expected) / 2
    luck = rng.random(len(elo))
    return np.where(luck < expected - draw / 2, 1.0, np.where(luck < expected + draw / 2, 0.5, 0.0))


def _expected(elo: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-elo / ELO_PER_NAT))
    return found


def run_contest(cell: Cell, repeat: int) -> Result:
    """Run one tournament until its rule stops it, or up to the cap."""
    field = make_field(cell.kind, cell.bots, repeat=repeat)
    rng = np.random.default_rng([SEED, repeat, CONTESTS.index(cell.contest), cell.bots])
    tally = PairTally([f"b{index}" for index in range(cell.bots)])
    goal, guard, settled = Goal(top=TOP, indifference=0.0), cell.contest.guard, 0
    while True:
        step = next_step(tally, goal, rule=cell.contest.rule, guard=guard)
        guard, settled = step.guard, settled + 1
        played = int(tally.matches().sum()) // 2
        if step.resolution.is_resolved or played >= MAX_MATCHES:
            truth = np.argsort(-true_scores(field))[:TOP]
            is_wrong = {tally.index(bot) for bot in step.resolution.answer} != {int(bot) for bot in truth}
            return Result(played, is_wrong, guard, settled)
        meetings = [(tally.index(pair.first), tally.index(pair.second)) for pair in step.pairs]
        elo = field[tuple(np.array(meetings).T)]
        for pair, score in zip(step.pairs, play_pairs(elo, rng), strict=True):
            tally.add(pair.first, pair.second, float(score))


def _run_repeat(cells: Sequence[Cell], repeat: int) -> list[Result]:
    return [run_contest(cell, repeat) for cell in cells]


def simulate(cells: Sequence[Cell], *, repeats: int, first: int = 0, processes: int = 2) -> list[list[Result]]:
    """Return the results of every cell, over the same repeats."""
    with ProcessPoolExecutor(processes) as pool:
        rows = list(pool.map(_run_repeat, [cells] * repeats, range(first, first + repeats)))
    return [list(column) for column in zip(*rows, strict=True)]


def report(cells: Sequence[Cell], results: Sequence[Sequence[Result]]) -> list[list[str]]:
    """Return one line per cell: matches, savings against round robin, wrong answers, failed guards."""
    found = []
    baseline = {
        (cell.kind, cell.bots): own for cell, own in zip(cells, results, strict=True) if cell.contest == CONTESTS[0]
    }
    for cell, own in zip(cells, results, strict=True):
        matches = [result.matches for result in own]
        base = [result.matches for result in baseline[cell.kind, cell.bots]]
        is_guarded = cell.contest.rule is Rule.RACE
        failed = fmean(result.guard is Guard.FAILED for result in own)
        found.append(
            [
                cell.kind,
                str(cell.bots),
                cell.contest.name,
                f"{fmean(matches):.0f}",
                f"{median(matches):.0f}",
                f"{fmean(base) / fmean(matches):.1f}",
                f"{median(base) / median(matches):.1f}",
                f"{fmean(result.is_wrong for result in own):.1%}",
                f"{failed:.0%}" if is_guarded else "",
            ]
        )
    return found


def main() -> None:
    """Print the table of every kind of field."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=150)
    parser.add_argument(
        "--first", type=int, default=0, help="number of the first repeat; other numbers give other fields"
    )
    parser.add_argument("--bots", type=int, nargs="+", default=[8, 12, 16])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    heading = ["field", "bots", "rule", "matches", "median", "saved ×", "median ×", "wrong", "fit test failed"]
    for kind in options.kinds:
        cells = [Cell(kind, *what) for what in product(options.bots, CONTESTS)]
        results = simulate(cells, repeats=options.repeats, first=options.first, processes=options.processes)
        title = f"{kind}: matches until the top {TOP} are known at 95 %, {options.repeats} repeats"
        print_table(title, heading, report(cells, results))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
