"""How much more or less the results of units vary than those of independent matches, for all bots and for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gridjoust.runner.statistics.fitting import Floats

PRIOR_UNITS = 4.0  # even and independent ones that are added to those of all bots
OWN_PRIOR_UNITS = 12.0  # with the dispersion of all bots, that are added to those of one bot


@dataclass(frozen=True, slots=True)
class Dispersion:
    """Variance of each bot's results over that of independent matches, with its degrees of freedom."""

    by_bot: Floats
    degrees: Floats


@dataclass(frozen=True, slots=True)
class UnitSums:
    """Arrays by bot, summed over the units (all matches on one seed).

    `squares`: of the unit's points beyond expectation; `variance`: what they would sum to if matches were independent
    of each other; `even`: the same if all bots were equal; `units`: in how many the bot took part. `comparisons` are
    the bots of each unit but one, summed over the units; `parameters` were fitted.
    """

    squares: Floats
    variance: Floats
    even: Floats
    units: Floats
    comparisons: float
    parameters: int


def dispersion_of(sums: UnitSums) -> Dispersion:
    """Return the ratio of squares to variance, drawn towards 1 if there are few even units.

    P. McCullagh & J. A. Nelder (1989), "Generalized Linear Models", chapters 4.5 and 9. It is a ratio of sums, so that
    matches whose result was nearly certain hardly count.
    """
    left = max(0.1, 1 - sums.parameters / max(1.0, sums.comparisons))  # what the fit has not taken up
    per_unit = float(sums.even.sum()) / max(1.0, sums.comparisons)
    total = float(sums.variance.sum()) * left
    pooled = (float(sums.squares.sum()) + PRIOR_UNITS * per_unit) / (total + PRIOR_UNITS * per_unit)
    degrees = total / per_unit + PRIOR_UNITS
    own_unit = sums.even / np.maximum(1.0, sums.units)
    own_total = sums.variance * left
    by_bot = (sums.squares + OWN_PRIOR_UNITS * own_unit * pooled) / (own_total + OWN_PRIOR_UNITS * own_unit)
    return Dispersion(by_bot, np.minimum(own_total / own_unit + OWN_PRIOR_UNITS, degrees))
