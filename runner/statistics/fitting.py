"""Bradley-Terry ratings by Newton's method on a table of comparisons: which bots met, and with what result.

The fits with all their options are in `gridjoust.runner.statistics.ratings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gridjoust.runner.statistics.elo import ELO_PER_NAT

FIRST_SEAT = "first seat"  # the setting of plain rows whose first bot had the seat that moves first


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of one bot against another: `first` scored `score` (0 to 1) against `second`.

    Comparisons with the same `pair_id` are not independent. `setting` names the setting in which `first` had the seat
    that moves first; it is "" if seats do not matter.
    """

    first: str
    second: str
    score: float
    pair_id: str
    setting: str = ""
    weight: float = 1.0


PlainRow = tuple[str, str, float]  # first, second, score of the first: a unit of its own


def as_comparisons(rows: Iterable[Comparison | PlainRow], *, seat_advantage: bool | None = None) -> list[Comparison]:
    """Return every row as a `Comparison`, in an order that does not depend on the order of the rows.

    Plain rows are independent of each other. `seat_advantage`: None keeps the settings (plain rows have none), True
    also gives plain rows one in which the first bot had the first seat, False drops all. ValueError for a score that is
    not from 0 to 1, or of a bot against itself.
    """
    given = list(rows)
    own = [row for row in given if isinstance(row, Comparison)]
    plain = sorted(row for row in given if not isinstance(row, Comparison))
    setting = FIRST_SEAT if seat_advantage else ""
    own += [Comparison(first, second, score, f"\n{at}", setting) for at, (first, second, score) in enumerate(plain)]
    if seat_advantage is False:
        own = [replace(one, setting="") for one in own]
    for one in own:
        if one.first == one.second or not 0 <= one.score <= 1:
            raise ValueError(f"expected a score of 0 to 1 of one bot against another, got {one}")
    return sorted(own, key=lambda one: (one.pair_id, one.setting, one.first, one.second, one.score, one.weight))


Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_MAX_STEPS = 200
_TOLERANCE = 1e-7  # of a step, in units of 400 / ln 10 Elo points; the error left is about its square
RIDGE = 1e-6  # of the mean curvature: makes a Hessian without prior invertible, does not move the optimum


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a fit, in Elo points; `errors` are standard errors of ratings whose mean is held at 0."""

    ratings: dict[str, float]
    errors: dict[str, float]
    advantages: dict[str, float]  # setting -> what the first seat is worth
    draw_parameter: float | None = None  # Davidson's nu: draws of equals are nu to 2; None where draws are half a win
    advantage_errors: dict[str, float] = field(default_factory=dict)  # setting -> standard error, by `duel_profile`


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit in nats: strengths of the bots and seat advantages by setting, each in the order of names.

    `hessian` is the negative Hessian of the log posterior.
    """

    bots: tuple[str, ...]
    settings: tuple[str, ...]
    nats: Floats
    hessian: Floats
    draw_parameter: float | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Comparisons as arrays. `cell`: index of each in the flat table (setting, first, second); `pair`: that in `pairs`.

    The first `advantages` settings are those with a seat advantage.
    """

    bots: tuple[str, ...]
    settings: tuple[str, ...]
    advantages: int  # how many of the settings have one
    pairs: tuple[str, ...]
    cell: Indices
    pair: Indices
    weight: Floats
    score: Floats

    @property
    def shape(self) -> tuple[int, int, int]:
        """Size of the table: (settings, bots, bots)."""
        return (len(self.settings), len(self.bots), len(self.bots))


def tables_of(ordered: Sequence[Comparison]) -> Problem:
    """Return the comparisons of `as_comparisons` as arrays, numbered by bot and setting."""
    bots = tuple(sorted({bot for one in ordered for bot in (one.first, one.second)}))
    names = {one.setting for one in ordered}
    settings = (*sorted(names - {""}), *(names & {""}))
    pairs = tuple(sorted({one.pair_id for one in ordered}))
    bot_at, setting_at, pair_at = ({name: at for at, name in enumerate(named)} for named in (bots, settings, pairs))
    cells = [
        (setting_at[one.setting] * len(bots) + bot_at[one.first]) * len(bots) + bot_at[one.second] for one in ordered
    ]
    return Problem(
        bots=bots,
        settings=settings,
        advantages=len(names - {""}),
        pairs=pairs,
        cell=np.array(cells, dtype=np.intp),
        pair=np.array([pair_at[one.pair_id] for one in ordered], dtype=np.intp),
        weight=np.array([one.weight for one in ordered]),
        score=np.array([one.score for one in ordered]),
    )


def tabulate(problem: Problem, copies: Floats) -> tuple[Floats, Floats]:
    """Count matches and points of the first bot by (setting, first, second), with `copies` of each pair of matches."""
    weight = problem.weight * copies[problem.pair]
    size = int(np.prod(problem.shape))
    matches: Floats = np.bincount(problem.cell, weight, size).astype(np.float64)  # empty input would be whole numbers
    points: Floats = np.bincount(problem.cell, weight * problem.score, size).astype(np.float64)
    return matches.reshape(problem.shape), points.reshape(problem.shape)


def climb(
    slopes_at: Callable[[Floats], tuple[Floats, Floats]], start: Floats, length: Callable[[Floats], float]
) -> tuple[Floats, Floats]:
    """Climb by Newton's method; return the optimum, and the negative Hessian where the last step began.

    `slopes_at` returns gradient and negative Hessian at a point. ArithmeticError if it does not converge.

    A step that moves log odds by more than 1 (measured by `length`) is cut to 1. Within that the curvature grows at
    most e-fold, so every step improves (quasi-self-concordance; F. Bach (2010), "Self-concordant analysis for logistic
    regression", EJS 4:384).
    """
    nats = start
    for _ in range(_MAX_STEPS):
        gradient, hessian = slopes_at(nats)
        step: Floats = np.linalg.solve(hessian, gradient).astype(np.float64)
        moved = length(step)
        nats = nats + step / max(1.0, moved)
        if moved < _TOLERANCE:
            return nats, hessian
    raise ArithmeticError(f"expected the ratings to settle within {_MAX_STEPS} steps, last step {moved:g}")


def spread(step: Floats) -> float:
    """Return the largest change of any strength difference in a Newton step, differences from strength 0 included."""
    return float(step.max(initial=0.0) - step.min(initial=0.0))


def fit_tables(matches: Floats, points: Floats, advantages: int, *, prior: float) -> tuple[Floats, Floats]:
    """Fit strengths and seat advantages to tables of matches and points, by (setting, first, second).

    Return the optimum in nats, bots before advantages, and the negative Hessian. `advantages`: number of settings with
    one, which come first.
    """
    bots = matches.shape[1]
    return climb(
        lambda nats: _slopes(matches, points, nats, advantages, prior=prior),
        np.zeros(bots + advantages),
        lambda step: spread(step[:bots]) + float(np.abs(step[bots:]).max(initial=0.0)),
    )


def _slopes(matches: Floats, points: Floats, nats: Floats, advantages: int, *, prior: float) -> tuple[Floats, Floats]:
    """Return gradient and negative Hessian of the log posterior at `nats`."""
    settings, bots, _ = matches.shape
    strengths = nats[:bots]
    seat = np.zeros(settings)
    seat[:advantages] = nats[bots:]
    odds = strengths[:, None] - strengths + seat[:, None, None]
    expected = logistic(odds)
    surplus = points - matches * expected
    curvature = matches * expected * (1 - expected)
    by_prior = logistic(nats)
    gradient = prior * (0.5 - by_prior)
    flow = surplus.sum(axis=0)
    gradient[:bots] += flow.sum(axis=1) - flow.sum(axis=0)
    gradient[bots:] += surplus[:advantages].sum(axis=(1, 2))
    hessian = np.zeros((len(nats), len(nats)))
    between = curvature.sum(axis=0)
    between = between + between.T
    hessian[:bots, :bots] = -between
    cross = curvature[:advantages].sum(axis=2) - curvature[:advantages].sum(axis=1)
    hessian[bots:, :bots] = cross
    hessian[:bots, bots:] = cross.T
    diagonal = prior * by_prior * (1 - by_prior)
    diagonal[:bots] += between.sum(axis=1)
    diagonal[bots:] += curvature[:advantages].sum(axis=(1, 2))
    if prior == 0:
        diagonal += RIDGE * diagonal.mean()
    hessian[np.diag_indices(len(nats))] += diagonal
    return gradient, hessian


def logistic(odds: Floats) -> Floats:
    """Return the chance that belongs to these log odds."""
    value: Floats = 1 / (1 + np.exp(-odds))
    return value


def centred(strengths: Floats) -> Floats:
    """Return strengths in Elo points with mean 0."""
    elo: Floats = (strengths - strengths.mean()) * ELO_PER_NAT
    return elo


def ratings_of(fit: Fit) -> Ratings:
    """Return ratings by bot. Their errors leave out the common shift of all, which a weak prior hardly fixes."""
    bots = len(fit.bots)
    centring = np.eye(bots) - 1 / bots
    covariance = np.linalg.inv(fit.hessian)
    variances = np.diag(centring @ covariance[:bots, :bots] @ centring)
    return Ratings(
        ratings=dict(zip(fit.bots, centred(fit.nats[:bots]).tolist(), strict=True)),
        errors=dict(zip(fit.bots, (np.sqrt(np.maximum(0.0, variances)) * ELO_PER_NAT).tolist(), strict=True)),
        advantages=dict(zip(fit.settings, (fit.nats[bots:] * ELO_PER_NAT).tolist(), strict=True)),
        draw_parameter=fit.draw_parameter,
    )


def require_optimum(has_beaten: NDArray[np.bool_], bots: Sequence[str]) -> None:
    """Raise ValueError unless each bot took points from each other along a chain: else the optimum is infinite.

    L. R. Ford (1957), "Solution of a ranking problem from binary comparisons", Amer. Math. Monthly 64(8):28.
    """
    reached = closure(np.eye(len(bots), dtype=bool) | has_beaten)
    if not reached.all():
        bot, other = (bots[int(at)] for at in np.argwhere(~reached)[0])
        raise ValueError(f"expected a prior above 0: {bot} never took a point from {other}, not even along others")


def closure(links: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a matrix: True if the column's bot can be reached from the row's bot along one link or more."""
    reached = links
    for _ in range(len(links).bit_length()):
        reached = reached | (reached.astype(np.int64) @ reached.astype(np.int64) > 0)
    return reached
