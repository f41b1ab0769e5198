"""What seats are worth: points scored in them, whoever sits there. Rates no bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from leaderboard.codes import combine, first_of
from leaderboard.paired import mean_of
from leaderboard.seats import codes_of, names_of
from leaderboard.standings import SeatEffect


def is_unfair(effect: SeatEffect) -> bool:
    """Whether the seat surely scores more or less than half of the points."""
    return (
        effect.score_low is not None
        and effect.score_high is not None
        and not effect.score_low <= 50 <= effect.score_high
    )


def seat_effects(sides: pd.DataFrame, *, advantages: Mapping[str, float]) -> Iterator[SeatEffect]:
    """Every setting in which sides meet, seat by seat; `advantages` are those of the first seat by setting, in Elo.

    A side is named by its first seat. The interval is Student's over pairs: swapped matches on a seed are one unit.
    """
    contests = sides[sides["points"].notna()]
    if contests.empty:
        return
    setting, seat = codes_of(contests, "variant"), contests["seat"].to_numpy()
    cell = combine(setting, seat, contests["pair"].to_numpy())
    means = np.bincount(cell, contests["points"]) / np.bincount(cell)
    at = first_of(cell)
    place = combine(setting[at], seat[at])
    matches = np.bincount(combine(setting, seat))
    for number, one in enumerate(at[first_of(place)]):
        own = means[place == number]
        name = names_of(contests, "variant")[setting[one]]
        interval = mean_of(own).interval
        first = contests.iloc[one]
        is_first_of_two = first["number"] == 0 and first["of_match"] == 2
        yield SeatEffect(
            setting=name,
            seat=int(seat[one]),
            matches=int(matches[number]),
            score_pct=100 * float(own.mean()),
            score_low=None if interval is None else 100 * max(0.0, interval.low),
            score_high=None if interval is None else 100 * min(1.0, interval.high),
            advantage=advantages.get(name) if is_first_of_two else None,
        )
