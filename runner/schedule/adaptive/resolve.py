"""The stop rule: decides if a goal is resolved, which bots are undecided, and how many matches are missing.

The probability that an answer is right is counted over draws from the normal posterior of the bots' scores. The draws
come from one fixed set of standard normal vectors, so the same results always give the same decision.

The rule is applied again and again, and each time it may be misled (P. Armitage, C. K. McPherson & B. C. Rowe (1969),
"Repeated significance tests on accumulating data", JRSS A 132:235). So errors are multiplied by `LOOKS_ERROR`, which is
a constant boundary over all decisions (S. J. Pocock (1977), Biometrika 64:191). The factor was chosen by simulation: of
two bots 20 Elo points apart, about the default indifference, the worse one is named in at most 5 % of runs of 2,000
matches. Closer bots count as equal: the answer may be either of them, or a tie.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.schedule.adaptive.goal import Goal, Resolution
from gridjoust.runner.schedule.adaptive.pairs import FieldEstimate, Floats, Mask, PairTally, per_pair_estimate

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
    """Answer the goal from the results; ValueError if the field is too small for it.

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
        sure = f"{goal} resolved at {confidence:.1%}: {', '.join(answer)}{_proviso(goal)}"
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
    """Return the part of a verdict that says which bots count as equal."""
    if not goal.indifference:
        return ""
    return f" (bots that differ by less than {goal.indifference:g} points a match count as level)"


def is_played_enough(tally: PairTally) -> bool:
    """Return True if every ranked bot has enough results for an answer; once true, it stays true."""
    return bool((tally.units().sum(axis=1)[list(tally.ranked)] >= MIN_UNITS).all())


def _short_of_results(tally: PairTally, names: list[str], cuts: tuple[int, ...]) -> str | None:
    """Return the first bot next to a cut that has fewer than LINE_UNITS results, or None."""
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
    """Return a mask (place, sample): True if a bot is on the wrong side of a cut. Rows are in the answer's order.

    A bot is misplaced if a bot below the next cut beats it, or if it beats a bot above the previous cut.
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
    """Return the first cut whose two sides differ by less than the margin, if all other cuts are clear or tied too.

    None if all cuts are clear, or one is open: neither clear nor tied.
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
    """Return the undecided places: all others together are wrong with a probability of at most `allowed`.

    At least the two places around a cut are undecided.
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
    """Return a sentence with the two bots that are hardest to separate and about how many pairs that would take."""
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
