"""How fast the log posterior of ratings falls off its optimum: intervals and tests that are right for lopsided results.

Ratings are those of a Bradley-Terry or a Plackett-Luce fit: in each row one bot is chosen from the members of a set.
A contrast (a rating, or the difference of two) is moved along the line on which all other ratings follow as far as the
curvature at the optimum says; 2 x the fall of the log posterior is then chi-square with one degree of freedom (S. S.
Wilks (1938), Ann. Math. Statist. 9:60). Unlike an interval from the curvature alone, this one is wide on the side on
which results tell little. Rows that the line hardly moves count by their curvature.

Results are not coin tosses: draws, seeds that favour a seat and bots that repeat themselves make the results of a unit
(all matches on one seed) vary less or more. The fall is divided by their dispersion (`dispersion_of`), and chi-square
becomes the square of Student's t.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from gridjoust.runner.statistics.elo import ELO_PER_NAT
from gridjoust.runner.statistics.fitting import Floats, Indices, logistic
from gridjoust.runner.statistics.intervals import CONFIDENCE, Interval

PRIOR_UNITS = 4.0  # even and independent ones that are added to those of all bots
OWN_PRIOR_UNITS = 12.0  # with the dispersion of all bots, that are added to those of one bot


@dataclass(frozen=True, slots=True)
class Dispersion:
    """Variance of each bot's results over that of independent matches, with its degrees of freedom."""

    by_bot: Floats
    degrees: Floats


@dataclass(frozen=True, slots=True)
class UnitSums:
    """Sums per bot over units (a unit: all matches on one seed): the input of `dispersion_of`.

    `squares`: of the unit's points beyond expectation; `variance`: what they would sum to if matches were independent
    of each other; `even`: the same if all bots were equal; `units`: number of units with the bot. `comparisons`: number
    of bots in each unit minus 1, summed over the units; `parameters`: number of fitted parameters.
    """

    squares: Floats
    variance: Floats
    even: Floats
    units: Floats
    comparisons: float
    parameters: int


