"""Check that intervals, groups and stop rules keep the error that they state: `python -m benchmarks.calibration`.

Made-up tournaments of bots with known strengths go through the leaderboard's own code. Each line is a cell: the printed
value, the field, how often it should be right (or wrong), how often it was, and the 95 % interval of that share
(Wilson's). A cell passes if the goal lies in that interval or is beaten. The exit code is 1 if a cell fails.
`--repeats 0.1` plays a tenth of the tournaments; `--only group` plays some of the cells.
"""

from __future__ import annotations

import os
import sys

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # before numpy loads

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd
from msgspec.structs import replace

from benchmarks.calibration_tables import (
    Floats,
    Plan,
    crowd_plan,
    duel_plan,
    play_alone,
    play_by_strength,
    play_ladder,
    solo_plan,
)
from gridjoust.leaderboard.board import leaderboard_of
from gridjoust.leaderboard.frame.gathering import seats_of
from gridjoust.leaderboard.strengths.analysis import Analysis, analyse
from gridjoust.runner.config.formats import Ladder
from gridjoust.runner.schedule.adaptive.pairs import Goal, GoalKind, PairTally, Rule
from gridjoust.runner.schedule.adaptive.resolve import next_step
from gridjoust.runner.statistics import ELO_PER_NAT, Hypothesis, Interval, sprt, wilson

SEED = 34
REPEATS, MANY = 500, 2000
STOP_MATCHES = 2000  # the default end of a stop rule
LOS_FROM = 0.95  # smaller likelihoods of superiority are ignored
TRUE_SPREAD_ELO = 200.0  # standard deviation of the difference of two bots whose order is guessed
LOS_TOLERANCE = 0.01

