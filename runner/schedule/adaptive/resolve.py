"""The stop rule: decides if a goal is resolved, and which pairs of bots play next if it is not.

The probability that an answer is right is counted over draws from the normal posterior of the bots' scores. The draws
come from one fixed set of standard normal vectors, so the same results always give the same decision.

The rule is applied again and again, and each time it may be misled (P. Armitage, C. K. McPherson & B. C. Rowe (1969),
"Repeated significance tests on accumulating data", JRSS A 132:235). So errors are multiplied by `LOOKS_ERROR`, which is
a constant boundary over all decisions (S. J. Pocock (1977), Biometrika 64:191). The factor was chosen by simulation: of
two bots 20 Elo points apart, about the default indifference, the worse one is named in at most 5 % of runs of 2,000
matches. Closer bots count as equal: the answer may be either of them, or a tie.

The next pairs are chosen by one of three rules. round robin: all pairs of bots play equally often. safe: the pairs that
tell most about the least clear cut of the goal, by a model that learns how well ratings fit. So undecided bots play
each other if ratings explain the results, and the whole field if they do not. race: undecided bots play each other
only, and one rating per bot decides when to stop. A fit test must pass: round robin comes first, until the test has
enough power; the test is repeated as results come; once it fails, the race ends for good and safe takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.schedule.adaptive.pairs import (
    FieldEstimate,
    Floats,
    Goal,
    GoalKind,
    Guard,
    Mask,
    PairTally,
    PlannedPair,
    Resolution,
    Rule,
    Step,
    per_pair_estimate,
)
from gridjoust.runner.schedule.adaptive.pooled import NO_EFFECTS_ELO, PooledField, pooled_field, telling_meetings
from gridjoust.runner.statistics import ELO_PER_NAT, bradley_terry_fit
from gridjoust.runner.statistics.distributions import f_critical, f_tail

DRAWS = 4000
MIN_UNITS = 12  # results that every bot needs before a goal is resolved
LINE_UNITS = 24  # results that the two bots next to a cut need, where few results mislead most
LOOKS_ERROR = 1.1
TOO_FEW = f"not every bot has {MIN_UNITS} results yet"
TOLERATED = 0.5  # share of the allowed error that goes to bots that count as decided
_SEED = 20  # seed of the standard normal vectors
_MANY_PAIRS = 1000  # larger estimates are shown as "more than"

Indices = NDArray[np.intp]


def resolve(tally: PairTally, goal: Goal, *, estimate: FieldEstimate | None = None) -> Resolution:
    """Answer the goal from the results so far; ValueError if there are too few bots for it.

    `estimate`: default the per-pair posteriors, which do not assume that ratings explain the results.
    """
    ranked = list(tally.ranked)
    cuts = goal.cuts(len(ranked))
    field = per_pair_estimate(tally) if estimate is None else estimate
    mean, covariance = field.mean[ranked], field.covariance[np.ix_(ranked, ranked)] * LOOKS_ERROR**2
    order = np.argsort(-mean, kind="stable")
    drawn = _draw(mean, covariance)[order]
    wrong = _misplaced(drawn, cuts)
    confidence = 1 - float(wrong.any(axis=0).mean())
    names = [tally.bots[ranked[index]] for index in order]
    answer = tuple(names[: cuts[-1]])
    is_enough = is_played_enough(tally) and _short_of_results(tally, names, cuts) is None
    if is_enough and confidence >= goal.confidence:
        named = names if goal.kind is GoalKind.ORDER and goal.top is None else answer
        sure = f"{goal} resolved at {confidence:.1%}: {', '.join(named)}{_proviso(goal)}"
        return Resolution(is_resolved=True, answer=answer, undecided=(), confidence=confidence, reason=sure)
    level = _level(drawn, cuts, _margin(tally, goal), allowed=1 - goal.confidence)
    if is_enough and level is not None:
        upper, lower = names[level - 1], names[level]
        tie = f"{goal}: {upper} and {lower} tie{_proviso(goal)}"
        return Resolution(is_resolved=True, answer=answer, undecided=(), confidence=confidence, reason=tie, is_tie=True)
    undecided = _undecided(wrong, cuts, allowed=(1 - goal.confidence) * TOLERATED)
    reason = _missing(tally, goal, FieldEstimate(mean[order], covariance[np.ix_(order, order)]), names)
    open_bots = tuple(names[place] for place in undecided)
    return Resolution(is_resolved=False, answer=answer, undecided=open_bots, confidence=confidence, reason=reason)


def _proviso(goal: Goal) -> str:
    """Return the part of the answer's sentence that says how close bots must be to count as equal."""
    if not goal.indifference:
        return ""
    return f" (bots that differ by less than {goal.indifference:g} points a match count as equal)"


def is_played_enough(tally: PairTally) -> bool:
    """Return True if every ranked bot has enough results for an answer; once true, it stays true."""
    return bool((tally.units().sum(axis=1)[list(tally.ranked)] >= MIN_UNITS).all())


def _short_of_results(tally: PairTally, names: list[str], cuts: tuple[int, ...]) -> str | None:
    """Return the first bot beside a dividing place that has fewer than LINE_UNITS results, or None."""
    units = tally.units().sum(axis=1)
    beside = (names[place] for cut in cuts for place in (cut - 1, cut))
    return next((name for name in beside if units[tally.index(name)] < LINE_UNITS), None)


def _draw(mean: Floats, covariance: Floats) -> Floats:
    """Draw the bots' scores in DRAWS samples of the posterior: an array (bot, sample)."""
    values, vectors = np.linalg.eigh(covariance)
    # the symmetric root, as other roots depend on signs that differ between linear algebra libraries
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    drawn: Floats = mean[:, None] + root @ _normals(len(mean))
    return drawn


