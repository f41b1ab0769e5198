"""Seats -> everything that a leaderboard is made from: who met whom, totals, strengths. Ranks nobody.

Independent of the order of the rows; `resamples` and `seed` decide the intervals of ratings and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from leaderboard.codes import Floats, Indices, combine, distinct, first_of
from leaderboard.contests import choices_among, duels_of, evidence_of
from leaderboard.entries import Entries, entries_of, share_beaten, sides_of, totals_of
from leaderboard.paired import ByGame, Places, places, series_by_bot
from leaderboard.seats import names_of
from leaderboard.standings import RankedBy
from leaderboard.strengths import Pool, SeedStrengths, Strengths, rate_contests, rate_duels


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything about one set of matches that its leaderboard is made from; `names` of bots by code."""

    seats: pd.DataFrame
    names: tuple[str, ...]
    sides: pd.DataFrame
    entries: Entries
    totals: Mapping[str, Floats | Indices]  # columns of the standings by name
    ranked_by: RankedBy
    strengths: Strengths
    returns: Mapping[int, ByGame]  # by bot; of games with unlike returns too
    beaten: Mapping[int, ByGame]
    on_seed: Mapping[int, tuple[float, float]]  # bot -> mean rank on a seed, share of seeds won; without opponents


def analyse(seats: pd.DataFrame, *, resamples: int, seed: int) -> Analysis:
    """Who met whom, and how strong that makes them."""
    sides, side = sides_of(seats)
    entries = entries_of(seats, sides, side)
    ranked_by = _choose(entries)
    returns = series_by_bot(entries.bot, entries.game, entries.deal, entries.returns)
    beaten, on_seed = _rivals_beaten(entries)
    strengths: Strengths
    if ranked_by is RankedBy.RATING:
        strengths = _rate(seats, entries, resamples=resamples, seed=seed)
    else:
        strengths = SeedStrengths(returns if ranked_by is RankedBy.RETURNS else beaten)
    totals = totals_of(entries, bots=len(names_of(seats, "bot")))
    return Analysis(
        seats, names_of(seats, "bot"), sides, entries, totals, ranked_by, strengths, returns, beaten, on_seed
    )


def _choose(entries: Entries) -> RankedBy:
    is_one_game = len(distinct(entries.game)) == 1
    kinds = {str(kind) for kind in distinct(np.minimum(entries.of_match, 3))}
    if kinds == {"1"}:
        return RankedBy.RETURNS if is_one_game else RankedBy.SCORE
    return RankedBy.RATING if "1" not in kinds and (is_one_game or len(kinds) == 1) else RankedBy.SCORE


def _rate(seats: pd.DataFrame, entries: Entries, *, resamples: int, seed: int) -> Pool:
    names = names_of(seats, "bot")
    codes = {name: code for code, name in enumerate(names)}
    evidence = evidence_of(entries, bots=len(names))
    if int(entries.of_match.max()) == 2:
        duels = duels_of(entries, bots=names, settings=names_of(seats, "variant"))
        return rate_duels(duels, evidence, codes=codes, resamples=resamples, seed=seed)
    return rate_contests(choices_among(entries, bots=names), evidence, codes=codes, resamples=resamples, seed=seed)


def _rivals_beaten(entries: Entries) -> tuple[Mapping[int, ByGame], dict[int, tuple[float, float]]]:
    """Share of rivals beaten by bot, game and deal; mean rank and share of deals won by bot, without opponents."""
    beaten = share_beaten(entries)
    alone = np.flatnonzero(entries.of_match == 1)
    on_seed: dict[int, tuple[float, float]] = {}
    if len(alone):
        cell = combine(entries.deal[alone], entries.bot[alone])
        means = np.bincount(cell, entries.returns[alone]) / np.bincount(cell)
        at = alone[first_of(cell)]
        found = places(entries.deal[at], means)
        beaten[alone] = found.beaten[cell]
        on_seed = _on_seed(entries.bot[at], found)
    return series_by_bot(entries.bot, entries.game, entries.deal, beaten), on_seed


def _on_seed(bot: Indices, found: Places) -> dict[int, tuple[float, float]]:
    has_rivals = ~np.isnan(found.beaten)
    own = bot[has_rivals]
    count = np.maximum(1, np.bincount(own))
    rank, best = (np.bincount(own, values[has_rivals]) / count for values in (found.rank, found.is_best))
    return {int(one): (float(rank[one]), float(best[one])) for one in distinct(own)}