Rng = np.random.Generator
Trial = Callable[[Rng], "float | None"]  # share of right or wrong values in a tournament; None = nothing printed


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed value in one field, with the wanted share of right or wrong ones (None = any)."""

    printed: str
    field: str
    wanted: float | None
    repeats: int
    trial: Trial

    @property
    def at_least(self) -> bool:
        """True if the goal is a share of right values."""
        return self.wanted is not None and self.wanted > 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """The result of the cell with that number; `printed` tournaments printed a value."""

    number: int
    repeats: int
    share: float
    interval: Interval
    printed: int

    @property
    def cell(self) -> Cell:
        """The cell that was measured."""
        return cells()[self.number]

    @property
    def passes(self) -> bool:
        """True if the goal lies in the measured interval or is beaten."""
        if self.cell.wanted is None:
            return True
        if self.cell.at_least:
            return self.interval.high >= self.cell.wanted
        return self.interval.low <= self.cell.wanted

    def line(self) -> list[str]:
        """Return the cells of a row of the table."""
        sign = "≥" if self.cell.at_least else "≤"
        measured = self.share, self.interval.low, self.interval.high
        share, low, high = (f"{100 * one:.1f}".replace("-", "−") for one in measured)
        return [
            self.cell.printed,
            self.cell.field,
            "any" if self.cell.wanted is None else f"{sign} {100 * self.cell.wanted:.3g} %",
            f"{share} % ({low}–{high})",
            f"{self.printed:,} of {self.repeats:,}",
            "yes" if self.passes else "NO",
        ]


def cells() -> tuple[Cell, ...]:
    """Return all cells of the table."""
    # new ones last: seeds go by number
    return (*_interval_cells(), *_group_cells(), *_other_cells(), *_seat_cells(), *_ladder_cells())


def _interval_cells() -> tuple[Cell, ...]:
    rating, returns = "rating interval 95 %", "returns interval 95 %"
    apart, four = np.array([800.0, 0.0]), np.array([1000.0, 0.0, 0.0, 0.0])
    return (
        Cell(rating, "2 equal bots, 5 pairs", 0.93, REPEATS, _ratings_hold(duel_plan(2, 5), np.zeros(2))),
        Cell(rating, "2 equal bots, 20 pairs", 0.93, REPEATS, _ratings_hold(duel_plan(2, 20), np.zeros(2))),
        Cell(rating, "2 bots 800 Elo apart, 20 pairs", 0.93, REPEATS, _ratings_hold(duel_plan(2, 20), apart)),
        Cell(rating, "one of 4 at +1000 Elo, 10 pairs", 0.93, REPEATS, _ratings_hold(duel_plan(4, 10), four)),
        Cell(rating, "4 seats, 4 bots, 5 seeds", 0.93, REPEATS, _ratings_hold(crowd_plan(4, 5), np.zeros(4))),
        Cell(rating, "4 seats, 4 bots, 20 seeds", 0.93, REPEATS, _ratings_hold(crowd_plan(4, 20), np.zeros(4))),
        Cell(
            returns, "lognormal returns, 10 seeds", 0.93, MANY,
            _mean_holds(10, float(np.exp(0.5)), lambda rng: rng.lognormal(size=10)),
        ),
        Cell(
            returns, "won 9 in 10, 10 seeds", 0.93, MANY,
            _mean_holds(10, 0.9, lambda rng: (rng.random(10) < 0.9).astype(np.float64)),
        ),
        Cell(returns, "normal returns, 5 seeds", 0.93, MANY, _mean_holds(5, 0.0, lambda rng: rng.normal(size=5))),
    )  # fmt: skip


def _group_cells() -> tuple[Cell, ...]:
    line = "any two of equal bots separated"
    fields = {
        "4 bots, 6 pairs": _any_apart(duel_plan(4, 6), np.zeros(4)),
        "4 bots, 15 pairs": _any_apart(duel_plan(4, 15), np.zeros(4)),
        "12 bots, 6 pairs": _any_apart(duel_plan(12, 6), np.zeros(12)),
        "4 seats, 4 bots, 6 seeds": _any_apart(crowd_plan(4, 6), np.zeros(4)),
        "4 seats, 4 bots, 20 seeds": _any_apart(crowd_plan(4, 20), np.zeros(4)),
        "solo, 8 bots, 20 seeds": _any_alone_apart(8, 20),
    }
    return tuple(Cell(line, name, 0.05, MANY, trial) for name, trial in fields.items())


def _other_cells() -> tuple[Cell, ...]:
    stop, test = "`stop: resolved`, wrong winner", "`stop: sprt`, wrong verdict"
    plan = duel_plan(2, 10)
    circle = np.array([[0, 150, 150, -150, -150][(other - one) % 5] for one in range(5) for other in range(5)])
    return (
        Cell("LOS over 95 %, less what is true", "2 bots, 10 pairs", LOS_TOLERANCE, MANY, _los_excess(plan)),
        Cell(stop, "2 bots, +20 Elo", 0.05, MANY, _wrong_winner(_versus(20.0))),
        Cell(stop, "2 bots, +10 Elo (level: either is right)", None, MANY, _wrong_winner(_versus(10.0))),
        Cell(stop, "circle of 5, 150 Elo", 0.05, MANY, _wrong_winner(circle.reshape(5, 5).astype(np.float64))),
        Cell(test, "0 against 30, 0 is true", 0.05, MANY, _wrong_verdict(0.0, Hypothesis.H1)),
        Cell(test, "0 against 30, 30 is true", 0.05, MANY, _wrong_verdict(30.0, Hypothesis.H0)),
    )


def _seat_cells() -> tuple[Cell, ...]:
    seat = "seat advantage ±"
    return (
        Cell(seat, "2 bots, 10 pairs, even boards", 0.93, REPEATS, _advantage_holds(2, 10, 0.0)),
        Cell(seat, "2 bots, 20 pairs, boards of ± 500 Elo", 0.93, REPEATS, _advantage_holds(2, 20, 500.0)),
        Cell(seat, "4 bots, 5 pairs, boards of ± 500 Elo", 0.93, REPEATS, _advantage_holds(4, 5, 500.0)),
    )


def _ladder_cells() -> tuple[Cell, ...]:
    rating, form = "rating interval 95 %", Ladder(rounds=4, pairs=5)
    stopped = replace(form, stop_decided=True)
    return (
        Cell(rating, "ladder of 6, meetings of 5 pairs", 0.93, REPEATS, _ladder_holds(form)),
        Cell(rating, "ladder of 6, stopped once decided", 0.93, REPEATS, _ladder_holds(stopped)),
    )


def _ladder_holds(form: Ladder) -> Trial:
    """Make a trial that returns the share of 6 bots of a ladder whose interval holds the truth."""

    def trial(rng: Rng) -> float | None:
        elo = rng.normal(0, TRUE_SPREAD_ELO, 6)
        return _share_held(play_ladder(form, elo, rng), elo)

    return trial


def _ratings_hold(plan: Plan, elo: Floats) -> Trial:
    """Make a trial that returns the share of bots whose interval holds the truth."""

    return lambda rng: _share_held(play_by_strength(plan, elo, rng), elo)


def _share_held(frame: pd.DataFrame, elo: Floats) -> float | None:
    """Return the share of bots whose rating's interval holds the truth; None if no interval is printed."""
    strengths = analyse(seats_of(frame)).strengths
    truth = elo - elo.mean()
    found = [strengths.of(bot) for bot in range(len(elo))]
    intervals = [None if one is None else one.interval for one in found]
    held = [own.low <= true <= own.high for own, true in zip(intervals, truth, strict=True) if own is not None]
    return float(np.mean(held)) if held else None


