"""Compares each pair of bots of a leaderboard by their own matches: the rows of `pairings.csv`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import names_of
from gridjoust.leaderboard.frame.contests import PairRecord, pairs_between
from gridjoust.leaderboard.frame.entries import fold
from gridjoust.leaderboard.standings import Leaderboard, RankedBy, share_letter
from gridjoust.leaderboard.strengths.analysis import seed_values
from gridjoust.leaderboard.strengths.paired import ByGame, deal_differences, difference
from gridjoust.leaderboard.wording import likelihood_pct
from gridjoust.runner.results.tables.columns import Pairing
from gridjoust.runner.statistics import Interval, elo_from_pairs, elo_from_wdl, sign_test
from gridjoust.runner.statistics.intervals import normal_critical

_CLASSES = ("pairs_0", "pairs_half", "pairs_1", "pairs_1half", "pairs_2")


def with_pairings(seats: pd.DataFrame, board: Leaderboard) -> Leaderboard:
    """Return the leaderboard with a row for each pair of bots that can be compared."""
    return replace(board, pairings=tuple(pairings_of(seats, board)))


def pairings_of(seats: pd.DataFrame, board: Leaderboard) -> Iterator[Pairing]:
    """Yield a row for each pair of bots that met or, in games without opponents, played a common seed.

    `seats` are those that the leaderboard was made from; its letters say which bots are separated.
    """
    if not len(seats):
        return
    made = _makers(seats, board)
    code = {name: at for at, name in enumerate(names_of(seats, "bot"))}
    for one, other in combinations(board.standings, 2):
        columns = made(code.get(one.bot, -1), code.get(other.bot, -1))
        if columns is not None:
            yield Pairing(
                bot=one.bot, opponent=other.bot, separated=not share_letter(one.group, other.group), **columns
            )


def _makers(seats: pd.DataFrame, board: Leaderboard) -> Callable[[int, int], dict[str, Any] | None]:
    """Return a function from the codes of two bots to the columns that compare them; it returns None if none can."""
    if board.ranked_by is not RankedBy.RATING:
        values = seed_values(seats, board.ranked_by)
        return lambda one, other: _of_seeds(values.get(one, {}), values.get(other, {}))
    records = pairs_between(fold(seats).entries)

    def of_duels(one: int, other: int) -> dict[str, Any] | None:
        if (one, other) in records:
            return _of_duels(records[one, other])
        return _of_duels(records[other, one].turned()) if (other, one) in records else None

    return of_duels


def _of_duels(record: PairRecord) -> dict[str, float | int | None]:
    kinds = record.pentanomial
    found = elo_from_pairs(*kinds) if kinds else elo_from_wdl(*record.matches)
    return {
        **_unit_counts(record.won, record.even, record.lost),
        **dict(zip(_CLASSES, kinds or (None,) * 5, strict=True)),
        "score_pct": 100 * found.score,
        "elo": found.elo,
        **_ends("elo", found.elo_interval),
        "nelo": found.nelo,
        "nelo_error": found.nelo_error,
        "los_pct": None if found.los is None else likelihood_pct(found.los),
        "effect_size": record.effect_size,
        "lead": None,
        **_ends("lead", None),
    }


def _of_seeds(own: ByGame, other: ByGame) -> dict[str, float | int | None] | None:
    """Return the columns that compare two bots on common seeds; None if they have none."""
    found = difference(own, other)
    if found is None:
        return None
    leads = np.concatenate(deal_differences(own, other))
    won, lost = int((leads > 0).sum()), int((leads < 0).sum())
    deviation = float(leads.std())
    error = None if found.interval is None else (found.interval.high - found.interval.low) / 2 / normal_critical()
    return {
        **_unit_counts(won, len(leads) - won - lost, lost),
        **dict.fromkeys(_CLASSES),
        "score_pct": None,
        "elo": None,
        **_ends("elo", None),
        "nelo": None,
        "nelo_error": None,
        "los_pct": likelihood_pct(NormalDist().cdf(found.value / error)) if error else None,
        "effect_size": float(leads.mean()) / deviation if deviation > 0 else None,
        "lead": found.value,
        **_ends("lead", found.interval),
    }


def _unit_counts(won: int, even: int, lost: int) -> dict[str, float | int | None]:
    counts = {"pairs": won + even + lost, "won": won, "even": even, "lost": lost}
    return {**counts, "p_value": sign_test(won, lost)}


def _ends(name: str, interval: Interval | None) -> dict[str, float | None]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{name}_low": low, f"{name}_high": high}
