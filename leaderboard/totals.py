"""Sums per bot over its entries: matches, points, faults, search cost. Compares nobody with anybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboard.codes import Floats, Indices, Mask, combine, first_of
from leaderboard.entries import Entries


@dataclass(frozen=True, slots=True)
class Totals:
    """Arrays by code of the bot; nan = missing, as for a mean of nothing."""

    games: Indices
    matches: Indices
    seeds: Indices
    points: Floats
    score: Floats
    wins: Indices
    draws: Indices
    losses: Indices
    faults: Indices
    forfeits: Indices
    won: Floats
    planning_ms_per_turn: Floats
    nodes_per_turn: Floats
    cpu_ms_per_turn: Floats


def totals_of(entries: Entries, *, bots: int) -> Totals:
    """The totals of so many bots."""
    bot = entries.bot
    has_opponents = entries.of_match > 1
    is_first, is_alone = entries.rank == 1, entries.tied == 1

    def total(values: Floats | Indices | Mask) -> Floats:
        found: Floats = np.bincount(bot, values, bots).astype(np.float64)
        return found

    def count(values: Indices | Mask) -> Indices:
        return total(values).astype(np.int64)

    contests = total(has_opponents)
    points = np.where(contests > 0, total(np.nan_to_num(entries.points)), np.nan)
    has_won = ~np.isnan(entries.won)
    return Totals(
        games=_distinct(bot, entries.game, bots),
        matches=np.bincount(bot, minlength=bots),
        seeds=_distinct(bot, entries.deal, bots),
        points=points,
        score=_ratio(points, contests),
        wins=count(has_opponents & is_first & is_alone),
        draws=count(has_opponents & is_first & ~is_alone),
        losses=count(has_opponents & ~is_first),
        faults=count(entries.faults),
        forfeits=count(entries.has_forfeited),
        won=_ratio(total(np.nan_to_num(entries.won)), total(has_won)),
        planning_ms_per_turn=_ratio(total(entries.planning_ms), total(entries.planned_turns)),
        nodes_per_turn=_ratio(total(entries.nodes_expanded), total(entries.searched_turns)),
        cpu_ms_per_turn=_ratio(total(entries.cpu_ms), total(entries.cpu_turns)),
    )


def _distinct(bot: Indices, values: Indices, bots: int) -> Indices:
    """How many different values each bot has."""
    return np.bincount(bot[first_of(combine(bot, values))], minlength=bots)


def _ratio(total: Floats, count: Floats) -> Floats:
    ratio: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratio
