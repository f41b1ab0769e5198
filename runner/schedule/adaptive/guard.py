"""May a race go on: do the results fit one rating per bot, and would it show if they did not? Plans nothing."""

from __future__ import annotations

import numpy as np

from runner.schedule.adaptive.pairs import PairTally
from runner.schedule.adaptive.pooled import NO_EFFECTS_ELO, pooled_field
from runner.statistics.distributions import f_tail
from runner.statistics.elo import ELO_PER_NAT
from runner.statistics.fit_test import bradley_terry_fit

EFFECT_ELO = 87.0  # standard deviation of meetings from ratings that must not be missed
POWER = 0.9  # chance that it is not, before a race begins
FIRST_LEVEL = 0.1  # p-value below which a race does not begin
LATER_LEVEL = 0.01  # p-value below which it ends; lower, since it is tested again and again


def fit_p_value(tally: PairTally) -> float | None:
    """How often a field with one rating per bot would stray from it as these results do; None: too few to tell."""
    return bradley_terry_fit(tally.comparisons()).p_value


def fit_power(tally: PairTally) -> float:
    """Chance that the first test rejects a field whose meetings stray from the ratings by EFFECT_ELO.

    Effects of standard deviation s multiply the expectation of the test's statistic, which is F under the model, by
    about 1 + w s^2, w being the mean information of a meeting.
    """
    matches = tally.matches()
    played = np.triu(matches > 0)
    freedom = int(played.sum()) - len(tally.bots) + 1
    spare = int((tally.units()[played] - 1).sum())
    if freedom <= 0 or spare <= 0:
        return 0.0
    information = pooled_field(tally, effects_elo=NO_EFFECTS_ELO).model.information[played].mean()
    growth = 1 + float(information) * (EFFECT_ELO / ELO_PER_NAT) ** 2
    return f_tail(_f_critical(FIRST_LEVEL, freedom, spare) / growth, freedom, spare)


def _f_critical(tail: float, freedom: int, spare: int) -> float:
    """What F exceeds with probability `tail`: by bisection."""
    low, high = 0.0, 1000.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if f_tail(middle, freedom, spare) > tail else (low, middle)
    return low
