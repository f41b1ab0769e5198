"""Which meetings tell most about who belongs on which side of a line. Plans by the pooled model; decides no stop.

The two bots to be told apart are those whose order could be wrong by most: the lower one's lead in score, if it is as
far ahead as it may plausibly be (S. Kalyanakrishnan et al. (2012), "PAC subset selection in stochastic multi-armed
bandits", ICML: LUCB; here for differences). So a tie that many matches could not break does not take all matches from a
bot of which little is known. The meeting is the one that lowers the variance of their difference by most.

One pair after another is planned as if those before had been played and had come out as expected: greedy, because the
optimum over whole batches is out of reach and hardly better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from runner.schedule.adaptive.goal import Goal
from runner.schedule.adaptive.pairs import Floats, PairTally
from runner.schedule.adaptive.pooled import Knowledge, Model, PooledField, assess

Indices = NDArray[np.intp]

OPTIMISM = 3.0  # standard errors that a difference may plausibly be off


@dataclass(frozen=True, slots=True)
class Choice:
    """A meeting of two bots (indices), and the two bots about whom it tells."""

    first: int
    second: int
    upper: int
    lower: int


def telling_meetings(tally: PairTally, field: PooledField, goal: Goal, *, pairs: int) -> list[Choice]:
    """The next `pairs` meetings."""
    model, mean = field.model, field.estimate.mean
    upper, lower = _lines(mean, tally.ranked, goal)
    behind = mean[lower] - mean[upper]
    chosen = []
    for _ in range(pairs):
        known = assess(tally, model)
        spread = known.scores[upper, upper] + known.scores[lower, lower] - 2 * known.scores[upper, lower]
        least_clear = int((behind + OPTIMISM * np.sqrt(np.maximum(spread, 0.0))).argmax())
        line = int(upper[least_clear]), int(lower[least_clear])
        gains = _gains(tally, model, known, line, noise=field.dispersion)
        first, second = (int(at) for at in np.unravel_index(gains.argmax(), gains.shape))
        chosen.append(Choice(first, second, *line))
        model = _with_pair(model, first, second, noise=field.dispersion)
    return chosen


def _lines(mean: Floats, ranked: Sequence[int], goal: Goal) -> tuple[Indices, Indices]:
    """All two bots with a line of the goal between them: the upper ones and the lower ones."""
    order = np.array(ranked)[np.argsort(-mean[list(ranked)], kind="stable")]
    size = len(order)
    found = {(above, below) for cut in goal.cuts(size) for above in range(cut) for below in range(cut, size)}
    above, below = np.array(sorted(found)).T
    return order[above], order[below]


def _gains(tally: PairTally, model: Model, known: Knowledge, line: tuple[int, int], *, noise: float) -> Floats:
    """By how much one more pair of a meeting lowers the variance of the line's score difference: (bot, opponent).

    A result with error variance r lowers the variance of a normal quantity d by cov(d, x)^2 / (var(x) + r), x being
    the log odds of the meeting. Each meeting is there once, above the diagonal; what is no meeting is below 0.
    """
    difference = np.zeros(len(tally.bots))
    difference[list(line)] = 1.0, -1.0
    by_rating = difference @ known.slopes @ known.ratings
    own = difference / tally.meets.sum(axis=1)
    left = model.effect**2 * known.free
    shared = known.free * np.subtract.outer(by_rating, by_rating) + left * model.slope * np.subtract.outer(own, own)
    variances = known.ratings.diagonal()
    variance = known.free**2 * (np.add.outer(variances, variances) - 2 * known.ratings) + left
    gain = shared**2 / (variance + noise / (2 * model.slope))
    return np.where(np.triu(tally.meets), gain, -1.0)


def _with_pair(model: Model, first: int, second: int, *, noise: float) -> Model:
    """The model after one more pair that came out as expected."""
    information = model.information.copy()
    information[[first, second], [second, first]] += 2 * model.slope[first, second] / noise
    return replace(model, information=information)