@lru_cache(maxsize=8)
def _normals(bots: int) -> Floats:
    """Return mirrored draws with variance 1 and no correlation, so that the bots' order in the file has no effect."""
    half = np.random.default_rng(_SEED).standard_normal((bots, DRAWS // 2))
    normals: Floats = np.concatenate([half, -half], axis=1)
    values, vectors = np.linalg.eigh(normals @ normals.T / DRAWS)
    whitened: Floats = (vectors / np.sqrt(np.maximum(values, 1e-9))) @ vectors.T @ normals
    return whitened


def _margin(tally: PairTally, goal: Goal) -> float:
    """Return the difference of two bots' mean scores if one scores the indifference more against every bot.

    Bots that play each other also take points from each other, which makes the difference larger.
    """
    size = len(tally.ranked)
    meet = tally.meets[np.ix_(tally.ranked, tally.ranked)].any()
    return goal.indifference * size / (size - 1) if meet else goal.indifference


def _misplaced(drawn: Floats, cuts: tuple[int, ...]) -> Mask:
    """Return a mask (place, sample): True if in this sample the bot of that place belongs above or below.

    `cuts`: places after which the ranking is divided. A bot is misplaced if a bot below the next cut beats it, or if it
    beats a bot above the previous cut.
    """
    size = len(drawn)
    wrong = np.zeros(drawn.shape, dtype=np.bool_)
    best_behind = np.maximum.accumulate(drawn[::-1])[::-1]
    worst_before = np.minimum.accumulate(drawn)
    for start, end in pairwise((0, *cuts, size)):
        if end < size:
            wrong[start:end] |= drawn[start:end] < best_behind[end]
        if start > 0:
            wrong[start:end] |= drawn[start:end] > worst_before[start - 1]
    return wrong


def _level(drawn: Floats, cuts: tuple[int, ...], margin: float, *, allowed: float) -> int | None:
    """Return the first dividing place whose two parts are tied: they differ by less than the margin.

    None if all dividing places are clear, or if one is open: neither clear nor tied.
    """
    tied = None
    for cut in cuts:
        gap = drawn[:cut].min(axis=0) - drawn[cut:].max(axis=0)
        if float((gap < 0).mean()) <= allowed:
            continue
        if float((np.abs(gap) > margin).mean()) > allowed:
            return None
        tied = cut if tied is None else tied
    return tied


def _undecided(wrong: Mask, cuts: tuple[int, ...], *, allowed: float) -> list[int]:
    """Return the undecided places: the probability that any other place is wrong is at most `allowed`.

    `wrong`: a mask (place, sample). At least the two places around a dividing place are undecided.
    """
    surest_first = np.argsort(wrong.mean(axis=1), kind="stable")
    together = np.logical_or.accumulate(wrong[surest_first]).mean(axis=1)
    decided = int(np.searchsorted(together, allowed, side="right"))
    undecided = {int(place) for place in surest_first[decided:]}
    if len(undecided) < 2:
        line = max(cuts, key=lambda cut: (wrong[cut - 1] & wrong[cut]).mean())
        undecided |= {line - 1, line}
    return sorted(undecided)


def _missing(tally: PairTally, goal: Goal, field: FieldEstimate, names: list[str]) -> str:
    """Return a sentence about what an answer needs: more results, or pairs of matches to separate two close bots."""
    if not is_played_enough(tally):
        return TOO_FEW
    cuts = goal.cuts(len(names))
    short = _short_of_results(tally, names, cuts)
    if short is not None:
        return f"{short} has fewer than {LINE_UNITS} results yet"
    hardest, first, second = min(
        (_separation(field, upper, lower), upper, lower)
        for cut in cuts
        for upper in range(cut)
        for lower in range(cut, len(names))
    )
    one, other = tally.index(names[first]), tally.index(names[second])
    pairs_so_far = float(tally.matches()[[one, other]].sum() - tally.matches()[one, other]) / 2
    wanted = NormalDist().inv_cdf(goal.confidence)
    open_pair = f"{names[first]} and {names[second]} are not separated"
    more = pairs_so_far * ((wanted / hardest) ** 2 - 1) if hardest > 0 else float("inf")
    if more > _MANY_PAIRS:
        return f"{open_pair}: more than {_MANY_PAIRS} more pairs"
    pairs = max(1, round(more))
    return f"{open_pair}: about {pairs} more pair{'s' if pairs > 1 else ''}"


def _separation(field: FieldEstimate, upper: int, lower: int) -> float:
    """Return the upper bot's lead over the lower one in standard errors."""
    spread = field.covariance[upper, upper] + field.covariance[lower, lower] - 2 * field.covariance[upper, lower]
    return float((field.mean[upper] - field.mean[lower]) / max(spread, 1e-12) ** 0.5)


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
    """Return all pairs of bots that have played least often so far, each once."""
    meetings = [cell for cell in combinations(range(len(tally.bots)), 2) if tally.meets[cell]]
    return _planned(tally, _sweeps(tally, meetings, at_least=1), reason)


def next_pairs_safe(tally: PairTally, goal: Goal, field: PooledField, *, pairs: int) -> tuple[PlannedPair, ...]:
    """Return the pairs of bots that tell most; before that, all pairs of bots play once, as the model needs it."""
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
    """Return pairs of bots to play, those that have met least first, at least `at_least`.

    All pairs that have met equally often are planned together, so that none falls behind.
    """
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
