"""Computes from seats everything that a leaderboard is made of: sides, entries, totals, strengths.

The order of the rows does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import Floats, Indices, Mask, combine, distinct, first_of, names_of, rows_by
from gridjoust.leaderboard.frame.contests import Duels, choices_among, duels_of
from gridjoust.leaderboard.frame.entries import Entries, Evidence, Sides, evidence_of, fold
from gridjoust.leaderboard.standings import RankedBy
from gridjoust.leaderboard.strengths.paired import ByGame, places, series_by_bot
from gridjoust.leaderboard.strengths.strengths import Pool, SeedStrengths, Strengths
from gridjoust.runner.statistics import Comparison, Ratings
from gridjoust.runner.statistics.profiles import Profile
from gridjoust.runner.statistics.rankings import Choices, choice_profile
from gridjoust.runner.statistics.ratings import duel_profile

_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Analysis:
    """Everything that a leaderboard is made of, for one set of matches; `names` of the bots by code."""

    seats: pd.DataFrame
    names: tuple[str, ...]
    sides: Sides
    entries: Entries
    totals: Mapping[str, Floats | Indices]  # columns of the standings by name
    ranked_by: RankedBy
    strengths: Strengths
    returns: Mapping[int, ByGame]  # by bot; of games with unlike returns too
    beaten: Mapping[int, ByGame]
    on_seed: Mapping[int, tuple[float, float]]  # bot -> mean rank on a seed, share of seeds won; without opponents

    @property
    def is_adaptive(self) -> bool:
        """True if any of the matches was chosen by earlier results."""
        return bool(self.seats["adaptive"].any())


def analyse(seats: pd.DataFrame) -> Analysis:
    """Compute everything that a leaderboard needs from the seats: sides, results, and the bots' strengths."""
    folded = fold(seats)
    entries, names = folded.entries, names_of(seats, "bot")
    ranked_by = _choose(entries)
    returns = series_by_bot(entries.bot, entries.game, entries.deal, entries.returns)
    shares, on_seed = _beaten_alone(entries, folded.beaten, bots=len(names))
    beaten = series_by_bot(entries.bot, entries.game, entries.deal, shares)
    del shares
    strengths: Strengths
    if ranked_by is RankedBy.RATING:
        strengths = _rate(seats, entries)
    else:
        strengths = SeedStrengths(returns if ranked_by is RankedBy.RETURNS else beaten)
    totals = folded.totals | _played(returns, bots=len(names))
    return Analysis(seats, names, folded.sides, entries, totals, ranked_by, strengths, returns, beaten, on_seed)


def seed_values(seats: pd.DataFrame, ranked_by: RankedBy) -> Mapping[int, ByGame]:
    """Return the values to compare on common seeds, by code of the bot and by game.

    They are the returns or, by `ranked_by`, the shares of rivals beaten.
    """
    folded = fold(seats)
    entries, values = folded.entries, folded.entries.returns
    if ranked_by is RankedBy.SCORE:
        values, _ = _beaten_alone(entries, folded.beaten, bots=len(names_of(seats, "bot")))
    return series_by_bot(entries.bot, entries.game, entries.deal, values)


def _played(returns: Mapping[int, ByGame], *, bots: int) -> dict[str, Indices]:
    """Return the columns `games` and `seeds`: how many games and start positions each bot has played, by its code."""
    return {
        "games": np.array([len(returns.get(bot, {})) for bot in range(bots)]),
        "seeds": np.array([sum(len(one.deals) for one in returns.get(bot, {}).values()) for bot in range(bots)]),
    }


def _choose(entries: Entries) -> RankedBy:
    is_one_game = len(distinct(entries.game)) == 1
    kinds = {str(kind) for kind in distinct(np.minimum(entries.of_match, 3))}
    if kinds == {"1"}:
        return RankedBy.RETURNS if is_one_game else RankedBy.SCORE
    return RankedBy.RATING if "1" not in kinds and (is_one_game or len(kinds) == 1) else RankedBy.SCORE