def _mean_holds(seeds: int, truth: float, draw: Callable[[Rng], Floats]) -> Trial:
    """Make a trial that is 1 if the interval of one bot's mean returns holds the truth and has a width."""
    plan = solo_plan(2, seeds)

    def trial(rng: Rng) -> float | None:
        analysis = _analysis_alone(plan, np.concatenate([draw(rng), draw(rng)]))
        found = analysis.strengths.of(0)
        if found is None or found.interval is None:
            return None
        return float(found.interval.low <= truth <= found.interval.high and found.interval.low < found.interval.high)

    return trial


def _advantage_holds(bots: int, pairs: int, board_elo: float) -> Trial:
    """Make a trial that is 1 if the interval of the seat advantage contains 0, the truth; each board favours a seat."""
    plan = duel_plan(bots, pairs)
    is_first = plan.frame["seat"].to_numpy() == 0

    def trial(rng: Rng) -> float | None:
        boards = np.repeat(rng.normal(0, board_elo, len(plan.bot) // 4), 4)
        frame = play_by_strength(plan, np.zeros(bots), rng, seat_elo=np.where(is_first, boards, 0.0))
        effect = leaderboard_of(analyse(seats_of(frame))).seats[0]
        if effect.advantage is None or effect.advantage_error is None:
            return None
        return float(abs(effect.advantage) <= effect.advantage_error)

    return trial


def _any_apart(plan: Plan, elo: Floats) -> Trial:
    """Make a trial that is 1 if any two bots are separated."""
    return lambda rng: _is_any_separated(analyse(seats_of(play_by_strength(plan, elo, rng))))


def _any_alone_apart(bots: int, seeds: int) -> Trial:
    """Make a trial that is 1 if any two solo bots are separated; their returns share the luck of the seed."""
    plan = solo_plan(bots, seeds)

    def trial(rng: Rng) -> float:
        luck = rng.normal(0, 3, seeds)[plan.seed]
        return _is_any_separated(_analysis_alone(plan, luck + rng.normal(size=len(plan.bot))))

    return trial


def _is_any_separated(analysis: Analysis) -> float:
    return float(analysis.strengths.separations.is_separated.any())


def _analysis_alone(plan: Plan, returns: Floats) -> Analysis:
    return analyse(seats_of(play_alone(plan, returns)))


def _los_excess(plan: Plan) -> Trial:
    """Make a trial that returns the printed likelihood that the leading bot is better, minus 1 if it truly is.

    So its mean is 0 if likelihoods are right. It returns None for a likelihood below `LOS_FROM`.
    """

    def trial(rng: Rng) -> float | None:
        gap = rng.normal(0, TRUE_SPREAD_ELO)
        found = analyse(seats_of(play_by_strength(plan, np.array([gap, 0.0]), rng))).strengths.compare(0, 1)
        if found is None or found.los is None or max(found.los, 1 - found.los) < LOS_FROM:
            return None
        return max(found.los, 1 - found.los) - float((gap > 0) == (found.los > 0.5))

    return trial


def _versus(elo: float) -> Floats:
    return np.array([[0.0, elo], [-elo, 0.0]])


def _wrong_winner(field: Floats) -> Trial:
    """Make a trial that is 1 if a round robin stops with a wrong winner; in a circle every winner is wrong."""
    bots = len(field)
    scores = (1 / (1 + np.exp(-field / ELO_PER_NAT))).sum(axis=1)
    best = f"b{scores.argmax()}" if np.ptp(scores) > 1e-9 else ""

    def trial(rng: Rng) -> float:
        tally, goal = PairTally([f"b{at}" for at in range(bots)]), Goal(GoalKind.WINNER)
        while tally.matches().sum() / 2 < STOP_MATCHES:
            step = next_step(tally, goal, rule=Rule.ROUND_ROBIN)
            if step.resolution.is_resolved:
                return float(not step.resolution.is_tie and step.resolution.answer[0] != best)
            for pair in step.pairs * -(-8 // len(step.pairs)):
                one, other = tally.index(pair.first), tally.index(pair.second)
                chance = 1 / (1 + np.exp(-field[one, other] / ELO_PER_NAT))
                tally.add(pair.first, pair.second, rng.binomial(2, chance) / 2)
        return 0.0

    return trial


def _wrong_verdict(elo: float, wrong: Hypothesis) -> Trial:
    """Make a trial that is 1 if the test of 0 against 30 normalized Elo accepts the wrong hypothesis; no draws."""
    chance = 1 / (1 + 10 ** (-elo / 400))

    def trial(rng: Rng) -> float:
        counts = np.zeros(5)
        for _ in range(STOP_MATCHES):
            for won in rng.binomial(2, chance, size=8):
                counts[2 * won] += 1
            accepted = sprt(counts.tolist(), 0, 30).accepted
            if accepted is not None:
                return float(accepted is wrong)
        return 0.0

    return trial


def measure(number: int, *, share: float = 1.0) -> Measured:
    """Play the tournaments of one cell, or a share of them (at least 10)."""
    cell = cells()[number]
    repeats = max(10, round(cell.repeats * share))
    rng = np.random.default_rng([SEED, number])
    found = [value for value in (cell.trial(rng) for _ in range(repeats)) if value is not None]
    mean = float(np.mean(found)) if found else 0.0
    if min(found, default=0.0) < 0:  # differences, not shares
        half = 1.96 * float(np.std(found)) / max(1, len(found)) ** 0.5
        interval = Interval(mean - half, mean + half)
    else:
        interval = wilson(mean * len(found), len(found)) or Interval(0.0, 1.0)
    return Measured(number, repeats, mean, interval, len(found))


def table(measured: Sequence[Measured]) -> str:
    """Return the results as a Markdown table, a line per cell."""
    heading = ["printed", "field", "wanted", "measured (95 %)", "printed in", "passes"]
    lines = [heading, ["---"] * len(heading), *(one.line() for one in measured)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> int:
    """Print the table; return 1 if a cell fails."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument(
        "--repeats", type=float, default=1.0, metavar="SHARE", help="share of a cell's tournaments to play"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="measure only cells whose line contains this text")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    chosen = [at for at, cell in enumerate(cells()) if options.only in f"{cell.printed} {cell.field}"]
    print(table([]), flush=True)
    passes = True
    with ProcessPoolExecutor(options.processes) as pool:
        for one in pool.map(_measure_share, [(at, options.repeats) for at in chosen]):
            print(table([one]).splitlines()[-1], flush=True)
            passes &= one.passes
    return int(not passes)


def _measure_share(task: tuple[int, float]) -> Measured:
    return measure(task[0], share=task[1])


if __name__ == "__main__":
    sys.exit(main())
