"""What seats are worth: points scored in them, whoever sits there. Rates no bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from leaderboard.entries import Sides
from leaderboard.paired import mean_of
from leaderboard.seats import Seats, combine, first_of
from leaderboard.standings import SeatEffect
from runner.statistics import CONFIDENCE


def seat_effects(seats: Seats, sides: Sides, *, advantages: Mapping[str, float]) -> Iterator[SeatEffect]:
    """Every setting in which sides meet, seat by seat; `advantages` are those of the first seat by setting, in Elo.

    A side is named by its first seat. The interval is Student's over pairs: swapped matches on a seed are one unit.
    """
    first = first_of(combine(seats.match, seats.team))
    seat, points = seats.seat[first], seats.points[first]
    contest = np.flatnonzero((sides.of_match > 1) & ~np.isnan(points))
    if not len(contest):
        return
    setting = sides.setting[contest]
    cell = combine(setting, seat[contest], sides.pair[contest])
    means = np.bincount(cell, points[contest]) / np.bincount(cell)
    at = contest[first_of(cell)]
    place = combine(sides.setting[at], seat[at])
    matches = np.bincount(combine(setting, seat[contest]))
    for number, one in enumerate(first_of(place)):
        own = means[place == number]
        name = seats.variant.names[sides.setting[at[one]]]
        interval = mean_of(own, confidence=CONFIDENCE).interval
        is_first_of_two = sides.number[at[one]] == 0 and sides.of_match[at[one]] == 2
        yield SeatEffect(
            setting=name,
            seat=int(seat[at[one]]),
            matches=int(matches[number]),
            score_pct=100 * float(own.mean()),
            score_low=None if interval is None else 100 * max(0.0, interval.low),
            score_high=None if interval is None else 100 * min(1.0, interval.high),
            advantage=advantages.get(name) if is_first_of_two else None,
        )
