"""Sums per bot over its entries: matches, points, faults, search cost. Compares nobody with anybody."""

from __future__ import annotations

import numpy as np

from leaderboard.codes import Floats, Indices, Mask, combine, first_of
from leaderboard.entries import Entries


def totals_of(entries: Entries, *, bots: int) -> dict[str, Floats | Indices]:
    """The columns of the standings that add up what a bot did, by name; arrays by code of the bot, nan = missing."""
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
    matches, forfeits = np.bincount(bot, minlength=bots), count(entries.has_forfeited)
    return {
        "games": _distinct(bot, entries.game, bots),
        "matches": matches,
        "seeds": _distinct(bot, entries.deal, bots),
        "points": points,
        "score_pct": 100 * _ratio(points, contests),
        "wins": count(has_opponents & is_first & is_alone),
        "draws": count(has_opponents & is_first & ~is_alone),
        "losses": count(has_opponents & ~is_first),
        "faults": count(entries.faults),
        "forfeits": forfeits,
        "failure_pct": 100 * forfeits / np.maximum(1, matches),
        "won_pct": 100 * _ratio(total(np.nan_to_num(entries.won)), total(has_won)),
        "planning_ms_per_turn": _ratio(total(entries.planning_ms), total(entries.planned_turns)),
        "nodes_per_turn": _ratio(total(entries.nodes_expanded), total(entries.searched_turns)),
        "cpu_ms_per_turn": _ratio(total(entries.cpu_ms), total(entries.cpu_turns)),
    }


def _distinct(bot: Indices, values: Indices, bots: int) -> Indices:
    """How many different values each bot has."""
    return np.bincount(bot[first_of(combine(bot, values))], minlength=bots)


def _ratio(total: Floats, count: Floats) -> Floats:
    ratio: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return ratio