def dispersion_of(sums: UnitSums) -> Dispersion:
    """Return the ratio of squares to variance, drawn towards 1 if few units are even.

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


_MOVED = 0.1  # of the largest move in a line: rows of bots that move as far count exactly
_STEPS = np.concatenate([np.linspace(0.4, 1.6, 9), np.geomspace(1.8, 40.0, 11)])  # in half widths of the normal one
_CELLS_AT_ONCE = 400_000  # bounds the memory of a batch
_LARGEST_DRAWS = 20_000_000  # cells of the draws of the largest difference
_SEED = 7


@dataclass(frozen=True, slots=True)
class Rows:
    """Choices of one bot from sets of bots: row by row the set, whose first member was chosen `weight` times.

    `member` (row, place) are parameters, bots first; places that a smaller set lacks hold the number of parameters.
    `seat` (row) is the parameter that is added to the first member, or the number of parameters if there is none.
    """

    member: Indices
    seat: Indices
    weight: Floats


@dataclass(frozen=True)
class Profile:
    """The log posterior of ratings around its optimum `nats`, with `hessian`, its negative Hessian; bots come first."""

    bots: int
    nats: Floats
    hessian: Floats
    rows: Rows
    dispersion: Dispersion
    prior: float

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of all parameters in nats, if matches were independent."""
        found: Floats = np.linalg.inv(self.hessian).astype(np.float64)
        return found

    @cached_property
    def _centred(self) -> Floats:
        """Covariance of the ratings in nats if their mean is held at 0."""
        own = self.covariance[: self.bots, : self.bots]
        found: Floats = own - own.mean(axis=0) - own.mean(axis=1)[:, None] + own.mean()
        return found

    @cached_property
    def _shares(self) -> Floats:
        """For each row, the chance of each of its members to be chosen, by the fitted ratings."""
        nats = np.append(self.nats, 0.0)
        odds = nats[self.rows.member]
        odds[:, 0] += nats[self.rows.seat]
        odds[self.rows.member == len(self.nats)] = -np.inf
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        found: Floats = odds / odds.sum(axis=1, keepdims=True)
        return found

    @cached_property
    def _rows_of(self) -> tuple[Indices, Indices]:
        """Row numbers sorted by the bots in the rows, and where those of each bot start."""
        place = np.argsort(self.rows.member, axis=None, kind="stable")
        member = self.rows.member.reshape(-1)[place]
        return place // self.rows.member.shape[1], np.searchsorted(member, np.arange(self.bots + 1))

    @property
    def ratings(self) -> Floats:
        """Ratings in Elo points, with mean 0."""
        own = self.nats[: self.bots]
        found: Floats = (own - own.mean()) * ELO_PER_NAT
        return found

    @property
    def rating_covariance(self) -> Floats:
        """Covariance of `ratings`, the dispersion of the results included: the normal approximation."""
        scale = np.sqrt(self.dispersion.by_bot)
        own = self._centred * np.outer(scale, scale)
        found: Floats = (own - own.mean(axis=0) - own.mean(axis=1)[:, None] + own.mean()) * ELO_PER_NAT**2
        return found

    def rating_interval(self, bot: int, *, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval of a rating in Elo points; the mean of all ratings is 0."""
        contrast = np.full(self.bots, -1.0 / self.bots)
        contrast[bot] += 1
        return self._interval(contrast, self.dispersion.by_bot[bot], self.dispersion.degrees[bot], confidence)

    def difference_interval(self, bot: int, other: int, *, confidence: float = CONFIDENCE) -> Interval:
        """Return the interval of how much higher the rating of `bot` is, in Elo points."""
        contrast = np.zeros(self.bots)
        contrast[bot], contrast[other] = 1.0, -1.0
        [scale], [degrees] = self._of_pairs(np.array([bot]), np.array([other]))
        return self._interval(contrast, scale, degrees, confidence)

    def superiority(self, bot: int, other: int) -> float:
        """Return the chance that `bot` is better, if both orders were equally likely beforehand."""
        one, two = np.array([bot]), np.array([other])
        [root], [degrees] = self.roots(one, two), self._of_pairs(one, two)[1]
        return float(scipy.special.stdtr(degrees, root))

    def roots(self, one: Indices, two: Indices) -> Floats:
        """Return how significantly each bot of `one` beats that of `two`, as signed roots.

        A root's square is twice the fall of the log posterior to equal ratings. If the two are equal, it is distributed
        as Student's t.
        """
        gap = self.nats[one] - self.nats[two]
        size = np.diff(self._rows_of[1])
        batch = np.cumsum(size[one] + size[two]) // _CELLS_AT_ONCE
        fall = np.zeros(len(one))
        for part in np.split(np.arange(len(one)), np.flatnonzero(np.diff(batch)) + 1):
            fall[part] = self._fall_to_equality(one[part], two[part], gap[part])
        scale, _ = self._of_pairs(one, two)
        found: Floats = np.sign(gap) * np.sqrt(2 * np.maximum(0.0, fall) / scale)
        return found

    def wald(self, one: Indices, two: Indices) -> Floats:
        """Return the rating differences over their standard errors: quick, but too low for lopsided results."""
        scale, _ = self._of_pairs(one, two)
        found: Floats = (self.nats[one] - self.nats[two]) / np.sqrt(self._spread(one, two) * scale)
        return found

    def most_sure(self, one: Indices, two: Indices) -> Floats:
        """Return an upper limit for the size of each of `roots`: a result tells most if its bots are equal."""
        count = np.bincount(self.rows.member.reshape(-1), np.repeat(self.rows.weight, self.rows.member.shape[1]))
        even = count[: self.bots] / 4 + self.prior / 4
        ratio = np.sqrt(np.maximum(1.0, even / self.hessian.diagonal()[: self.bots]))
        found: Floats = np.abs(self.wald(one, two)) * np.maximum(ratio[one], ratio[two])
        return found

    def largest_root(self, one: Indices, two: Indices, *, confidence: float = CONFIDENCE) -> float:
        """Return the limit that the largest of the `roots` of all these pairs stays below if all bots are equal.

        It draws all ratings together (normal) and the dispersion (chi-square): the single-step method of P. H. Westfall
        & S. S. Young (1993), "Resampling-based multiple testing".
        """
        draws = int(min(10_000, max(1000, _LARGEST_DRAWS // max(1, len(one)))))
        rng = np.random.default_rng(_SEED)
        values, vectors = np.linalg.eigh(self._centred)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        error = np.sqrt(self._spread(one, two))
        degrees = float(np.median(self.dispersion.degrees))
        scale = np.sqrt(rng.chisquare(degrees, draws) / degrees)
        drawn = rng.standard_normal((draws, self.bots)) @ root.T
        step = max(1, _CELLS_AT_ONCE // max(1, len(one)))
        batches = (drawn[begin : begin + step] for begin in range(0, draws, step))
        largest = np.concatenate([(np.abs(own[:, one] - own[:, two]) / error).max(axis=1) for own in batches])
        return float(np.quantile(largest / scale, confidence))

    def _spread(self, one: Indices, two: Indices) -> Floats:
        own = self._centred
        found: Floats = own[one, one] + own[two, two] - 2 * own[one, two]
        return found

    def _of_pairs(self, one: Indices, two: Indices) -> tuple[Floats, Floats]:
        """Return dispersion and degrees of freedom of each pair of bots (`one[i]`, `two[i]`).

        Both are means of the two bots' values, weighted by the variances of their ratings.
        """
        variance = self._centred.diagonal()
        first, second = variance[one], variance[two]
        own = self.dispersion
        scale = (own.by_bot[one] * first + own.by_bot[two] * second) / (first + second)
        degrees = (own.degrees[one] * first + own.degrees[two] * second) / (first + second)
        return scale, degrees

    def _interval(self, contrast: Floats, scale: float, degrees: float, confidence: float) -> Interval:
        line = self.covariance[:, : self.bots] @ contrast
        variance = float(line[: self.bots] @ contrast)
        line = line / variance
        value = float(contrast @ self.nats[: self.bots])
        wanted = float(scipy.special.stdtrit(degrees, (1 + confidence) / 2))
        unit = float(np.sqrt(variance * scale)) * wanted
        ends = []
        for side in (-1, 1):
            root = np.sqrt(np.maximum(0.0, 2 * self._falls(line, side * unit * _STEPS) / scale))
            ends.append(value + side * unit * float(np.interp(wanted, root, _STEPS)))
        return Interval(ends[0] * ELO_PER_NAT, ends[1] * ELO_PER_NAT)

    def _falls(self, line: Floats, steps: Floats) -> Floats:
        """Return how far the log posterior falls after steps of these lengths along the direction `line`."""
        moved = np.flatnonzero(np.abs(line[: self.bots]) >= _MOVED * np.abs(line[: self.bots]).max())
        rows, starts = self._rows_of
        chosen = np.unique(np.concatenate([rows[starts[bot] : starts[bot + 1]] for bot in moved]))
        off, shares, weight = self._moves(line, chosen), self._shares[chosen], self.rows.weight[chosen]
        left = float(line @ self.hessian @ line) - float(weight @ (shares * off**2).sum(axis=1))
        log_mean = np.log((shares * np.exp(steps[:, None, None] * off)).sum(axis=2))
        chance = logistic(self.nats)
        left -= self.prior * float(chance * (1 - chance) @ line**2)
        at = self.nats + steps[:, None] * line
        prior = np.logaddexp(0, at) - np.logaddexp(0, self.nats) - chance * steps[:, None] * line
        found: Floats = log_mean @ weight + max(0.0, left) * steps**2 / 2 + self.prior * prior.sum(axis=1)
        return found

    def _moves(self, line: Floats, rows: Indices) -> Floats:
        """Return how far a unit step along `line` moves the log odds of each member of these rows from their mean."""
        longer = np.append(line, 0.0)
        off = longer[self.rows.member[rows]]
        off[:, 0] += longer[self.rows.seat[rows]]
        found: Floats = off - (self._shares[rows] * off).sum(axis=1, keepdims=True)
        return found

    def _fall_to_equality(self, one: Indices, two: Indices, gap: Floats) -> Floats:
        """Return how far the log posterior falls as the rating gaps of these pairs close to 0.

        Rows with the two bots are exact, others approximate.
        """
        lines = (self.covariance[:, one] - self.covariance[:, two]).T / self._spread(one, two)[:, None]
        lines = lines * -gap[:, None]
        rows, starts = self._rows_of
        size = np.diff(starts)
        pair = np.repeat(np.tile(np.arange(len(one)), 2), np.concatenate([size[one], size[two]]))
        begin = np.concatenate([starts[one], starts[two]])
        width = np.concatenate([size[one], size[two]])
        at = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width) + np.repeat(begin, width)
        row = rows[at]
        is_second = np.arange(len(row)) >= size[one].sum()
        is_counted = is_second & (self.rows.member[row] == one[pair][:, None]).any(axis=1)
        pair, row = pair[~is_counted], row[~is_counted]
        longer = np.concatenate([lines, np.zeros((len(one), 1))], axis=1)
        off = longer[pair[:, None], self.rows.member[row]]
        off[:, 0] += longer[pair, self.rows.seat[row]]
        shares, weight = self._shares[row], self.rows.weight[row]
        off = off - (shares * off).sum(axis=1, keepdims=True)
        exact = np.bincount(pair, weight * np.log((shares * np.exp(off)).sum(axis=1)), len(one))
        curved = np.bincount(pair, weight * (shares * off**2).sum(axis=1), len(one))
        chance = logistic(self.nats)
        prior = np.logaddexp(0, self.nats + lines) - np.logaddexp(0, self.nats) - chance * lines
        bent = self.prior * (lines**2 @ (chance * (1 - chance)))
        left = gap**2 / self._spread(one, two) - curved - bent
        found: Floats = exact + np.maximum(0.0, left) / 2 + self.prior * prior.sum(axis=1)
        return found


def empty_profile() -> Profile:
    """Return the profile of a fit without bots."""
    none, nobody = np.zeros(0), np.zeros(0, dtype=np.intp)
    rows = Rows(np.zeros((0, 2), dtype=np.intp), nobody, none)
    return Profile(0, none, np.zeros((0, 0)), rows, Dispersion(none, none), 1.0)