def _rate(seats: pd.DataFrame, entries: Entries) -> Pool:
    names = names_of(seats, "bot")
    codes = {name: code for code, name in enumerate(names)}
    evidence = evidence_of(entries, bots=len(names))
    if int(entries.of_match.max()) == 2:
        duels = duels_of(entries, bots=names, settings=names_of(seats, "variant"))
        return rate_duels(duels, evidence, codes=codes)
    return rate_contests(choices_among(entries, bots=names), evidence, codes=codes)


def _beaten_alone(entries: Entries, beaten: Floats, *, bots: int) -> tuple[Floats, Mapping[int, tuple[float, float]]]:
    """Return each entry's share of rivals beaten; in matches without opponents, rivals are the bots on the same seed.

    The second value is, by code of the bot, (mean rank, share of seeds won) in those matches.
    """
    alone = np.flatnonzero(entries.of_match == 1)
    on_seed = np.zeros((3, bots))
    beaten = beaten.astype(np.float64) if len(alone) else beaten
    for rows in rows_by(entries.deal[alone]):  # whole deals
        at = alone[rows]
        cell = combine(entries.deal[at], entries.bot[at])
        means = np.bincount(cell, entries.returns[at]) / np.bincount(cell)
        first = at[first_of(cell)]
        found = places(combine(entries.deal[first]), means)
        beaten[at] = found.beaten[cell]
        has_rivals = ~np.isnan(found.beaten)
        for total, values in zip(on_seed, (np.ones(len(first)), found.rank, found.is_best), strict=True):
            np.add.at(total, entries.bot[first][has_rivals], values[has_rivals])
    ranked = np.flatnonzero(on_seed[0])
    return beaten, {
        int(bot): (rank / count, best / count)
        for bot, (count, rank, best) in zip(ranked, on_seed.T[ranked].tolist(), strict=True)
    }


def rate_duels(duels: Duels, evidence: Evidence, *, codes: Mapping[str, int]) -> Pool:
    """Return ratings from one joint Bradley-Terry fit with seat advantages; `codes`: bot -> code."""
    names, fit, profile = duel_profile(duels.comparisons, copies=duels.copies)
    won, lost = (
        {bot for one in duels.comparisons for bot, score in _points(one) if score > 0},
        {bot for one in duels.comparisons for bot, score in _points(one) if score < 1},
    )
    is_one_sided = np.array([name not in won or name not in lost for name in names])
    return _pool(fit, names, profile, evidence, codes, is_one_sided)


def rate_contests(choices: Choices, evidence: Evidence, *, codes: Mapping[str, int]) -> Pool:
    """Return ratings from one joint Plackett-Luce fit of the rank orders; seats rotate, so they have no advantage."""
    fit, profile = choice_profile(choices)
    open_choices = np.bincount(choices.chosen_from, choices.weight, len(choices.among)) @ choices.among
    chosen = choices.chosen.sum(axis=0)
    is_one_sided = (chosen < _TINY) | (chosen > open_choices - _TINY)
    return _pool(fit, choices.bots, profile, evidence, codes, is_one_sided)


def _points(one: Comparison) -> tuple[tuple[str, float], tuple[str, float]]:
    return (one.first, one.score), (one.second, 1 - one.score)


def _pool(
    fit: Ratings,
    names: tuple[str, ...],
    profile: Profile,
    evidence: Evidence,
    codes: Mapping[str, int],
    is_one_sided: Mask,
) -> Pool:
    return Pool(
        index={codes[name]: at for at, name in enumerate(names)},
        ratings=np.array([fit.ratings[name] for name in names]),
        profile=profile,
        evidence=evidence,
        advantages=fit.advantages,
        advantage_errors=fit.advantage_errors,
        is_one_sided=is_one_sided,
    )
