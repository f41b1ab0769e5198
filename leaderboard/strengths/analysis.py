"""Computes from seats everything that a leaderboard is made of: sides, entries, totals, strengths.

The order of the rows does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from gridjoust.leaderboard.frame.codes import Floats, Indices, Mask, combine, distinct, first_of, names_of, rows_by
from gridjoust.leaderboard.frame.contests import Duels, choices_among, duels_of
from gridjoust.leaderboard.frame.entries import Entries, Evidence, Sides, evidence_of, fold
from gridjoust.leaderboard.standings import RankedBy, SeatEffect
from gridjoust.leaderboard.strengths.paired import ByGame, places, series_by_bot
from gridjoust.leaderboard.strengths.strengths import Contrast, Pool, SeedStrengths, Strengths, Withheld
from gridjoust.runner.results.tables.columns import Standing
from gridjoust.runner.statistics import Comparison, Ratings
from gridjoust.runner.statistics.profiles import Profile
from gridjoust.runner.statistics.rankings import Choices, choice_profile
from gridjoust.runner.statistics.ratings import duel_profile

ADVISABLE_UNITS = 20
AT_MOST = 3  # lines of one kind
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


@dataclass(frozen=True, slots=True)
class Ranked:
    """An analysis with its ranked bots; `bots` are the codes of the bots, in the order of the standings."""

    analysis: Analysis
    bots: Sequence[int]
    standings: Sequence[Standing]
    effects: Sequence[SeatEffect]

    @property
    def unit(self) -> str:
        """The word for what a comparison counts: pairs of matches, or seeds."""
        return "pair" if self.analysis.ranked_by is RankedBy.RATING else "seed"

    @property
    def name(self) -> Mapping[int, str]:
        """The names of the bots by their codes."""
        return {bot: one.bot for bot, one in zip(self.bots, self.standings, strict=True)}

    def pools(self) -> list[list[int]]:
        """Return the codes of each pool's bots, best first; the largest pool first."""
        found: dict[int, list[int]] = {}
        for one, bot in zip(self.standings, self.bots, strict=True):
            if one.pool is not None:
                found.setdefault(one.pool, []).append(bot)
        return [found[number] for number in sorted(found)]

    def neighbours(self) -> list[tuple[int, int, Contrast]]:
        """Return (code, code, contrast) for every bot and the next one of its pool."""
        named = [(one, other) for pool in self.pools() for one, other in pairwise(pool)]
        found = [(one, other, self.analysis.strengths.compare(one, other)) for one, other in named]
        return [(one, other, contrast) for one, other, contrast in found if contrast is not None]

    def leaders(self) -> Iterator[tuple[int, int, Contrast]]:
        """Yield each leading bot with those it is not separated from; the first it is separated from leads next.

        A triple is (code of the leader, code of the other bot, what is known of their difference).
        """
        strengths = self.analysis.strengths
        for pool in self.pools():
            leader = pool[0]
            for bot in pool[1:]:
                contrast = strengths.compare(leader, bot)
                if contrast is None or contrast.is_separated:
                    leader = bot
                else:
                    yield leader, bot, contrast

    def units_of_each(self, bot: int, other: int, found: Contrast) -> int:
        """Return the smaller of two bots' numbers of pairs of matches; if seeds are compared, their common seeds."""
        strengths = self.analysis.strengths
        if isinstance(strengths, Pool):
            return int(min(strengths.evidence.pairs[bot], strengths.evidence.pairs[other]))
        return found.units

    def has_interval(self, bot: int) -> bool:
        """Return True if the bot's strength has an interval."""
        strength = self.analysis.strengths.of(bot)
        return strength is not None and strength.interval is not None

    def is_too_few(self, bot: int) -> bool:
        """Return True if the bot has too few pairs of matches, or seeds, for an interval."""
        return self.is_withheld(bot, Withheld.TOO_FEW)

    def is_withheld(self, bot: int, why: Withheld) -> bool:
        """Return True if the bot has no interval for this reason."""
        strength = self.analysis.strengths.of(bot)
        return strength is not None and strength.withheld is why
