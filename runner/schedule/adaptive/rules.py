"""Chooses the pairs of the next batch from the results and the goal.

round robin: every two bots play equally often.
safe: the pairs that tell most about the least clear cut of the goal, by a model that learns how well ratings fit. So
undecided bots play each other if ratings explain the results, and the whole field if they do not.
race: undecided bots play each other only, and one rating per bot decides when to stop. A fit test must pass: round
robin comes first, until the test has enough power; the test is repeated as results come; once it fails, the race ends
for good and safe takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from gridjoust.runner.schedule.adaptive.goal import Goal, Guard, PlannedPair, Resolution, Rule, Step
from gridjoust.runner.schedule.adaptive.pairs import PairTally
from gridjoust.runner.schedule.adaptive.pooled import NO_EFFECTS_ELO, PooledField, pooled_field, telling_meetings
from gridjoust.runner.schedule.adaptive.resolve import resolve
from gridjoust.runner.statistics import ELO_PER_NAT, bradley_terry_fit
from gridjoust.runner.statistics.distributions import f_critical, f_tail

BATCH_PAIRS = 8  # the fewest pairs of a batch, as no match runs while the next batch is decided
BATCH_SHARE = 0.03  # a batch's share of the pairs played so far; in a long run a single batch matters less

EFFECT_ELO = 87.0  # deviation of results from ratings (standard deviation) that the fit test must detect
POWER = 0.9  # chance of detecting it that the test needs before a race begins
FIRST_LEVEL = 0.1  # p-value below which a race does not begin
LATER_LEVEL = 0.01  # p-value below which a race ends; lower, as the test is repeated

Cell = tuple[int, int]


def next_step(
    tally: PairTally, goal: Goal, *, rule: Rule, guard: Guard = Guard.UNTESTED, batch_pairs: int = BATCH_PAIRS
) -> Step:
    """Decide what to play next. `guard`: the state of the previous step; at least `batch_pairs` pairs are planned.

    ValueError if the field is too small for the goal, or for a race between challengers, who never play each other.
    """
    pairs = max(batch_pairs, int(tally.matches().sum() / 4 * BATCH_SHARE))
    match rule:
        case Rule.ROUND_ROBIN:
            return _step(round_robin_pairs(tally), resolve(tally, goal), guard)
        case Rule.SAFE:
            return _safe_step(tally, goal, guard, pairs=pairs)
        case Rule.RACE:
            return _race_step(tally, goal, guard, pairs=pairs)


def round_robin_pairs(tally: PairTally, *, reason: str = "round robin") -> tuple[PlannedPair, ...]:
    """Return every pair of bots that has played least often, once each."""
    meetings = [cell for cell in combinations(range(len(tally.bots)), 2) if tally.meets[cell]]
    return _planned(tally, _sweeps(tally, meetings, at_least=1), reason)


def next_pairs_safe(tally: PairTally, goal: Goal, field: PooledField, *, pairs: int) -> tuple[PlannedPair, ...]:
    """Return the most informative pairs; before that, every two bots play once, as the model needs results of all."""
    if tally.units()[tally.meets].min() == 0:
        return round_robin_pairs(tally, reason="safe: every meeting once")
    return telling_meetings(tally, field, goal, pairs=pairs)


def next_pairs_race(tally: PairTally, goal: Goal, resolution: Resolution, *, pairs: int) -> tuple[PlannedPair, ...]:
    """Return at least `pairs` pairs between the undecided bots, evenly."""
    names = resolution.undecided
    undecided = sorted(tally.index(bot) for bot in names)
    listed = ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {len(names) - 2} others"
    cells = _sweeps(tally, list(combinations(undecided, 2)), at_least=pairs)
    return _planned(tally, cells, f"race: {listed} open for {goal}")


def fit_power(tally: PairTally) -> float:
    """Return the chance that the first fit test rejects a field whose results deviate from ratings by EFFECT_ELO.

    Effects of standard deviation s multiply the expectation of the test's statistic, which is F under the model, by
    about 1 + w s^2, where w is the mean information of two bots' results.
    """
    matches = tally.matches()
    played = np.triu(matches > 0)
    freedom = int(played.sum()) - len(tally.bots) + 1
    spare = int((tally.units()[played] - 1).sum())
    if freedom <= 0 or spare <= 0:
        return 0.0
    information = pooled_field(tally, effects_elo=NO_EFFECTS_ELO).model.information[played].mean()
    growth = 1 + float(information) * (EFFECT_ELO / ELO_PER_NAT) ** 2
    return f_tail(f_critical(FIRST_LEVEL, freedom, spare) / growth, freedom, spare)


def _safe_step(tally: PairTally, goal: Goal, guard: Guard, *, pairs: int) -> Step:
    field = pooled_field(tally)
    resolution = resolve(tally, goal, estimate=field.estimate)
    if resolution.is_resolved:  # checked first, as planning takes time
        return Step((), resolution, guard)
    return Step(next_pairs_safe(tally, goal, field, pairs=pairs), resolution, guard)


def _race_step(tally: PairTally, goal: Goal, guard: Guard, *, pairs: int) -> Step:
    if len(tally.ranked) < len(tally.bots):
        raise ValueError("race: expected bots that all meet, got challengers")
    if guard is Guard.FAILED:
        return _safe_step(tally, goal, guard, pairs=pairs)
    is_first = guard is Guard.UNTESTED
    if is_first and fit_power(tally) < POWER:
        return _step(round_robin_pairs(tally, reason="race: round robin for the fit test"), resolve(tally, goal), guard)
    p_value = bradley_terry_fit(tally.comparisons()).p_value
    if p_value is not None and p_value < (FIRST_LEVEL if is_first else LATER_LEVEL):
        step = _safe_step(tally, goal, Guard.FAILED, pairs=pairs)
        note = f"race falls back to safe: one rating per bot does not explain the results (p = {p_value:.2g})"
        return replace(step, note=note)
    field = pooled_field(tally, effects_elo=NO_EFFECTS_ELO)
    resolution = resolve(tally, goal, estimate=field.estimate)
    step = _step(next_pairs_race(tally, goal, resolution, pairs=pairs), resolution, guard)
    if not is_first or p_value is None:
        return step
    note = f"race begins: one rating per bot explains the results (p = {p_value:.2g})"
    return replace(step, guard=Guard.FITS, note=note)


def _step(pairs: tuple[PlannedPair, ...], resolution: Resolution, guard: Guard) -> Step:
    return Step(() if resolution.is_resolved else pairs, resolution, guard)


def _sweeps(tally: PairTally, cells: Sequence[Cell], *, at_least: int) -> list[Cell]:
    """Plan the cells played least, level by level, until `at_least` are planned; levels are completed, to stay even."""
    planned: list[Cell] = []
    if not cells:
        return planned
    one, other = np.array(cells).T
    level = tally.matches()[one, other] // 2
    while len(planned) < at_least:
        lowest = np.flatnonzero(level == level.min())
        planned += [cells[int(index)] for index in lowest]
        level[lowest] += 1
    return planned


def _planned(tally: PairTally, cells: Sequence[Cell], reason: str) -> tuple[PlannedPair, ...]:
    return tuple(PlannedPair(tally.bots[one], tally.bots[other], reason) for one, other in cells)
