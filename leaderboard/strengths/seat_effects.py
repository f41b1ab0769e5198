"""Estimates what each seat is worth: the points scored in it by all bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gridjoust.leaderboard.frame.codes import combine, first_of, groups
from gridjoust.leaderboard.frame.entries import Sides
from gridjoust.leaderboard.standings import SeatEffect
from gridjoust.leaderboard.strengths.paired import mean_of_shares
from gridjoust.runner.statistics.distributions import t_critical
from gridjoust.runner.statistics.intervals import MIN_UNITS


def seat_effects(
    sides: Sides, *, settings: Sequence[str], advantages: Mapping[str, float], errors: Mapping[str, float]
) -> Iterator[SeatEffect]:
    """Yield the worth of each seat of each setting (game and variant): points scored in it, advantage in Elo.

    `advantages` are those of the first seat by setting, in Elo, `errors` their standard errors. A side is named by its
    first seat. The unit of the interval is the pair: all matches on one seed.
    """
    contests = np.flatnonzero(~np.isnan(sides.points))
    place = combine(sides.setting[contests], sides.seat[contests])
    for rows in groups(place):
        own = contests[rows]
        pair = combine(sides.pair[own])
        means = np.bincount(pair, sides.points[own]) / np.bincount(pair)
        first = own[first_of(pair)[0]]
        name = settings[sides.setting[first]]
        interval = mean_of_shares(means).interval
        has_error = name in errors and len(means) >= MIN_UNITS
        is_first_of_two = sides.number[first] == 0 and sides.of_match[first] == 2
        yield SeatEffect(
            setting=name,
            seat=int(sides.seat[first]),
            matches=len(own),
            score_pct=100 * float(means.mean()),
            score_low=None if interval is None else 100 * interval.low,
            score_high=None if interval is None else 100 * interval.high,
            advantage=advantages.get(name) if is_first_of_two else None,
            advantage_error=_half_width(errors[name], len(means)) if is_first_of_two and has_error else None,
        )


def _half_width(error: float, pairs: int) -> float:
    """Return half the width of a 95 % interval from a standard error and its number of pairs of matches."""
    return t_critical(pairs - 1, confidence=0.95) * error
